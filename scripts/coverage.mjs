// `npm run coverage`: runs the tests and prints which share of the lines of every room they reached, then every file of
// which they reached less than half. What tests start as programs of their own (the command line, jobs of the service,
// threads) is not counted.
import { readFileSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { run } from "./run.mjs";

/** Share of the lines, in percent, below which a file is named. */
const NAMED_BELOW = 50;

run("npx", ["vitest", "run", "--coverage", ...process.argv.slice(2)]);
const { total, ...files } = JSON.parse(readFileSync("coverage/coverage-summary.json", "utf8"));
const rooms = new Map();
const holes = [];
for (const [path, { lines }] of Object.entries(files)) {
  const file = relative(resolve("src"), path).split(sep).join("/");
  const room = file.includes("/") ? `${file.split("/")[0]}/` : file;
  const sum = rooms.get(room) ?? { covered: 0, total: 0 };
  rooms.set(room, { covered: sum.covered + lines.covered, total: sum.total + lines.total });
  if (lines.total > 0 && lines.pct < NAMED_BELOW) holes.push({ file, ...lines });
}
console.log("| Room | Lines reached, % |\n|---|---|");
for (const [room, lines] of [...rooms].sort(([a], [b]) => (a < b ? -1 : 1))) {
  if (lines.total > 0) console.log(`| \`${room}\` | ${Math.round((100 * lines.covered) / lines.total)} |`);
}
console.log(
  `| all | ${Math.round(total.lines.pct)} |\n\n| File below ${NAMED_BELOW} % | Lines reached, % |\n|---|---|`,
);
for (const { file, pct } of holes.sort((a, b) => a.pct - b.pct || (a.file < b.file ? -1 : 1)))
  console.log(`| \`${file}\` | ${Math.round(pct)} |`);
