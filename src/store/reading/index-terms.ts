import type { LookedUp, PatternPostings, TermPostings } from "../../search/indexing/search-source.ts";
import { runStep } from "../../search/indexing/search-turns.ts";
import { findInBlock, type TermEntry, visitBlock } from "../../search/indexing/term-block.ts";
import { literalStart, MAX_PATTERN_TERMS, patternMatcher } from "../../search/indexing/term-pattern.ts";

/** The largest character: upper bound of the terms with a prefix. */
export const LAST_CHARACTER = "\u{10ffff}";

/** The dictionary and the posting lists of an index. */
export interface StoredIndex {
  readonly segments: readonly number[];
  /** The block of a segment that can contain a term. */
  blockOf(segment: number, term: string): Uint8Array | undefined;
  /** Blocks of a segment whose first term begins with a prefix and is longer, in order. */
  blocksBehind(segment: number, prefix: string): Iterable<Uint8Array>;
  /** A posting list stored separately. */
  list(id: number): Uint8Array;
  /** Messages for which only duplicates have the term, as a posting list; null if there are none. */
  ofCopies(term: string): Uint8Array | null;
}

/** Terms of an index for lookups. */
interface StoredTerms extends Pick<LookedUp, "postings" | "withPattern"> {
  /** Number of messages with any term of a pattern, without reading posting lists. */
  frequenciesWith(pattern: string): Promise<ReadonlyMap<string, number>>;
}

/** Looks terms up. */
export function termReader(index: StoredIndex): StoredTerms {
  const encoder = new TextEncoder();

  /** Short lists are inside their block, long ones separate. */
  function listOf(postings: Uint8Array | number): Uint8Array {
    return typeof postings === "number" ? index.list(postings) : postings;
  }

  function postings(term: string): TermPostings | null {
    const spelling = encoder.encode(term);
    let documentFrequency = 0;
    const lists: Uint8Array[] = [];
    for (const seg of index.segments) {
      const block = index.blockOf(seg, term);
      const entry = block === undefined ? null : findInBlock(block, spelling);
      if (entry === null) continue;
      documentFrequency += entry.documentFrequency;
      lists.push(listOf(entry.postings));
    }
    const further = index.ofCopies(term);
    if (further === null) return documentFrequency === 0 ? null : { documentFrequency, lists };
    // Only terms of fields have such a list. They filter and do not rank, so a message may be in both lists.
    return { documentFrequency: documentFrequency + 1, lists: [...lists, further] };
  }

  /** Blocks that may contain terms with the prefix: the one it sorts into, and all that start with it. */
  function* blocksWith(prefix: string): Generator<Uint8Array> {
    for (const seg of index.segments) {
      const block = index.blockOf(seg, prefix);
      if (block !== undefined) yield block;
      yield* index.blocksBehind(seg, prefix);
    }
  }

  async function frequenciesWith(pattern: string): Promise<ReadonlyMap<string, number>> {
    const prefix = literalStart(pattern);
    const start = Buffer.from(prefix);
    const fits = patternMatcher(pattern);
    const frequencies = new Map<string, number>();
    const take = ({ term, documentFrequency }: TermEntry): boolean => {
      const order = start.compare(term, 0, Math.min(term.length, start.length));
      if (order !== 0) return order > 0;
      const text = Buffer.from(term).toString();
      if (fits(text)) frequencies.set(text, (frequencies.get(text) ?? 0) + documentFrequency);
      return true;
    };
    for (const block of blocksWith(prefix)) await runStep(() => visitBlock(block, take));
    return frequencies;
  }

  async function withPattern(pattern: string): Promise<readonly PatternPostings[]> {
    const ranked = Array.from(await frequenciesWith(pattern)).sort(
      (left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1),
    );
    const named: PatternPostings[] = [];
    for (const [term] of ranked.slice(0, MAX_PATTERN_TERMS)) {
      const found = await runStep(() => postings(term));
      if (found !== null) named.push({ ...found, term });
    }
    return named;
  }

  return { postings, withPattern, frequenciesWith };
}
