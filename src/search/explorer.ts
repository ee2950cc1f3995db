import type {
  ExploredQuery,
  ExploredSort,
  Facet,
  FacetName,
  FacetRequest,
  PageRequest,
  Timeline,
  TimelineRequest,
  UnderstoodClause,
} from "../mail/exploration.ts";
import { countOfSet, type DocumentSet, documentsOf } from "./clause-sets.ts";
import { FACET_KINDS, withoutOwn } from "./facet-counts.ts";
import { type Clause, parseQuery } from "./query-syntax.ts";
import type { Searcher } from "./searcher.ts";
import { mainRange, type TimeRange, timelineOf } from "./timeline-bins.ts";

/** Results kept for further pages, sorts and counts: a byte a message each, and four for every order asked for. */
const KEPT_RESULTS = 8;
/** Messages that are ranked for a first page; who looks further has all of them ranked. */
const RANKED_FIRST = 1000;
/** What looks like an operator; an address of the web is none. */
const OPERATOR_LIKE = /^[+-]?[A-Za-z][A-Za-z_]{0,19}:[^/\s]/;

/** What a query finds. */
interface Result {
  readonly clauses: readonly Clause[];
  readonly set: DocumentSet;
  readonly total: number;
  /** Messages found, by thread. */
  readonly threadHits: ReadonlyMap<number, number>;
  readonly understood: readonly UnderstoodClause[];
  /** Messages found, in the orders asked for so far. */
  readonly orders: Map<ExploredSort, Uint32Array>;
}

/** A message of a page. */
export interface PagedDocument {
  readonly document: number;
  readonly threadHits: number;
  readonly threadMessages: number;
  readonly snippet: string;
}

export interface DocumentPage {
  readonly total: number;
  readonly conversations: number;
  readonly understood: readonly UnderstoodClause[];
  readonly documents: readonly PagedDocument[];
}

/** Pages, counts and time lines of queries over one state of an archive. Keeps the latest results. */
export class Explorer {
  private readonly searcher: Searcher;
  /** The one that was not asked for longest comes first. */
  private readonly results = new Map<string, Result>();
  /** All messages in an order that no query changes. */
  private readonly orders = new Map<ExploredSort, Uint32Array>();
  private sizesOfThreads: ReadonlyMap<number, number> | null = null;
  private range: TimeRange | null | undefined;

  constructor(searcher: Searcher) {
    this.searcher = searcher;
  }

  page(request: PageRequest): DocumentPage {
    const result = this.resultOf(request);
    const { source } = this.searcher;
    const { threads } = source.facts();
    this.sizesOfThreads ??= countBy(documentsOf(this.searcher.sets.all()), threads);
    const sizes = this.sizesOfThreads;
    const asked = this.ordered(result, request).slice(request.offset, request.offset + request.limit);
    const snippetOf = this.searcher.snippets(result.clauses);
    return {
      total: result.total,
      conversations: result.threadHits.size,
      understood: result.understood,
      documents: Array.from(asked, (document) => ({
        document,
        threadHits: result.threadHits.get(threads[document]!)!,
        threadMessages: sizes.get(threads[document]!)!,
        snippet: snippetOf(document),
      })),
    };
  }

  facets(request: FacetRequest): readonly Facet[] {
    const result = this.resultOf(request);
    return request.of.map((name) => this.facet(result, name, request.limit));
  }

  timeline(request: TimelineRequest): Timeline {
    const { sentAt } = this.searcher.source.columns;
    if (this.range === undefined) this.range = mainRange(datesOf(this.searcher.sets.all(), sentAt));
    return timelineOf(datesOf(this.resultOf(request).set, sentAt), this.range, request.by);
  }

  private facet({ clauses, set: found }: Result, name: FacetName, limit: number): Facet {
    const { source, sets } = this.searcher;
    const kind = FACET_KINDS[name];
    const others = withoutOwn(clauses, kind);
    const set = others.length === clauses.length ? found : sets.matching(others, sets.all());
    const { counts, none } = kind.count(source, set);
    const ranked = Array.from(counts).sort((left, right) => right[1] - left[1] || left[0] - right[0]);
    return {
      of: name,
      total: countOfSet(set),
      isMultiple: kind.isMultiple,
      values: ranked.slice(0, limit).map(([value, count]) => ({
        clause: kind.clause(source, value),
        label: kind.label(source, value),
        count,
      })),
      other: ranked.slice(limit).reduce((sum, [, count]) => sum + count, 0),
      none,
    };
  }

