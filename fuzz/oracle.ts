import { ArchiveError } from "../src/errors.ts";
import type { FuzzTarget } from "./fuzz-target.ts";

/** What one input may make, beyond a fixed part: the promise of docs/explanation/reliability.md for a message. */
const GROWTH_MAX = 20;
const GROWTH_FREE_BYTES = 1_000_000;
/**
 * Milliseconds an input may take: a fixed part for what is compiled first, and a rate far below the slowest parser's.
 */
const FREE_MS = 400;
const MS_A_KIB = 8;
/** A slow input is run again: what is compiled, and other threads, must not count. The fastest run is judged. */
const RUNS_OF_SLOW = 3;

/** What is wrong with an input, or null. `reason` is the same for inputs that fail in the same place. */
export interface Verdict {
  readonly reason: string;
  readonly detail: string;
}

/**
 * Runs a target on one input and judges it: an error that is not one of ours, too much made of too little, or too long.
 */
export async function judge(target: FuzzTarget, input: Buffer): Promise<Verdict | null> {
  const allowedMs = FREE_MS + (MS_A_KIB * input.length) / 1024;
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS_OF_SLOW && fastest > allowedMs; run++) {
    const start = performance.now();
    const cpu = process.cpuUsage();
    const outcome = await attempt(target, input);
    // Where other programs hold the machine, CPU time is the shorter; where other threads are at work, time is.
    fastest = Math.min(fastest, performance.now() - start, cpuSecondsSince(cpu) * 1000);
    if (typeof outcome !== "number") return outcome;
    const allowed = GROWTH_MAX * input.length + GROWTH_FREE_BYTES;
    if (outcome > allowed) return { reason: "grows", detail: `${input.length} bytes became ${outcome}` };
  }
  return fastest <= allowedMs
    ? null
    : { reason: "slow", detail: `${Math.round(fastest)} ms for ${input.length} bytes` };
}

/** CPU time of all threads of this process, in seconds. */
export function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

async function attempt(target: FuzzTarget, input: Buffer): Promise<number | Verdict> {
  try {
    return await target.run(input);
  } catch (error) {
    if (error instanceof ArchiveError && error.code !== "INTERNAL_ERROR") return 0;
    return {
      reason: `throws ${placeOf(error)}`,
      detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

/** The first line of ours in a stack: many inputs find one fault. */
function placeOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const line = stack.split("\n").find((text) => text.includes("/src/") || text.includes("/fuzz/"));
  return line?.replace(/^.*\/(src|fuzz)\//, "$1/").replace(/\)$/, "") ?? String(error).slice(0, 80);
}
