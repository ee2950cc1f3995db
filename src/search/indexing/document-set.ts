/** A byte per message: 1 if it is in the set. */
export type DocumentSet = Uint8Array;

/**
 * Views a set as 32-bit words, for sparse sets; the remaining bytes follow at the end. Empty if the set is not aligned.
 * New sets always are.
 */
export function wordsOf(set: DocumentSet): Uint32Array {
  return set.byteOffset % 4 === 0 ? new Uint32Array(set.buffer, set.byteOffset, set.length >> 2) : new Uint32Array(0);
}

export function countOfSet(set: DocumentSet): number {
  const words = wordsOf(set);
  let count = 0;
  // The highest byte of the product is the sum of the four, each 0 or 1.
  for (let at = 0; at < words.length; at++) count += Math.imul(words[at]!, 0x01010101) >>> 24;
  for (let document = 4 * words.length; document < set.length; document++) count += set[document]!;
  return count;
}

/** Numbers in a set, ascending. */
export function documentsOf(set: DocumentSet): Uint32Array {
  const documents = new Uint32Array(countOfSet(set));
  const words = wordsOf(set);
  let found = 0;
  for (let at = 0; at < words.length; at++) {
    if (words[at] === 0) continue;
    for (let document = 4 * at; document < 4 * at + 4; document++)
      if (set[document] === 1) documents[found++] = document;
  }
  for (let document = 4 * words.length; document < set.length; document++)
    if (set[document] === 1) documents[found++] = document;
  return documents;
}

/** Adds the messages of another set of the same source. */
export function addTo(set: DocumentSet, further: DocumentSet): void {
  const [words, added] = [wordsOf(set), wordsOf(further)];
  const inWords = Math.min(words.length, added.length);
  for (let at = 0; at < inWords; at++) words[at]! |= added[at]!;
  for (let document = 4 * inWords; document < set.length; document++) set[document]! |= further[document]!;
}

/** The documents of a set that pass a test. */
export function where(within: DocumentSet, passes: (document: number) => boolean): DocumentSet {
  const set = new Uint8Array(within.length);
  const words = wordsOf(within);
  for (let at = 0; at < words.length; at++) {
    if (words[at] === 0) continue;
    for (let document = 4 * at; document < 4 * at + 4; document++)
      if (within[document] === 1 && passes(document)) set[document] = 1;
  }
  for (let document = 4 * words.length; document < set.length; document++)
    if (within[document] === 1 && passes(document)) set[document] = 1;
  return set;
}

/** The listed documents that a set contains. */
export function listed(documents: Iterable<number>, within: DocumentSet): DocumentSet {
  const set = new Uint8Array(within.length);
  addListed(set, documents, within);
  return set;
}

/** Adds the listed documents that `within` contains. */
export function addListed(set: DocumentSet, documents: Iterable<number>, within: DocumentSet): void {
  for (const document of documents) if (within[document] === 1) set[document] = 1;
}

export function intersection(left: DocumentSet, right: DocumentSet): DocumentSet {
  const both = new Uint8Array(left.length);
  for (let document = 0; document < both.length; document++) both[document] = left[document]! & right[document]!;
  return both;
}
