/** First number of slots; a power of two. */
const INITIAL_SLOTS = 1 << 12;
/** Bytes first set aside for the spelling of terms. */
const INITIAL_SPELLING_BYTES = 1 << 15;

function grown<T extends Int32Array | Uint32Array | Uint8Array>(source: T, target: T): T {
  target.set(source);
  return target;
}

/** Which half of a 64-bit element is the less significant 32-bit word on this machine. */
const LOW_WORD = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 0 : 1;

/** Numbers byte strings in order of first appearance: an open-addressing hash table over one pool of bytes. */
export class TermTable {
  size = 0;
  private slots = new Int32Array(INITIAL_SLOTS).fill(-1);
  private hashes = new Int32Array(INITIAL_SLOTS / 2);
  /** Term `n` is spelled by the pool's bytes from offsets[n] to offsets[n + 1]. */
  private offsets = new Uint32Array(INITIAL_SLOTS / 2 + 1);
  private pool: Uint8Array = new Uint8Array(INITIAL_SPELLING_BYTES);

  /** Number of the term that is the first `length` bytes; a new one when it was never seen. */
  idOf(bytes: Uint8Array, length: number, hash: number): number {
    const mask = this.slots.length - 1;
    // FNV-1a is weak in its low bits for short keys: the upper half is mixed in.
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const id = this.slots[slot]!;
      if (id < 0) break;
      if (this.hashes[id] === hash && this.isSpelled(id, bytes, length)) return id;
      slot = (slot + 1) & mask;
    }
    if (this.size >= this.hashes.length) {
      this.grow();
      return this.idOf(bytes, length, hash);
    }
    const id = this.size;
    this.slots[slot] = id;
    this.hashes[id] = hash;
    const start = this.offsets[id]!;
    if (start + length > this.pool.length) this.pool = grown(this.pool, new Uint8Array(this.pool.length * 2));
    for (let i = 0; i < length; i += 1) this.pool[start + i] = bytes[i]!;
    this.offsets[id + 1] = start + length;
    this.size = id + 1;
    return id;
  }

  /** Spelling of a term, valid until the next call of `idOf`. */
  spelling(id: number): Uint8Array {
    return this.pool.subarray(this.offsets[id]!, this.offsets[id + 1]!);
  }

  clear(): void {
    this.size = 0;
    this.slots.fill(-1);
  }

  /** All term numbers in the byte order of their spelling. */
  sorted(): Uint32Array {
    const keys = new BigUint64Array(this.size);
    const words = new Uint32Array(keys.buffer);
    const { pool, offsets } = this;
    for (let id = 0; id < this.size; id += 1) {
      const start = offsets[id]!;
      const end = offsets[id + 1]!;
      let key = 0;
      for (let i = start; i < start + 4; i += 1) key = (key << 8) | (i < end ? pool[i]! : 0);
      words[id * 2 + 1 - LOW_WORD] = key;
      words[id * 2 + LOW_WORD] = id;
    }
    // Without a comparator the sort runs natively: four bytes decide nearly everything, `sortEqualKeys` the rest.
    keys.sort();
    const order = new Uint32Array(this.size);
    for (let i = 0; i < this.size; i += 1) order[i] = words[i * 2 + LOW_WORD]!;
    for (let from = 0; from < this.size; ) {
      let to = from + 1;
      const key = words[from * 2 + 1 - LOW_WORD];
      while (to < this.size && words[to * 2 + 1 - LOW_WORD] === key) to += 1;
      if (to - from > 1) order.subarray(from, to).sort((left, right) => this.compare(left, right));
      from = to;
    }
    return order;
  }

  private compare(left: number, right: number): number {
    const { pool, offsets } = this;
    let i = offsets[left]!;
    let j = offsets[right]!;
    const iEnd = offsets[left + 1]!;
    const jEnd = offsets[right + 1]!;
    while (i < iEnd && j < jEnd) {
      const difference = pool[i]! - pool[j]!;
      if (difference !== 0) return difference;
      i += 1;
      j += 1;
    }
    return iEnd - i - (jEnd - j);
  }

  private isSpelled(id: number, bytes: Uint8Array, length: number): boolean {
    const start = this.offsets[id]!;
    if (this.offsets[id + 1]! - start !== length) return false;
    for (let i = 0; i < length; i += 1) if (this.pool[start + i] !== bytes[i]) return false;
    return true;
  }

  private grow(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let id = 0; id < this.size; id += 1) {
      const hash = this.hashes[id]!;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot]! >= 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.slots = slots;
    this.hashes = grown(this.hashes, new Int32Array(this.hashes.length * 2));
    this.offsets = grown(this.offsets, new Uint32Array(this.hashes.length + 1));
  }
}
