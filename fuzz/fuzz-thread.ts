import { Worker } from "node:worker_threads";
import { cpuSecondsSince, type Verdict } from "./oracle.ts";
import { SharedInput } from "./shared-input.ts";

/** Old-generation heap of the attacked thread in MiB: no input of a megabyte may need more. */
const HEAP_MB = 400;
/** Seconds of CPU after which an input hangs. Slow ones are found by the oracle long before. */
export const HANG_SECONDS = 30;
/** Times as many seconds of the clock, after which an input hangs that does nothing, or on a machine that is busy. */
const STALLED = 20;
/** Milliseconds between two looks at the thread. */
const LOOK_MS = 1_000;

/** What an attacked thread is given. */
export interface FuzzWork {
  /** URL of the module whose `FUZZ_TARGETS` has the target. */
  readonly targets: string;
  readonly target: string;
  readonly seed: number;
  readonly known: readonly Uint8Array[];
  readonly memory: SharedArrayBuffer;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/** What it tells. */
export type FuzzReport =
  | { readonly kind: "discovered"; readonly input: Uint8Array; readonly blocks: number }
  | { readonly kind: "found"; readonly input: Uint8Array; readonly verdict: Verdict };

export interface FuzzOutcome {
  readonly tried: number;
  readonly blocks: number;
  readonly discovered: readonly Uint8Array[];
}

/** What a watched run is asked for. */
export interface FuzzRun {
  /** URL of the module whose `FUZZ_TARGETS` has the target: the thread loads it for itself. */
  readonly targets: string;
  readonly name: string;
  /** Longest input in bytes. */
  readonly bytesMax: number;
  readonly seed: number;
  readonly seconds: number;
  readonly hangSeconds: number;
  onFound(input: Uint8Array, verdict: Verdict): void;
  onLook(tried: number, blocks: number): void;
}

/**
 * Attacks a target in threads of their own, one after the other: one that dies or hangs is a finding, and the next
 * takes over its corpus.
 */
export async function watchFuzzing(run: FuzzRun): Promise<FuzzOutcome> {
  const endsAt = Date.now() + run.seconds * 1000;
  const discovered: Uint8Array[] = [];
  const deaths = new Set<string>();
  let tried = 0;
  let blocks = 0;
  for (let seed = run.seed; Date.now() < endsAt; seed++) {
    const shared = SharedInput.of(run.bytesMax);
    const work = {
      targets: run.targets,
      target: run.name,
      seed,
      known: [...discovered],
      memory: shared.memory,
      endsAt,
    };
    const death = await watchThread(work, run.hangSeconds, (report) => {
      if (report === null) run.onLook(tried + shared.tried, blocks);
      else if (report.kind === "found") run.onFound(report.input, report.verdict);
      else {
        discovered.push(report.input);
        blocks = report.blocks;
      }
    });
    tried += shared.tried;
    const input = shared.current;
    if (death === null || input === null || deaths.has(death.reason)) continue;
    deaths.add(death.reason);
    run.onFound(input, death);
  }
  return { tried, blocks, discovered };
}

/** @returns how the thread died, null when it ended by itself. */
function watchThread(
  work: FuzzWork,
  hangSeconds: number,
  onReport: (report: FuzzReport | null) => void,
): Promise<Verdict | null> {
  const shared = new SharedInput(work.memory);
  return new Promise((resolve) => {
    const loader = import.meta.resolve("tsx/esm/api");
    const entry = new URL("./fuzz-worker.ts", import.meta.url).href;
    const code = `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(entry)}); })`;
    const thread = new Worker(code, {
      eval: true,
      workerData: work,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    let death: Verdict | null = null;
    let seen = { tried: 0, cpu: process.cpuUsage() };
    const look = setInterval(() => {
      onReport(null);
      if (shared.tried !== seen.tried) seen = { tried: shared.tried, cpu: process.cpuUsage() };
      const { secondsAtIt } = shared;
      const isStalled = secondsAtIt > STALLED * hangSeconds;
      if (secondsAtIt <= hangSeconds || (!isStalled && cpuSecondsSince(seen.cpu) <= hangSeconds)) return;
      death = { reason: "hangs", detail: `more than ${secondsAtIt} s` };
      void thread.terminate();
    }, LOOK_MS);
    thread.on("message", (report: FuzzReport) => onReport(report));
    thread.on("error", (error) => {
      death = { reason: `dies: ${error.message}`.slice(0, 120), detail: error.stack ?? error.message };
    });
    thread.on("exit", () => {
      clearInterval(look);
      resolve(death);
    });
  });
}
