import type {
  ConversationRequest,
  ExploredQuery,
  ExploredSort,
  Facet,
  FacetName,
  FacetRequest,
  PageRequest,
  QueryHits,
  Timeline,
  TimelineRequest,
  TimelineStack,
  UnderstoodClause,
} from "../mail/exploration.ts";
import type { DocumentSet } from "./indexing/document-set.ts";
import { LruCache } from "./indexing/lru-cache.ts";
import { resultKey } from "./matching/notebook-query.ts";
import { understoodClauses } from "./matching/understood-clauses.ts";
import { problemSentences } from "./query/query-problems.ts";
import type { Clause } from "./query/query-syntax.ts";
import { FACET_KINDS, type FacetCounts } from "./ranges/facet-counts.ts";
import { facetOfValues } from "./ranges/facet-of-values.ts";
import { firstOfTexts } from "./ranges/ordered-rows.ts";
import type { RangeQuery } from "./ranges/searched-range.ts";
import { firstThreads, mergeThreads, type ThreadCounts, type ThreadPage, threadHit } from "./ranges/thread-hits.ts";
import {
  binFrame,
  type DateFigures,
  endDates,
  mainRangeBetween,
  type TimeRange,
  timelineFrom,
} from "./ranges/timeline-bins.ts";
import { ValueCounts } from "./ranges/value-counts.ts";
import { TopDocuments } from "./ranking/top-documents.ts";
import { FURTHER_FACTOR, mergeRanked, type ParsedQuery, type Searcher } from "./searcher.ts";

/**
 * Maximum results cached for further pages, sorts and counts: here four bytes per thread and twelve per sorted message,
 * and one byte per message in the ranges.
 */
const KEPT_RESULTS = 8;
/** Messages sorted for a first page; later pages sort more. */
const ORDERED_FIRST = 1000;
/** Limit of the series in a timeline: more colors cannot be distinguished. */
const MAX_STACKS = 6;

/** A message of a page. */
export interface PagedDocument {
  readonly document: number;
  readonly threadHits: number;
  readonly threadMessages: number;
  readonly snippet: string;
  readonly repeats: readonly number[];
  /** Of the message and of its conversation. */
  readonly tags: readonly string[];
}

interface DocumentPage {
  readonly total: number;
  readonly rows: number;
  readonly conversations: number;
  readonly understood: readonly UnderstoodClause[];
  readonly problems: readonly string[];
  readonly documents: readonly PagedDocument[];
}

/** The first messages of a result in an order, their texts and threads. */
interface Order {
  /** Number of messages that were requested. */
  readonly limit: number;
  readonly documents: Uint32Array;
  readonly texts: Uint32Array;
  readonly threads: Uint32Array;
  /** Positions of the first message of each text, set on first use. */
  firsts: readonly number[] | null;
}

/** Result of a query in all ranges. */
interface Result {
  readonly query: RangeQuery;
  readonly clauses: readonly Clause[];
  readonly total: number;
  readonly threadHits: ThreadCounts;
  readonly understood: readonly UnderstoodClause[];
  readonly problems: readonly string[];
  readonly orders: Map<ExploredSort, Order>;
  different: number | null;
}

/** Pages, counts and timelines of queries over one state of an archive: merges the results of its ranges. */
export class Explorer {
  private readonly results = new LruCache<Result>(KEPT_RESULTS);
  private sizesOfThreads: Uint32Array | null = null;
  private range: TimeRange | null | undefined;

  constructor(private readonly searcher: Searcher) {}

