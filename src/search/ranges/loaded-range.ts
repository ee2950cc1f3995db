import type { ConversationSort, ExploredSort, FacetName } from "../../mail/exploration.ts";
import { DocumentFilter } from "../indexing/document-filter.ts";
import { countOfSet, type DocumentSet, documentsOf, intersection } from "../indexing/document-set.ts";
import { type QueryIndex, TermReader } from "../indexing/indexed-term.ts";
import type { FrequencyRequest, Lookups, RangeFrequencies, SearchSource } from "../indexing/search-source.ts";
import { allDocuments, ClauseSets } from "../matching/clause-sets.ts";
import { lookupsForMatch } from "../matching/lookups.ts";
import { PhraseMemory } from "../matching/phrase-memory.ts";
import {
  filterTest,
  type PlannedIndex,
  planForFoundMessages,
  planQuery,
  type QueryPlan,
  SUBJECT_CHECKS,
} from "../matching/query-plan.ts";
import { Ranking } from "../ranking/rank.ts";
import { RepeatedTexts } from "../ranking/repeated-texts.ts";
import type { RankedDocument } from "../ranking/top-documents.ts";
import { DocumentOrders, firstOf } from "./document-orders.ts";
import { FACET_KINDS, withoutFacetClauses } from "./facet-counts.ts";
import { frequenciesOf } from "./global-term-stats.ts";
import { NO_ROWS, type RowColumns, rowsOf } from "./ordered-rows.ts";
import type {
  CountedInRange,
  DateEnds,
  GlobalTermStats,
  OrderedRows,
  RangeHits,
  RangeQuery,
  RankedRange,
  SearchedRange,
  TextsInRange,
  ThreadDates,
  ThreadRows,
} from "./searched-range.ts";
import { countThreads, datesOf, ThreadsOfResult } from "./thread-hits.ts";
import { type BinFrame, binCounts, type DateFigures, datesWithin, type TimeRange } from "./timeline-bins.ts";

/** A query in a range: its lookups, and its results, each computed on first use. */
interface HeldQuery {
  readonly planned: Promise<PlannedIndex>;
  plan: Promise<QueryPlan | null> | null;
  found: Promise<DocumentSet> | null;
}

/**
 * A range of the messages of an archive, or all of them, searched in this process. It has its own dictionary, posting
 * lists and columns. Its source provides the number and average length of all messages, and each query the archive-wide
 * frequencies of its terms, so a message has exactly the same score however the archive is divided.
 */
export class LoadedRange implements SearchedRange {
  readonly terms: TermReader;
  readonly ranking: Ranking;
  readonly phrases: PhraseMemory;
  private readonly orders: DocumentOrders;
  /** Held while the caller keeps the query: a result has one byte per message. */
  private readonly queries = new WeakMap<RangeQuery, HeldQuery>();
  private repeated: RepeatedTexts | null = null;
  private latestThreads: { readonly query: RangeQuery; readonly found: ThreadsOfResult } | null = null;

  constructor(readonly source: SearchSource) {
    this.terms = new TermReader(source);
    this.ranking = new Ranking(source);
    this.phrases = new PhraseMemory(source.columns.lengths.length);
    this.orders = new DocumentOrders(source);
  }

  /** The messages with repeated texts, read on first use. */
  async repeatedTexts(): Promise<RepeatedTexts> {
    this.repeated ??= new RepeatedTexts(await this.source.repeats());
    return this.repeated;
  }

  /** Requests all data of a query from the source (`lookups.ts`). */
  async lookUp(asked: Lookups, whole: GlobalTermStats | null = null): Promise<PlannedIndex> {
    const { source } = this;
    const index = await this.terms.lookUp(asked, whole === null ? null : frequenciesOf(whole));
    return { source, index, sets: new ClauseSets(source, index, this.phrases) };
  }

  /** The index data of a query. */
  async indexOf(query: RangeQuery): Promise<QueryIndex> {
    return (await this.held(query).planned).index;
  }

  frequencies(asked: FrequencyRequest): Promise<RangeFrequencies> {
    return this.source.archive!.frequencies(asked);
  }

  unions(lists: readonly (readonly string[])[]): Promise<readonly number[]> {
    return Promise.all(lists.map((terms) => this.terms.countUnion(terms)));
  }

  async rank(query: RangeQuery, limit: number): Promise<RankedRange | null> {
    const plan = await this.planOf(query);
    if (plan === null) return null;
    const texts = await this.repeatedTexts();
    const { sentAt } = this.source.columns;
    const checked = plan.phrases.slice(0, SUBJECT_CHECKS);
    const phrasesIn = (document: number): number =>
      checked.reduce((bits, { subjects, files }, at) => {
        const inSubject = subjects!.admits(document) ? 1 << at : 0;
        return bits | inSubject | (files!.admits(document) ? 1 << (SUBJECT_CHECKS + at) : 0);
      }, 0);
    const columns = {
      tie: (document: number) => sentAt[document]!,
      text: (document: number) => texts.textOf(document),
      extras: phrasesIn,
    };
    return this.rankedRange(plan, limit, columns);
  }

