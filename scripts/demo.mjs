// `npm run demo`: generates the mail of a fictional company, extracts it, and suggests next steps. Works on a fresh
// clone.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { installPackages } from "./install-packages.mjs";
import { run } from "./run.mjs";

const SOURCE = join("demo-output", "source");
const ARCHIVE = join("demo-output", "archive");

installPackages();
run("npm", ["run", "--silent", "build"]);
// The mail is regenerated, to remove files of an older example. `extract` replaces the archive.
rmSync(SOURCE, { recursive: true, force: true });
run("node", ["--import", "tsx", join("examples", "generate.ts"), SOURCE]);
const sources = ["greta-halvorsen.mbox", "tomas-reyes", "office-export", "halvorsen-pike.pst"].map((name) =>
  join(SOURCE, name),
);
run("node", [join("dist", "cli", "main.js"), "extract", ...sources, "--output", ARCHIVE, "--json", "--csv"]);

console.log(`
And look at the archive:
  ${join(ARCHIVE, "index.md")}
      open the directory ${ARCHIVE} as an Obsidian vault, or this file in any editor
  node dist/cli/main.js stats ${ARCHIVE}
  node dist/cli/main.js viz ${ARCHIVE} --output ${join("demo-output", "graph.html")}`);
