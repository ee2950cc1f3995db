import { closeSync, fstatSync, openSync } from "node:fs";
import { encodePath } from "../../files/path-text.ts";
import { readFully } from "../../files/read-fully.ts";
import { type ByteRange, dataViewOf } from "../../properties/byte-range.ts";
import type { ByteSource } from "../../pst/ndb/byte-source.ts";

/**
 * Bytes read at once, around the requested position: small blocks of a message are adjacent, and the reader begins
 * with the last written. Aligned windows read a store of 20 folders and 413 MB twice; windows that begin at the
 * requested position read a quarter more often.
 */
const WINDOW_BYTES = 16 << 10;
const BYTES_BEFORE = WINDOW_BYTES / 2;
/** Maximum windows: one message and its tree pages touch a handful. */
const WINDOWS = 16;
/** Maximum bytes read into one reused buffer if they exceed a window: the steps of a scan. */
const LONG_BYTES = 2 << 20;

/** An invalid descriptor, whose use is an error. */
const CLOSED = -1;

/** A range of the file in memory. */
class FileWindow implements ByteRange {
  readonly bytes: Buffer;
  readonly data: DataView;
  position = 0;
  /** Bytes of the file in the window. */
  held = 0;
  start = 0;
  end = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
    this.data = dataViewOf(this.bytes);
  }

  holds(position: number, end: number): boolean {
    return position >= this.position && end <= this.position + this.held;
  }

  /** The requested part; always the same object. */
  show(position: number, length: number): ByteRange {
    this.start = position - this.position;
    this.end = Math.max(this.start, Math.min(this.start + length, this.held));
    return this;
  }
}

/** A store on disk, read through reused windows. */
export class PstFile implements ByteSource {
  readonly size: number;
  private descriptor: number;
  /** Filled from the start: V8 treats an empty array as another kind, and every unit of a store creates one. */
  private readonly windows: (FileWindow | null)[] = new Array<FileWindow | null>(WINDOWS).fill(null);
  /** The window filled last. */
  private last = 0;
  private long: FileWindow | null = null;

  constructor(path: string) {
    this.descriptor = openSync(encodePath(path), "r");
    this.size = fstatSync(this.descriptor).size;
  }

  view(position: number, length: number): ByteRange {
    const from = Math.min(Math.max(0, position), this.size);
    const end = Math.min(from + length, this.size);
    if (end - from > WINDOW_BYTES) return this.longView(from, end - from);
    for (let back = 0; back < WINDOWS; back++) {
      const window = this.windows[(this.last + WINDOWS - back) % WINDOWS] ?? null;
      // Windows are filled in order, so the first empty one is the last.
      if (window === null) break;
      if (window.holds(from, end)) return window.show(from, length);
    }
    const before = Math.min(BYTES_BEFORE, WINDOW_BYTES - (end - from), from);
    return this.fill(this.nextWindow(), from - before, WINDOW_BYTES).show(from, length);
  }

  readInto(memory: Buffer, start: number, range: { readonly position: number; readonly length: number }): number {
    return readFully(this.descriptor, memory.subarray(start, start + range.length), range.position);
  }

  close(): void {
    closeSync(this.descriptor);
    // The descriptor may be reused for another file: a late read must fail, not read that file.
    this.descriptor = CLOSED;
  }

  private nextWindow(): FileWindow {
    this.last = (this.last + 1) % WINDOWS;
    const window = this.windows[this.last] ?? new FileWindow(WINDOW_BYTES);
    this.windows[this.last] = window;
    return window;
  }

  private longView(position: number, length: number): ByteRange {
    if (length > LONG_BYTES) return this.fill(new FileWindow(length), position, length).show(position, length);
    this.long ??= new FileWindow(LONG_BYTES);
    return this.fill(this.long, position, length).show(position, length);
  }

  private fill(window: FileWindow, position: number, length: number): FileWindow {
    window.position = position;
    window.held = readFully(this.descriptor, window.bytes.subarray(0, length), position);
    return window;
  }
}
