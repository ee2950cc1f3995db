import { HashCounter } from "../columns/hash-counter.ts";
import { GroupCounter } from "./group-counter.ts";
import type { PooledTerms } from "./pooled-terms.ts";
import { ADJACENT, hashOfToken, LINE_END } from "./token.ts";

/** Words of a shingle: enough consecutive words that two people write the same only by copying. */
const SHINGLE_WORDS = 6;
/**
 * A shingle is boilerplate if it occurs in this share of the messages, in as many threads, and at least this often.
 * With twice the share, the footer of a web mailer and the disclaimer of a bank each became a topic.
 */
const BOILERPLATE_SHARE = 0.0005;
const MIN_BOILERPLATE_THREADS = 12;
/**
 * Counters of the first count, a power of two (4 MiB). Mail has about a hundred words per message; spread over these
 * they stay far below the boilerplate share in any archive.
 */
const COUNTERS = 1 << 20;
/** Base of the polynomial hash of a shingle, and its power for the first word. */
const BASE = 0x01000193;
const FIRST_POWER = Array.from({ length: SHINGLE_WORDS - 1 }).reduce((power: number) => Math.imul(power, BASE), 1);

/** Range of words. */
interface WordRange {
  readonly words: Uint32Array;
  readonly start: number;
  readonly end: number;
}

/** The polynomial of the first words of a range, or of all if there are fewer. */
function firstHash({ words, start, end }: WordRange): number {
  let hash = 0;
  for (let at = start; at < end && at < start + SHINGLE_WORDS; at++)
    hash = (Math.imul(hash, BASE) + hashOfToken(words[at]!)) | 0;
  return hash;
}

/** The polynomial of the shingle that begins one word later. */
function nextHash(hash: number, first: number, next: number): number {
  return (Math.imul(hash - Math.imul(hashOfToken(first), FIRST_POWER), BASE) + hashOfToken(next)) | 0;
}

/** A polynomial hash, never 0: its upper bits are mixed in, because short texts vary little in the lower ones. */
function keyOf(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0 || 1;
}

/** End of a message's subject, which is its first line. */
export function subjectEnd(tokens: Uint32Array, start: number, end: number): number {
  let at = start;
  while (at < end && tokens[at] !== LINE_END) at++;
  return at;
}

/** Copies the words of tokens[start, end) to `words` from `at`, without line breaks; returns the end. */
function copyWords(
  tokens: Uint32Array,
  [start, end]: readonly [number, number],
  words: Uint32Array,
  at: number,
): number {
  let to = at;
  for (let index = start; index < end; index++) if (tokens[index] !== LINE_END) words[to++] = tokens[index]!;
  return to;
}

/** The shingles of one message at a time, in reused arrays. */
class Shingles {
  keys: Uint32Array = new Uint32Array(1 << 12);
  /** Number of valid keys. */
  count = 0;
  private words = new Uint32Array(1 << 12);

  /** Replaces the shingles by those of the message tokens[start, end), without the subject, which may repeat. */
  take(tokens: Uint32Array, start: number, end: number): void {
    if (end - start > this.words.length) {
      this.words = new Uint32Array(2 * (end - start));
      this.keys = new Uint32Array(2 * (end - start));
    }
    const { words, keys } = this;
    const length = copyWords(tokens, [subjectEnd(tokens, start, end), end], words, 0);
    this.count = Math.max(0, length - SHINGLE_WORDS + 1);
    let hash = firstHash({ words, start: 0, end: length });
    for (let at = 0; at < this.count; at++) {
      keys[at] = keyOf(hash);
      hash = nextHash(hash, words[at]!, words[at + SHINGLE_WORDS]!);
    }
  }
}

/** Counts shingles by a few bits of their keys. Collisions make counts too high, never too low. */
function countCoarsely(pool: PooledTerms): { readonly coarse: Uint32Array; readonly messages: number } {
  const coarse = new Uint32Array(COUNTERS);
  const shingles = new Shingles();
  let messages = 0;
  for (const { segment } of pool.segments()) {
    messages += segment.messages;
    for (let message = 0; message < segment.messages; message++) {
      shingles.take(segment.tokens, segment.starts[message]!, segment.starts[message + 1]!);
      const { keys, count } = shingles;
      for (let at = 0; at < count; at++) coarse[keys[at]! & (COUNTERS - 1)]!++;
    }
  }
  return { coarse, messages };
}

/**
 * Keys of shingles (Broder 1997) in so many threads that they are meaningless: disclaimers, headings of forms, footers
 * of lists. A thread that quotes itself counts about once. Ascending. Two passes: the first counts by a few bits of the
 * key, so that the second needs to count only the shingles that may be frequent.
 */
export function findBoilerplate(pool: PooledTerms): Uint32Array {
  const { coarse, messages } = countCoarsely(pool);
  const least = Math.max(MIN_BOILERPLATE_THREADS, messages * BOILERPLATE_SHARE);
  const threads = new GroupCounter();
  const shingles = new Shingles();
  for (const { segment, threadOf } of pool.segments()) {
    for (let message = 0; message < segment.messages; message++) {
      shingles.take(segment.tokens, segment.starts[message]!, segment.starts[message + 1]!);
      const { keys, count } = shingles;
      for (let at = 0; at < count; at++) {
        if (coarse[keys[at]! & (COUNTERS - 1)]! >= least) threads.add(keys[at]!, threadOf[message]!);
      }
    }
  }
  const found: number[] = [];
  for (const [key, count] of threads.entries()) if (count >= least) found.push(key);
  return Uint32Array.from(found).sort();
}

/** Copies the words of messages that are not boilerplate. */
export class ContentFilter {
  private readonly boilerplate = new HashCounter();

  constructor(boilerplate: Uint32Array) {
    for (const key of boilerplate) this.boilerplate.add(key, 1);
  }

  /**
   * Copies the words of the message tokens[start, end) to `words` from `at`: those of its subject twice, because they
   * are most important, then those of its text without boilerplate. Returns the end; `words` needs capacity for twice
   * all words.
   */
  copyContent(
    tokens: Uint32Array,
    [start, end]: readonly [number, number],
    { words, at }: { readonly words: Uint32Array; readonly at: number },
  ): number {
    const textStart = subjectEnd(tokens, start, end);
    const once = copyWords(tokens, [start, textStart], words, at);
    const twice = copyWords(tokens, [start, textStart], words, once);
    return this.removeBoilerplate({ words, start: twice, end: copyWords(tokens, [textStart, end], words, twice) });
  }

  /** Removes boilerplate in place; returns the end of the remaining words. */
  private removeBoilerplate({ words, start, end }: WordRange): number {
    let hash = firstHash({ words, start, end });
    let to = start;
    let coveredTo = start;
    let isCut = false;
    for (let at = start; at < end; at++) {
      if (at + SHINGLE_WORDS <= end && this.boilerplate.get(keyOf(hash)) > 0) coveredTo = at + SHINGLE_WORDS;
      const word = words[at]!;
      hash = nextHash(hash, word, at + SHINGLE_WORDS < end ? words[at + SHINGLE_WORDS]! : 0);
      if (at >= coveredTo) words[to++] = isCut ? word & ~ADJACENT : word;
      isCut = at < coveredTo;
    }
    return to;
  }
}
