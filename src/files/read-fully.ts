import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { encodePath } from "./path-text.ts";

/** A system call may read or write fewer bytes than requested: these repeat it until done. */

/**
 * Fills the target from a position in an open file, until it is full or the file ends. Returns the number of bytes
 * read.
 * @param position in bytes; null continues at the current position of the descriptor.
 */
export function readFully(descriptor: number, target: Uint8Array, position: number | null): number {
  let filled = 0;
  while (filled < target.length) {
    const count = readSync(
      descriptor,
      target,
      filled,
      target.length - filled,
      position === null ? null : position + filled,
    );
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/**
 * Writes all bytes to an open file. @param position in bytes; null continues at the current position of the descriptor.
 */
export function writeFully(descriptor: number, bytes: Uint8Array, position: number | null = null): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(
      descriptor,
      bytes,
      written,
      bytes.length - written,
      position === null ? null : position + written,
    );
  }
}

/** The first bytes of a file, at most `most`. */
export function firstBytes(path: string, most: number): Buffer {
  const descriptor = openSync(encodePath(path), "r");
  try {
    const head = Buffer.alloc(most);
    return head.subarray(0, readFully(descriptor, head, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Like `readFully`, without blocking the event loop. */
export async function readFullyAsync(handle: FileHandle, target: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < target.length) {
    const { bytesRead } = await handle.read(target, filled, target.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** Like `writeFully`, without blocking the event loop. */
export async function writeFullyAsync(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
}

/** Reads files one after the other into the same memory. */
export class ReusableFileReader {
  private buffer = new Uint8Array(0);

  /** The bytes of a file, word-aligned; valid until the next call. */
  read(path: string): Uint8Array {
    const descriptor = openSync(path, "r");
    try {
      const { size } = fstatSync(descriptor);
      if (size > this.buffer.length) this.buffer = new Uint8Array(size);
      const bytes = this.buffer.subarray(0, size);
      if (readFully(descriptor, bytes, 0) < size) throw new Error(`ends early: ${path}`);
      return bytes;
    } finally {
      closeSync(descriptor);
    }
  }
}
