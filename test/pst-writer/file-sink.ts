import { closeSync, openSync, writeSync } from "node:fs";
import type { StoreSink } from "./pst-writer.ts";

/** Bytes buffered before they are written. */
const CHUNK = 1 << 20;

/** Streams a store of any size to a file. Blocks arrive in ascending order and are buffered; the header comes last. */
export class FileSink implements StoreSink {
  private readonly descriptor: number;
  private chunk = Buffer.alloc(CHUNK);
  private start = 0;
  private used = 0;

  constructor(path: string) {
    this.descriptor = openSync(path, "w");
  }

  write(bytes: Uint8Array, position: number): void {
    const isNext = position >= this.start + this.used && position + bytes.length <= this.start + CHUNK;
    if (!isNext) this.flush();
    if (bytes.length > CHUNK || position < this.start) {
      writeSync(this.descriptor, bytes, 0, bytes.length, position);
      return;
    }
    if (this.used === 0) this.start = position;
    const at = position - this.start;
    this.chunk.fill(0, this.used, at);
    this.chunk.set(bytes, at);
    this.used = at + bytes.length;
  }

  close(): void {
    this.flush();
    closeSync(this.descriptor);
  }

  private flush(): void {
    if (this.used > 0) writeSync(this.descriptor, this.chunk, 0, this.used, this.start);
    this.start += this.used;
    this.used = 0;
  }
}