  /** Offset from a message number here to its number in the archive. */
  private get base(): number {
    return this.source.archive?.base ?? 0;
  }

  async saying(query: RangeQuery, texts: readonly number[]): Promise<Uint32Array> {
    const matches = await this.messagesSaying(texts);
    const { planned, found } = this.held(query);
    const passes = filterTest(await planned, query.filter);
    const admitted = matches
      .map(([, document]) => document)
      .filter((document) => !this.source.dead.has(document) && passes?.(document) !== false)
      .sort((left, right) => left - right);
    const set = await found;
    const { sets } = await planned;
    const fitting = new Set(
      set === null
        ? await sets.matchingOf(query.clauses, Uint32Array.from(admitted))
        : admitted.filter((document) => set[document] === 1),
    );
    const pairs = matches.filter(([, document]) => fitting.has(document));
    return Uint32Array.from(pairs.flatMap(([text, document]) => [text, document + this.base]));
  }

  async fitting(query: RangeQuery): Promise<Uint32Array> {
    const passes = filterTest(await this.held(query).planned, query.filter);
    const fitting = documentsOf(await this.foundBy(query));
    const found = passes === null ? fitting : fitting.filter((document) => passes(document));
    return this.base === 0 ? found : found.map((document) => document + this.base);
  }

  async find(query: RangeQuery): Promise<RangeHits> {
    const set = await this.foundBy(query);
    const { sets } = await this.held(query).planned;
    const counts = await sets.counts(query.clauses);
    return { total: countOfSet(set), counts, ...countThreads(set, (await this.source.facts()).threads) };
  }

  async order(query: RangeQuery, sort: ExploredSort, limit: number): Promise<RankedRange> {
    const set = await this.foundBy(query);
    const texts = await this.repeatedTexts();
    const { threads } = await this.source.facts();
    const columns = {
      text: (document: number) => texts.textOf(document),
      extras: (document: number) => threads[document]!,
    };
    if (sort === "relevance") {
      const { sentAt } = this.source.columns;
      const plan = planForFoundMessages(await this.held(query).planned, query.clauses, set);
      const newest = await this.orders.everything("newest");
      return this.rankedRange(plan, limit, { ...columns, tie: (document) => sentAt[document]! }, newest);
    }
    const documents = firstOf(await this.orders.everything(sort), limit, (document) => set[document] === 1);
    const rows = rowsOf(documents, { ...columns, key: await this.orders.keyOf(sort), tie: () => 0 });
    return { ranked: this.inArchive(rows), rest: NO_ROWS };
  }

  async texts(query: RangeQuery): Promise<TextsInRange> {
    const set = await this.foundBy(query);
    const repeated = await this.repeatedTexts();
    const texts = new Set<number>();
    let lone = 0;
    for (const document of documentsOf(set)) {
      const text = repeated.textOf(document);
      if (text === 0) lone++;
      else texts.add(text);
    }
    return { lone, texts: Uint32Array.from(texts) };
  }

  async counts(query: RangeQuery, facet: FacetName, leavesOwn: boolean): Promise<CountedInRange> {
    const { source } = this;
    const found = await this.foundBy(query);
    const others = leavesOwn ? withoutFacetClauses(query.clauses, facet) : query.clauses;
    const { sets } = await this.held(query).planned;
    const set = others.length === query.clauses.length ? found : await sets.matching(others, allDocuments(source));
    const { counts, none, names = null } = await FACET_KINDS[facet].count(source, set);
    return { total: countOfSet(set), none, ...counts.columns(), names };
  }

  async dates(query: RangeQuery, range: TimeRange | null): Promise<DateFigures> {
    return datesWithin(datesOf(await this.foundBy(query), this.source.columns.sentAt), range);
  }

  async bins(query: RangeQuery, other: RangeQuery | null, frame: BinFrame): Promise<readonly number[]> {
    const set = await this.foundBy(query);
    const both = other === null ? set : intersection(set, await this.foundBy(other));
    const dates = datesOf(both, this.source.columns.sentAt);
    return [dates.length, ...binCounts(frame, dates)];
  }

  async dateEnds(most: number): Promise<DateEnds> {
    const dates = datesOf(allDocuments(this.source), this.source.columns.sentAt);
    const dated = dates.filter((date) => date !== Number.NEGATIVE_INFINITY).sort();
    const from = Math.max(0, dated.length - most);
    return { dated: dated.length, earliest: dated.slice(0, most), latest: dated.slice(from) };
  }

