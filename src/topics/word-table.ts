import { Uint32Column } from "../columns/column.ts";
import { growArray } from "../columns/grow-array.ts";
import { HashIndex, NO_ENTRY } from "../columns/hash-index.ts";

/** Initial capacity in words. */
const INITIAL_WORDS = 1 << 13;
/** Units initially reserved for the spelling of words. */
const INITIAL_UNITS = 1 << 16;
/** Bytes of an encoded word before its spelling: the key and the length. */
const HEAD_BYTES = 5;
/** UTF-8 of one unit is at most this long. */
const BYTES_PER_UNIT = 3;
const LAST_ASCII = 0x7f;

/** A word in an array of UTF-16 units. */
interface TokenSlice {
  readonly units: Uint16Array;
  readonly start: number;
  readonly end: number;
}

/** One word per key, in a pool of UTF-16 units. */
export class WordTable {
  /** By key, which is the hash. */
  private readonly index = new HashIndex(INITIAL_WORDS);
  /** Start and end of each word in the pool. */
  private readonly starts = new Uint32Column();
  private readonly ends = new Uint32Column();
  private pool: Uint16Array = new Uint16Array(INITIAL_UNITS);
  private used = 0;

  get size(): number {
    return this.index.size;
  }

  /** Adds a word. Of several words with the same key, the smallest stays, so that the order does not matter. */
  add(key: number, word: TokenSlice): void {
    const known = this.index.first(key);
    if (known !== NO_ENTRY && this.compare(word, known) >= 0) return;
    const start = this.used;
    this.write(word);
    if (known === NO_ENTRY) {
      this.index.add();
      this.starts.push(start);
      this.ends.push(this.used);
    } else {
      this.starts.set(known, start);
      this.ends.set(known, this.used);
    }
  }

  /** The words by ascending key, each as key (32 bits, little-endian), length in UTF-8 bytes (a byte), bytes. */
  encode(): Uint8Array {
    const keys = new Uint32Array(this.size).map((_, entry) => this.index.hashOf(entry)).sort();
    const table = Buffer.allocUnsafe(keys.length * HEAD_BYTES + this.used * BYTES_PER_UNIT);
    let at = 0;
    for (let n = 0; n < keys.length; n++) {
      const key = keys[n]!;
      const word = at + HEAD_BYTES;
      const end = this.writeUtf8(this.index.first(key), table, word);
      table.writeUInt32LE(key, at);
      table[word - 1] = end - word;
      at = end;
    }
    return table.subarray(0, at);
  }

  /** Writes the word at an index to `table` from `from` on; returns its end. */
  private writeUtf8(index: number, table: Buffer, from: number): number {
    const { pool } = this;
    const first = this.starts.at(index);
    const end = this.ends.at(index);
    for (let at = first; at < end; at++) {
      const unit = pool[at]!;
      // Most words are ASCII; creating a string for each took longer than everything else here.
      if (unit > LAST_ASCII) return from + table.write(String.fromCharCode(...pool.subarray(first, end)), from);
      table[from + at - first] = unit;
    }
    return from + end - first;
  }

  /** Negative if the word sorts before the one at an index. */
  private compare({ units, start, end }: TokenSlice, index: number): number {
    const { pool } = this;
    const first = this.starts.at(index);
    const length = this.ends.at(index) - first;
    for (let at = 0; at < length && start + at < end; at++) {
      const difference = units[start + at]! - pool[first + at]!;
      if (difference !== 0) return difference;
    }
    return end - start - length;
  }

  private write({ units, start, end }: TokenSlice): void {
    if (this.used + end - start > this.pool.length) this.pool = growArray(this.pool);
    for (let at = start; at < end; at++) this.pool[this.used++] = units[at]!;
  }
}
