import { VarintReader, type VarintWriter } from "./varint.ts";

/**
 * Posting list of one term: documents ascending, each as varint(step << 1 | (tf === 1 ? 1 : 0)) and, when that bit is
 * 0, varint(tf). The first step is the document number itself, so that a list is self-contained; appending a list to
 * another rewrites only its first varint.
 */
export interface Posting {
  readonly document: number;
  /** Occurrences in the body plus twice those in the subject; 0 if the term is only in attachments. */
  readonly termFrequency: number;
}

/** Highest document number in a list: the step and its flag share 32 bits. */
export const MAX_DOCUMENT = 0x7fff_ffff;

/**
 * Appends a list of postings, each a document and the term's frequency in it.
 * @param range start and end of the list in `postings`
 */
export function writePostings(
  writer: VarintWriter,
  postings: Uint32Array,
  [start, end]: readonly [number, number],
): void {
  let previous = 0;
  for (let at = start; at < end; at += 2) {
    const document = postings[at]!;
    const frequency = postings[at + 1]!;
    const step = (document - previous) << 1;
    previous = document;
    if (frequency === 1) {
      writer.writeVarint((step | 1) >>> 0);
      continue;
    }
    writer.writeVarint(step >>> 0);
    writer.writeVarint(frequency);
  }
}

/** Calls `visit` with each document of a list and the term's frequency in it. */
export function visitPostings(data: Uint8Array, visit: (document: number, termFrequency: number) => void): void {
  let document = 0;
  // Inlined: calls to a reader would take three times as long.
  for (let at = 0; at < data.length; ) {
    let byte = data[at++]!;
    let step = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = data[at++] ?? 0;
      step |= (byte & 0x7f) << shift;
    }
    document += step >>> 1;
    let frequency = 1;
    if ((step & 1) === 0) {
      byte = data[at++] ?? 0;
      frequency = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = data[at++] ?? 0;
        frequency |= (byte & 0x7f) << shift;
      }
    }
    visit(document, frequency >>> 0);
  }
}

/** Sets 1 at the index of each document that a list contains. @param documents ascending */
export function markPostings(data: Uint8Array, documents: Uint32Array, held: Uint8Array): void {
  let document = 0;
  let next = 0;
  for (let at = 0; at < data.length && next < documents.length; ) {
    let byte = data[at++]!;
    let step = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = data[at++] ?? 0;
      step |= (byte & 0x7f) << shift;
    }
    document += step >>> 1;
    if ((step & 1) === 0) while (data[at++]! >= 0x80);
    while (documents[next]! < document) next++;
    if (documents[next] === document) held[next] = 1;
  }
}

export function decodePostings(data: Uint8Array): Posting[] {
  const postings: Posting[] = [];
  visitPostings(data, (document, termFrequency) => postings.push({ document, termFrequency }));
  return postings;
}

/** The last document of a list; 0 if it is empty. */
export function lastDocument(data: Uint8Array): number {
  let last = 0;
  visitPostings(data, (document) => {
    last = document;
  });
  return last;
}

/** Appends a list to one that ended with `previous`. */
export function joinPostings(writer: VarintWriter, data: Uint8Array, previous: number): void {
  const reader = new VarintReader(data);
  const first = reader.readVarint();
  writer.writeVarint((first - previous * 2) >>> 0);
  writer.writeBytes(data, reader.at, data.length);
}
