/** Random access to the bytes of a store. The reader of the file lives above; this floor only asks for ranges. */
export interface ByteSource {
  readonly size: number;
  /**
   * Bytes [position, position + length), cut at the end of the file. They are valid until the next call only: sources read
   * through windows they use again.
   */
  read(position: number, length: number): Buffer;
  /** Tells that [position, position + length) is read next, piece by piece: a file then fetches it at once. */
  prepare?(position: number, length: number): void;
}

/** A store that is wholly in memory: tests, and TNEF-like small inputs. */
export function bytesInMemory(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: (position, length) => bytes.subarray(Math.min(Math.max(position, 0), bytes.length), Math.min(position + length, bytes.length)),
  };
}
