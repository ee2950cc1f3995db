import { Uint32Column } from "../mail/column.ts";
import { HashCounter } from "./hash-counter.ts";

/** First number of slots for keys; a power of two. */
const INITIAL_SLOTS = 1 << 14;
/** Units first set aside for the spelling of words. */
const INITIAL_UNITS = 1 << 16;
/** Bytes of an encoded word before its spelling: the key and the length. */
const HEAD_BYTES = 5;
/** UTF-8 of one unit is at most this long. */
const BYTES_PER_UNIT = 3;

/** A word as it lies in an array of UTF-16 units. */
export interface SpelledWord {
  readonly units: Uint16Array;
  readonly start: number;
  readonly end: number;
}

/** One word for each key, the words one behind the other in a pool of units. */
export class WordTable {
  /** Number of the word of each key, from 1. */
  private readonly numbers = new HashCounter(INITIAL_SLOTS);
  /** Where word `n` begins and ends in the pool, at n - 1. */
  private readonly starts = new Uint32Column();
  private readonly ends = new Uint32Column();
  private pool: Uint16Array = new Uint16Array(INITIAL_UNITS);
  private used = 0;

  get size(): number {
    return this.numbers.size;
  }

  /** Enters a word. Of several words with one key the smallest stays: the same whatever their order. */
  add(key: number, word: SpelledWord): void {
    const number = this.numbers.get(key);
    if (number !== 0 && this.compare(word, number - 1) >= 0) return;
    const start = this.used;
    this.write(word);
    if (number === 0) {
      this.numbers.add(key, this.starts.length + 1);
      this.starts.push(start);
      this.ends.push(this.used);
    } else {
      this.starts.set(number - 1, start);
      this.ends.set(number - 1, this.used);
    }
  }

  /** The words by ascending key, each as key (32 bits, little-endian), length in UTF-8 bytes (a byte), bytes. */
  encode(): Uint8Array {
    const keys = Uint32Array.from(this.numbers.entries(), ([key]) => key).sort();
    const table = Buffer.allocUnsafe(keys.length * HEAD_BYTES + this.used * BYTES_PER_UNIT);
    let at = 0;
    for (const key of keys) {
      const index = this.numbers.get(key) - 1;
      const word = String.fromCharCode(...this.pool.subarray(this.starts.at(index), this.ends.at(index)));
      const bytes = table.write(word, at + HEAD_BYTES);
      table.writeUInt32LE(key, at);
      table.writeUInt8(bytes, at + HEAD_BYTES - 1);
      at += HEAD_BYTES + bytes;
    }
    return table.subarray(0, at);
  }

  /** Below 0 when the word comes before the one at an index. */
  private compare({ units, start, end }: SpelledWord, index: number): number {
    const { pool } = this;
    const first = this.starts.at(index);
    const length = this.ends.at(index) - first;
    for (let at = 0; at < length && start + at < end; at++) {
      const difference = units[start + at]! - pool[first + at]!;
      if (difference !== 0) return difference;
    }
    return end - start - length;
  }

  private write({ units, start, end }: SpelledWord): void {
    if (this.used + end - start > this.pool.length) {
      const larger = new Uint16Array(this.pool.length * 2);
      larger.set(this.pool);
      this.pool = larger;
    }
    for (let at = start; at < end; at++) this.pool[this.used++] = units[at]!;
  }
}
