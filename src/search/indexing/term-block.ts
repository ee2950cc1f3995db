import { compareBytes, VarintReader, VarintWriter } from "./varint.ts";

/**
 * The dictionary of the index is stored in blocks of neighboring terms: one row for about a hundred terms costs a
 * tenth of a row per term. An entry is varint(bytes shared with the term before) varint(further bytes) bytes
 * varint(document frequency) varint(n << 1 | inline) and, when inline, n bytes of postings; otherwise n names a posting
 * list stored apart.
 */

/**
 * Minimum size at which a block is closed. With the store's 8 KiB pages, rows of up to 2,030 bytes need no overflow
 * page.
 */
const BLOCK_BYTES = 1600;
/** Longer posting lists are stored separately, because a whole block is read for each lookup. */
const INLINE_BYTES = 48;

/** Destination of a finished index. */
export interface IndexSink {
  /** Stores a posting list and returns its number. */
  addPostings(data: Uint8Array): number;
  /** Stores a block under its first term; blocks come in byte order of the terms. */
  addBlock(firstTerm: string, data: Uint8Array): void;
}

/** A dictionary entry. */
export interface TermEntry {
  readonly term: Uint8Array;
  readonly documentFrequency: number;
  /** The postings themselves, or the number of the list stored separately. */
  readonly postings: Uint8Array | number;
}

/** Divides a stream of ascending terms into blocks, depending only on the terms. */
export class BlockWriter {
  private readonly block = new VarintWriter();
  private firstTerm: Uint8Array = new Uint8Array(0);
  private previous: Uint8Array = new Uint8Array(0);

  constructor(private readonly sink: IndexSink) {}

  add(term: Uint8Array, documentFrequency: number, postings: Uint8Array): void {
    const { block } = this;
    const spelling = term.slice();
    if (block.length === 0) {
      this.firstTerm = spelling;
      this.previous = new Uint8Array(0);
    }
    let shared = 0;
    while (shared < this.previous.length && this.previous[shared] === spelling[shared]) shared++;
    block.writeVarint(shared);
    block.writeVarint(spelling.length - shared);
    block.writeBytes(spelling, shared, spelling.length);
    block.writeVarint(documentFrequency);
    if (postings.length <= INLINE_BYTES) {
      block.writeVarint((postings.length << 1) | 1);
      block.writeBytes(postings, 0, postings.length);
    } else {
      block.writeVarint((this.sink.addPostings(postings) << 1) >>> 0);
    }
    this.previous = spelling;
    if (block.length >= BLOCK_BYTES) this.finish();
  }

  /** Stores the last block. */
  finish(): void {
    if (this.block.length === 0) return;
    this.sink.addBlock(new TextDecoder().decode(this.firstTerm), this.block.copy());
    this.block.clear();
  }
}

/** Visits the entries of a block in order; `visit` returns false to stop. */
export function visitBlock(data: Uint8Array, visit: (entry: TermEntry) => boolean): void {
  const reader = new VarintReader(data);
  let term: Uint8Array = new Uint8Array(0);
  while (!reader.isAtEnd) {
    const shared = reader.readVarint();
    const further = reader.readVarint();
    const next = new Uint8Array(shared + further);
    next.set(term.subarray(0, shared));
    next.set(reader.readBytes(further), shared);
    term = next;
    const documentFrequency = reader.readVarint();
    const reference = reader.readVarint();
    const postings = (reference & 1) === 1 ? reader.readBytes(reference >>> 1) : reference >>> 1;
    if (!visit({ term, documentFrequency, postings })) return;
  }
}

/** Returns the entry of a term in its block, or null. */
export function findInBlock(data: Uint8Array, term: Uint8Array): TermEntry | null {
  let found: TermEntry | null = null;
  visitBlock(data, (entry) => {
    const order = compareBytes(entry.term, term);
    if (order === 0) found = entry;
    return order < 0;
  });
  return found;
}
