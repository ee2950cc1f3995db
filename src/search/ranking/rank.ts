import {
  addColumns,
  ColumnCursor,
  emptyWindow,
  PostingCursor,
  WINDOW_DOCUMENTS,
  type Window,
} from "../indexing/cursors.ts";
import type { DocumentFilter } from "../indexing/document-filter.ts";
import type { IndexedTerm } from "../indexing/indexed-term.ts";
import type { SearchSource } from "../indexing/search-source.ts";
import { runStep } from "../indexing/search-turns.ts";
import {
  coverageFactor,
  coveragePower,
  inverseDocumentFrequency,
  lengthNorm,
  termFrequencyWeight,
} from "../indexing/weights.ts";
import { type RankedDocument, TopDocuments } from "./top-documents.ts";

/** Documents ranked between two checks of the clock: a twentieth of a slice for a few words, a slice for 64. */
const DOCUMENTS_PER_STEP = 8 * WINDOW_DOCUMENTS;

/** A term of the query with the number of times the query names it. */
export interface QueryTerm {
  readonly count: number;
  readonly term: IndexedTerm;
}

/** Terms that rank, and conditions besides the filter. */
interface RankedTerms {
  readonly terms: readonly QueryTerm[];
  /** True if a message must contain all of them. */
  readonly isConjunction: boolean;
}

/** The terms of a query with their weights, whose Euclidean length is 1. */
interface WeighedQuery {
  readonly lists: readonly PostingCursor[];
  readonly columns: readonly ColumnCursor[];
  /** Sum of the weights, in the same order as for messages, so that a message with all terms has exactly this value. */
  readonly asked: number;
  /** Minimum that a message must contain. */
  readonly demanded: number;
  /** Power of the coverage: see `coveragePower`. */
  readonly power: number;
}

/** A ranked query with its current window and the best admitted messages so far. */
interface Offers {
  readonly query: WeighedQuery;
  readonly window: Window;
  readonly top: TopDocuments;
  readonly filter: DocumentFilter | null;
}

/**
 * TF-IDF of the SMART family `dnb.dtn`: score = sum over terms of w_q w_d, divided by the Euclidean length of the
 * query's weights, times the coverage of the query. Uses one column of its source (8 bytes per message). Yields to
 * other queries between two steps.
 */
export class Ranking {
  private readonly inverseNorms: Float64Array;
  /** Windows between two queries: a new one per query costs more than a rare word. */
  private readonly windows: Window[] = [];

  constructor(private readonly source: SearchSource) {
    const { lengths } = source.columns;
    this.inverseNorms = new Float64Array(lengths.length);
    for (let i = 0; i < lengths.length; i++) this.inverseNorms[i] = 1 / lengthNorm(lengths[i]!, source.averageLength);
  }

  /** The best `limit` admitted messages that contain any (or all) of the terms. */
  async rank(ranked: RankedTerms, filter: DocumentFilter | null, limit: number): Promise<RankedDocument[]> {
    const query = this.weigh(ranked);
    const window = this.windows.pop() ?? emptyWindow();
    const { lengths, sentAt } = this.source.columns;
    const top = new TopDocuments(limit, sentAt);
    const offers = { query, window, top, filter };
    for (let first = this.source.firstDocument; first < lengths.length; first += DOCUMENTS_PER_STEP)
      await runStep(() => this.rankStep(offers, first, Math.min(first + DOCUMENTS_PER_STEP, lengths.length)));
    this.windows.push(window);
    return top.ranked();
  }

  /** The newest `limit` admitted messages, for queries with conditions but no words. */
  newest(filter: DocumentFilter, limit: number): RankedDocument[] {
    const top = new TopDocuments(limit, this.source.columns.sentAt);
    filter.visit((document) => top.offer(document, 0));
    return top.ranked();
  }

  private weigh({ terms, isConjunction }: RankedTerms): WeighedQuery {
    const weighed = terms.map(({ count, term }) => ({
      term,
      weight: termFrequencyWeight(count) * inverseDocumentFrequency(this.source.documentCount, term.documentFrequency),
    }));
    const norm = Math.sqrt(weighed.reduce((sum, { weight }) => sum + weight * weight, 0));
    // Sums of floating-point numbers depend on their order: rare first, then as in the query, and lists before columns.
    weighed.sort((left, right) => left.term.documentFrequency - right.term.documentFrequency);
    const listed = weighed.filter(({ term }) => term.column === null);
    const dense = weighed.filter(({ term }) => term.column !== null);
    const asked = [...listed, ...dense].reduce((sum, { weight }) => sum + weight / norm, 0);
    return {
      lists: listed.map(({ term, weight }) => new PostingCursor(term.lists, weight / norm)),
      columns: dense.map(({ term, weight }) => new ColumnCursor(term.column!, weight / norm)),
      asked,
      demanded: isConjunction ? asked : 0,
      power: coveragePower(terms.length),
    };
  }

  private rankStep(offers: Offers, from: number, to: number): void {
    const { window } = offers;
    for (let first = from; first < to; first += WINDOW_DOCUMENTS) {
      window.first = first;
      window.end = Math.min(first + WINDOW_DOCUMENTS, to);
      this.rankWindow(offers);
    }
  }

  private rankWindow(offers: Offers): void {
    const { query, window } = offers;
    for (const list of query.lists) list.addTo(window);
    if (query.columns.length === 0) this.offerTouched(offers);
    else {
      addColumns(query.columns, window);
      this.offerWindow(offers);
    }
  }

  /** Offers the documents touched by lists, and clears the window. */
  private offerTouched({ query: { asked, demanded, power }, window, top, filter }: Offers): void {
    const { inverseNorms } = this;
    const { first, products, held, touched } = window;
    for (let i = 0; i < window.touchedCount; i++) {
      const slot = touched[i]!;
      const document = first + slot;
      const share = held[slot]!;
      const uncovered = products[slot]! * inverseNorms[document]!;
      held[slot] = 0;
      products[slot] = 0;
      // Coverage only lowers a score, and its power costs more than these checks.
      if (share < demanded || uncovered < top.floor || (filter !== null && !filter.admits(document))) continue;
      const score = uncovered * coverageFactor(share, asked, power);
      if (score >= top.floor) top.offer(document, score);
    }
    window.touchedCount = 0;
  }

  /** Offers all documents of the window that contain a term, and clears it. */
  private offerWindow({ query: { columns, asked, demanded, power }, window, top, filter }: Offers): void {
    const { inverseNorms } = this;
    const { first, end, products, held, touched } = window;
    let floor = top.floor;
    for (let document = first; document < end; document++) {
      const product = products[document - first]!;
      const uncovered = product * inverseNorms[document]!;
      // Coverage only lowers a score: nearly all messages of a common word are rejected here.
      if (uncovered < floor || product === 0 || (filter !== null && !filter.admits(document))) continue;
      let share = held[document - first]!;
      for (const column of columns) share += column.heldBy(document);
      if (share < demanded) continue;
      const score = uncovered * coverageFactor(share, asked, power);
      if (score < floor) continue;
      top.offer(document, score);
      floor = top.floor;
    }
    products.fill(0);
    for (let i = 0; i < window.touchedCount; i++) held[touched[i]!] = 0;
    window.touchedCount = 0;
  }
}
