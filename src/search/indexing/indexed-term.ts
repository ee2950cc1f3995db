import { visitPostings } from "./posting-codec.ts";
import type { LookedUp, Lookups, PatternPostings, SearchSource, TermPostings } from "./search-source.ts";
import { NO_LOOKUPS } from "./search-source.ts";
import { runStep } from "./search-turns.ts";
import { MAX_PATTERN_TERMS } from "./term-pattern.ts";

/** Frequency for values that do not fit into a column; `beyond` has the actual one. */
const COLUMN_MAXIMUM = 255;
/** Column value for a term that is only in attachments; 0 means the term is absent. */
export const FILE_ONLY = 254;
/** Flag added to the frequency while terms are merged: no message has so many words. */
const HELD = 2 ** 31;
/** For a term in more than an eighth of the messages, a column of one byte per message is faster than posting lists. */
const MESSAGES_A_POSTING = 8;
/** Bytes of columns cached for later queries, which share common words: 90 columns at 350,000 messages. */
const COLUMNS_BYTES = 32 << 20;

/** Frequencies of a term in every message, by document number. */
export interface TermColumn {
  readonly frequencies: Uint8Array;
  /** Documents whose frequency does not fit into a byte, ascending, and their frequencies. */
  readonly beyond: readonly { readonly document: number; readonly frequency: number }[];
}

/** Occurrences of a term: as posting lists, or as a column if it is in very many messages. */
export interface IndexedTerm {
  readonly documentFrequency: number;
  /** Empty if there is a column. */
  readonly lists: readonly Uint8Array[];
  readonly column: TermColumn | null;
  /** False if a pattern matches more than MAX_PATTERN_TERMS. */
  readonly isComplete: boolean;
  /** Terms that match the pattern; empty for a plain term. */
  readonly terms: readonly string[];
}

/** Calls `visit` with each document of a term and the term's frequency in it, in ascending order. */
export function visitTerm({ lists, column }: IndexedTerm, visit: (document: number, frequency: number) => void): void {
  for (const list of lists) visitPostings(list, visit);
  if (column === null) return;
  const { frequencies, beyond } = column;
  let next = 0;
  for (let document = 0; document < frequencies.length; document++) {
    const frequency = frequencies[document]!;
    if (frequency === 0) continue;
    if (frequency < COLUMN_MAXIMUM) visit(document, frequency === FILE_ONLY ? 0 : frequency);
    else visit(document, beyond[next++]!.frequency);
  }
}

/** Data that a query has requested. */
export interface QueryIndex extends Omit<LookedUp, "postings" | "withPattern"> {
  /**
   * Returns a term, or the union of the terms of a pattern: frequencies are added, and a message counts once. Null if
   * no message contains any.
   */
  find(term: string): IndexedTerm | null;
}

/** Frequencies of the query terms in the whole archive, for a shard, which sees only its own messages. */
export interface GlobalFrequencies {
  /** Number of messages with the term. */
  ofTerm(term: string): number;
  ofPattern(pattern: string): GlobalPattern;
}

export interface GlobalPattern {
  /** The terms in most messages of the whole archive, up to the requested number. */
  readonly terms: readonly string[];
  /** Number of messages with any of them. */
  readonly documentFrequency: number;
}

/** Looks terms up in one source and keeps the columns of the latest common ones. */
export class TermReader {
  /** Highest document number of the source plus one. */
  private readonly end: number;
  /** Least recently used first. */
  private readonly kept = new Map<string, IndexedTerm>();
  private readonly keptLimit: number;
  /** Sums between two uses, all zeros: new ones per term take longer than its postings. */
  private readonly sums: Uint32Array[] = [];

  constructor(private readonly source: SearchSource) {
    this.end = source.columns.lengths.length;
    this.keptLimit = Math.max(1, Math.floor(COLUMNS_BYTES / Math.max(1, this.end)));
  }

  /**
   * Looks up everything at once, except cached terms. Other queries may run between two terms. @param whole
   * statistics of the archive if the source is a shard, else null
   */
  async lookUp(asked: Lookups, whole: GlobalFrequencies | null = null): Promise<QueryIndex> {
    // Cached terms may be evicted before the query uses them.
    const found = new Map<string, IndexedTerm | null>();
    const isNew = (key: string): boolean => {
      const known = this.recall(key);
      if (known !== null) found.set(key, known);
      return known === null;
    };
    const terms = asked.terms.filter(isNew);
    const patterns = asked.patterns.filter(isNew);
    const looked = await this.take({ ...asked, terms, patterns }, whole, found);
    return { ...looked, find: (term) => found.get(term) ?? null };
  }

