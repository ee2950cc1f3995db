import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { Uint32Column } from "../columns/column.ts";
import { GrowableMemory } from "../columns/growable-memory.ts";
import { PagedUint8Column } from "../columns/paged-column.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";
import { Utf8Buffer } from "../columns/utf8-buffer.ts";
import { encodePath, pathBytes } from "../files/path-text.ts";
import { readFullyAsync } from "../files/whole-bytes.ts";

/** Bytes read at once: SHA-256 runs at its full speed from about 64 KiB on. */
const CHUNK_BYTES = 4 * 1024 * 1024;

const DIGEST_BYTES = 32;

/** Memory for the records of a directory grows by so much: some 10,000 files. */
const RECORDS_STEP_BYTES = 1 << 20;
/** Records that are sorted at a time where pages are given: some 50,000 files. */
const RUN_BYTES = 4 << 20;
/** Bytes of a sorted run that are read at a time, while runs are merged. */
const WINDOW_BYTES = 1 << 12;
/** Before each record of a run: its length. */
const LENGTH_BYTES = 4;
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
 * path: all of them, or where pages are given 4 MiB and sorted runs in those.
 */
export class DirectoryHash {
  /** Per file, one after the other: 32 bytes of digest, then the path. */
  private readonly memory = new GrowableMemory(RECORDS_STEP_BYTES);
  private records = Buffer.from(this.memory.buffer, 0, RECORDS_STEP_BYTES);
  private used = 0;
  /** Where the record of each file begins. */
  private readonly starts = new Uint32Column();
  private readonly runs: PagedUint8Column[] = [];
  private readonly pages: PagedMemory | null;
  private readonly runBytes: number;

  constructor(pages: PagedMemory | null = null, runBytes = RUN_BYTES) {
    this.pages = pages;
    this.runBytes = runBytes;
  }

  /** @param relativePath as in `MessageFile`. @param sha256 64 hex digits. */
  add(relativePath: string, sha256: string): void {
    const path = pathBytes(relativePath);
    if (this.pages !== null && this.used + DIGEST_BYTES + path.length > this.runBytes) this.putAway(this.pages);
    this.reserve(DIGEST_BYTES + path.length);
    this.starts.push(this.used);
    this.used += this.records.write(sha256, this.used, DIGEST_BYTES, "hex");
    this.used += path.copy(this.records, this.used);
  }

  /** Lower-case hex; that of no bytes when there is no file. Once: the records are let go. */
  digest(): string {
    const hash = createHash("sha256");
    const lines = new Utf8Buffer();
    const cursors = [...this.runs.map(runRecords), this.sorted()];
    for (const record of merged(cursors)) {
      appendHex(lines, record.subarray(0, DIGEST_BYTES));
      lines.text("  ");
      lines.append(record.subarray(DIGEST_BYTES));
      lines.text("\n");
      if (lines.length < LINES_BYTES) continue;
      hash.update(lines.view());
      lines.clear();
    }
    for (const run of this.runs) run.clear();
    this.memory.resize(0);
    this.starts.clear();
    return hash.update(lines.view()).digest("hex");
  }

  private putAway(pages: PagedMemory): void {
    const run = new PagedUint8Column(pages);
    for (const record of this.sorted()) {
      for (let shift = 0; shift < LENGTH_BYTES * 8; shift += 8) run.push((record.length >>> shift) & 0xff);
      for (const byte of record) run.push(byte);
    }
    this.runs.push(run);
    this.used = 0;
    this.starts.clear();
  }

  /** The records in memory by their paths. */
  private *sorted(): Generator<Uint8Array> {
    const order = new Uint32Array(this.starts.length).map((_, index) => index);
    order.sort((left, right) => this.comparePaths(left, right));
    for (const index of order) yield this.records.subarray(this.starts.at(index), this.endOf(index));
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

/** The records of a run; each is valid until the next. */
function* runRecords(run: PagedUint8Column): Generator<Uint8Array> {
  let window: Buffer = Buffer.alloc(0);
  let start = 0;
  const view = (at: number, length: number): Buffer => {
    if (at + length > start + window.length) {
      const cells = run.slice(at, Math.min(run.length, at + Math.max(length, WINDOW_BYTES)));
      window = Buffer.from(cells.buffer);
      start = at;
    }
    return window.subarray(at - start, at - start + length);
  };
  for (let at = 0; at < run.length; ) {
    const length = view(at, LENGTH_BYTES).readUInt32LE();
    yield view(at + LENGTH_BYTES, length);
    at += LENGTH_BYTES + length;
  }
}

/** The next record of a sorted run, and where those behind it come from. */
interface Head {
  readonly rest: Generator<Uint8Array>;
  record: Uint8Array;
}

/** The records of sorted runs in one order: no path is in two. */
function* merged(runs: readonly Generator<Uint8Array>[]): Generator<Uint8Array> {
  /** A heap: that with the least path is first. */
  const heads: Head[] = [];
  for (const rest of runs) {
    const { value, done } = rest.next();
    if (done !== true) heads.push({ rest, record: value });
  }
  for (let at = (heads.length >>> 1) - 1; at >= 0; at--) sink(heads, at);
  while (heads.length > 0) {
    const first = heads[0]!;
    yield first.record;
    const { value, done } = first.rest.next();
    if (done !== true) first.record = value;
    else {
      const last = heads.pop()!;
      if (heads.length > 0) heads[0] = last;
    }
    sink(heads, 0);
  }
}

/** Restores the heap below a place. */
function sink(heads: Head[], from: number): void {
  for (let at = from; ; ) {
    let least = at;
    for (const child of [at * 2 + 1, at * 2 + 2])
      if (child < heads.length && precedes(heads[child]!, heads[least]!)) least = child;
    if (least === at) return;
    [heads[at], heads[least]] = [heads[least]!, heads[at]!];
    at = least;
  }
}

function precedes(one: Head, other: Head): boolean {
  return Buffer.compare(one.record.subarray(DIGEST_BYTES), other.record.subarray(DIGEST_BYTES)) < 0;
}

const HEX_DIGITS = Buffer.from("0123456789abcdef");

/** Written digit by digit: as strings, the digests of 341,288 files left 30 MB on the heap. */
function appendHex(lines: Utf8Buffer, bytes: Uint8Array): void {
  lines.reserve(2 * bytes.length);
  for (let at = 0; at < bytes.length; at++) {
    lines.bytes[lines.length++] = HEX_DIGITS[bytes[at]! >>> 4]!;
    lines.bytes[lines.length++] = HEX_DIGITS[bytes[at]! & 0xf]!;
  }
}
