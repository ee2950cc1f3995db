/** A stream of numbers in [0, 1), the same for the same seed on every machine (mulberry32). */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** 0 … size - 1 in random order (Fisher and Yates). */
export function shuffledIndices(size: number, random: Random): Uint32Array {
  const order = new Uint32Array(size).map((_, at) => at);
  for (let at = size - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const kept = order[at]!;
    order[at] = order[other]!;
    order[other] = kept;
  }
  return order;
}
