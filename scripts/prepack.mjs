// Runs before `npm pack` and `npm publish`: builds the package from these sources, also on a fresh clone.
import { existsSync } from "node:fs";
import { run } from "./run.mjs";

/** Does not write to stdout, where npm may print JSON. */
const quietly = { stdio: ["ignore", 2, 2] };

if (!existsSync("node_modules"))
  run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], quietly);
run("npm", ["run", "--silent", "build"], quietly);
