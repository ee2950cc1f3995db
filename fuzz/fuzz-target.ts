/** One parser under attack. */
export interface FuzzTarget {
  /** Inputs to start from, made by our own generators. */
  seeds(): readonly Buffer[];
  /** Words of the format: keywords, delimiters, signatures. */
  readonly words: readonly string[];
  /** Longest input in bytes. */
  readonly bytesMax: number;
  /** Reads one input and breaks no law. @returns bytes or characters of everything it was made into. */
  run(input: Buffer): number | Promise<number>;
}
