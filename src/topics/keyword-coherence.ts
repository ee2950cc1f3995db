import { type GroupedThreads, KEYWORDS } from "./topic-keyword-terms.ts";

/** NPMI of two words that are never in the same thread. */
const NEVER = -1;

/** Co-occurrence of the keywords of a topic in threads, by their indexes in the list of keywords. */
export class KeywordCoherence {
  /** @param information of word i and word j at i * KEYWORDS + j */
  constructor(
    private readonly count: number,
    private readonly information: Float64Array,
    /** Share of the topic's own threads with at least two of its keywords. */
    readonly coverage: number,
  ) {}

  /** Normalized pointwise mutual information of two keywords over the threads of the archive, -1…1 (Bouma 2009). */
  of(a: number, b: number): number {
    return this.information[a * KEYWORDS + b]!;
  }

  /** The mean over all pairs; 1 for a single keyword. */
  get mean(): number {
    let sum = 0;
    for (let a = 0; a < this.count; a++) for (let b = 0; b < a; b++) sum += this.of(a, b);
    const pairs = (this.count * (this.count - 1)) / 2;
    return pairs === 0 ? 1 : sum / pairs;
  }
}

/** Positions of a term among the keywords of topics. */
interface KeywordPlaces {
  /** Number of each keyword term, -1 for others. */
  readonly slots: Int32Array;
  /** By slot: topic and keyword index. */
  readonly places: readonly (readonly number[])[];
}

function placesOf(termsOfTopic: readonly (readonly number[])[], terms: number): KeywordPlaces {
  const slots = new Int32Array(terms).fill(-1);
  const places: number[][] = [];
  termsOfTopic.forEach((own, topic) => {
    own.forEach((term, place) => {
      if (slots[term]! < 0) slots[term] = places.push([]) - 1;
      places[slots[term]!]!.push(topic, place);
    });
  });
  return { slots, places };
}

/**
 * Counts, topic by topic, how often keywords of a topic occur in the same thread of any topic, and in how many threads
 * of their own topic.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: sparse rows are walked in columns; parts of it would share all its state
export function keywordCoherence(
  grouped: GroupedThreads,
  termsOfTopic: readonly (readonly number[])[],
): readonly KeywordCoherence[] {
  const { slots, places } = placesOf(termsOfTopic, grouped.terms);
  const together = new Uint32Array(termsOfTopic.length * KEYWORDS * KEYWORDS);
  /** Keywords of each topic in the current thread, as bits. */
  const present = new Uint16Array(termsOfTopic.length);
  const met: number[] = [];
  const sizes = new Uint32Array(termsOfTopic.length);
  const covered = new Uint32Array(termsOfTopic.length);
  let threads = 0;
  for (const { first, table } of grouped.vectors()) {
    for (let row = 0; row < table.rows; row++) {
      if (table.starts[row] === table.starts[row + 1]) continue;
      threads++;
      for (let entry = table.starts[row]!; entry < table.starts[row + 1]!; entry++) {
        const slot = slots[table.terms[entry]!]!;
        if (slot < 0) continue;
        const own = places[slot]!;
        for (let index = 0; index < own.length; index += 2) {
          const topic = own[index]!;
          if (present[topic] === 0) met.push(topic);
          present[topic] = present[topic]! | (1 << own[index + 1]!);
        }
      }
      const own = grouped.topicOfThread[first + row]!;
      if (own >= 0) {
        sizes[own]!++;
        if (isCovered(present[own]!, termsOfTopic[own]!.length)) covered[own]!++;
      }
      for (const topic of met) {
        countPairs(together, topic * KEYWORDS * KEYWORDS, present[topic]!);
        present[topic] = 0;
      }
      met.length = 0;
    }
  }
  return termsOfTopic.map((own, topic) => {
    const from = topic * KEYWORDS * KEYWORDS;
    return new KeywordCoherence(
      own.length,
      informationOf(together.subarray(from, from + KEYWORDS * KEYWORDS), own.length, threads),
      covered[topic]! / Math.max(1, sizes[topic]!),
    );
  });
}

/** True if more than one bit is set, or the bit of a single keyword. */
function isCovered(bits: number, keywords: number): boolean {
  return keywords === 1 ? bits !== 0 : (bits & (bits - 1)) !== 0;
}

/** Increments every pair of set bits, and each with itself. */
function countPairs(together: Uint32Array, from: number, present: number): void {
  for (let a = 0; present >>> a !== 0; a++) {
    if (((present >>> a) & 1) === 0) continue;
    for (let b = 0; b <= a; b++) if ((present >>> b) & 1) together[from + a * KEYWORDS + b]!++;
  }
}

function informationOf(together: Uint32Array, count: number, threads: number): Float64Array {
  const information = new Float64Array(KEYWORDS * KEYWORDS);
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < a; b++) {
      const both = together[a * KEYWORDS + b]!;
      const chance = (together[a * KEYWORDS + a]! / threads) * (together[b * KEYWORDS + b]! / threads);
      const value =
        both === 0 ? NEVER : both === threads ? 1 : Math.log(both / threads / chance) / -Math.log(both / threads);
      information[a * KEYWORDS + b] = value;
      information[b * KEYWORDS + a] = value;
    }
  }
  return information;
}
