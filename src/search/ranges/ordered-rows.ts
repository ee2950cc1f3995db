import type { OrderedRows } from "./searched-range.ts";

export const NO_ROWS: OrderedRows = {
  documents: new Float64Array(0),
  keys: new Float64Array(0),
  ties: new Float64Array(0),
  texts: new Float64Array(0),
  extras: new Float64Array(0),
};

/** Columns of rows other than their numbers. */
export interface RowColumns {
  key(document: number, at: number): number;
  tie(document: number): number;
  text(document: number): number;
  extras(document: number): number;
}

/** Rows of messages in order. */
export function rowsOf(documents: ArrayLike<number>, columns: RowColumns): OrderedRows {
  const rows = mapColumns(NO_ROWS, () => new Float64Array(documents.length));
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at]!;
    rows.documents[at] = document;
    rows.keys[at] = columns.key(document, at);
    rows.ties[at] = columns.tie(document);
    rows.texts[at] = columns.text(document);
    rows.extras[at] = columns.extras(document);
  }
  return rows;
}

/** The first `limit` of the rows of several ranges. */
export function mergeRows(parts: readonly OrderedRows[], limit: number): OrderedRows {
  const filled = parts.filter(({ documents }) => documents.length > 0);
  if (filled.length === 0) return NO_ROWS;
  if (filled.length === 1) return mapColumns(filled[0]!, (column) => filled[0]![column].subarray(0, limit));
  const joined = mapColumns(NO_ROWS, (column) => concat(filled.map((part) => part[column])));
  const { documents, keys, ties } = joined;
  const order = Uint32Array.from(documents, (_, at) => at);
  order.sort((left, right) => {
    if (keys[left] !== keys[right]) return keys[left]! < keys[right]! ? 1 : -1;
    if (ties[left] !== ties[right]) return ties[left]! < ties[right]! ? 1 : -1;
    return documents[left]! - documents[right]!;
  });
  return rowsAt(joined, order.subarray(0, limit));
}

/** Rows by position. */
export function rowsAt(rows: OrderedRows, places: ArrayLike<number>): OrderedRows {
  return mapColumns(rows, (column) => Float64Array.from(places, (place) => rows[column][place]!));
}

/** Concatenates two orders of rows. */
export function joinRows(first: OrderedRows, second: OrderedRows): OrderedRows {
  if (first.documents.length === 0) return second;
  if (second.documents.length === 0) return first;
  return mapColumns(first, (column) => concat([first[column], second[column]]));
}

/** Position of the first row of each text. */
export function firstOfTexts(texts: ArrayLike<number>): readonly number[] {
  const seen = new Set<number>();
  const places: number[] = [];
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at]!;
    if (text !== 0 && seen.has(text)) continue;
    if (text !== 0) seen.add(text);
    places.push(at);
  }
  return places;
}

function mapColumns(rows: OrderedRows, map: (column: keyof OrderedRows) => Float64Array): OrderedRows {
  const columns = (Object.keys(rows) as (keyof OrderedRows)[]).map((column) => [column, map(column)]);
  return Object.fromEntries(columns) as OrderedRows;
}

function concat(parts: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