  async languages(): Promise<readonly (readonly [string, number])[]> {
    const { numbers, names } = (await this.source.facts()).languages;
    const counts = new Uint32Array(names.length);
    for (const number of numbers) counts[number]!++;
    return names.flatMap((name, number) =>
      name === "" || counts[number] === 0 ? [] : [[name, counts[number]!] as const],
    );
  }

  async threads(
    query: RangeQuery,
    sort: Exclude<ConversationSort, "relevance" | "largest">,
    limit: number,
  ): Promise<ThreadRows> {
    const found = await this.threadsOf(query);
    const threads = Float64Array.from(found.best(sort, limit));
    return { threads, keys: threads.map((thread) => found.keyOf(sort, thread)) };
  }

  async threadDates(query: RangeQuery, threads: readonly number[]): Promise<ThreadDates> {
    const found = await this.threadsOf(query);
    const dates = threads.map((thread) => found.datesOf(thread));
    return {
      firsts: Float64Array.from(dates, ([first]) => first),
      lasts: Float64Array.from(dates, ([, last]) => last),
    };
  }

  /** Cached for one query: a page is read in two calls. */
  private async threadsOf(query: RangeQuery): Promise<ThreadsOfResult> {
    if (this.latestThreads?.query === query) return this.latestThreads.found;
    const { threads } = await this.source.facts();
    const found = new ThreadsOfResult(await this.foundBy(query), threads, this.source.columns.sentAt);
    this.latestThreads = { query, found };
    return found;
  }

  /** @param newest all messages, if they are sorted anyway */
  private async rankedRange(
    plan: QueryPlan,
    limit: number,
    columns: Omit<RowColumns, "key">,
    newest: Uint32Array | null = null,
  ): Promise<RankedRange> {
    const ranked = plan.hasWords ? await this.ranking.rank(plan, plan.filter, limit) : [];
    const isFull = plan.hasWords && (!plan.isDecided || ranked.length >= limit);
    const rest = isFull ? [] : this.unranked(plan, ranked, limit - ranked.length, newest);
    return {
      ranked: this.inArchive(scoredRows(ranked, columns)),
      rest: this.inArchive(scoredRows(rest, columns)),
    };
  }

  /** Rows by message numbers of the archive. */
  private inArchive(rows: OrderedRows): OrderedRows {
    return this.base === 0 ? rows : { ...rows, documents: rows.documents.map((document) => document + this.base) };
  }

  private async messagesSaying(
    texts: readonly number[],
  ): Promise<readonly (readonly [text: number, document: number])[]> {
    if (this.source.archive === undefined) {
      const repeated = await this.repeatedTexts();
      return texts.flatMap((text) => repeated.messagesOf(text).map((document) => [text, document] as const));
    }
    const column = await this.source.repeats();
    const wanted = new Set(texts);
    const found: (readonly [number, number])[] = [];
    for (let document = this.source.firstDocument; document < column.length; document++)
      if (wanted.has(column[document]!)) found.push([column[document]!, document]);
    return found;
  }

  /** The newest messages without any word of the query. */
  private unranked(
    { filter }: QueryPlan,
    ranked: readonly RankedDocument[],
    limit: number,
    newest: Uint32Array | null,
  ): readonly RankedDocument[] {
    const { firstDocument, columns } = this.source;
    const rest = filter?.copy() ?? new DocumentFilter(firstDocument, columns.lengths.length);
    for (const { document } of ranked) rest.excludeOne(document);
    if (newest === null) return this.ranking.newest(rest, limit);
    const documents = firstOf(newest, limit, (document) => rest.admits(document));
    return Array.from(documents, (document) => ({ document, score: 0 }));
  }

  private planOf(query: RangeQuery): Promise<QueryPlan | null> {
    const held = this.held(query);
    held.plan ??= this.whileItHolds(
      query,
      held.planned.then((planned) => planQuery(planned, query.clauses, query.filter)),
    );
    return held.plan;
  }

  private foundBy(query: RangeQuery): Promise<DocumentSet> {
    const held = this.held(query);
    held.found ??= this.whileItHolds(
      query,
      held.planned.then(({ sets }) => sets.matching(query.clauses, allDocuments(this.source))),
    );
    return held.found;
  }

  private held(query: RangeQuery): HeldQuery {
    const known = this.queries.get(query);
    if (known !== undefined) return known;
    const planned = this.whileItHolds(query, this.lookUp(lookupsForMatch(query.clauses, query.filter), query.whole));
    const held = { planned, plan: null, found: null };
    this.queries.set(query, held);
    return held;
  }

  /** Failures are not cached, so that the next call can succeed. */
  private whileItHolds<T>(query: RangeQuery, work: Promise<T>): Promise<T> {
    work.catch(() => this.queries.delete(query));
    return work;
  }
}

function scoredRows(ranked: readonly RankedDocument[], columns: Omit<RowColumns, "key">): OrderedRows {
  return rowsOf(
    ranked.map(({ document }) => document),
    { ...columns, key: (_, at) => ranked[at]!.score },
  );
}
