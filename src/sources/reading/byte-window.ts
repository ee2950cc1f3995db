import { closeSync, fstatSync, openSync } from "node:fs";
import { encodePath } from "../../files/path-text.ts";
import { readFully } from "../../files/read-fully.ts";

/**
 * 1 MiB: stays in the cache of the processor between reading and searching, a third faster than 8 MiB windows (500 MB
 * measured).
 */
export const WINDOW_BYTES = 1024 * 1024;

/** Bytes read around a distant offset without moving the window. */
const PEEK_BYTES = 64;

/**
 * A file read through one sliding buffer. Offsets are absolute Numbers (exact to 2^53), so files may have any size.
 * Returned bytes are valid until the window moves or the next slice is requested.
 */
export class ByteWindow {
  /** Bytes of the file from `base` on. */
  view: Buffer;
  base = 0;
  /** Size of the file in bytes; reduced if the file turns out to be shorter. */
  size: number;
  private readonly file: number;
  private readonly isOwned: boolean;
  private readonly buffer: Buffer;
  private readonly peeked = Buffer.allocUnsafe(PEEK_BYTES);
  private spare: Buffer = Buffer.alloc(0);

  /** @param file a path, or a descriptor that the caller closes. */
  constructor(file: string | number, windowBytes = WINDOW_BYTES) {
    this.isOwned = typeof file === "string";
    this.file = typeof file === "string" ? openSync(encodePath(file), "r") : file;
    this.size = fstatSync(this.file).size;
    this.buffer = Buffer.allocUnsafeSlow(Math.max(1, Math.min(windowBytes, this.size)));
    this.view = this.buffer.subarray(0, 0);
  }

  /** Absolute position after the last byte in view. */
  get limit(): number {
    return this.base + this.view.length;
  }

  /** True if the view reaches the end of the file. */
  get atEnd(): boolean {
    return this.limit >= this.size;
  }

  /** Moves the window so that it begins at `position`; what is already in memory is moved, not read again. */
  moveTo(position: number): void {
    let kept = 0;
    if (position >= this.base && position < this.limit) {
      kept = this.limit - position;
      this.buffer.copyWithin(0, position - this.base, this.view.length);
    }
    const wanted = Math.max(0, Math.min(this.buffer.length, this.size - position));
    const got = kept + readFully(this.file, this.buffer.subarray(kept, wanted), position + kept);
    if (got < wanted) this.size = position + got;
    this.base = position;
    this.view = this.buffer.subarray(0, Math.max(0, got));
  }

  /** A view of [start, end) without copying if the window covers it, otherwise the bytes read into a second buffer. */
  slice(start: number, end: number): Buffer {
    if (start >= this.base && end <= this.limit) return this.view.subarray(start - this.base, end - this.base);
    const length = Math.max(0, Math.min(end, this.size) - start);
    if (this.spare.length < length) this.spare = Buffer.allocUnsafeSlow(length);
    return this.read(this.spare, length, start);
  }

  /** The same as text of one character per byte. */
  text(start: number, end: number): string {
    return start >= this.base && end <= this.limit
      ? this.view.toString("latin1", start - this.base, end - this.base)
      : this.slice(start, end).toString("latin1");
  }

  /** Up to 64 bytes from any `position`. */
  peek(position: number): Buffer {
    if (position >= this.base && position + PEEK_BYTES <= this.limit) {
      return this.view.subarray(position - this.base, position - this.base + PEEK_BYTES);
    }
    return this.read(this.peeked, Math.max(0, Math.min(PEEK_BYTES, this.size - position)), position);
  }

  close(): void {
    if (this.isOwned) closeSync(this.file);
  }

  /** Reads up to `length` bytes from `position` to the start of `memory`. */
  private read(memory: Buffer, length: number, position: number): Buffer {
    return memory.subarray(0, readFully(this.file, memory.subarray(0, length), position));
  }
}
