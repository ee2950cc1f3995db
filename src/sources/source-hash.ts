import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { pathBytes } from "./path-text.ts";

/** Bytes read at once: SHA-256 runs at its full speed from about 64 KiB on. */
const CHUNK_BYTES = 4 * 1024 * 1024;

const DIGEST_BYTES = 32;

/** SHA-256 (lower-case hex) and size in bytes of a file, read as a stream through one buffer. */
export async function hashFile(path: string): Promise<{ readonly sha256: string; readonly sizeBytes: number }> {
  const file = await open(path, "r");
  try {
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let sizeBytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, sizeBytes);
      if (bytesRead === 0) return { sha256: hash.digest("hex"), sizeBytes };
      hash.update(chunk.subarray(0, bytesRead));
      sizeBytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/**
 * SHA-256 of a directory source: over the lines `<sha256>  <relative path>\n` of its message files, sorted bytewise by path,
 * as `sha256sum` prints them. Files may be added in any order. Held as raw bytes, about 40 B a file beside its path.
 */
export class DirectoryHash {
  /** Per file, one after the other: 32 bytes of digest, then the path. */
  #records = Buffer.allocUnsafeSlow(4096);
  #used = 0;
  /** Starts of the records; a Float64Array because more than 4 GiB of paths is no reason to fail. */
  #starts = new Float64Array(64);
  #count = 0;

  /** @param relativePath as in `MessageFile`. @param sha256 64 hex digits. */
  add(relativePath: string, sha256: string): void {
    const path = pathBytes(relativePath);
    this.#reserve(DIGEST_BYTES + path.length);
    this.#starts[this.#count] = this.#used;
    this.#count += 1;
    this.#used += this.#records.write(sha256, this.#used, DIGEST_BYTES, "hex");
    this.#used += path.copy(this.#records, this.#used);
  }

  /** Lower-case hex; that of no bytes when there is no file. */
  digest(): string {
    const order = new Uint32Array(this.#count).map((_, index) => index);
    order.sort((left, right) => this.#comparePaths(left, right));
    const hash = createHash("sha256");
    for (const index of order) {
      const [start, end] = this.#bounds(index);
      hash.update(this.#records.toString("hex", start, start + DIGEST_BYTES));
      hash.update("  ");
      hash.update(this.#records.subarray(start + DIGEST_BYTES, end));
      hash.update("\n");
    }
    return hash.digest("hex");
  }

  #comparePaths(left: number, right: number): number {
    const [leftStart, leftEnd] = this.#bounds(left);
    const [rightStart, rightEnd] = this.#bounds(right);
    return this.#records.compare(this.#records, rightStart + DIGEST_BYTES, rightEnd, leftStart + DIGEST_BYTES, leftEnd);
  }

  #bounds(index: number): readonly [number, number] {
    return [this.#starts[index]!, index + 1 < this.#count ? this.#starts[index + 1]! : this.#used];
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes > this.#records.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(this.#used + bytes, this.#records.length * 2));
      this.#records.copy(grown, 0, 0, this.#used);
      this.#records = grown;
    }
    if (this.#count === this.#starts.length) {
      const grown = new Float64Array(this.#count * 2);
      grown.set(this.#starts);
      this.#starts = grown;
    }
  }
}

/** Hash of the whole input: that of the single source, or SHA-256 over the sorted lines `<sha256>\n` of several. */
export function combineSourceHashes(hashes: readonly string[]): string {
  if (hashes.length === 1) return hashes[0]!;
  const lines = [...hashes].sort().map((sha256) => `${sha256}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}
