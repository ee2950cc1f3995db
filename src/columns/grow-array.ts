type Numbers = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** Copies an array of numbers to a longer one, at least twice as long; new values are 0. */
export function growArray<T extends Numbers>(array: T, needed = 0): T {
  const larger = new (array.constructor as new (length: number) => T)(Math.max(needed, array.length * 2));
  larger.set(array);
  return larger;
}
