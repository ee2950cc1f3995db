import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { ByteSource } from "../pst/byte-source.ts";

/**
 * Windows start at multiples of this. Items of one folder lie scattered between those of others, so a window larger than a message
 * reads the file many times over: a store of 20 folders and 413 MB took 1,090 MB of reading with 32 KB, 920 with 16, 860 with 8.
 */
const WINDOW_BYTES = 8 << 10;
/** A window also holds the start of the next one, so that no block of 8 KB lies across two. Larger blocks (4K stores) bypass the windows. */
const OVERLAP_BYTES = 8 << 10;
/** 256 windows: 4 MB a worker, whatever the size of the file. */
const WINDOWS = 256;
/** What is too long for a window is read into one piece of memory used again, up to this size. */
const LONG_BYTES = 256 << 10;

/** A store on disk, read through windows that are used again: at any time the last 2 MB that were looked at. */
export class PstFile implements ByteSource {
  readonly size: number;
  private readonly descriptor: number;
  /** By window number, least recently used first. */
  private readonly windows = new Map<number, Buffer>();
  /** Length of what a window holds: shorter than its buffer at the end of the file. */
  private readonly lengths = new Map<number, number>();
  private long = Buffer.alloc(0);
  /** The range that `prepare` fetched into `long`. */
  private preparedStart = 0;
  private preparedEnd = 0;

  constructor(path: string) {
    this.descriptor = openSync(path, "r");
    this.size = fstatSync(this.descriptor).size;
  }

  read(position: number, length: number): Buffer {
    const start = Math.min(Math.max(0, position), this.size);
    const end = Math.min(start + length, this.size);
    if (start >= this.preparedStart && end <= this.preparedEnd) {
      return this.long.subarray(start - this.preparedStart, end - this.preparedStart);
    }
    const number = Math.floor(start / WINDOW_BYTES);
    const from = start - number * WINDOW_BYTES;
    // Scans and large blocks ask for more than a window holds: they bypass the windows and keep them as they are.
    if (end - number * WINDOW_BYTES > WINDOW_BYTES + OVERLAP_BYTES) return this.readLong(start, end - start);
    const window = this.window(number);
    return window.subarray(from, Math.min(end - number * WINDOW_BYTES, this.lengths.get(number)!));
  }

  prepare(position: number, length: number): void {
    if (length > LONG_BYTES || (position >= this.preparedStart && position + length <= this.preparedEnd)) return;
    const { length: got } = this.readLong(position, length);
    this.preparedStart = position;
    this.preparedEnd = position + got;
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private window(number: number): Buffer {
    const known = this.windows.get(number);
    if (known !== undefined) {
      this.windows.delete(number);
      this.windows.set(number, known);
      return known;
    }
    const buffer = this.spare();
    this.lengths.set(number, this.readPart(buffer, number * WINDOW_BYTES).length);
    this.windows.set(number, buffer);
    return buffer;
  }

  private readLong(position: number, length: number): Buffer {
    if (length > LONG_BYTES) return this.readPart(Buffer.allocUnsafeSlow(length), position);
    if (this.long.length === 0) this.long = Buffer.allocUnsafeSlow(LONG_BYTES);
    this.preparedStart = 0;
    this.preparedEnd = 0;
    return this.readPart(this.long.subarray(0, length), position);
  }

  private spare(): Buffer {
    if (this.windows.size < WINDOWS) return Buffer.allocUnsafeSlow(WINDOW_BYTES + OVERLAP_BYTES);
    const [oldest, buffer] = this.windows.entries().next().value!;
    this.windows.delete(oldest);
    this.lengths.delete(oldest);
    return buffer;
  }

  private readPart(buffer: Buffer, position: number): Buffer {
    let filled = 0;
    while (filled < buffer.length) {
      const got = readSync(this.descriptor, buffer, filled, buffer.length - filled, position + filled);
      if (got === 0) break;
      filled += got;
    }
    return buffer.subarray(0, filled);
  }
}
