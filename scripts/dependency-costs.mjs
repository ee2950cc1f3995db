// `npm run costs`: prints scripts/dependency-sizes.csv, the size of each bundled package, and its CPU time at the
// start. Needs a build.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { nodeModules, unusedPackages } from "./package-plugins.mjs";

/** Number of starts to compare: fewer are too noisy. */
const RUNS = 15;
/** Packages of which only data is bundled, and those only for browsers. */
const NOT_STARTED = ["eld", "preact", "@preact/signals", "tus-js-client"];
/** Imported subpath of a package if it is not the main entry. */
const ENTRIES = {
  "@exodus/bytes": "@exodus/bytes/multi-byte.js",
  unpdf: "unpdf/pdfjs",
  "stopwords-iso": "stopwords-iso/stopwords-iso.json",
  "vader-sentiment": "vader-sentiment/src/vader_lexicon.js",
};

const packages = JSON.parse(readFileSync(join("dist", "data", "packages.json"), "utf8"));
const workshop = mkdtempSync(join(tmpdir(), "dependency-costs-"));
try {
  const empty = join(workshop, "empty.mjs");
  writeFileSync(empty, "");
  console.log("package,kilobytes,with dependencies,packages,start in ms of CPU");
  for (const entry of packages
    .filter(({ isDirect }) => isDirect)
    .sort((one, other) => other.totalBytes - one.totalBytes)) {
    const ms = NOT_STARTED.includes(entry.name) ? "-" : String(await startCost(entry.name, empty));
    const kilobytes = (bytes) => String(Math.round(bytes / 1000));
    console.log([entry.name, kilobytes(entry.bytes), kilobytes(entry.totalBytes), entry.packages, ms].join(","));
  }
} finally {
  rmSync(workshop, { recursive: true, force: true });
}

/** CPU time to load a package, bundled alone, minus that of an empty program: median of paired starts. */
async function startCost(name, empty) {
  const bundle = join(workshop, `${name.replace("/", "-")}.mjs`);
  const contents = `import * as all from ${JSON.stringify(ENTRIES[name] ?? name)}; globalThis.all = all;`;
  await build({
    stdin: { contents, resolveDir: process.cwd() },
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
    plugins: [nodeModules, unusedPackages],
  });
  const differences = Array.from({ length: RUNS }, () => cpuOf(bundle) - cpuOf(empty)).sort(
    (one, other) => one - other,
  );
  return Math.max(0, Math.round(differences[RUNS >> 1]));
}

/** Milliseconds of CPU per start. */
function cpuOf(file) {
  const program = `await import(${JSON.stringify(file)}); const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);`;
  return Number(spawnSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" }).stdout);
}
