import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partitionsInMemory } from "../../test/partitions-in-memory.ts";
import { mixHash } from "../text/word-numbers.ts";
import { findBoilerplate } from "./boilerplate.ts";
import { MAX_MESSAGES_POOLED, type PooledTerms } from "./pooled-terms.ts";
import { seededRandom } from "./random.ts";
import { ThreadPartitions } from "./thread-partitions.ts";
import { PartitionVectorizer, ThreadVectorizer, VectorPartitions } from "./thread-vectors.ts";
import { hashOfToken, LetterCase, LINE_END, packToken } from "./token.ts";
import { buildVocabulary } from "./vocabulary.ts";

/** Lines of a message; a word is a number. */
type Lines = readonly (readonly number[])[];

interface Message {
  readonly thread: number;
  readonly lines: Lines;
}

const tokenOf = (word: number): number => packToken(word, LetterCase.lower, 0);

/** Messages in segments of `cut`. */
function poolOf(messages: readonly Message[], cut: number): PooledTerms {
  const segments = Array.from({ length: Math.ceil(messages.length / cut) }, (_, index) => {
    const own = messages.slice(index * cut, (index + 1) * cut);
    const tokens = own.map(({ lines }) => lines.flatMap((line) => [...line.map(tokenOf), LINE_END]));
    const starts = new Uint32Array(own.length + 1);
    tokens.forEach((list, message) => {
      starts[message + 1] = starts[message]! + list.length;
    });
    const segment = { messages: own.length, tokens: Uint32Array.from(tokens.flat()), starts, wordTable: new Uint8Array(0) };
    return { segment, threadOf: Int32Array.from(own, ({ thread }) => thread) };
  });
  return { threads: messages.reduce((most, { thread }) => Math.max(most, thread + 1), 0), segments: () => segments };
}

/** The words of each thread, and how many messages it has. */
function read(partitions: ThreadPartitions): readonly { readonly messages: number; readonly words: readonly number[] }[] {
  const threads = [];
  for (const partition of partitions.read()) {
    for (let thread = partition.first; thread < partition.end; thread++) {
      threads[thread] = { messages: partitions.messageCount(thread), words: [...partition.tokensOf(thread)].map(hashOfToken) };
    }
  }
  return threads;
}

function expected(messages: readonly Message[], isContent: (line: readonly number[]) => boolean): ReturnType<typeof read> {
  const threads = Array.from({ length: poolOf(messages, 1).threads }, () => ({ messages: 0, words: [] as number[] }));
  for (const { thread, lines } of messages) {
    const known = threads[thread];
    if (known === undefined) continue;
    if (known.messages++ < MAX_MESSAGES_POOLED) known.words.push(...lines.filter(isContent).flat());
  }
  return threads;
}

describe("ThreadPartitions", () => {
  it("pools the first messages of each thread in their order, without boilerplate", () => {
    const line = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 });
    const message = fc.record({ thread: fc.integer({ min: -1, max: 4 }), lines: fc.array(line, { maxLength: 4 }) });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 300 }), fc.integer({ min: 1, max: 50 }), (messages, cut) => {
        const frequent = (text: readonly number[]): boolean =>
          text.length >= 3 && messages.reduce((sum, { lines }) => sum + lines.filter((other) => `${other}` === `${text}`).length, 0) >= 12;
        const pool = poolOf(messages, cut);
        const partitions = new ThreadPartitions(pool, findBoilerplate(pool), partitionsInMemory());
        expect(read(partitions)).toEqual(expected(messages, (text) => !frequent(text)));
      }),
    );
  });

  it("cuts what is too large for one partition, and gives the same", () => {
    const random = seededRandom(5);
    // Three million words: more than a partition holds.
    const messages = Array.from({ length: 120 }, () => ({
      thread: Math.floor(random() * 40),
      lines: [Array.from({ length: 25_000 }, () => 1 + Math.floor(random() * 900))],
    }));
    const store = partitionsInMemory();
    const partitions = new ThreadPartitions(poolOf(messages, 7), new Uint32Array(0), store);
    expect([...partitions.read()].length).toBeGreaterThan(1);
    const naive = expected(messages, () => true);
    let thread = 0;
    for (const partition of partitions.read()) {
      expect(partition.first).toBe(thread);
      for (; thread < partition.end; thread++) expect([...partition.tokensOf(thread)].map(hashOfToken)).toEqual(naive[thread]!.words);
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
    expect(some.weights.subarray(some.starts[1], some.starts[2])).toEqual(all.weights.subarray(all.starts[20], all.starts[21]));
    expect(some.rows).toBe(3);
  });
});

describe("findBoilerplate", () => {
  it("tells a frequent line from those that share its counter in the first count", () => {
    const hashOf = (line: readonly number[]): number => line.reduce(mixHash, 1) >>> 0;
    const frequent = [7, 8, 9];
    // Lines are told apart by 32 bits, and counted at first by the lower ones.
    const others: number[][] = [];
    for (let word = 1; others.length < 20; word++) {
      const line = [word >> 12, word & 4095, 5];
      if (((hashOf(line) ^ hashOf(frequent)) & 0x3ffff) === 0 && hashOf(line) !== hashOf(frequent)) others.push(line);
    }
    const messages = [...Array.from({ length: 12 }, () => frequent), ...others].map((line, thread) => ({ thread, lines: [line] }));
    expect([...findBoilerplate(poolOf(messages, 5))]).toEqual([hashOf(frequent)]);
  });
});
