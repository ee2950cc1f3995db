import { type Profiler, Session } from "node:inspector";

/**
 * Least counts of the classes; above the last there is one class: a loop that ran 200 or 2,000 times took no other way.
 */
const COUNT_CLASSES = [0, 1, 2, 3, 4, 8, 16, 32, 128] as const;

/**
 * The class of a count, as coverage-guided fuzzers sort them: a loop that runs twice where it ran once is news, 101
 * after 100 is not.
 */
function countClass(count: number): number {
  let last = 0;
  for (const [index, least] of COUNT_CLASSES.entries()) if (count >= least) last = index;
  return last;
}

/** Tells what an input has run. */
export interface Coverage {
  /** What inputs have run so far, counted. */
  readonly size: number;
  /** Notes what ran since the last call. @returns how much of it had never run. */
  collect(): number;
}

/**
 * What code of the project has been run, block by block, as V8's precise coverage tells it. No instrumentation and no
 * dependency: the inspector of the running thread is asked after each input, which costs about a millisecond. Blocks
 * are counted in functions that are compiled after this was made, and one thread can have it once: V8 does not compile
 * them anew.
 */
export class BlockCoverage implements Coverage {
  private readonly session = new Session();
  private readonly seen = new Set<string>();

  /** @param isOurs says which scripts count, by their URL. */
  constructor(private readonly isOurs: (url: string) => boolean) {
    this.session.connect();
    this.session.post("Profiler.enable");
    this.session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** Different blocks, each with the classes of its counts, that inputs have run or left out. */
  get size(): number {
    return this.seen.size;
  }

  /** Notes what ran since the last call. @returns how much of it had never run, or never that often. */
  collect(): number {
    const before = this.seen.size;
    for (const script of this.take()) {
      if (!this.isOurs(script.url)) continue;
      for (const { ranges } of script.functions) {
        if (ranges[0]?.count === 0) continue;
        // A block that did not run counts as well: V8 lists the other side of a branch only when that one did not.
        for (const { startOffset, endOffset, count } of ranges)
          this.seen.add(`${script.scriptId}:${startOffset}-${endOffset}:${countClass(count)}`);
      }
    }
    return this.seen.size - before;
  }

  close(): void {
    this.session.post("Profiler.stopPreciseCoverage");
    this.session.disconnect();
  }

  /** The inspector of the own thread answers before `post` returns. */
  private take(): readonly Profiler.ScriptCoverage[] {
    let result: readonly Profiler.ScriptCoverage[] = [];
    this.session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error !== null) throw new Error(`no coverage: ${error.message}`);
      result = answer.result;
    });
    return result;
  }
}
