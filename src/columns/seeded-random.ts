/** A stream of numbers in [0, 1), the same for the same seed on every machine. */
export type Random = () => number;

/** mulberry32: 32 bits of state. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** 0 … size - 1 in random order (Fisher and Yates). */
export function shuffledIndexes(size: number, random: Random): Uint32Array {
  const order = new Uint32Array(size).map((_, at) => at);
  for (let at = size - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const kept = order[at]!;
    order[at] = order[other]!;
    order[other] = kept;
  }
  return order;
}

/** `count` different numbers below `size`, ascending (selection sampling: Knuth, TAOCP 3.4.2, algorithm S). */
export function sampleIndexes(size: number, count: number, random: Random): Int32Array {
  const sample = new Int32Array(Math.min(size, count));
  let chosen = 0;
  for (let index = 0; chosen < sample.length; index++) {
    if (random() * (size - index) < sample.length - chosen) {
      sample[chosen] = index;
      chosen++;
    }
  }
  return sample;
}
