import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Reads files one after the other into the same memory. */
export class WholeFileReader {
  private buffer = new Uint8Array(0);

  /** The bytes of a file, on the boundary of a word; good until the next call. */
  read(path: string): Uint8Array {
    const descriptor = openSync(path, "r");
    try {
      const { size } = fstatSync(descriptor);
      if (size > this.buffer.length) this.buffer = new Uint8Array(size);
      for (let at = 0; at < size; ) {
        const read = readSync(descriptor, this.buffer, at, size - at, at);
        if (read === 0) throw new Error(`ends early: ${path}`);
        at += read;
      }
      return this.buffer.subarray(0, size);
    } finally {
      closeSync(descriptor);
    }
  }
}
