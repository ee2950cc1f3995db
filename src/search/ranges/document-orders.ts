import type { ExploredSort } from "../../mail/exploration.ts";
import { documentsOf } from "../indexing/document-set.ts";
import type { SearchSource } from "../indexing/search-source.ts";
import { allDocuments } from "../matching/clause-sets.ts";

/** An order that no query changes. */
type FixedSort = Exclude<ExploredSort, "relevance">;

/** All messages of a source in the orders that do not depend on a query, each computed on first use. */
export class DocumentOrders {
  private readonly orders = new Map<FixedSort, Uint32Array>();
  private places: Uint32Array | null = null;

  constructor(private readonly source: SearchSource) {}

  async everything(sort: FixedSort): Promise<Uint32Array> {
    const known = this.orders.get(sort) ?? (await this.sorted(sort));
    this.orders.set(sort, known);
    return known;
  }

  /** Sort key, descending; ties are sorted by number. */
  async keyOf(sort: FixedSort): Promise<(document: number) => number> {
    const { sentAt } = this.source.columns;
    switch (sort) {
      case "newest":
        return (document) => sentAt[document]!;
      case "oldest":
        // Undated messages come last in both directions.
        return (document) =>
          sentAt[document] === Number.NEGATIVE_INFINITY ? Number.NEGATIVE_INFINITY : -sentAt[document]!;
      case "size": {
        const { sizes } = await this.source.facts();
        return (document) => sizes[document]!;
      }
      case "sender": {
        const places = await this.placesBySender();
        return (document) => -places[document]!;
      }
    }
  }

  private async sorted(sort: FixedSort): Promise<Uint32Array> {
    // The store provides this order; it only needs to be read.
    if (sort === "sender" && this.source.archive === undefined) return Uint32Array.from(await this.source.bySender());
    const keyOf = await this.keyOf(sort);
    return documentsOf(allDocuments(this.source)).sort((left, right) => {
      const [first, second] = [keyOf(left), keyOf(right)];
      return first === second ? left - right : first < second ? 1 : -1;
    });
  }

  /** Positions in the whole archive. */
  private async placesBySender(): Promise<Uint32Array> {
    if (this.places !== null) return this.places;
    const places = new Uint32Array(this.source.columns.lengths.length);
    const base = this.source.archive?.base ?? 0;
    let place = 0;
    // A typed array ignores elements outside its range.
    for (const document of await this.source.bySender()) places[document - base] = place++;
    this.places = places;
    return places;
  }
}

/** The first `limit` matching elements of an order: a page requests few of many. */
export function firstOf(order: Uint32Array, limit: number, fits: (document: number) => boolean): Uint32Array {
  const found = new Uint32Array(Math.min(limit, order.length));
  let count = 0;
  for (let at = 0; at < order.length && count < found.length; at++) if (fits(order[at]!)) found[count++] = order[at]!;
  return found.subarray(0, count);
}
