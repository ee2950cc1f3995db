import type { FileHandle } from "node:fs/promises";
import { RandomAccessReader } from "yauzl";
import { readFullyAsync } from "../files/read-fully.ts";

/** 256 KiB: about a hundred small messages per read, and few enough that its entries are processed in milliseconds. */
const WINDOW_BYTES = 256 * 1024;

/** A file read through a forward-moving window. Returned bytes are valid until the next read. */
export class FileWindow {
  private readonly buffer = Buffer.allocUnsafeSlow(WINDOW_BYTES);
  private base = 0;
  private filled = 0;

  constructor(
    private readonly handle: FileHandle,
    private readonly sizeBytes: number,
  ) {}

  /** Bytes [position, position + length), or null if they exceed the file. */
  async read(position: number, length: number): Promise<Buffer | null> {
    if (!(position >= 0 && position + length <= this.sizeBytes)) return null;
    if (position < this.base || position + length > this.base + this.filled) {
      if (length > WINDOW_BYTES) return this.fill(Buffer.allocUnsafeSlow(length), position);
      this.filled = 0;
      const window = await this.fill(
        this.buffer.subarray(0, Math.min(WINDOW_BYTES, this.sizeBytes - position)),
        position,
      );
      if (window === null) return null;
      this.base = position;
      this.filled = window.length;
    }
    return this.buffer.subarray(position - this.base, position - this.base + length);
  }

  /** Null if the file became shorter. */
  private async fill(buffer: Buffer, position: number): Promise<Buffer | null> {
    return (await readFullyAsync(this.handle, buffer, position)) === buffer.length ? buffer : null;
  }
}

/**
 * yauzl reads the central directory by 46 bytes and by a name: through a window, that is a read of the file every 256
 * KiB.
 */
export class WindowReader extends RandomAccessReader {
  constructor(private readonly window: FileWindow) {
    super();
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.window.read(position, length).then(
      (bytes) => {
        if (bytes === null) return callback(new Error("the zip file ends too early"));
        bytes.copy(buffer, offset);
        callback(null);
      },
      (error: Error) => callback(error),
    );
  }
}
