// `npm run properties`: runs property tests with a new seed, for nightly runs. `npm run properties -- 42 src/mime`
// repeats those of a directory with a printed seed.
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { run } from "./run.mjs";

/** Seeds of fast-check are 32-bit integers. */
const MOST_SEED = 2 ** 31 - 1;

const [first, ...others] = process.argv.slice(2);
const isSeed = /^\d+$/.test(first ?? "");
const seed = isSeed ? first : String(randomInt(1, MOST_SEED));
const paths = isSeed || first === undefined ? others : [first, ...others];

console.log(
  `property tests with the seed ${seed}; to repeat them: npm run properties -- ${[seed, ...paths].join(" ")}`,
);
run("npx", ["vitest", "run", ...propertyTests(paths)], { env: { ...process.env, ARCHIVETOOL_PROPERTY_SEED: seed } });

/** Test files below the paths that use the seed. */
function propertyTests(below) {
  const files = ["src", "test", "examples", "bench", "fuzz"].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => join(root, name)),
  );
  const wanted = below.length === 0 ? [""] : below.map((path) => join(path));
  return files
    .filter((file) => file.endsWith(".test.ts") && wanted.some((path) => file.startsWith(path)))
    .filter((file) => /from "fast-check"|property-runs|inject\("propertySeed"\)/.test(readFileSync(file, "utf8")))
    .map((file) => file.split(sep).join("/"));
}