  async page(request: PageRequest): Promise<DocumentPage> {
    const result = await this.resultOf(request);
    const { searcher } = this;
    const isFolded = request.repeats === "folded";
    const { offset, limit } = request;
    const order = await this.ordered(result, request.sort, { end: offset + limit, isFolded });
    const places = isFolded
      ? firstsOf(order).slice(offset, offset + limit)
      : Array.from(order.documents.keys()).slice(offset, offset + limit);
    const [documents, texts, threads] = [order.documents, order.texts, order.threads].map((column) =>
      Uint32Array.from(places, (place) => column[place]!),
    ) as [Uint32Array, Uint32Array, Uint32Array];
    const snippets = await searcher.snippetsOf(result.clauses, documents);
    const repeats = isFolded ? await searcher.repeatsOf(result.query, { documents, texts }) : null;
    const sizes = await this.threadSizes();
    const { tags, tagNames } = await searcher.source.marked();
    return {
      total: result.total,
      rows: isFolded ? await this.differentTexts(result) : result.total,
      conversations: result.threadHits.threads,
      understood: result.understood,
      problems: result.problems,
      documents: Array.from(documents, (document, at) => ({
        document,
        threadHits: result.threadHits.messages[threads[at]!]!,
        threadMessages: sizes[threads[at]!]!,
        snippet: snippets[at]!,
        repeats: repeats?.[at] ?? [],
        tags: (tags.get(document) ?? []).map((tag) => tagNames[tag]!),
      })),
    };
  }

  async facets(request: FacetRequest): Promise<readonly Facet[]> {
    const { query } = await this.resultOf(request);
    return Promise.all(
      request.of.map(async (name) =>
        facetOfValues(this.searcher.source, name, await this.counted(query, name, true), request),
      ),
    );
  }

  async timeline(request: TimelineRequest): Promise<Timeline> {
    const { query } = await this.resultOf(request);
    if (this.range === undefined) this.range = await this.mainRange();
    const { range } = this;
    const figures = await this.dateFigures(query, range);
    const frame = binFrame(figures, request.by);
    const [, ...counts] = await this.bins(query, null, frame);
    const timeline = timelineFrom({ figures, range, frame }, counts);
    if (request.stack === undefined) return timeline;
    const counted = await this.counted(query, request.stack, false);
    const values = counted.counts.most(MAX_STACKS).map(([value]) => value);
    const named = await FACET_KINDS[request.stack].name(this.searcher.source, values, counted);
    const stacks: TimelineStack[] = [];
    for (const value of named.filter(({ clause }) => clause !== "")) {
      const own = await this.rangeQuery({ query: value.clause, match: "all" });
      const [count, ...ofBins] = await this.bins(own.query, query, frame);
      stacks.push({ ...value, count: count!, counts: ofBins });
    }
    return { ...timeline, stacks };
  }

  /** Queries are evaluated one after another, without caching: there may be thousands. */
  async hits(queries: readonly ExploredQuery[]): Promise<readonly QueryHits[]> {
    const found: QueryHits[] = [];
    for (const asked of queries) {
      const known = this.results.get(await resultKey(asked, this.searcher.source));
      const { query, total, threadHits, problems } = known ?? (await this.find(asked));
      const { first, last } = await this.dateFigures(query, null);
      found.push({ problems, messages: total, conversations: threadHits.threads, first, last });
    }
    return found;
  }

  /** The messages that a query finds. */
  async found(asked: ExploredQuery): Promise<DocumentSet> {
    const { query } = await this.resultOf(asked);
    const documents = await this.searcher.fitting(query);
    const set = new Uint8Array((documents.at(-1) ?? -1) + 1);
    for (const document of documents) set[document] = 1;
    return set;
  }

  async conversations(request: ConversationRequest): Promise<ThreadPage> {
    const result = await this.resultOf(request);
    const { sort, offset, limit } = request;
    const threads = Array.from((await this.threadOrder(result, sort, offset + limit)).subarray(offset));
    const parts = await Promise.all(this.searcher.ranges.map((range) => range.threadDates(result.query, threads)));
    const { messages } = result.threadHits;
    return {
      total: result.threadHits.threads,
      threads: threads.map((thread, at) =>
        threadHit(thread, messages[thread]!, [
          Math.min(...parts.map(({ firsts }) => firsts[at]!)),
          Math.max(...parts.map(({ lasts }) => lasts[at]!)),
        ]),
      ),
    };
  }

