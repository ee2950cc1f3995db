import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { HANG_SECONDS, watchFuzzing } from "./fuzz-thread.ts";
import type { Verdict } from "./oracle.ts";
import { FUZZ_TARGETS } from "./targets.ts";

/** Seconds between two lines of progress. */
const PROGRESS_SECONDS = 10;
const USAGE = `usage: npm run fuzz -- TARGET... [--seconds N] [--seed N] [--out DIR]
  TARGET   ${Object.keys(FUZZ_TARGETS).join(", ")}, or all
  --seconds N   how long each target is attacked (default 60)
  --seed N      where chance begins (default: the time)
  --out DIR     where inputs that break something are written (default fuzz/out)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
    out: { type: "string", default: join("fuzz", "out") },
  },
});
const names = positionals.includes("all") ? Object.keys(FUZZ_TARGETS) : positionals;
const seconds = Number(values.seconds);
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
if (
  names.length === 0 ||
  names.some((name) => !Object.hasOwn(FUZZ_TARGETS, name)) ||
  !(seconds > 0) ||
  !Number.isInteger(seed)
) {
  console.error(USAGE);
  process.exit(1);
}

function save(name: string, input: Uint8Array, verdict: Verdict): void {
  const path = join(values.out, `${name}-${createHash("sha256").update(input).digest("hex").slice(0, 12)}`);
  mkdirSync(values.out, { recursive: true });
  writeFileSync(path, input);
  console.log(
    `${name}: ${verdict.reason} (${input.length} bytes, in ${path})\n  ${verdict.detail.replaceAll("\n", "\n  ")}`,
  );
}

let findings = 0;
for (const name of names) {
  const target = FUZZ_TARGETS[name]!;
  let looks = 0;
  const outcome = await watchFuzzing({
    targets: new URL("./targets.ts", import.meta.url).href,
    name,
    bytesMax: target.bytesMax,
    seed,
    seconds,
    hangSeconds: HANG_SECONDS,
    onFound(input, verdict) {
      findings++;
      save(name, input, verdict);
    },
    onLook(tried, blocks) {
      looks++;
      if (looks % PROGRESS_SECONDS === 0) console.log(`${name}: ${tried} inputs, ${blocks} blocks`);
    },
  });
  console.log(
    `${name}: seed ${seed}, ${outcome.tried} inputs in ${seconds} s, ${outcome.blocks} blocks, ${outcome.discovered.length} inputs kept`,
  );
}
console.log(`findings: ${findings}`);
process.exitCode = findings === 0 ? 0 : 1;
