import { spawn } from "node:child_process";
import { lstatSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { PHASES, type Phase } from "../src/extraction/extraction-event.ts";
import { MboxSink } from "./mail-sink.ts";
import { childEnvironment } from "./measure.ts";
import { DEFAULT_SHAPE, writeSyntheticArchive } from "./synthetic-archive.ts";
import { emptyWorkDirectory } from "./work-directory.ts";

const CLI = resolve(import.meta.dirname, "../dist/cli/main.js");
const PHASE_STARTS = pathToFileURL(resolve(import.meta.dirname, "phase-starts.mjs")).href;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type StopSignal = keyof typeof EXIT_CODES;
/** Default number of messages. */
const MESSAGES = 20_000;
/** Words of an average body: the end of a run is measured, not its duration. */
const MEAN_WORDS = 60;
/** Maximum time before the middle of a phase at which a signal is sent. */
const EARLIEST_SHARE = 8;
/** Milliseconds within which a run must end. */
const PROMISED_MS = 1_000;

interface Ended {
  readonly exitCode: number | null;
  /** Milliseconds from the signal to the end. */
  readonly milliseconds: number;
  /** Start of each phase in milliseconds since the start of the process. */
  readonly begun: ReadonlyMap<Phase, number>;
}

interface StoppedRun extends Ended {
  /** The output is unchanged. */
  readonly isSame: boolean;
}

/** Time of the signal: some milliseconds after the start of a phase. Null without a signal. */
interface Moment {
  readonly phase: Phase;
  readonly afterMs: number;
  readonly signal: StopSignal;
}

/**
 * Extracts a generated archive over its earlier output, and stops the run by each signal in the middle of each phase.
 * Prints the results; fails if a run took more than a second to end, had another exit code, or changed the output.
 * @param words number of messages
 */
export async function benchSignals(directory: string, words: readonly string[]): Promise<void> {
  emptyWorkDirectory(directory);
  const messages = Number(words[0] ?? MESSAGES);
  const mbox = join(directory, "mail.mbox");
  const output = join(directory, "output");
  writeSyntheticArchive({ ...DEFAULT_SHAPE, messages, meanWords: MEAN_WORDS }, new MboxSink(mbox));
  const args = ["extract", mbox, "--output", output, "--json", "--csv", "--wiki"];
  await extract(args, null);
  const { begun, milliseconds } = await extract(args, null);
  console.log(`${messages} messages, ${(milliseconds / 1000).toFixed(1)} s\n`);
  console.log("| Phase | Signal | Exit code | ms | Output |\n|---|---|---|---|---|");
  let broken = 0;
  for (const [place, phase] of PHASES.entries()) {
    const start = begun.get(phase) ?? 0;
    const end = begun.get(PHASES[place + 1] ?? phase) ?? milliseconds;
    for (const signal of Object.keys(EXIT_CODES) as StopSignal[]) {
      const afterMs = Math.max(0, (end > start ? end : milliseconds) - start) / 2;
      const ended = await stopInside(args, output, { phase, afterMs, signal });
      const { isSame } = ended;
      if (ended.exitCode !== EXIT_CODES[signal] || ended.milliseconds > PROMISED_MS || !isSame) broken++;
      console.log(
        `| ${phase} | ${signal} | ${ended.exitCode} | ${ended.milliseconds.toFixed(0)} | ${isSame ? "as it was" : "changed"} |`,
      );
    }
  }
  console.log(`\n${broken} of ${PHASES.length * Object.keys(EXIT_CODES).length} runs did not end as promised`);
  if (broken > 0) process.exitCode = 1;
}

/**
 * If the machine was faster than in the reference run, a signal arrives during publishing, which completes: repeats
 * the run with an earlier signal.
 */
async function stopInside(args: readonly string[], output: string, moment: Moment): Promise<StoppedRun> {
  for (let share = 1; ; share *= 2) {
    const before = snapshot(output);
    const ended = await extract(args, { ...moment, afterMs: moment.afterMs / share });
    const isSame = snapshot(output) === before;
    if (ended.exitCode !== 0 || share === EARLIEST_SHARE) return { ...ended, isSame };
  }
}

/** Runs the command and sends a signal at a time; without one, measures the whole run. */
function extract(args: readonly string[], moment: Moment | null): Promise<Ended> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--import", PHASE_STARTS, CLI, "-q", ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: childEnvironment(),
  });
  const begun = new Map<Phase, number>();
  let sentAt = startedAt;
  let text = "";
  const send = ({ signal }: Moment): void => {
    sentAt = performance.now();
    child.kill(signal);
  };
  child.stderr.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    for (const phase of PHASES) {
      if (begun.has(phase) || !text.includes(`phase ${phase}\n`)) continue;
      begun.set(phase, performance.now() - startedAt);
      if (moment !== null && moment.phase === phase) setTimeout(send, moment.afterMs, moment);
    }
  });
  return new Promise((settle) => {
    child.once("close", (exitCode) => settle({ exitCode, milliseconds: performance.now() - sentAt, begun }));
  });
}

/** Paths, sizes, times and inode numbers of all files in a directory. A replaced file has another inode. */
function snapshot(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .sort()
    .map((path) => {
      const { size, mtimeMs, ino } = lstatSync(join(directory, path));
      return `${path} ${size} ${mtimeMs} ${ino}`;
    })
    .join("\n");
}
