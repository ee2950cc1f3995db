/** Source of numbers in [0, 1). */
export type Random = () => number;

/** mulberry32: a seeded generator of 32 bits of state, the same numbers on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** `count` different numbers below `size`, ascending (selection sampling: Knuth, TAOCP 3.4.2, algorithm S). */
export function sampleIndexes(size: number, count: number, random: Random): Int32Array {
  const sample = new Int32Array(Math.min(size, count));
  let chosen = 0;
  for (let index = 0; chosen < sample.length; index++) {
    if (random() * (size - index) < sample.length - chosen) sample[chosen++] = index;
  }
  return sample;
}