  private async threadOrder(result: Result, sort: ConversationRequest["sort"], limit: number): Promise<Uint32Array> {
    const { threadHits } = result;
    if (sort === "relevance") return this.bestThreads(result, limit);
    if (sort === "largest") {
      const { messages } = threadHits;
      const top = new TopDocuments(limit, new Float64Array(messages.length));
      for (let thread = 0; thread < messages.length; thread++)
        if (messages[thread]! > 0) top.offer(thread, messages[thread]!);
      return top.numbers();
    }
    const parts = await Promise.all(this.searcher.ranges.map((range) => range.threads(result.query, sort, limit)));
    // A thread in several ranges is among the first in the range of its best message.
    const keys = new Map<number, number>();
    for (const part of parts)
      for (const [at, thread] of part.threads.entries())
        keys.set(thread, Math.max(keys.get(thread) ?? Number.NEGATIVE_INFINITY, part.keys[at]!));
    const ranked = [...keys].sort((left, right) =>
      left[1] === right[1] ? left[0] - right[0] : left[1] < right[1] ? 1 : -1,
    );
    return Uint32Array.from(ranked.slice(0, limit), ([thread]) => thread);
  }

  /** The first threads by their best messages. */
  private async bestThreads(result: Result, limit: number): Promise<Uint32Array> {
    const wanted = Math.min(limit, result.threadHits.threads);
    for (let end = ORDERED_FIRST; ; end *= FURTHER_FACTOR) {
      const { threads } = await this.ordered(result, "relevance", { end, isFolded: false });
      const found = firstThreads(threads, limit);
      if (found.length >= wanted || threads.length < end) return found;
    }
  }

  /** The order of a result, at least up to a position. */
  private async ordered(
    result: Result,
    sort: ExploredSort,
    { end, isFolded }: { readonly end: number; readonly isFolded: boolean },
  ): Promise<Order> {
    for (let limit = ORDERED_FIRST; ; limit *= FURTHER_FACTOR) {
      if (limit < end) continue;
      let order = result.orders.get(sort);
      if (order === undefined || order.limit < limit) {
        order = await this.order(result.query, sort, limit);
        result.orders.set(sort, order);
      }
      const { length } = isFolded ? firstsOf(order) : order.documents;
      if (length >= end || order.documents.length < order.limit) return order;
    }
  }

  private async order(query: RangeQuery, sort: ExploredSort, limit: number): Promise<Order> {
    const parts = await Promise.all(this.searcher.ranges.map((range) => range.order(query, sort, limit)));
    const { documents, texts, extras } = mergeRanked(parts, limit);
    return {
      limit,
      documents: new Uint32Array(documents),
      texts: new Uint32Array(texts),
      threads: new Uint32Array(extras),
      firsts: null,
    };
  }

  /** Messages of a result without repeated texts. */
  private async differentTexts(result: Result): Promise<number> {
    if (result.different !== null) return result.different;
    const parts = await Promise.all(this.searcher.ranges.map((range) => range.texts(result.query)));
    const texts = new Set(parts.flatMap((part) => Array.from(part.texts)));
    result.different = parts.reduce((sum, { lone }) => sum + lone, texts.size);
    return result.different;
  }

  private async counted(
    query: RangeQuery,
    name: FacetName,
    leavesOwn: boolean,
  ): Promise<FacetCounts & { readonly total: number }> {
    const parts = await Promise.all(this.searcher.ranges.map((range) => range.counts(query, name, leavesOwn)));
    const counts = new ValueCounts();
    // If the notebook changed during the query, the ranges may have read different states, with their own numbers.
    const names = [...new Set(parts.flatMap((part) => part.names ?? []))];
    const numbers = new Map(names.map((name, number) => [name, number]));
    for (const part of parts)
      for (let at = 0; at < part.values.length; at++) {
        const value = part.values[at]!;
        counts.add(part.names === null ? value : numbers.get(part.names[value]!)!, part.counts[at]!);
      }
    const sum = (key: "total" | "none"): number => parts.reduce((total, part) => total + part[key], 0);
    return { counts, total: sum("total"), none: sum("none"), names };
  }

