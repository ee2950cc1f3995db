// `npm test`: installs, builds and runs every check. Works on a fresh clone without anything prepared.
import { run } from "./run.mjs";

run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"]);
run("npm", ["run", "--silent", "build"]);
run("npx", ["biome", "check", "."]);
run("npx", ["tsc", "-p", "tsconfig.json"]);
run("npx", ["vitest", "run"]);
