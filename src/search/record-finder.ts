import { EARLIEST_INSTANT, LATEST_INSTANT } from "../mail/dates/instant.ts";
import type { RecordRequest, RecordSort } from "../mail/located-records.ts";
import { documentsOf } from "./indexing/document-set.ts";
import { LruCache } from "./indexing/lru-cache.ts";
import type { SearchSource } from "./indexing/search-source.ts";
import { allDocuments } from "./matching/clause-sets.ts";
import { lookupsForMatch } from "./matching/lookups.ts";
import { planForFoundMessages, type QueryPlan } from "./matching/query-plan.ts";
import type { Clause } from "./query/query-syntax.ts";
import { Searcher } from "./searcher.ts";

/** Cached results for further pages: four bytes per record. */
const KEPT_RESULTS = 8;

/** The kind of each record, by document number. */
export interface RecordKinds {
  readonly numbers: Uint8Array;
  readonly names: readonly string[];
}

/** A request without its page. */
type RecordQuery = Omit<RecordRequest, "offset" | "limit"> & { readonly kind: string | null };

interface FoundDocuments {
  readonly clauses: readonly Clause[];
  readonly kinds: readonly { readonly kind: string; readonly count: number }[];
  /** In the requested order. */
  readonly documents: Uint32Array;
}

interface FinderPage {
  readonly total: number;
  readonly kinds: FoundDocuments["kinds"];
  readonly documents: Uint32Array;
  readonly snippets: readonly string[];
}

/**
 * Finds events or items of one state of an archive by page. Results and orders are cached, so a further page costs
 * only its rows.
 */
export class RecordFinder {
  private readonly searcher: Searcher;
  private readonly orders = new Map<RecordSort, Uint32Array>();
  private readonly results = new LruCache<FoundDocuments>(KEPT_RESULTS);

  constructor(
    source: SearchSource,
    private readonly kinds: RecordKinds,
  ) {
    this.searcher = new Searcher(source);
  }

  async page({ offset, limit, ...query }: RecordRequest & { readonly kind: string | null }): Promise<FinderPage> {
    const { clauses, kinds, documents } = await this.resultOf(query);
    const asked = documents.slice(offset, offset + limit);
    const snippets = await this.searcher.snippetsOf(clauses, asked);
    return { total: documents.length, kinds, documents: asked, snippets };
  }

  private async resultOf(query: RecordQuery): Promise<FoundDocuments> {
    const key = JSON.stringify(query);
    const result = this.results.get(key) ?? (await this.find(query));
    this.results.keep(key, result);
    return result;
  }

  private async find({ query, match, sort, after, before, kind }: RecordQuery): Promise<FoundDocuments> {
    const { searcher, kinds } = this;
    const { clauses } = await searcher.read(query, match);
    const planned = await searcher.whole.lookUp(lookupsForMatch(clauses));
    const all = allDocuments(searcher.source);
    // Text without any word finds nothing; an empty query finds everything.
    const isNothing = clauses.length === 0 && query.trim() !== "";
    const set = isNothing ? new Uint8Array(all.length) : (await planned.sets.matching(clauses, all)).slice();
    if (after !== null || before !== null) this.keepBetween(set, after ?? EARLIEST_INSTANT, before ?? LATEST_INSTANT);
    const counts = this.countKinds(set);
    if (kind !== null) {
      const wanted = kinds.names.indexOf(kind);
      for (let document = 0; document < set.length; document++)
        if (kinds.numbers[document] !== wanted) set[document] = 0;
    }
    const ordered = this.inOrder(sort === "relevance" ? "newest" : sort).filter((document) => set[document] === 1);
    const plan = planForFoundMessages(planned, clauses, set);
    const documents = sort === "relevance" && plan.hasWords ? await this.bestFirst(plan, ordered) : ordered;
    return { clauses, kinds: counts, documents };
  }

  /** The records with words of a query, then the others. */
  private async bestFirst(plan: QueryPlan, ordered: Uint32Array): Promise<Uint32Array> {
    const ranked = await this.searcher.whole.ranking.rank(plan, plan.filter, ordered.length);
    return Uint32Array.from(new Set([...ranked.map(({ document }) => document), ...ordered]));
  }

  private keepBetween(set: Uint8Array, first: number, last: number): void {
    const { sentAt } = this.searcher.source.columns;
    for (let document = 0; document < set.length; document++)
      if (!(sentAt[document]! >= first && sentAt[document]! <= last)) set[document] = 0;
  }

  /** In order of first occurrence. */
  private countKinds(set: Uint8Array): FoundDocuments["kinds"] {
    const counts = new Map<number, number>();
    for (const document of documentsOf(set)) {
      const kind = this.kinds.numbers[document]!;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return Array.from(counts, ([kind, count]) => ({ kind: this.kinds.names[kind]!, count }));
  }

  private inOrder(sort: Exclude<RecordSort, "relevance">): Uint32Array {
    const known = this.orders.get(sort) ?? this.sorted(sort);
    this.orders.set(sort, known);
    return known;
  }

  private sorted(sort: Exclude<RecordSort, "relevance">): Uint32Array {
    const { source } = this.searcher;
    const documents = documentsOf(allDocuments(source));
    if (sort === "id") return documents;
    const { sentAt } = source.columns;
    const direction = sort === "oldest" ? 1 : -1;
    // Undated records come last in both directions.
    const keyOf = (document: number): number =>
      sentAt[document] === Number.NEGATIVE_INFINITY ? Number.POSITIVE_INFINITY : direction * sentAt[document]!;
    return documents.sort((left, right) => {
      const [first, second] = [keyOf(left), keyOf(right)];
      return first === second ? left - right : first < second ? -1 : 1;
    });
  }
}
