import type { DocumentFilter } from "./document-filter.ts";
import { visitPostings, writePosting } from "./posting-codec.ts";
import type { SearchSource, TermPostings } from "./search-source.ts";
import { type RankedDocument, TopDocuments } from "./top-documents.ts";
import { ByteWriter } from "./varint.ts";
import { coverageFactor, inverseDocumentFrequency, lengthNorm, termFrequencyWeight } from "./weights.ts";

/** Term frequencies whose weight is looked up instead of computed. */
const TABLED_FREQUENCIES = 256;
const FREQUENCY_WEIGHTS = Float64Array.from({ length: TABLED_FREQUENCIES }, (_, tf) => (tf === 0 ? 0 : termFrequencyWeight(tf)));

/** A term of the query with the number of times the query names it. */
export interface QueryTerm {
  readonly count: number;
  readonly postings: TermPostings;
}

/**
 * TF-IDF of the SMART family `dnb.dtn`: score = sum over terms of w_q w_d, divided by the Euclidean length of the query's weights, times
 * the coverage of the query. Holds the columns and scratch of one source (28 bytes a message); one query at a time.
 */
export class Ranking {
  private readonly source: SearchSource;
  private readonly inverseNorms: Float64Array;
  private readonly scores: Float64Array;
  /** Weight of the query's terms that stand in each message. */
  private readonly held: Float64Array;
  private readonly touched: Uint32Array;
  private touchedCount = 0;

  constructor(source: SearchSource) {
    const { lengths } = source.columns;
    this.source = source;
    this.inverseNorms = new Float64Array(lengths.length);
    for (let i = 0; i < lengths.length; i += 1) this.inverseNorms[i] = 1 / lengthNorm(lengths[i]!, source.averageLength);
    this.scores = new Float64Array(lengths.length);
    this.held = new Float64Array(lengths.length);
    this.touched = new Uint32Array(lengths.length);
  }

  /** The best `limit` messages that hold any of the terms and are admitted. */
  rank(terms: readonly QueryTerm[], filter: DocumentFilter | null, limit: number): RankedDocument[] {
    const weighted = terms.map(({ count, postings }) => ({
      postings,
      weight: termFrequencyWeight(count) * inverseDocumentFrequency(this.source.documentCount, postings.documentFrequency),
    }));
    const queryNorm = Math.sqrt(weighted.reduce((sum, { weight }) => sum + weight * weight, 0));
    // Sums of floating-point numbers depend on their order: rare first, then as in the query.
    weighted.sort((left, right) => left.postings.documentFrequency - right.postings.documentFrequency);
    for (const { postings, weight } of weighted) {
      for (const list of postings.lists) this.accumulate(list, weight / queryNorm, filter);
    }
    // Summed in the order of accumulation: a message that holds every term has exactly this.
    const asked = weighted.reduce((sum, { weight }) => sum + weight / queryNorm, 0);
    return this.takeBest(limit, asked);
  }

  /** The newest `limit` of the admitted messages: for queries that name conditions and no words. */
  newest(filter: DocumentFilter, limit: number): RankedDocument[] {
    const top = new TopDocuments(limit, this.source.columns.sentAt);
    filter.visit((document) => top.offer(document, 0));
    return top.ranked();
  }

  /** The best of the touched messages; clears the scores for the next query. */
  private takeBest(limit: number, asked: number): RankedDocument[] {
    const { scores, held, touched, touchedCount } = this;
    const top = new TopDocuments(limit, this.source.columns.sentAt);
    let floor = top.floor;
    for (let i = 0; i < touchedCount; i += 1) {
      const document = touched[i]!;
      const score = scores[document]! * coverageFactor(held[document]!, asked);
      scores[document] = 0;
      held[document] = 0;
      // Nearly all messages of a common word end here.
      if (score < floor) continue;
      top.offer(document, score);
      floor = top.floor;
    }
    this.touchedCount = 0;
    return top.ranked();
  }

  /** Adds one posting list to the scores. Decodes in place: this loop is the cost of a query. */
  private accumulate(list: Uint8Array, weight: number, filter: DocumentFilter | null): void {
    const { scores, held, touched, inverseNorms } = this;
    const states = filter === null ? null : filter.states;
    const level = filter === null ? 0 : filter.level;
    let count = this.touchedCount;
    let document = 0;
    for (let at = 0; at < list.length; ) {
      let byte = list[at++]!;
      let step = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = list[at++]!;
        step |= (byte & 0x7f) << shift;
      }
      document += step >>> 1;
      let frequency = 1;
      if ((step & 1) === 0) {
        byte = list[at++]!;
        frequency = byte & 0x7f;
        for (let shift = 7; byte >= 0x80; shift += 7) {
          byte = list[at++]!;
          frequency |= (byte & 0x7f) << shift;
        }
      }
      if (states !== null && states[document] !== level) continue;
      const frequencyWeight =
        frequency > 0 && frequency < TABLED_FREQUENCIES ? FREQUENCY_WEIGHTS[frequency]! : termFrequencyWeight(frequency >>> 0);
      const score = scores[document]!;
      if (score === 0) touched[count++] = document;
      scores[document] = score + weight * frequencyWeight * inverseNorms[document]!;
      held[document] = held[document]! + weight;
    }
    this.touchedCount = count;
  }
}

/**
 * Several terms taken as one: frequencies add up, and a message that holds two of them counts once.
 * @param end one above the highest document number.
 */
export function unitePostings(terms: readonly TermPostings[], end: number): TermPostings {
  const frequencies = new Uint32Array(end);
  for (const { lists } of terms) {
    for (const list of lists) {
      visitPostings(list, (document, frequency) => {
        frequencies[document] = frequencies[document]! + frequency;
      });
    }
  }
  const united = new ByteWriter();
  let documentFrequency = 0;
  let previous = 0;
  for (let document = 0; document < end; document += 1) {
    const frequency = frequencies[document]!;
    if (frequency === 0) continue;
    writePosting(united, document - previous, frequency);
    previous = document;
    documentFrequency += 1;
  }
  return { documentFrequency, lists: [united.copy()] };
}
