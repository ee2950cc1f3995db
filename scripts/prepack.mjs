// Before `npm pack` and `npm publish`: what is packed is built from these sources, on a fresh clone as well.
import { existsSync } from "node:fs";
import { run } from "./run.mjs";

/** The output of npm, a JSON document perhaps, stays as it is. */
const quietly = { stdio: ["ignore", 2, 2] };

if (!existsSync("node_modules"))
  run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], quietly);
run("npm", ["run", "--silent", "build"], quietly);
