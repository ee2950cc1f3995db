// `npm test`: installs, builds and runs every check; `npm test -- src/mime` runs only these tests. Works on a fresh
// clone.
import { installPackages } from "./install-packages.mjs";
import { run, runTogether } from "./run.mjs";

installPackages();
await runTogether(
  ["npm", "run", "--silent", "build"],
  ["npx", "biome", "check", "."],
  ["npx", "tsc", "-p", "tsconfig.json"],
  ["node", "scripts/check-commits.mjs"],
);
run("npx", ["vitest", "run", ...process.argv.slice(2)]);
