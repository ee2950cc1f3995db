import { parentPort, workerData } from "node:worker_threads";
import { SeededRandom } from "../examples/company/seeded-random.ts";
import { BlockCoverage } from "./block-coverage.ts";
import { fuzz } from "./fuzz-loop.ts";
import type { FuzzTarget } from "./fuzz-target.ts";
import type { FuzzReport, FuzzWork } from "./fuzz-thread.ts";
import { SharedInput } from "./shared-input.ts";

const work = workerData as FuzzWork;
const shared = new SharedInput(work.memory);
// Before anything of the targets has run.
const coverage = new BlockCoverage((url) => /\/(src|fuzz\/planted)/.test(url));
const { FUZZ_TARGETS } = (await import(work.targets)) as {
  readonly FUZZ_TARGETS: Readonly<Record<string, FuzzTarget>>;
};
const target = FUZZ_TARGETS[work.target]!;
const tell = (report: FuzzReport): void => parentPort?.postMessage(report);

await fuzz(
  {
    target,
    known: work.known.map((bytes) => Buffer.from(bytes)),
    random: new SeededRandom(work.seed),
    coverage,
  },
  {
    begin: (input) => shared.begin(input),
    finish: () => shared.finish(),
    discovered: (input, blocks) => tell({ kind: "discovered", input, blocks }),
    found: (input, verdict) => tell({ kind: "found", input, verdict }),
    isOver: () => Date.now() > work.endsAt,
  },
);
