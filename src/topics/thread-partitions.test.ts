import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partitionsInMemory } from "../../test/partitions-in-memory.ts";
import { seededRandom } from "../columns/seeded-random.ts";
import { ContentFilter, findBoilerplate } from "./boilerplate.ts";
import { MAX_MESSAGES_POOLED, type PooledTerms } from "./pooled-terms.ts";
import { ThreadPartitions } from "./thread-partitions.ts";
import { PartitionVectorizer, ThreadVectorizer, VectorPartitions } from "./thread-vectors.ts";
import { ADJACENT, hashOfToken, isAdjacent, LetterCase, LINE_END, packToken } from "./token.ts";
import { buildVocabulary } from "./vocabulary.ts";

/** Lines of a message; each word is a number. */
type Lines = readonly (readonly number[])[];

interface Message {
  readonly thread: number;
  readonly lines: Lines;
}

const tokenOf = (word: number): number => packToken(word, LetterCase.lower, 0);

/** Messages in segments of `cut` messages. */
function poolOf(messages: readonly Message[], cut: number): PooledTerms {
  const segments = Array.from({ length: Math.ceil(messages.length / cut) }, (_, index) => {
    const own = messages.slice(index * cut, (index + 1) * cut);
    const tokens = own.map(({ lines }) => lines.flatMap((line) => [...line.map(tokenOf), LINE_END]));
    const starts = new Uint32Array(own.length + 1);
    tokens.forEach((list, message) => {
      starts[message + 1] = starts[message]! + list.length;
    });
    const segment = {
      messages: own.length,
      tokens: Uint32Array.from(tokens.flat()),
      starts,
      wordTable: new Uint8Array(0),
    };
    return { segment, threadOf: Int32Array.from(own, ({ thread }) => thread) };
  });
  return { threads: messages.reduce((most, { thread }) => Math.max(most, thread + 1), 0), segments: () => segments };
}

/** Words of each thread, and its number of messages. */
function read(
  partitions: ThreadPartitions,
): readonly { readonly messages: number; readonly words: readonly number[] }[] {
  const threads = [];
  for (const partition of partitions.read()) {
    for (let thread = partition.first; thread < partition.end; thread++) {
      threads[thread] = {
        messages: partitions.messageCount(thread),
        words: [...partition.tokensOf(thread)].map(hashOfToken),
      };
    }
  }
  return threads;
}

/**
 * Words of each thread by a slow reference implementation: words of a subject twice, then words of the text that are
 * not in a frequent sequence of six.
 *
 * @param isFrequent null if no sequence is
 */
function expected(
  messages: readonly Message[],
  isFrequent: ((run: string) => boolean) | null,
): ReturnType<typeof read> {
  const threads = Array.from({ length: poolOf(messages, 1).threads }, () => ({ messages: 0, words: [] as number[] }));
  for (const { thread, lines } of messages) {
    const known = threads[thread];
    if (known === undefined || known.messages++ >= MAX_MESSAGES_POOLED) continue;
    const [subject = [], ...others] = lines;
    const text = others.flat();
    if (isFrequent === null) {
      known.words.push(...subject, ...subject, ...text);
      continue;
    }
    const covered = new Set<number>();
    runsOf(text).forEach((run, start) => {
      if (isFrequent(run)) for (let at = start; at < start + 6; at++) covered.add(at);
    });
    known.words.push(...subject, ...subject, ...text.filter((_, at) => !covered.has(at)));
  }
  return threads;
}

/** All sequences of six words. */
const runsOf = (text: readonly number[]): readonly string[] =>
  Array.from({ length: Math.max(0, text.length - 5) }, (_, start) => text.slice(start, start + 6).join(" "));

describe("ThreadPartitions", () => {
  it("pools the first messages of each thread in their order, subjects twice and without boilerplate", () => {
    const line = fc.array(fc.integer({ min: 1, max: 2 }), { maxLength: 8 });
    const message = fc.record({ thread: fc.integer({ min: -1, max: 30 }), lines: fc.array(line, { maxLength: 4 }) });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 120 }), fc.integer({ min: 1, max: 50 }), (messages, cut) => {
        const counts = new Map<string, { count: number; last: number | null }>();
        for (const { thread, lines } of messages) {
          for (const run of runsOf(lines.slice(1).flat())) {
            const known = counts.get(run) ?? { count: 0, last: null };
            if (known.last !== thread) counts.set(run, { count: known.count + 1, last: thread });
          }
        }
        const pool = poolOf(messages, cut);
        const partitions = new ThreadPartitions(pool, findBoilerplate(pool), partitionsInMemory());
        expect(read(partitions)).toEqual(expected(messages, (run) => counts.get(run)!.count >= 12));
      }),
      { numRuns: 30 },
    );
  });

  it("divides a large partition, with the same result", () => {
    const random = seededRandom(5);
    // Three million words: more than fit into a partition.
    const messages = Array.from({ length: 60 }, () => ({
      thread: Math.floor(random() * 40),
      lines: [[], Array.from({ length: 50_000 }, () => 1 + Math.floor(random() * 900))],
    }));
    const store = partitionsInMemory();
    const partitions = new ThreadPartitions(poolOf(messages, 7), new Uint32Array(0), store);
    expect([...partitions.read()].length).toBeGreaterThan(1);
    const naive = expected(messages, null);
    let thread = 0;
    for (const partition of partitions.read()) {
      expect(partition.first).toBe(thread);
      for (; thread < partition.end; thread++) {
        // Vitest compares long arrays a hundred times slower than bytes.
        const words = Uint32Array.from(partition.tokensOf(thread), hashOfToken);
        expect(Buffer.from(words.buffer).equals(Buffer.from(Uint32Array.from(naive[thread]!.words).buffer))).toBe(true);
      }
    }
    expect(thread).toBe(40);
    const vectorizer = new ThreadVectorizer(buildVocabulary(partitions, new Set()));
    const vectors = new VectorPartitions(partitions, vectorizer, partitionsInMemory());
    const all = vectors.select(Int32Array.from({ length: 40 }, (_, index) => index));
    const some = vectors.select(Int32Array.of(1, 20, 39));
    const partitionVectorizer = new PartitionVectorizer(vectorizer);
    for (const partition of partitions.read()) {
      const table = partitionVectorizer.vectorsOf(partition);
      for (let row = 0; row < table.rows; row++) {
        const own = partition.first + row;
        expect(all.terms.subarray(all.starts[own], all.starts[own + 1])).toEqual(
          table.terms.subarray(table.starts[row], table.starts[row + 1]),
        );
        expect(all.weights.subarray(all.starts[own], all.starts[own + 1])).toEqual(
          table.weights.subarray(table.starts[row], table.starts[row + 1]),
        );
      }
    }
    expect(some.weights.subarray(some.starts[1], some.starts[2])).toEqual(
      all.weights.subarray(all.starts[20], all.starts[21]),
    );
    expect(some.rows).toBe(3);
  });
});

