import { mixHash } from "../text/word-numbers.ts";
import { HashCounter } from "./hash-counter.ts";
import type { PooledTerms } from "./pooled-terms.ts";
import { hashOfToken, LINE_END } from "./token.ts";

/** Words of the shortest line that can be boilerplate. */
const MIN_BOILERPLATE_WORDS = 3;
/** A line is boilerplate when it stands in this share of the messages, and at least so often. */
const BOILERPLATE_SHARE = 0.002;
const MIN_BOILERPLATE_MESSAGES = 12;
/** What the hash of a line begins with. */
const LINE_HASH = 1;
/**
 * Counters of the first count, a power of two (1 MiB). Mail has about ten lines a message; spread over these they stay far below the share
 * that makes boilerplate, however large the archive is.
 */
const COUNTERS = 1 << 18;

/** Told the hash of a line, 0 for one too short to be boilerplate, and where its words are. */
type LineVisitor = (hash: number, start: number, end: number) => void;

/** Visits the lines of tokens[start, end) by their words, not their capitals. Every message ends with a line end. */
function visitLines(tokens: Uint32Array, [from, to]: readonly [number, number], visit: LineVisitor): void {
  let start = from;
  let hash = LINE_HASH;
  for (let index = from; index < to; index++) {
    const token = tokens[index]!;
    if (token !== LINE_END) {
      hash = mixHash(hash, hashOfToken(token));
      continue;
    }
    visit(index - start < MIN_BOILERPLATE_WORDS ? 0 : hash >>> 0, start, index);
    start = index + 1;
    hash = LINE_HASH;
  }
}

/**
 * Hashes of lines that so many messages share that they say nothing: disclaimers, headings of forms, footers of lists. Ascending. Two
 * passes: the first counts by a few bits of the hash, so that the second needs to count only the lines that may be frequent.
 */
export function findBoilerplate(pool: PooledTerms): Uint32Array {
  const coarse = new Uint32Array(COUNTERS);
  let messages = 0;
  for (const { segment } of pool.segments()) {
    messages += segment.messages;
    visitLines(segment.tokens, [0, segment.tokens.length], (hash) => {
      const at = hash & (COUNTERS - 1);
      coarse[at] = coarse[at]! + 1;
    });
  }
  const least = Math.max(MIN_BOILERPLATE_MESSAGES, messages * BOILERPLATE_SHARE);
  const counts = new HashCounter();
  for (const { segment } of pool.segments()) {
    visitLines(segment.tokens, [0, segment.tokens.length], (hash) => {
      if (hash !== 0 && coarse[hash & (COUNTERS - 1)]! >= least) counts.add(hash, 1);
    });
  }
  const found: number[] = [];
  for (const [hash, count] of counts.entries()) if (count >= least) found.push(hash);
  return Uint32Array.from(found).sort();
}

/** Copies the words of messages that are not boilerplate. */
export class ContentFilter {
  private readonly boilerplate = new HashCounter();

  constructor(boilerplate: Uint32Array) {
    for (const hash of boilerplate) this.boilerplate.add(hash, 1);
  }

  /** Copies the words of tokens[start, end) to `words` from `at` on, line ends left out; returns where they end. */
  copyContent(
    tokens: Uint32Array,
    range: readonly [number, number],
    { words, at }: { readonly words: Uint32Array; readonly at: number },
  ): number {
    let length = at;
    visitLines(tokens, range, (hash, start, end) => {
      if (hash !== 0 && this.boilerplate.get(hash) > 0) return;
      for (let index = start; index < end; index++) words[length++] = tokens[index]!;
    });
    return length;
  }
}
