import { mkdirSync, rmSync, statSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { CLI, type Measurement, measure, median, megabytes, printRow } from "./measure.ts";
import { isInstalled } from "./peers.ts";
import { DEFAULT_STORE, writeSyntheticStore } from "./synthetic-store.ts";
import { emptyWorkDirectory } from "./work-directory.ts";

const READER = resolve(import.meta.dirname, "pst-reader.mjs");
/** Threads of the second run: one per core, the default of `extract` and readpst (`-j`). */
const THREADS = availableParallelism();
/** Runs of each program, in turn; the median counts, so that other load affects all of them. */
const ROUNDS = 5;

/** readpst with its default of all cores, and in one process. The first is the reference. */
const READPST: readonly (readonly [who: string, flags: readonly string[]])[] = [
  ["readpst -r", []],
  ["readpst -r -j 0", ["-j", "0"]],
];

interface Contender {
  readonly who: string;
  readonly run: () => Promise<Measurement>;
}

/** Sizes of the stores as multiples of the default: their difference excludes startup and warm-up. */
const SIZES = [1, 2];

/**
 * Reads generated stores of 10,000 and 20,000 messages with the reader alone, with readpst if installed, and with the
 * whole program.
 */
export async function benchPst(directory: string): Promise<void> {
  emptyWorkDirectory(directory);
  for (const size of SIZES) {
    const path = join(directory, `bench-${size}.pst`);
    const { messages, attachments } = DEFAULT_STORE;
    writeSyntheticStore(path, { ...DEFAULT_STORE, messages: size * messages, attachments: size * attachments });
    await benchStore(path, directory);
    rmSync(path);
  }
}

async function benchStore(path: string, directory: string): Promise<void> {
  const contenders = contendersFor(path, directory);
  // An unmeasured run warms up the disk cache.
  for (const { run } of contenders) await run();
  const figures = contenders.map((): Measurement[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { run }] of contenders.entries()) figures[index]!.push(await run());
  }
  const load = loadavg().map((value) => value.toFixed(1));
  console.log(`\n${(statSync(path).size / 1e6).toFixed(0)} MB, ${ROUNDS} rounds in turn, load ${load.join(" ")}\n`);
  print(contenders.map(({ who }, index) => ({ who, figures: figures[index]! })));
}

function contendersFor(path: string, directory: string): readonly Contender[] {
  const output = join(directory, "output");
  const contenders: Contender[] = [1, THREADS].map((threads) => ({
    who: `archivetool reader, ${threads} thread${threads === 1 ? "" : "s"}`,
    run: () => measure([process.execPath, READER, path, String(threads)]),
  }));
  for (const [who, flags] of isInstalled("readpst") ? READPST : []) {
    contenders.push({
      who,
      run: () => {
        rmSync(output, { recursive: true, force: true });
        mkdirSync(output);
        return measure(["readpst", "-q", "-r", ...flags, "-o", output, path]);
      },
    });
  }
  const extraction = join(directory, "extraction");
  contenders.push({
    who: "archivetool extract",
    run: () => {
      rmSync(extraction, { recursive: true, force: true });
      return measure([process.execPath, CLI, "-q", "extract", path, "--output", extraction]);
    },
  });
  return contenders;
}

function print(rows: readonly { readonly who: string; readonly figures: readonly Measurement[] }[]): void {
  const peer = rows.find(({ who }) => who.startsWith("readpst"));
  const ratioTo = (own: readonly Measurement[], of: (figure: Measurement) => number): string =>
    peer === undefined ? "" : (median(peer.figures.map(of)) / median(own.map(of))).toFixed(2);
  console.log("| Command | CPU s | Wall s | Peak memory MB | Throughput, readpst = 1 | per CPU s, readpst = 1 |");
  console.log("|---|---|---|---|---|---|");
  for (const { who, figures } of rows) {
    const failed = figures.find(({ exitCode }) => exitCode !== 0);
    printRow([
      who + (failed === undefined ? "" : ` (exit ${failed.exitCode})`),
      median(figures.map(cpu)).toFixed(2),
      median(figures.map(wall)).toFixed(2),
      megabytes(median(figures.map(({ peakBytes }) => peakBytes))),
      ratioTo(figures, wall),
      ratioTo(figures, cpu),
    ]);
  }
}

const cpu = ({ cpuSeconds }: Measurement): number => cpuSeconds;
const wall = ({ wallSeconds }: Measurement): number => wallSeconds;
