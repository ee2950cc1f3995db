import { LengthHistogram } from "../../search/indexing/length-histogram.ts";
import type { DocumentColumns, NamedMailbox } from "../../search/indexing/search-source.ts";
import { tokensOf } from "../../text/tokens/tokens.ts";
import type { SqlValue } from "../tables/sql-value.ts";

/** The part of the index that one run added. */
export interface StoredSegment {
  readonly seg: number;
  readonly first: number;
  readonly lengths: Uint8Array;
}

/** @param stored a column of the index by name; undefined if it is missing */
export function documentColumns(
  segments: readonly StoredSegment[],
  stored: (name: keyof DocumentColumns) => Uint8Array | undefined,
): DocumentColumns {
  const end = segments.reduce((highest, { first, lengths }) => Math.max(highest, first + lengths.length / 4), 0);
  const lengths = new Uint32Array(end);
  for (const segment of segments) lengths.set(new Uint32Array(alignedBuffer(segment.lengths)), segment.first);
  const numbers = (name: keyof DocumentColumns): ArrayBuffer => alignedBuffer(stored(name) ?? new Uint8Array(0));
  return {
    lengths,
    authors: new Int32Array(numbers("authors")),
    sentAt: new Float64Array(numbers("sentAt")),
    topics: new Int32Array(numbers("topics")),
  };
}

/** A blob may start at any address, a typed array only at a multiple of its element size. */
export function alignedBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** The numbers of a stored column; none if it is missing. */
export function numbersIn(column: Uint8Array | undefined): Uint32Array {
  return new Uint32Array(alignedBuffer(column ?? new Uint8Array(0)));
}

/** Number of searchable messages, and their average length. */
export function liveTotals(
  lengths: Uint32Array,
  firstDocument: number,
  dead: ReadonlySet<number>,
): { readonly documentCount: number; readonly averageLength: number } {
  const histogram = new LengthHistogram();
  for (let document = firstDocument; document < lengths.length; document++) {
    if (dead.size > 0 && dead.has(document)) continue;
    histogram.add(lengths[document]!);
  }
  return { documentCount: histogram.count, averageLength: histogram.average() };
}

/** Mailboxes by their numbers. @param rows number, name and source */
export function namedMailboxes(rows: readonly (readonly SqlValue[])[]): ReadonlyMap<number, NamedMailbox> {
  return new Map(
    (rows as readonly (readonly [number, string, number])[]).map(([id, name, source]) => [
      id,
      { name, source, words: new Set(tokensOf(name)) },
    ]),
  );
}