  private async dateFigures(query: RangeQuery, range: TimeRange | null): Promise<DateFigures> {
    const parts = await Promise.all(this.searcher.ranges.map((one) => one.dates(query, range)));
    const sum = (key: "total" | "within" | "undated" | "before" | "after"): number =>
      parts.reduce((total, part) => total + part[key], 0);
    const ends = (key: "first" | "last"): number[] => parts.map((part) => part[key]).filter((date) => date !== null);
    const [firsts, lasts] = [ends("first"), ends("last")];
    return {
      total: sum("total"),
      within: sum("within"),
      undated: sum("undated"),
      before: sum("before"),
      after: sum("after"),
      first: firsts.length === 0 ? null : Math.min(...firsts),
      last: lasts.length === 0 ? null : Math.max(...lasts),
    };
  }

  private async bins(
    query: RangeQuery,
    other: RangeQuery | null,
    frame: Parameters<Searcher["ranges"][number]["bins"]>[2],
  ): Promise<readonly number[]> {
    const parts = await Promise.all(this.searcher.ranges.map((range) => range.bins(query, other, frame)));
    return parts[0]!.map((_, at) => parts.reduce((sum, counts) => sum + counts[at]!, 0));
  }

  /** Determined only by the dates at both ends. */
  private async mainRange(): Promise<TimeRange | null> {
    const { ranges } = this.searcher;
    const dated = (await Promise.all(ranges.map((range) => range.dateEnds(0)))).reduce(
      (sum, part) => sum + part.dated,
      0,
    );
    const most = endDates(dated);
    const parts = await Promise.all(ranges.map((range) => range.dateEnds(most)));
    const sorted = (key: "earliest" | "latest"): Float64Array =>
      Float64Array.from(parts.flatMap((part) => Array.from(part[key]))).sort();
    return mainRangeBetween(dated, sorted("earliest").slice(0, most), sorted("latest").slice(-most));
  }

  /** Messages of every thread. */
  private async threadSizes(): Promise<Uint32Array> {
    this.sizesOfThreads ??= (await this.find({ query: "", match: "all" })).threadHits.messages;
    return this.sizesOfThreads;
  }

  private async resultOf(asked: ExploredQuery): Promise<Result> {
    const key = await resultKey(asked, this.searcher.source);
    const result = this.results.get(key) ?? (await this.find(asked));
    this.results.keep(key, result);
    return result;
  }

  private async find(asked: ExploredQuery): Promise<Result> {
    const { clauses, problems, query } = await this.rangeQuery(asked);
    const parts = await Promise.all(this.searcher.ranges.map((range) => range.find(query)));
    const patterns = await this.searcher.patternsOf(query);
    const termsOf = (stem: string): readonly string[] => patterns(stem)?.terms ?? [];
    const counts = clauses.map((_, at) => parts.reduce((sum, part) => sum + part.counts[at]!, 0));
    return {
      query,
      clauses,
      total: parts.reduce((sum, { total }) => sum + total, 0),
      threadHits: mergeThreads(parts),
      understood: understoodClauses(clauses, counts, { problems, termsOf }),
      problems: problemSentences(asked.query, problems),
      orders: new Map(),
      different: null,
    };
  }

  private async rangeQuery({ query, match }: ExploredQuery): Promise<ParsedQuery & Pick<Result, "query">> {
    const { clauses: read, problems } = await this.searcher.read(query, match);
    // Text without any word finds nothing; an empty query finds everything.
    const clauses = read.length === 0 && query.trim() !== "" ? NOTHING : read;
    const asked = await this.searcher.rangeQuery(clauses);
    return { clauses: read, problems: [...problems, ...(await this.searcher.wideWildcards(asked))], query: asked };
  }
}

/** The empty word, which no message contains. */
const NOTHING: readonly Clause[] = [{ kind: "words", demand: "required", tokens: [""], start: 0, end: 0 }];

/** Positions of the first message of each text. */
function firstsOf(order: Order): readonly number[] {
  order.firsts ??= firstOfTexts(order.texts);
  return order.firsts;
}
