import { createHash } from "node:crypto";

/** What a path was met as. */
export type PathKind = "file" | "directory";

const KINDS: readonly (PathKind | null)[] = [null, "directory", "file"];
const KIND_BITS = 2;
const FIRST_CAPACITY = 1024;

/**
 * Which paths were met, by 62 bits of their SHA-256, and the bytes of files: 32 bytes a path or less, where a set of two million strings would be a quarter of a
 * gigabyte. Two paths that collide (one archive of a million in ten million) look like a duplicate, never the other way round.
 */
export class PathSet {
  /** Open addressing; two words a slot: 32 bits of the hash, then 30 more with the kind. A kind of 0 is a free slot. */
  #slots = new Uint32Array(2 * FIRST_CAPACITY);
  /** Bytes of the file in each slot. */
  #bytes = new Float64Array(FIRST_CAPACITY);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  /** Adds a path that is not there yet; tells what it is when it is. */
  add(path: string, kind: PathKind, bytes = 0): PathKind | null {
    const { high, low } = hashOf(path);
    const at = find(this.#slots, high, low >>> 0);
    const known = this.#slots[at + 1]! & (2 ** KIND_BITS - 1);
    if (known !== 0) return KINDS[known] ?? null;
    this.#slots[at] = high;
    this.#slots[at + 1] = (low | KINDS.indexOf(kind)) >>> 0;
    this.#bytes[at / 2] = bytes;
    this.#count += 1;
    // At more than half, chains of taken slots get long.
    if (this.#count * 4 > this.#slots.length) this.#grow();
    return null;
  }

  /** Bytes of a file that was added; null when the path is none. */
  bytesOf(path: string): number | null {
    const { high, low } = hashOf(path);
    const at = find(this.#slots, high, low >>> 0);
    return KINDS[this.#slots[at + 1]! & (2 ** KIND_BITS - 1)] === "file" ? this.#bytes[at / 2]! : null;
  }

  #grow(): void {
    const bytes = new Float64Array(this.#bytes.length * 2);
    const grown = new Uint32Array(this.#slots.length * 2);
    for (let at = 0; at < this.#slots.length; at += 2) {
      const low = this.#slots[at + 1]!;
      if (low === 0) continue;
      const free = find(grown, this.#slots[at]!, (low >>> KIND_BITS) << KIND_BITS);
      grown[free] = this.#slots[at]!;
      grown[free + 1] = low;
      bytes[free / 2] = this.#bytes[at / 2]!;
    }
    this.#slots = grown;
    this.#bytes = bytes;
  }
}

function hashOf(path: string): { readonly high: number; readonly low: number } {
  const digest = createHash("sha256").update(path).digest();
  return { high: digest.readUInt32LE(0), low: (digest.readUInt32LE(4) >>> KIND_BITS) << KIND_BITS };
}

/** Index of the slot that holds the hash, or of the free one it goes into. */
function find(slots: Uint32Array, high: number, low: number): number {
  const mask = slots.length / 2 - 1;
  for (let slot = high & mask; ; slot = (slot + 1) & mask) {
    const word = slots[slot * 2 + 1]!;
    if (word === 0) return slot * 2;
    if (slots[slot * 2] === high && (word >>> KIND_BITS) << KIND_BITS === low >> 0) return slot * 2;
  }
}
