import type { SeededRandom } from "../examples/company/seeded-random.ts";
import type { Coverage } from "./block-coverage.ts";
import { Corpus } from "./corpus.ts";
import type { FuzzTarget } from "./fuzz-target.ts";
import { mutate } from "./mutation.ts";
import { judge, type Verdict } from "./oracle.ts";

/** What a loop tells while it runs. */
export interface FuzzListener {
  begin(input: Buffer): void;
  finish(): void;
  /** An input that ran what none before had run. */
  discovered(input: Buffer, blocks: number): void;
  found(input: Buffer, verdict: Verdict): void;
  /** Asked after each input. */
  isOver(): boolean;
}

export interface FuzzPlan {
  readonly target: FuzzTarget;
  /** Inputs that earlier loops discovered, beside the target's own seeds. */
  readonly known: readonly Buffer[];
  readonly random: SeededRandom;
  readonly coverage: Coverage;
}

/**
 * Attacks a target: draws an input of the corpus, changes it, runs it, and keeps it when it ran new code. The method is
 * that of AFL (Zalewski) and libFuzzer; coverage is V8's. Faults of one place are told once.
 */
export async function fuzz(plan: FuzzPlan, listener: FuzzListener): Promise<void> {
  const { target, random, coverage } = plan;
  const corpus = new Corpus();
  const reasons = new Set<string>();
  const words = target.words.map((word) => Buffer.from(word, "latin1"));
  const attempt = async (input: Buffer): Promise<void> => {
    listener.begin(input);
    const verdict = await judge(target, input);
    listener.finish();
    if (coverage.collect() > 0) {
      corpus.add(input);
      listener.discovered(input, coverage.size);
    }
    if (verdict === null || reasons.has(verdict.reason)) return;
    reasons.add(verdict.reason);
    listener.found(input, verdict);
  };
  for (const seed of [...target.seeds(), ...plan.known]) {
    if (listener.isOver()) return;
    await attempt(seed.subarray(0, target.bytesMax));
  }
  while (!listener.isOver()) {
    const material = { other: corpus.draw(random), words, bytesMax: target.bytesMax };
    await attempt(mutate(corpus.draw(random), random, material));
  }
}
