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
import { countOfSet, type DocumentSet, documentsOf } from "./indexing/document-set.ts";
import { LruCache } from "./indexing/lru-cache.ts";
import { allDocuments, type ClauseSets } from "./matching/clause-sets.ts";
import { lookupsForMatch, lookupsForRank } from "./matching/lookups.ts";
import { resultKey } from "./matching/notebook-query.ts";
import type { PlannedIndex } from "./matching/query-plan.ts";
import { understoodClauses } from "./matching/understood-clauses.ts";
import { problemSentences, type QueryProblem } from "./query/query-problems.ts";
import type { Clause } from "./query/query-syntax.ts";
import { DocumentOrders, firstOf } from "./ranges/document-orders.ts";
import { FACET_KINDS, type LabeledValue, withoutOwn } from "./ranges/facet-counts.ts";
import { facetOfValues } from "./ranges/facet-of-values.ts";
import {
  countThreads,
  datesBetween,
  datesOf,
  type ThreadCounts,
  type ThreadPage,
  ThreadsOfResult,
  threadsInOrder,
} from "./ranges/thread-hits.ts";
import { binCounts, mainRange, type TimeRange, timelineOf } from "./ranges/timeline-bins.ts";
import type { RepeatedTexts } from "./ranking/repeated-texts.ts";
import type { Searcher } from "./searcher.ts";

/** Cached results for further pages, sorts and counts: one byte per message, and four for every requested order. */
const KEPT_RESULTS = 8;
/** Messages ranked for a first page; later pages rank all. */
const RANKED_FIRST = 1000;
/** Limit of the series in a timeline: more colors cannot be distinguished. */
export const MAX_STACKS = 6;

/** Result of a query. */
interface Result {
  readonly clauses: readonly Clause[];
  readonly set: DocumentSet;
  readonly total: number;
  readonly threadHits: ThreadCounts;
  readonly understood: readonly UnderstoodClause[];
  readonly problems: readonly string[];
  /** Matching messages, in the orders requested so far. */
  readonly orders: Map<ExploredSort, Uint32Array>;
  /** The same without repeated texts, and their number. */
  readonly folded: Map<ExploredSort, Uint32Array>;
  different: number | null;
}

/** A result, and the lookups if it is new. */
interface Explored {
  readonly result: Result;
  readonly planned: PlannedIndex | null;
}

/** Matching messages of a query and their lookups. */
interface Selected extends Pick<Result, "clauses" | "set"> {
  readonly problems: readonly QueryProblem[];
  readonly planned: PlannedIndex;
}

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

export interface DocumentPage {
  readonly total: number;
  readonly rows: number;
  readonly conversations: number;
  readonly understood: readonly UnderstoodClause[];
  readonly problems: readonly string[];
  readonly documents: readonly PagedDocument[];
}

/** Pages, counts and time lines of queries over one state of an archive. Keeps the latest results. */
export class Explorer {
  private readonly searcher: Searcher;
  private readonly results = new LruCache<Result>(KEPT_RESULTS);
  private readonly fixedOrders: DocumentOrders;
  private sizesOfThreads: ThreadCounts | null = null;
  private range: TimeRange | null | undefined;

  constructor(searcher: Searcher) {
    this.searcher = searcher;
    this.fixedOrders = new DocumentOrders(searcher.source);
  }

  async page(request: PageRequest): Promise<DocumentPage> {
    const { result, planned } = await this.resultOf(request);
    const { source } = this.searcher;
    const { threads } = await source.facts();
    this.sizesOfThreads ??= countThreads(allDocuments(source), threads);
    const sizes = this.sizesOfThreads.messages;
    const texts = request.repeats === "folded" ? await this.searcher.texts() : null;
    const ordered =
      texts === null
        ? await this.ordered(result, planned, request)
        : await this.foldedOrder({ result, planned }, request, texts);
    const asked = ordered.slice(request.offset, request.offset + request.limit);
    const snippets = await this.searcher.snippetsOf(result.clauses, asked);
    const { tags, tagNames } = await source.marked();
    return {
      total: result.total,
      rows: texts === null ? result.total : differentTexts(result, texts),
      conversations: result.threadHits.threads,
      understood: result.understood,
      problems: result.problems,
      documents: Array.from(asked, (document, at) => ({
        document,
        threadHits: result.threadHits.messages[threads[document]!]!,
        threadMessages: sizes[threads[document]!]!,
        snippet: snippets[at]!,
        repeats: texts?.othersOf(document).filter((other) => result.set[other] === 1) ?? [],
        tags: (tags.get(document) ?? []).map((tag) => tagNames[tag]!),
      })),
    };
  }