  private async take(
    asked: Lookups,
    whole: GlobalFrequencies | null,
    found: Map<string, IndexedTerm | null>,
  ): Promise<LookedUp> {
    const { terms, patterns } = asked;
    if (whole === null) {
      const looked = await this.source.lookUp(asked);
      for (const term of terms) found.set(term, await runStep(() => this.termOf(term, looked.postings(term))));
      for (const pattern of patterns)
        found.set(pattern, await this.patternOf(pattern, await looked.withPattern(pattern)));
      return looked;
    }
    // The terms of a pattern are chosen across all shards.
    const chosen = patterns.flatMap((pattern) => whole.ofPattern(pattern).terms);
    const looked = await this.source.lookUp({ ...asked, terms: [...new Set([...terms, ...chosen])], patterns: [] });
    const inWhole = (term: string): TermPostings | null => {
      const documentFrequency = whole.ofTerm(term);
      return documentFrequency === 0 ? null : { documentFrequency, lists: looked.postings(term)?.lists ?? [] };
    };
    for (const term of terms) found.set(term, await runStep(() => this.termOf(term, inWhole(term))));
    for (const pattern of patterns) {
      const { terms: held, documentFrequency } = whole.ofPattern(pattern);
      const postings = held.map((term) => ({ ...inWhole(term)!, term }));
      found.set(pattern, await this.patternOf(pattern, postings, documentFrequency));
    }
    return looked;
  }

  /** Number of messages of the source with any of the terms. */
  async countUnion(terms: readonly string[]): Promise<number> {
    const { postings } = await this.source.lookUp({ ...NO_LOOKUPS, terms });
    return (await this.unite(terms.flatMap((term) => postings(term) ?? []))).documentFrequency;
  }

  private termOf(term: string, postings: TermPostings | null): IndexedTerm | null {
    if (postings === null) return null;
    const { documentFrequency, lists } = postings;
    if (documentFrequency * MESSAGES_A_POSTING < this.source.documentCount)
      return { documentFrequency, lists, column: null, isComplete: true, terms: [] };
    // Use the archive-wide figures of the index, not those of this range.
    const union = this.startUnion();
    for (const list of lists) union.add(list);
    return this.keep(term, { ...this.finishUnion(union), documentFrequency });
  }

  /** @param inWhole number of messages of the whole archive with any of them; null to count here */
  private async patternOf(
    pattern: string,
    found: readonly PatternPostings[],
    inWhole: number | null = null,
  ): Promise<IndexedTerm | null> {
    if (found.length === 0) return null;
    const [only] = found;
    const terms = found.map(({ term }) => term);
    if (found.length === 1) return { ...only!, column: null, isComplete: true, terms };
    const united = await this.unite(found);
    const isComplete = found.length < MAX_PATTERN_TERMS;
    return this.keep(pattern, { ...united, documentFrequency: inWhole ?? united.documentFrequency, isComplete, terms });
  }

  private recall(key: string): IndexedTerm | null {
    const known = this.kept.get(key);
    if (known === undefined) return null;
    this.kept.delete(key);
    this.kept.set(key, known);
    return known;
  }

  private keep(key: string, term: IndexedTerm): IndexedTerm {
    for (const oldest of this.kept.keys()) {
      if (this.kept.size < this.keptLimit) break;
      this.kept.delete(oldest);
    }
    this.kept.set(key, term);
    return term;
  }

  private async unite(terms: readonly TermPostings[]): Promise<IndexedTerm> {
    const union = this.startUnion();
    for (const { lists } of terms) for (const list of lists) await runStep(() => union.add(list));
    return this.finishUnion(union);
  }

  private startUnion(): Union {
    return new Union(this.sums.pop() ?? new Uint32Array(this.end));
  }

  private finishUnion(union: Union): IndexedTerm {
    const term = union.takeTerm();
    this.sums.push(union.counts);
    return term;
  }
}

/** Adds up posting lists. */
class Union {
  /** @param counts one per message, all zeros */
  constructor(readonly counts: Uint32Array) {}

  add(list: Uint8Array): void {
    const { counts } = this;
    visitPostings(list, (document, frequency) => {
      counts[document] = ((counts[document]! | HELD) >>> 0) + frequency;
    });
  }

  /** Returns the union, and sets all sums to zero. */
  takeTerm(): IndexedTerm {
    const { counts } = this;
    const frequencies = new Uint8Array(counts.length);
    const beyond: { document: number; frequency: number }[] = [];
    let documentFrequency = 0;
    for (let document = 0; document < counts.length; document++) {
      if (counts[document] === 0) continue;
      const frequency = counts[document]! - HELD;
      counts[document] = 0;
      documentFrequency++;
      const isBeyond = frequency >= FILE_ONLY;
      frequencies[document] = isBeyond ? COLUMN_MAXIMUM : frequency === 0 ? FILE_ONLY : frequency;
      if (isBeyond) beyond.push({ document, frequency });
    }
    return { documentFrequency, lists: [], column: { frequencies, beyond }, isComplete: true, terms: [] };
  }
}