describe("findBoilerplate", () => {
  const notice = [7, 8, 9, 10, 11, 12];

  it.each([
    [15, 0],
    [16, 1],
  ])("detects a footer in %i of 32,000 messages and %i runs", (repeats, runs) => {
    const messages = Array.from({ length: 32_000 }, (_, index) => ({
      thread: index,
      lines: [[], index < repeats ? notice : [100 + index]],
    }));
    expect(findBoilerplate(poolOf(messages, 4096)).length).toBe(runs);
  });

  it("detects text in many threads, not text repeated in one", () => {
    const messages = (threadOf: (index: number) => number): readonly Message[] =>
      Array.from({ length: 12 }, (_, index) => ({ thread: threadOf(index), lines: [[], [100 + index], notice] }));
    expect(
      findBoilerplate(
        poolOf(
          messages((index) => index),
          5,
        ),
      ).length,
    ).toBe(1);
    expect(
      findBoilerplate(
        poolOf(
          messages(() => 3),
          5,
        ),
      ).length,
    ).toBe(0);
  });

  it("distinguishes a frequent sequence from hash collisions", () => {
    // 300,000 unique sequences share a quarter of a million counters.
    const messages = Array.from({ length: 3000 }, (_, thread) => ({
      thread,
      lines: [[], Array.from({ length: 105 }, (_, at) => 1000 + thread * 105 + at), ...(thread < 12 ? [notice] : [])],
    }));
    const found = findBoilerplate(poolOf(messages, 500));
    expect(found.length).toBe(1);
    const words = new Uint32Array(64);
    const tokens = Uint32Array.from([LINE_END, ...[1, ...notice, 2].map(tokenOf), LINE_END]);
    const length = new ContentFilter(found).copyContent(tokens, [0, tokens.length], { words, at: 0 });
    expect([...words.subarray(0, length)].map(hashOfToken)).toEqual([1, 2]);
  });

  it("does not treat words on both sides of boilerplate as adjacent", () => {
    const messages = Array.from({ length: 12 }, (_, thread) => ({ thread, lines: [[], notice] }));
    const neighbors = [1, ...notice, 2].map((word) => tokenOf(word) | ADJACENT);
    const words = new Uint32Array(64);
    const tokens = Uint32Array.from([LINE_END, ...neighbors, LINE_END]);
    const length = new ContentFilter(findBoilerplate(poolOf(messages, 5))).copyContent(tokens, [0, tokens.length], {
      words,
      at: 0,
    });
    expect([...words.subarray(0, length)].map(isAdjacent)).toEqual([true, false]);
  });
});

it("weighs rare words more", () => {
  // Word 3 is in 3 threads and word 30 in 30, of a thousand threads in which groups of three share a word.
  const holds = [3, 10, 30, 90];
  const messages = Array.from({ length: 1000 }, (_, thread) => ({
    thread,
    lines: [[1000 + Math.floor(thread / 3)], holds.filter((count) => thread < count)],
  }));
  const pool = poolOf(messages, 100);
  const vocabulary = buildVocabulary(new ThreadPartitions(pool, findBoilerplate(pool), partitionsInMemory()), []);
  const weightOf = (word: number): number => vocabulary.idf[vocabulary.hashes.indexOf(hashOfToken(tokenOf(word)))]!;
  expect(weightOf(3) / weightOf(90)).toBeGreaterThan(Math.log(1000 / 3) / Math.log(1000 / 90));
  const weights = holds.map(weightOf);
  expect(weights).toEqual(weights.toSorted((a, b) => b - a));
  expect(Math.min(...vocabulary.idf)).toBeGreaterThan(0);
});

it("weighs the words of three threads of one word", () => {
  const pool = poolOf(
    [0, 1, 2].map((thread) => ({ thread, lines: [[], [7]] })),
    3,
  );
  const vocabulary = buildVocabulary(new ThreadPartitions(pool, findBoilerplate(pool), partitionsInMemory()), []);
  expect([...vocabulary.idf].every((weight) => weight > 0)).toBe(true);
  expect(vocabulary.idf).toHaveLength(1);
});
