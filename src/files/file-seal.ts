import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { readFully } from "./read-fully.ts";

/** Fingerprint of a file when it was written; a file that differs is damaged. */
export interface FileSeal {
  readonly sizeBytes: number;
  /** SHA-256 in hex. */
  readonly sha256: string;
}

/** Bytes read at a time. */
const CHUNK_BYTES = 1 << 18;
/**
 * Bytes hashed between two turns of the event loop, so that a signal is handled within a few hundredths of a second.
 */
const TURN_BYTES = 32 << 20;

/** Computes the seal of a file. Throws the reason of the signal, or the system error. */
export async function sealOfFile(path: string, signal: AbortSignal, hasher = new FileHasher()): Promise<FileSeal> {
  const descriptor = openSync(path, "r");
  try {
    return await hasher.sealOf(descriptor, signal);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads through one buffer: thousands of small files are hashed one after the other. */
export class FileHasher {
  private readonly buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  private untilTurn = TURN_BYTES;

  async sealOf(descriptor: number, signal: AbortSignal): Promise<FileSeal> {
    const hash = createHash("sha256");
    let sizeBytes = 0;
    for (;;) {
      const count = readFully(descriptor, this.buffer, sizeBytes);
      hash.update(count === CHUNK_BYTES ? this.buffer : this.buffer.subarray(0, count));
      sizeBytes += count;
      if (count < CHUNK_BYTES) return { sizeBytes, sha256: hash.digest("hex") };
      this.untilTurn -= count;
      if (this.untilTurn > 0) continue;
      this.untilTurn = TURN_BYTES;
      await turn();
      signal.throwIfAborted();
    }
  }
}