  private resultOf({ query, match }: ExploredQuery): Result {
    const key = `${match} ${query}`;
    const known = this.results.get(key) ?? this.find(query, match);
    this.results.delete(key);
    for (const oldest of this.results.keys()) {
      if (this.results.size < KEPT_RESULTS) break;
      this.results.delete(oldest);
    }
    this.results.set(key, known);
    return known;
  }

  private find(query: string, match: ExploredQuery["match"]): Result {
    const { source, sets } = this.searcher;
    const { clauses } = parseQuery(query, match);
    const all = sets.all();
    // Text in which there is no word finds nothing; no text leaves everything.
    const isNothing = clauses.length === 0 && query.trim() !== "";
    const set = isNothing ? new Uint8Array(all.length) : sets.matching(clauses, all);
    const understood = clauses.map(
      (clause): UnderstoodClause => ({
        start: clause.start,
        end: clause.end,
        kind: clause.kind === "field" ? clause.field : clause.kind,
        isExcluded: clause.demand === "excluded",
        isNoOperator: clause.kind === "words" && OPERATOR_LIKE.test(query.slice(clause.start, clause.end)),
        count: countOfSet(sets.holding(clause, all)),
      }),
    );
    const threadHits = countBy(documentsOf(set), source.facts().threads);
    return { clauses, set, total: countOfSet(set), threadHits, understood, orders: new Map() };
  }

  /** The messages found, at least up to the end of the page. */
  private ordered({ clauses, set, total, orders }: Result, { sort, offset, limit }: PageRequest): Uint32Array {
    const known = orders.get(sort);
    if (known !== undefined && known.length >= Math.min(total, offset + limit)) return known;
    const inOrder =
      sort === "relevance"
        ? this.byRelevance(clauses, set, offset + limit <= RANKED_FIRST ? Math.min(total, RANKED_FIRST) : total)
        : this.everything(sort).filter((document) => set[document] === 1);
    orders.set(sort, inOrder);
    return inOrder;
  }

  private byRelevance(clauses: readonly Clause[], set: DocumentSet, limit: number): Uint32Array {
    const ranked = this.searcher.ranked(clauses, set, limit);
    if (ranked.length >= limit) return Uint32Array.from(ranked);
    const isRanked = new Set(ranked);
    const rest = this.everything("newest").filter((document) => set[document] === 1 && !isRanked.has(document));
    return Uint32Array.from([...ranked, ...rest]);
  }

  private everything(sort: Exclude<ExploredSort, "relevance">): Uint32Array {
    const known = this.orders.get(sort) ?? this.sorted(sort);
    this.orders.set(sort, known);
    return known;
  }

  private sorted(sort: Exclude<ExploredSort, "relevance">): Uint32Array {
    const { source, sets } = this.searcher;
    if (sort === "sender") return Uint32Array.from(source.bySender());
    const { sentAt } = source.columns;
    const { sizes } = source.facts();
    const latest = (document: number): number => sentAt[document]!;
    // What has no date comes last in either direction.
    const earliest = (document: number): number =>
      sentAt[document] === Number.NEGATIVE_INFINITY ? Number.NEGATIVE_INFINITY : -sentAt[document]!;
    const largest = (document: number): number => sizes[document]!;
    const keyOf = { newest: latest, oldest: earliest, size: largest }[sort];
    return documentsOf(sets.all()).sort((left, right) => {
      const [first, second] = [keyOf(left), keyOf(right)];
      return first === second ? left - right : first < second ? 1 : -1;
    });
  }
}

function countBy(documents: Uint32Array, column: Uint32Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const document of documents) counts.set(column[document]!, (counts.get(column[document]!) ?? 0) + 1);
  return counts;
}

function datesOf(set: DocumentSet, sentAt: Float64Array): Float64Array {
  return Float64Array.from(documentsOf(set), (document) => sentAt[document]!);
}
