// `npm test`: installs, builds and runs every check; `npm test -- src/mime` runs these tests only. Works on a fresh
// clone without anything prepared.
import { installPackages } from "./install-packages.mjs";
import { run } from "./run.mjs";

installPackages();
run("npm", ["run", "--silent", "build"]);
run("npx", ["biome", "check", "."]);
run("npx", ["tsc", "-p", "tsconfig.json"]);
run("npx", ["vitest", "run", ...process.argv.slice(2)]);
