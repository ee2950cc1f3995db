import { FILE_ONLY, type TermColumn } from "./indexed-term.ts";
import { termFrequencyWeight } from "./weights.ts";

/** Number of frequencies with precomputed weights: all that fit into a column. */
const TABLED_FREQUENCIES = FILE_ONLY;
const FREQUENCY_WEIGHTS = Float64Array.from({ length: TABLED_FREQUENCIES }, (_, tf) => termFrequencyWeight(tf));

/** Documents scored at a time: their sums fit into the L1 cache, unlike the postings of a common word. */
export const WINDOW_DOCUMENTS = 2048;

/**
 * Sums over the terms of a query for each document of a window, by slot: the document's number minus `first`. All zeros
 * between windows.
 */
export interface Window {
  first: number;
  /** One more than the last document. */
  end: number;
  /** Weight of the term in the query times that of its frequency in the document. */
  readonly products: Float64Array;
  /** Sum of the query weights of the listed terms that each document contains. */
  readonly held: Float64Array;
  /** Slots with sums, each once; the first `touchedCount` are valid. */
  readonly touched: Uint16Array;
  touchedCount: number;
}

export function emptyWindow(): Window {
  return {
    first: 0,
    end: 0,
    products: new Float64Array(WINDOW_DOCUMENTS),
    held: new Float64Array(WINDOW_DOCUMENTS),
    touched: new Uint16Array(WINDOW_DOCUMENTS),
    touchedCount: 0,
  };
}

/** Iterates over posting lists once, by ascending windows. */
export class PostingCursor {
  private next = 0;
  private list: Uint8Array = new Uint8Array(0);
  /** Position of the next posting, and the document that its delta is relative to. */
  private at = 0;
  private previous = 0;

  /** @param weight of the term in the query. */
  constructor(
    private readonly lists: readonly Uint8Array[],
    private readonly weight: number,
  ) {}

  addTo(window: Window): void {
    while (this.addFromList(window)) {
      if (this.next >= this.lists.length) return;
      this.list = this.lists[this.next]!;
      this.next++;
      this.at = 0;
      this.previous = 0;
    }
  }

  /** Returns true if the list ends inside the window. Decoded inline: calls would cost more than the rest. */
  private addFromList(window: Window): boolean {
    const { list, weight } = this;
    const { first, end, products, held, touched } = window;
    let at = this.at;
    let document = this.previous;
    while (at < list.length) {
      const start = at;
      let byte = list[at++]!;
      let step = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = list[at++]!;
        step |= (byte & 0x7f) << shift;
      }
      const reached = document + (step >>> 1);
      if (reached >= end) {
        this.at = start;
        this.previous = document;
        return false;
      }
      document = reached;
      let frequency = 1;
      if ((step & 1) === 0) {
        byte = list[at++]!;
        frequency = byte & 0x7f;
        for (let shift = 7; byte >= 0x80; shift += 7) {
          byte = list[at++]!;
          frequency |= (byte & 0x7f) << shift;
        }
        frequency >>>= 0;
      }
      const slot = document - first;
      const share = held[slot]!;
      if (share === 0) touched[window.touchedCount++] = slot;
      held[slot] = share + weight;
      products[slot] = products[slot]! + weight * weightOf(frequency);
    }
    this.at = at;
    this.previous = document;
    return true;
  }
}

function weightOf(frequency: number): number {
  return frequency < TABLED_FREQUENCIES ? FREQUENCY_WEIGHTS[frequency]! : termFrequencyWeight(frequency);
}

/** Iterates over a column once, by ascending windows. */
export class ColumnCursor {
  /** Score of each frequency. The last entry is 0: such frequencies are added from `beyond`. */
  private readonly products = new Float64Array(256);
  private nextBeyond = 0;

  /** @param weight of the term in the query. */
  constructor(
    private readonly column: TermColumn,
    private readonly weight: number,
  ) {
    for (let frequency = 1; frequency < TABLED_FREQUENCIES; frequency++)
      this.products[frequency] = weight * FREQUENCY_WEIGHTS[frequency]!;
    this.products[FILE_ONLY] = weight * FREQUENCY_WEIGHTS[0]!;
  }

  /** Adds only to the products; the values of the few documents with a high score are read one by one. */
  addTo({ first, end, products }: Window): void {
    const { frequencies } = this.column;
    const table = this.products;
    const count = end - first;
    // Branch-free: the processor cannot predict whether a common word is in a message, and a wrong prediction costs
    // more than adding 0.
    for (let slot = 0; slot < count; slot++) products[slot] = products[slot]! + table[frequencies[first + slot]!]!;
    const { beyond } = this.column;
    for (; this.nextBeyond < beyond.length; this.nextBeyond++) {
      const { document, frequency } = beyond[this.nextBeyond]!;
      if (document >= end) return;
      products[document - first] = products[document - first]! + this.weight * weightOf(frequency);
    }
  }

  /**
   * Adds four columns in one pass, bit for bit the same as one after the other: the sums are loaded and stored once.
   */
  static addFour(walks: readonly [ColumnCursor, ColumnCursor, ColumnCursor, ColumnCursor], window: Window): void {
    if (walks.some((walk) => walk.isBeyondIn(window))) {
      for (const walk of walks) walk.addTo(window);
      return;
    }
    const { first, end, products } = window;
    const [a, b, c, d] = walks;
    const [ofA, ofB, ofC, ofD] = [
      a.column.frequencies,
      b.column.frequencies,
      c.column.frequencies,
      d.column.frequencies,
    ];
    const [forA, forB, forC, forD] = [a.products, b.products, c.products, d.products];
    for (let document = first; document < end; document++) {
      const slot = document - first;
      products[slot] =
        products[slot]! + forA[ofA[document]!]! + forB[ofB[document]!]! + forC[ofC[document]!]! + forD[ofD[document]!]!;
    }
  }

  /** True if a document of the window has a frequency that does not fit into the column. */
  private isBeyondIn({ end }: Window): boolean {
    const next = this.column.beyond[this.nextBeyond];
    return next !== undefined && next.document < end;
  }

  /** Query weight of the term if the document contains it, else 0. */
  heldBy(document: number): number {
    return this.column.frequencies[document] === 0 ? 0 : this.weight;
  }
}

/** Adds all columns to a window, in their order. */
export function addColumns(walks: readonly ColumnCursor[], window: Window): void {
  let next = 0;
  for (; next + 4 <= walks.length; next += 4)
    ColumnCursor.addFour([walks[next]!, walks[next + 1]!, walks[next + 2]!, walks[next + 3]!], window);
  for (; next < walks.length; next++) walks[next]!.addTo(window);
}
