/** Counters that tell equal threads apart, a power of two (1 MiB). */
const COUNTERS = 1 << 18;

/** 32 bits of which each depends on all of `value`. */
function mixed(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x7feb352d);
  bits ^= bits >>> 15;
  bits = Math.imul(bits, 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * Random numbers of threads, drawn by their words: a sample of the threads with the least of them stays the same but for
 * a few when some mail more or less is read. Of equal threads each has a number of its own.
 */
export class ThreadKeys {
  private readonly hashes: Uint32Array;
  /** Threads so far, by a few bits of the sum of their words. */
  private readonly equals = new Uint32Array(COUNTERS);

  /** @param hashes that of each term */
  constructor(hashes: Uint32Array) {
    this.hashes = hashes;
  }

  /** The number of the next thread, by its terms in any order. */
  next(terms: Int32Array): number {
    let sum = 0;
    for (let index = 0; index < terms.length; index++) sum = (sum + mixed(this.hashes[terms[index]!]!)) | 0;
    const equal = mixed(sum) & (COUNTERS - 1);
    const before = this.equals[equal]!;
    this.equals[equal] = before + 1;
    return mixed(sum ^ mixed(before));
  }
}

/** Places of the `count` least keys, ascending; of equal ones those that come first. */
export function leastKeys(keys: Uint32Array, count: number): Int32Array {
  const chosen = new Int32Array(Math.min(count, keys.length));
  if (chosen.length === 0) return chosen;
  const sorted = keys.slice().sort();
  const limit = sorted[chosen.length - 1]!;
  let atLimit = chosen.length - sorted.indexOf(limit);
  let length = 0;
  for (let place = 0; place < keys.length; place++) {
    if (keys[place]! > limit || (keys[place] === limit && atLimit-- <= 0)) continue;
    chosen[length++] = place;
  }
  return chosen;
}
