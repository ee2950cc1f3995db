// `npm run coverage`: runs the tests and prints the line coverage of every directory, then all files below half. `npm
// run coverage -- src/mime src/text` measures directories one at a time, each only by its own tests, in minutes;
// flags are passed to vitest. Processes and threads started by tests (command line, jobs of the service) are not
// counted.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { relative, resolve, sep } from "node:path";

/** Line coverage in percent below which a file is listed. */
const NAMED_BELOW = 50;

const named = process.argv.slice(2);
const flags = named.filter((word) => word.startsWith("-"));
const paths = named.filter((word) => !word.startsWith("-"));
const rooms = new Map();
const holes = [];
const failed = [];

function measure(args) {
  const words = ["vitest", "run", "--coverage", "--passWithNoTests", ...args, ...flags];
  // Coverage of failed tests counts too, and the next directory still runs.
  if (spawnSync("npx", words, { stdio: "inherit", shell: process.platform === "win32" }).status !== 0)
    failed.push(args.at(-1) ?? "");
  const { total: _, ...files } = JSON.parse(readFileSync("coverage/coverage-summary.json", "utf8"));
  for (const [path, { lines }] of Object.entries(files)) {
    const file = relative(resolve("src"), path).split(sep).join("/");
    const room = file.includes("/") ? `${file.split("/")[0]}/` : file;
    const sum = rooms.get(room) ?? { covered: 0, total: 0 };
    rooms.set(room, { covered: sum.covered + lines.covered, total: sum.total + lines.total });
    if (lines.total > 0 && lines.pct < NAMED_BELOW) holes.push({ file, ...lines });
  }
}

if (paths.length === 0) measure([]);
for (const path of paths) {
  const directory = relative(".", path).split(sep).join("/");
  measure([`--coverage.include=${directory}/**/*.ts`, `${directory}/`]);
}

const share = ({ covered, total }) => Math.round((100 * covered) / total);
const all = { covered: 0, total: 0 };
console.log("| Directory | Lines covered, % |\n|---|---|");
for (const [room, lines] of [...rooms].sort(([a], [b]) => (a < b ? -1 : 1))) {
  all.covered += lines.covered;
  all.total += lines.total;
  if (lines.total > 0) console.log(`| \`${room}\` | ${share(lines)} |`);
}
console.log(`| all | ${share(all)} |\n\n| File below ${NAMED_BELOW} % | Lines covered, % |\n|---|---|`);
for (const { file, pct } of holes.sort((a, b) => a.pct - b.pct || (a.file < b.file ? -1 : 1)))
  console.log(`| \`${file}\` | ${Math.round(pct)} |`);
if (failed.length > 0) {
  console.error(`tests failed: ${failed.join(" ")}`);
  process.exitCode = 1;
}
