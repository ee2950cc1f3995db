import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { ByteSource } from "../pst/byte-source.ts";

/**
 * Windows start at multiples of this. Items of one folder lie scattered between those of others, so a window much larger than a
 * message reads the file many times over: with 256 KB instead of 32 KB a store of 20 folders took 1.1 s of reading instead of 0.3.
 */
const WINDOW_BYTES = 32 << 10;
/** A window also holds the start of the next one, so that no block of 8 KB lies across two. Larger blocks (4K stores) bypass the windows. */
const OVERLAP_BYTES = 8 << 10;
/** 512 windows: 20 MB a worker, whatever the size of the file. */
const WINDOWS = 512;

/** A store on disk, read through windows that are used again: at any time the last 16 MB that were looked at. */
export class PstFile implements ByteSource {
  readonly size: number;
  private readonly descriptor: number;
  /** By window number, least recently used first. */
  private readonly windows = new Map<number, Buffer>();
  /** Length of what a window holds: shorter than its buffer at the end of the file. */
  private readonly lengths = new Map<number, number>();

  constructor(path: string) {
    this.descriptor = openSync(path, "r");
    this.size = fstatSync(this.descriptor).size;
  }

  read(position: number, length: number): Buffer {
    const start = Math.min(Math.max(0, position), this.size);
    const end = Math.min(start + length, this.size);
    const number = Math.floor(start / WINDOW_BYTES);
    const from = start - number * WINDOW_BYTES;
    // Scans and large blocks ask for more than a window holds: they bypass the windows and keep them as they are.
    if (end - number * WINDOW_BYTES > WINDOW_BYTES + OVERLAP_BYTES) return this.readPart(Buffer.allocUnsafeSlow(end - start), start);
    const window = this.window(number);
    return window.subarray(from, Math.min(end - number * WINDOW_BYTES, this.lengths.get(number)!));
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