  async facets(request: FacetRequest): Promise<readonly Facet[]> {
    const { result, planned } = await this.resultOf(request);
    // Clauses that a facet ignores; the union is sufficient for each.
    const { sets } = planned ?? (await this.searcher.lookUp(lookupsForMatch(result.clauses)));
    const facets: Facet[] = [];
    for (const name of request.of) facets.push(await this.facet({ result, sets }, name, request));
    return facets;
  }

  async timeline(request: TimelineRequest): Promise<Timeline> {
    const { source } = this.searcher;
    const { sentAt } = source.columns;
    if (this.range === undefined) this.range = mainRange(datesOf(allDocuments(source), sentAt));
    const { result } = await this.resultOf(request);
    const timeline = timelineOf(datesOf(result.set, sentAt), this.range, request.by);
    if (request.stack === undefined) return timeline;
    const stacks: TimelineStack[] = [];
    for (const value of await this.mostFrequent(request.stack, result.set)) {
      const dates = datesOf(intersection((await this.select(value.clause, "all")).set, result.set), sentAt);
      stacks.push({ ...value, count: dates.length, counts: binCounts(timeline, dates) });
    }
    return { ...timeline, stacks };
  }

  /** The most frequent facet values of some messages, except those that no clause can express. */
  private async mostFrequent(name: FacetName, set: DocumentSet): Promise<readonly LabeledValue[]> {
    const counted = await FACET_KINDS[name].count(this.searcher.source, set);
    const values = counted.counts.most(MAX_STACKS).map(([value]) => value);
    const named = await FACET_KINDS[name].name(this.searcher.source, values, counted);
    return named.filter(({ clause }) => clause !== "");
  }

  async hits(queries: readonly ExploredQuery[]): Promise<readonly QueryHits[]> {
    const { source } = this.searcher;
    const { threads } = await source.facts();
    const { sentAt } = source.columns;
    const found: QueryHits[] = [];
    // The last query that matched each conversation: a set per query would be slower.
    const metBy = new Uint32Array(threads.reduce((most, thread) => Math.max(most, thread + 1), 0));
    for (const [at, { query, match }] of queries.entries()) {
      const kept = this.results.get(await resultKey({ query, match }, source));
      const { set, problems } = kept ?? (await this.selectWithSentences(query, match));
      const documents = documentsOf(set);
      let conversations = 0;
      for (const document of documents) {
        const thread = threads[document]!;
        if (metBy[thread] === at + 1) continue;
        metBy[thread] = at + 1;
        conversations++;
      }
      found.push({
        problems,
        messages: documents.length,
        conversations,
        ...datesBetween(Float64Array.from(documents, (document) => sentAt[document]!)),
      });
    }
    return found;
  }

  /** The messages that a query finds. */
  async found(query: ExploredQuery): Promise<DocumentSet> {
    return (await this.resultOf(query)).result.set;
  }

  async conversations(request: ConversationRequest): Promise<ThreadPage> {
    const { source } = this.searcher;
    const explored = await this.resultOf(request);
    const { set, threadHits } = explored.result;
    const { threads } = await source.facts();
    const { sort, offset, limit } = request;
    const found = new ThreadsOfResult(set, threads, source.columns.sentAt);
    const order =
      sort === "relevance" ? await this.bestThreads(explored, offset + limit) : found.best(sort, offset + limit);
    return { total: threadHits.threads, threads: Array.from(order.subarray(offset), (thread) => found.row(thread)) };
  }

  /** The first threads by their best messages. */
  private async bestThreads({ result, planned }: Explored, limit: number): Promise<Uint32Array> {
    const { threads } = await this.searcher.source.facts();
    const bestOf = async (messages: number): Promise<Uint32Array> => {
      const ranked = await this.ordered(result, planned, { sort: "relevance", offset: 0, limit: messages });
      return threadsInOrder(ranked, threads, limit);
    };
    const first = await bestOf(RANKED_FIRST);
    return first.length === Math.min(limit, result.threadHits.threads) ? first : bestOf(result.total);
  }

  private async facet(
    { result: { clauses, set: found }, sets }: { readonly result: Result; readonly sets: ClauseSets },
    name: FacetName,
    request: FacetRequest,
  ): Promise<Facet> {
    const { source } = this.searcher;
    const kind = FACET_KINDS[name];
    const others = withoutOwn(clauses, name);
    const set = others.length === clauses.length ? found : await sets.matching(others, allDocuments(source));
    return facetOfValues(source, name, { ...(await kind.count(source, set)), total: countOfSet(set) }, request);
  }

