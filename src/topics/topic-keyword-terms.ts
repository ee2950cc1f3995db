import type { VectorPartition } from "./thread-vectors.ts";

/** Keywords of a topic. */
export const KEYWORDS = 10;
/** Minimum threads of a topic with a keyword. */
const MIN_THREADS = 3;

/** Threads by topic. */
export interface GroupedThreads {
  /** The vectors of the threads, in the order of the threads. */
  vectors(): Iterable<VectorPartition>;
  /** Rank 0… of the topic of each thread, -1 for none. */
  readonly topicOfThread: Int32Array;
  readonly topics: number;
  /** Number of terms of the vectors. */
  readonly terms: number;
}

/** Number of threads per topic and term: counts[topic * terms + term]. */
function countThreads({ vectors, topicOfThread, topics, terms }: GroupedThreads): {
  readonly counts: Uint32Array;
  readonly sizes: Uint32Array;
} {
  const counts = new Uint32Array(topics * terms);
  const sizes = new Uint32Array(topics);
  for (const { first, table } of vectors()) {
    for (let row = 0; row < table.rows; row++) {
      const topic = topicOfThread[first + row]!;
      if (topic < 0) continue;
      sizes[topic] = sizes[topic]! + 1;
      for (let entry = table.starts[row]!; entry < table.starts[row + 1]!; entry++) {
        const at = topic * terms + table.terms[entry]!;
        counts[at] = counts[at]! + 1;
      }
    }
  }
  return { counts, sizes };
}

/**
 * The terms that distinguish each topic, at most KEYWORDS, by class TF-IDF (Grootendorst 2022): share of the topic's
 * threads * ln(1 + mean class size / all threads).
 */
export function topicKeywords(grouped: GroupedThreads): readonly (readonly number[])[] {
  const { topics, terms } = grouped;
  const { counts, sizes } = countThreads(grouped);
  const totals = new Float64Array(terms);
  let all = 0;
  for (let topic = 0, at = 0; topic < topics; topic++) {
    for (let term = 0; term < terms; term++, at++) {
      totals[term] = totals[term]! + counts[at]!;
      all += counts[at]!;
    }
  }
  const mean = all / Math.max(1, topics) / 10;
  return Array.from({ length: topics }, (_, topic) => {
    const scored: { term: number; score: number }[] = [];
    const least = Math.max(1, Math.min(MIN_THREADS, sizes[topic]!));
    for (let term = 0; term < terms; term++) {
      const count = counts[topic * terms + term]!;
      if (count >= least) scored.push({ term, score: (count / sizes[topic]!) * Math.log(1 + mean / totals[term]!) });
    }
    scored.sort((a, b) => b.score - a.score || a.term - b.term);
    return scored.slice(0, KEYWORDS).map(({ term }) => term);
  });
}
