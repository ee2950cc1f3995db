import { Int32Column, Uint32Column } from "./column.ts";
import { HashIndex, NO_ENTRY } from "./hash-index.ts";

/**
 * Maps text keys (Message-IDs, conversation roots, subjects, addresses) to node numbers by a 64-bit hash, without
 * storing the text: 12 bytes per key and its slots, where a Map of strings takes over 100. Two different keys collide
 * once in about 10^9 archives of 500,000 messages. Deliberate collisions only join threads, which a forged References
 * header does more simply, or assign somebody else's messages of a topic to another address.
 */
export class KeyNodes {
  /** By the low half of the hash. */
  private readonly index = new HashIndex();
  private readonly high = new Uint32Column();
  private readonly node = new Int32Column();

  /** The node of a key in a namespace; `make` creates the number of a new key. */
  nodeOf(space: number, key: string, make: () => number): number {
    const [high, low] = keyHash(space, key);
    const entry = this.entryOf(high, low);
    if (entry !== NO_ENTRY) return this.node.at(entry);
    const node = make();
    this.index.add();
    this.high.push(high);
    this.node.push(node);
    return node;
  }

  /** Returns the node of a key, or null. */
  find(space: number, key: string): number | null {
    const [high, low] = keyHash(space, key);
    const entry = this.entryOf(high, low);
    return entry === NO_ENTRY ? null : this.node.at(entry);
  }

  /** Removes all keys and frees their memory. */
  clear(): void {
    for (const part of [this.index, this.high, this.node]) part.clear();
  }

  private entryOf(high: number, low: number): number {
    let entry = this.index.first(low);
    while (entry !== NO_ENTRY && this.high.at(entry) !== high) entry = this.index.next();
    return entry;
  }
}

/**
 * 32 bits of a text, as evidence that counts only if several parts agree: different texts sometimes have equal bits.
 */
export function textHash(text: string): number {
  return keyHash(0, text)[1] | 0;
}

/** 64 bits of a key: two independent 32-bit multiplicative hashes over UTF-16 units, finished as in MurmurHash3. */
function keyHash(space: number, key: string): readonly [number, number] {
  // Spaces differ in bits that no unit of a text has; otherwise `b` of one would equal `a` of another.
  let high = 0x9e3779b9 ^ (space << 16);
  let low = 0x41c6ce57 ^ (space << 16);
  for (let index = 0; index < key.length; index++) {
    const unit = key.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return [high >>> 0, low >>> 0];
}