  private async resultOf(asked: ExploredQuery): Promise<Explored> {
    const { query, match } = asked;
    const key = await resultKey(asked, this.searcher.source);
    const kept = this.results.get(key);
    const explored = kept === undefined ? await this.find(query, match) : { result: kept, planned: null };
    this.results.keep(key, explored.result);
    return explored;
  }

  private async select(query: string, match: ExploredQuery["match"]): Promise<Selected> {
    const { clauses, problems } = await this.searcher.read(query, match);
    const planned = await this.searcher.lookUp(lookupsForMatch(clauses));
    const all = allDocuments(this.searcher.source);
    // Text without any word finds nothing; an empty query finds everything.
    const isNothing = clauses.length === 0 && query.trim() !== "";
    const set = isNothing ? new Uint8Array(all.length) : await planned.sets.matching(clauses, all);
    return { clauses, problems, planned, set };
  }

  private async selectWithSentences(
    query: string,
    match: ExploredQuery["match"],
  ): Promise<Pick<Result, "set" | "problems">> {
    const { set, problems } = await this.select(query, match);
    return { set, problems: problemSentences(query, problems) };
  }

  private async find(query: string, match: ExploredQuery["match"]): Promise<Explored> {
    const { source } = this.searcher;
    const { clauses, problems, planned, set } = await this.select(query, match);
    const { sets } = planned;
    const termsOf = (pattern: string): readonly string[] => planned.index.find(pattern)?.terms ?? [];
    const understood = understoodClauses(clauses, await sets.counts(clauses), { problems, termsOf });
    const threadHits = countThreads(set, (await source.facts()).threads);
    const orders = { orders: new Map(), folded: new Map(), different: null };
    const sentences = problemSentences(query, problems);
    return {
      result: { clauses, set, total: countOfSet(set), threadHits, understood, problems: sentences, ...orders },
      planned,
    };
  }

  /** The messages found, at least up to the end of the page. */
  private async ordered(
    result: Result,
    planned: PlannedIndex | null,
    { sort, offset, limit }: Pick<PageRequest, "sort" | "offset" | "limit">,
  ): Promise<Uint32Array> {
    const { set, total, orders } = result;
    const known = orders.get(sort);
    if (known !== undefined && known.length >= Math.min(total, offset + limit)) return known;
    const ranked = offset + limit <= RANKED_FIRST ? Math.min(total, RANKED_FIRST) : total;
    const inOrder =
      sort === "relevance"
        ? await this.byRelevance(result, planned, ranked)
        : firstOf(await this.fixedOrders.everything(sort), ranked, (document) => set[document] === 1);
    orders.set(sort, inOrder);
    return inOrder;
  }

  /** Only the first of the messages with the same text, at least up to the end of the page. */
  private async foldedOrder(
    { result, planned }: Explored,
    request: PageRequest,
    texts: RepeatedTexts,
  ): Promise<Uint32Array> {
    const { folded, total } = result;
    const end = Math.min(differentTexts(result, texts), request.offset + request.limit);
    const known = folded.get(request.sort);
    if (known !== undefined && known.length >= end) return known;
    let found = (await this.ordered(result, planned, request)).filter(texts.firstOfText());
    if (found.length < end)
      found = (await this.ordered(result, planned, { ...request, offset: 0, limit: total })).filter(
        texts.firstOfText(),
      );
    folded.set(request.sort, found);
    return found;
  }

  private async byRelevance(
    { clauses, set }: Result,
    planned: PlannedIndex | null,
    limit: number,
  ): Promise<Uint32Array> {
    const index = planned ?? (await this.searcher.lookUp(lookupsForRank(clauses)));
    const ranked = await this.searcher.ranked(index, clauses, set, limit);
    if (ranked.length >= limit) return ranked;
    const others = set.slice();
    for (const document of ranked) others[document] = 0;
    const rest = firstOf(
      await this.fixedOrders.everything("newest"),
      limit - ranked.length,
      (document) => others[document] === 1,
    );
    const ordered = new Uint32Array(ranked.length + rest.length);
    ordered.set(ranked);
    ordered.set(rest, ranked.length);
    return ordered;
  }
}

/** Messages of a result without repeated texts. */
function differentTexts(result: Result, texts: RepeatedTexts): number {
  result.different ??= countFitting(result.set, texts.firstOfText());
  return result.different;
}

function countFitting(set: DocumentSet, fits: (document: number) => boolean): number {
  let count = 0;
  for (let document = 0; document < set.length; document++) if (set[document] === 1 && fits(document)) count++;
  return count;
}

function intersection(left: DocumentSet, right: DocumentSet): DocumentSet {
  return left.map((has, document) => has & right[document]!);
}
