type Numbers = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** A longer copy of an array of numbers, twice as long unless it must be more; what is new is 0. */
export function growArray<T extends Numbers>(array: T, needed = 0): T {
  const larger = new (array.constructor as new (length: number) => T)(Math.max(needed, array.length * 2));
  larger.set(array);
  return larger;
}
