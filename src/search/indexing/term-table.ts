import { growArray } from "../../columns/grow-array.ts";
import { HashIndex, NO_ENTRY } from "../../columns/hash-index.ts";
import { mixWord, type PackedTokens, WORD_BYTES } from "../../text/tokens/packed-tokens.ts";
import type { VarintWriter } from "./varint.ts";

/** Initial capacity in terms. */
const INITIAL_TERMS = 1 << 11;
/** Words initially reserved for the spelling of terms. */
const INITIAL_WORDS = 1 << 13;

/**
 * Record of a term: start and number of its words in the pool, and a number of the caller. They are adjacent because
 * every lookup needs them all, and memory access dominates.
 */
const RECORD = 3;
const START = 0;
const COUNT = 1;
const KEPT = 2;

/** Index of the less significant 32-bit word in a 64-bit element on this machine. */
const LOW_WORD = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 0 : 1;

/**
 * Numbers terms in order of first appearance: a hash index over one pool of words. A term is a token as in
 * PackedTokens, preceded by the word of its mark if it has one.
 */
export class TermTable {
  /** Word of the field mark before the next tokens, 0 for none. */
  mark = 0;
  private readonly index = new HashIndex(INITIAL_TERMS);
  private records = new Int32Array(INITIAL_TERMS * RECORD);
  private pool = new Int32Array(INITIAL_WORDS);
  private used = 0;

  get size(): number {
    return this.index.size;
  }

  /**
   * Number of the `n`th token of a batch, with the field mark; a new number for a new term. A token of one machine
   * word, as more than half are, is identified by its hash alone, because mixing one word is injective.
   */
  idOf(tokens: PackedTokens, n: number): number {
    const { index, records, mark } = this;
    const hash = mark === 0 ? tokens.hashes[n]! : mixWord(tokens.hashes[n]!, mark);
    const count = tokens.ends[n]! - (n === 0 ? 0 : tokens.ends[n - 1]!) + (mark === 0 ? 0 : 1);
    for (let id = index.first(hash); id !== NO_ENTRY; id = index.next()) {
      const record = id * RECORD;
      if (records[record + COUNT] === count && (count === 1 || this.isSpelled(record, tokens, n))) return id;
    }
    const id = index.add();
    this.spell(id, tokens, n);
    return id;
  }

  /** Returns the number last stored with a term, initially -1. */
  kept(id: number): number {
    return this.records[id * RECORD + KEPT]!;
  }

  keep(id: number, number: number): void {
    this.records[id * RECORD + KEPT] = number;
  }

  /** Appends the length of the spelling in bytes, as a varint, and the spelling. */
  writeSpelling(id: number, writer: VarintWriter): void {
    const { pool } = this;
    const start = this.records[id * RECORD + START]!;
    const end = start + this.records[id * RECORD + COUNT]!;
    let length = 0;
    for (let at = start; at < end; at++) length += bytesOf(pool[at]!);
    writer.writeVarint(length);
    writer.reserve(length);
    for (let at = start; at < end; at++) {
      const word = pool[at]!;
      for (let byte = 0; byte < bytesOf(word); byte++) writer.bytes[writer.length++] = word >>> (24 - 8 * byte);
    }
  }

  clear(): void {
    this.index.empty();
    this.used = 0;
  }

  /** All term numbers in the byte order of their spelling. */
  sorted(): Uint32Array {
    const keys = new BigUint64Array(this.size);
    const words = new Uint32Array(keys.buffer);
    for (let id = 0; id < this.size; id++) {
      words[id * 2 + 1 - LOW_WORD] = this.firstBytes(id);
      words[id * 2 + LOW_WORD] = id;
    }
    // Without a comparator the sort runs natively: four bytes decide nearly everything, `compare` the rest.
    keys.sort();
    const order = new Uint32Array(this.size);
    for (let i = 0; i < this.size; i++) order[i] = words[i * 2 + LOW_WORD]!;
    for (let from = 0; from < this.size; ) {
      let to = from + 1;
      const key = words[from * 2 + 1 - LOW_WORD];
      while (to < this.size && words[to * 2 + 1 - LOW_WORD] === key) to++;
      if (to - from > 1) order.subarray(from, to).sort((left, right) => this.compare(left, right));
      from = to;
    }
    return order;
  }

  /** The first four bytes of the spelling, the first one uppermost; those of a mark are two. */
  private firstBytes(id: number): number {
    const start = this.records[id * RECORD + START]!;
    const first = this.pool[start]!;
    const isMark = (first & 0xffff) === 0 && this.records[id * RECORD + COUNT]! > 1;
    return isMark ? first | (this.pool[start + 1]! >>> 16) : first;
  }

  /** Order of two terms with the same mark, or without one. */
  private compare(left: number, right: number): number {
    const { pool, records } = this;
    const i = records[left * RECORD + START]!;
    const j = records[right * RECORD + START]!;
    const iCount = records[left * RECORD + COUNT]!;
    const jCount = records[right * RECORD + COUNT]!;
    for (let at = 0; at < iCount && at < jCount; at++) {
      if (pool[i + at] !== pool[j + at]) return (pool[i + at]! >>> 0) - (pool[j + at]! >>> 0);
    }
    return iCount - jCount;
  }

  /** True if a term equals the token after the mark; they have the same number of words. */
  private isSpelled(record: number, tokens: PackedTokens, n: number): boolean {
    const { pool, records, mark } = this;
    const first = records[record + START]!;
    const start = n === 0 ? 0 : tokens.ends[n - 1]!;
    let at = first + records[record + COUNT]!;
    for (let word = tokens.ends[n]! - 1; word >= start; word--) if (pool[--at] !== tokens.words[word]) return false;
    return mark === 0 || pool[first] === mark;
  }

  private spell(id: number, tokens: PackedTokens, n: number): void {
    const start = n === 0 ? 0 : tokens.ends[n - 1]!;
    const end = tokens.ends[n]!;
    if (this.used + end - start + 1 > this.pool.length) this.pool = growArray(this.pool);
    const record = id * RECORD;
    if (record + RECORD > this.records.length) this.records = growArray(this.records);
    const first = this.used;
    if (this.mark !== 0) this.pool[this.used++] = this.mark;
    for (let word = start; word < end; word++) this.pool[this.used++] = tokens.words[word]!;
    this.records[record + START] = first;
    this.records[record + COUNT] = this.used - first;
    this.records[record + KEPT] = -1;
  }
}

/** Number of significant bytes of a word, which is padded with zeros. */
function bytesOf(word: number): number {
  if ((word & 0xff) !== 0) return WORD_BYTES;
  if ((word & 0xff00) !== 0) return WORD_BYTES - 1;
  return (word & 0xff0000) === 0 ? 1 : 2;
}
