import type { SearchFilter } from "../../mail/archive.ts";
import type { ConversationSort, ExploredSort, FacetName } from "../../mail/exploration.ts";
import type { FrequencyRequest, RangeFrequencies } from "../indexing/search-source.ts";
import type { Clause } from "../query/query-syntax.ts";
import type { BinFrame, DateFigures, TimeRange } from "./timeline-bins.ts";

/** A query for every range of an archive, with global statistics. */
export interface RangeQuery {
  /** With the words of `similar:`. */
  readonly clauses: readonly Clause[];
  readonly filter: SearchFilter;
  /** Revision of the notebook; 0 if the query does not use it. Results of other revisions are stale. */
  readonly revision: number;
  /** Null if the range is the whole archive. */
  readonly whole: GlobalTermStats | null;
}

/** Archive-wide frequencies of the query terms. */
export interface GlobalTermStats {
  readonly terms: readonly (readonly [term: string, messages: number])[];
  readonly patterns: readonly WholePatternFigures[];
}

/** The terms of a pattern, and the number of messages with any of them. */
interface WholePatternFigures {
  readonly pattern: string;
  readonly terms: readonly string[];
  readonly documentFrequency: number;
}

/**
 * Messages in order: by their keys, then by a tiebreak, both descending, then by number. In columns, because a page may
 * follow very many rows.
 */
export interface OrderedRows {
  readonly documents: Float64Array;
  readonly keys: Float64Array;
  readonly ties: Float64Array;
  /** The first message with the same text, or 0. */
  readonly texts: Float64Array;
  /** Additional data for an order: bits of the phrases in a subject and in attachments, or threads. */
  readonly extras: Float64Array;
}

/** Messages of a range by relevance: those with words of the query; then, if there are too few, the others. */
export interface RankedRange {
  readonly ranked: OrderedRows;
  readonly rest: OrderedRows;
}

/** Result of a query in a range. */
export interface RangeHits {
  readonly total: number;
  /** Number of messages that match each of its clauses. */
  readonly counts: readonly number[];
  /** Threads with a message among them, ascending, and the number of these. */
  readonly threads: Uint32Array;
  readonly hits: Uint32Array;
}

/** Frequencies of the values of a facet in messages of a range. */
export interface CountedInRange {
  readonly total: number;
  readonly none: number;
  readonly values: Float64Array;
  readonly counts: Uint32Array;
  /** Names by number if they may change before they are requested; else null. */
  readonly names: readonly string[] | null;
}

/** Texts of messages: the number of unique texts, and all repeated texts. */
export interface TextsInRange {
  readonly lone: number;
  readonly texts: Uint32Array;
}

/** Threads by a key, descending. */
export interface ThreadRows {
  readonly threads: Float64Array;
  readonly keys: Float64Array;
}

/** Earliest and latest dates of threads; Infinity and -Infinity if none has one. */
export interface ThreadDates {
  readonly firsts: Float64Array;
  readonly lasts: Float64Array;
}

/** The earliest and latest dates of a range, ascending, and the number of its messages with a date. */
export interface DateEnds {
  readonly dated: number;
  readonly earliest: Float64Array;
  readonly latest: Float64Array;
}

/**
 * Queries of a range of an archive. The range may be in another process: each call is one round trip, arguments and
 * results are plain data, and no call depends on an earlier one.
 */
export interface SearchedRange {
  frequencies(asked: FrequencyRequest): Promise<RangeFrequencies>;
  /** For each list of terms, the messages with any of them. */
  unions(lists: readonly (readonly string[])[]): Promise<readonly number[]>;
  /** The best `limit` messages. Null if the query cannot match in the whole archive. */
  rank(query: RangeQuery, limit: number): Promise<RankedRange | null>;
  /** Pairs of a text and a matching message with that text. */
  saying(query: RangeQuery, texts: readonly number[]): Promise<Uint32Array>;
  /** Numbers of all matching messages, ascending. */
  fitting(query: RangeQuery): Promise<Uint32Array>;
  find(query: RangeQuery): Promise<RangeHits>;
  /** The first `limit` results. */
  order(query: RangeQuery, sort: ExploredSort, limit: number): Promise<RankedRange>;
  texts(query: RangeQuery): Promise<TextsInRange>;
  /** @param leavesOwn true to ignore clauses about values of this facet */
  counts(query: RangeQuery, facet: FacetName, leavesOwn: boolean): Promise<CountedInRange>;
  dates(query: RangeQuery, range: TimeRange | null): Promise<DateFigures>;
  /** Counts messages that match both queries by bin; the first number is the total. */
  bins(query: RangeQuery, other: RangeQuery | null, frame: BinFrame): Promise<readonly number[]>;
  /** @param most maximum at either end */
  dateEnds(most: number): Promise<DateEnds>;
  /** Number of messages by language (ISO 639-1). */
  languages(): Promise<readonly (readonly [language: string, messages: number])[]>;
  threads(
    query: RangeQuery,
    sort: Exclude<ConversationSort, "relevance" | "largest">,
    limit: number,
  ): Promise<ThreadRows>;
  threadDates(query: RangeQuery, threads: readonly number[]): Promise<ThreadDates>;
}

export type RangeCall = keyof SearchedRange;

/** Names of all range calls, for forwarding. */
export const RANGE_CALLS: readonly RangeCall[] = [
  ...(["frequencies", "unions", "rank", "saying", "fitting", "find", "order", "texts", "counts"] as const),
  ...(["dates", "bins", "dateEnds", "languages", "threads", "threadDates"] as const),
];
