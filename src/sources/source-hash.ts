import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { Uint32Column } from "../columns/column.ts";
import { GrowableMemory } from "../columns/growable-memory.ts";
import { Utf8Buffer } from "../columns/utf8-buffer.ts";
import { encodePath, pathBytes } from "../files/path-text.ts";
import { readFullyAsync } from "../files/whole-bytes.ts";

/** Bytes read at once: SHA-256 runs at its full speed from about 64 KiB on. */
const CHUNK_BYTES = 4 * 1024 * 1024;

const DIGEST_BYTES = 32;

/** Memory for the records of a directory grows by so much: some 10,000 files. */
const RECORDS_STEP_BYTES = 1 << 20;
/** Lines gathered before they are hashed: a call costs more than the hash of a line. */
const LINES_BYTES = 1 << 16;

/**
 * SHA-256 (lower-case hex) and size in bytes of a file, read as a stream through one buffer.
 * @param most bytes that are read of it, from its beginning: a mailbox may grow while it is read.
 */
export async function hashFile(
  path: string,
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly sha256: string; readonly sizeBytes: number }> {
  const file = await open(encodePath(path), "r");
  try {
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let sizeBytes = 0;
    for (;;) {
      const wanted = chunk.subarray(0, Math.min(chunk.length, most - sizeBytes));
      const count = await readFullyAsync(file, wanted, sizeBytes);
      hash.update(chunk.subarray(0, count));
      sizeBytes += count;
      if (count < chunk.length) return { sha256: hash.digest("hex"), sizeBytes };
    }
  } finally {
    await file.close();
  }
}

/**
 * SHA-256 of a directory source: over the lines `<sha256>  <relative path>\n` of its message files, sorted bytewise by
 * path, as `sha256sum` prints them. Files may be added in any order. Held as raw bytes, about 40 B a file beside its
 * path.
 */
export class DirectoryHash {
  /** Per file, one after the other: 32 bytes of digest, then the path. */
  private readonly memory = new GrowableMemory(RECORDS_STEP_BYTES);
  private records = Buffer.from(this.memory.buffer, 0, RECORDS_STEP_BYTES);
  private used = 0;
  /** Where the record of each file begins. */
  private readonly starts = new Uint32Column();

  /** @param relativePath as in `MessageFile`. @param sha256 64 hex digits. */
  add(relativePath: string, sha256: string): void {
    const path = pathBytes(relativePath);
    this.reserve(DIGEST_BYTES + path.length);
    this.starts.push(this.used);
    this.used += this.records.write(sha256, this.used, DIGEST_BYTES, "hex");
    this.used += path.copy(this.records, this.used);
  }

  /** Lower-case hex; that of no bytes when there is no file. Once: the records are let go. */
  digest(): string {
    const order = new Uint32Array(this.starts.length).map((_, index) => index);
    order.sort((left, right) => this.comparePaths(left, right));
    const hash = createHash("sha256");
    const lines = new Utf8Buffer();
    for (const index of order) {
      const path = this.starts.at(index) + DIGEST_BYTES;
      appendHex(lines, this.records, { from: path - DIGEST_BYTES, to: path });
      lines.text("  ");
      lines.append(this.records.subarray(path, this.endOf(index)));
      lines.text("\n");
      if (lines.length < LINES_BYTES) continue;
      hash.update(lines.view());
      lines.clear();
    }
    this.memory.resize(0);
    this.starts.clear();
    return hash.update(lines.view()).digest("hex");
  }

  private comparePaths(left: number, right: number): number {
    const leftPath = this.starts.at(left) + DIGEST_BYTES;
    const rightPath = this.starts.at(right) + DIGEST_BYTES;
    return this.records.compare(this.records, rightPath, this.endOf(right), leftPath, this.endOf(left));
  }

  private endOf(index: number): number {
    return index + 1 < this.starts.length ? this.starts.at(index + 1) : this.used;
  }

  private reserve(bytes: number): void {
    if (this.used + bytes <= this.records.length) return;
    const byteLength = this.used + Math.max(bytes, RECORDS_STEP_BYTES);
    this.memory.resize(byteLength);
    this.records = Buffer.from(this.memory.buffer, 0, byteLength);
  }
}

const HEX_DIGITS = Buffer.from("0123456789abcdef");

/** Written digit by digit: as strings, the digests of 341,288 files left 30 MB on the heap. */
function appendHex(
  lines: Utf8Buffer,
  bytes: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  lines.reserve(2 * (to - from));
  for (let at = from; at < to; at++) {
    lines.bytes[lines.length++] = HEX_DIGITS[bytes[at]! >>> 4]!;
    lines.bytes[lines.length++] = HEX_DIGITS[bytes[at]! & 0xf]!;
  }
}
