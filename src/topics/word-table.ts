/** First number of slots; a power of two. */
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

/** One word for each key: open addressing over one pool of units. */
export class WordTable {
  size = 0;
  /** Key of each slot, 0 for a free one, and where its word begins and ends in the pool. */
  private keys = new Uint32Array(INITIAL_SLOTS);
  private starts = new Uint32Array(INITIAL_SLOTS);
  private ends = new Uint32Array(INITIAL_SLOTS);
  private pool: Uint16Array = new Uint16Array(INITIAL_UNITS);
  private used = 0;

  /** Enters a word. Of several words with one key the smallest stays: the same whatever their order. */
  add(key: number, word: SpelledWord): void {
    let slot = this.slotOf(key);
    if (this.keys[slot] === 0) {
      if (this.size * 2 >= this.keys.length) {
        this.grow();
        slot = this.slotOf(key);
      }
      this.keys[slot] = key;
      this.size += 1;
    } else if (this.compare(word, slot) >= 0) return;
    this.starts[slot] = this.used;
    this.write(word);
    this.ends[slot] = this.used;
  }

  /** The words by ascending key, each as key (32 bits, little-endian), length in UTF-8 bytes (a byte), bytes. */
  encode(): Uint8Array {
    const order = this.keys.filter((key) => key !== 0).sort();
    const table = Buffer.allocUnsafe(order.length * HEAD_BYTES + this.used * BYTES_PER_UNIT);
    let at = 0;
    for (const key of order) {
      const slot = this.slotOf(key);
      const word = String.fromCharCode(...this.pool.subarray(this.starts[slot], this.ends[slot]));
      const bytes = table.write(word, at + HEAD_BYTES);
      table.writeUInt32LE(key, at);
      table.writeUInt8(bytes, at + HEAD_BYTES - 1);
      at += HEAD_BYTES + bytes;
    }
    return table.subarray(0, at);
  }

  private slotOf(key: number): number {
    const mask = this.keys.length - 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> 7;
    for (slot &= mask; this.keys[slot] !== 0 && this.keys[slot] !== key; ) slot = (slot + 1) & mask;
    return slot;
  }

  /** Below 0 when the word comes before that of the slot. */
  private compare({ units, start, end }: SpelledWord, slot: number): number {
    const { pool } = this;
    const first = this.starts[slot]!;
    const length = this.ends[slot]! - first;
    for (let index = 0; index < length && start + index < end; index++) {
      const difference = units[start + index]! - pool[first + index]!;
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

  private grow(): void {
    const { keys, starts, ends } = this;
    this.keys = new Uint32Array(keys.length * 2);
    this.starts = new Uint32Array(keys.length * 2);
    this.ends = new Uint32Array(keys.length * 2);
    for (let old = 0; old < keys.length; old++) {
      if (keys[old] === 0) continue;
      const slot = this.slotOf(keys[old]!);
      this.keys[slot] = keys[old]!;
      this.starts[slot] = starts[old]!;
      this.ends[slot] = ends[old]!;
    }
  }
}
