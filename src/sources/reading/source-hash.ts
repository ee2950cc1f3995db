import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { Uint32Column } from "../../columns/column.ts";
import { GrowableBuffer } from "../../columns/growable-buffer.ts";
import { PagedUint8Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { encodePath, pathBytes } from "../../files/path-text.ts";
import { readFullyAsync } from "../../files/read-fully.ts";

/** Bytes read at once: SHA-256 runs at its full speed from about 64 KiB on. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** Offset of the path in a line, after 64 hex digits and two blanks. */
const PATH_OFFSET = 66;
const BLANK = 0x20;
const LINE_FEED = 0x0a;

/** Growth step of the memory for directory lines: about 10,000 files. */
const LINES_STEP_BYTES = 1 << 20;
/** Bytes of lines sorted at a time when spilling to pages: about 40,000 files. */
const RUN_BYTES = 4 << 20;
/** Bytes of a sorted run that are read at a time, while runs are merged. */
const WINDOW_BYTES = 1 << 12;
/** Length that precedes each line of a run. */
const LENGTH_BYTES = 4;
/** Lines gathered before they are hashed: a call costs more than the hash of a line. */
const GATHERED_BYTES = 1 << 16;

/**
 * SHA-256 (lower-case hex) and size in bytes of a file, read through one buffer. @param most maximum bytes, because a
 * mailbox may grow while it is read
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
 * SHA-256 of a directory source: over the lines `<sha256> <relative path>\n` of its message files, sorted bytewise by
 * path, as `sha256sum` prints them. Files may be added in any order. Keeps 67 B per file plus its path in memory, or 4
 * MiB and sorted runs in pages if pages are given.
 */
export class DirectoryHash {
  private readonly memory = new GrowableBuffer(LINES_STEP_BYTES);
  /** The lines, one after the other. */
  private lines = Buffer.from(this.memory.buffer, 0, LINES_STEP_BYTES);
  private used = 0;
  /** Start of the line of each file. */
  private readonly starts = new Uint32Column();
  private readonly runs: PagedUint8Column[] = [];

  constructor(
    private readonly pages: PagedMemory | null = null,
    private readonly runBytes: number = RUN_BYTES,
  ) {}

  /** @param relativePath as in `MessageFile`. @param sha256 64 hex digits in lower case. */
  add(relativePath: string, sha256: string): void {
    const path = pathBytes(relativePath);
    const length = PATH_OFFSET + path.length + 1;
    if (this.pages !== null && this.used + length > this.runBytes) this.putAway(this.pages);
    this.reserve(length);
    this.starts.push(this.used);
    this.used += this.lines.write(sha256, this.used, "latin1");
    this.lines[this.used++] = BLANK;
    this.lines[this.used++] = BLANK;
    this.used += path.copy(this.lines, this.used);
    this.lines[this.used++] = LINE_FEED;
  }

  /** Lower-case hex; the hash of no bytes if there is no file. Call once: it releases the lines. */
  digest(): string {
    const hash = createHash("sha256");
    const gathered = new Utf8Buffer();
    const cursors = [...this.runs.map(runLines), this.sorted()];
    for (const line of merged(cursors)) {
      gathered.append(line);
      if (gathered.length < GATHERED_BYTES) continue;
      hash.update(gathered.view());
      gathered.clear();
    }
    for (const run of this.runs) run.clear();
    this.memory.resize(0);
    this.starts.clear();
    return hash.update(gathered.view()).digest("hex");
  }

  private putAway(pages: PagedMemory): void {
    const run = new PagedUint8Column(pages);
    const length = Buffer.alloc(LENGTH_BYTES);
    for (const line of this.sorted()) {
      length.writeUInt32LE(line.length);
      run.write(run.length, length);
      run.write(run.length, line);
    }
    this.runs.push(run);
    this.used = 0;
    this.starts.clear();
  }

  /** Lines in memory, sorted by path. An array, because V8 sorts it by runs, and a walk returns paths in long runs. */
  private *sorted(): Generator<Uint8Array> {
    const order = Array.from({ length: this.starts.length }, (_, index) => index);
    order.sort((left, right) => this.comparePaths(left, right));
    for (const index of order) yield this.lines.subarray(this.starts.at(index), this.endOf(index));
  }

  private comparePaths(left: number, right: number): number {
    const [leftPath, leftEnd] = [this.starts.at(left) + PATH_OFFSET, this.endOf(left) - 1];
    const [rightPath, rightEnd] = [this.starts.at(right) + PATH_OFFSET, this.endOf(right) - 1];
    return this.lines.compare(this.lines, rightPath, rightEnd, leftPath, leftEnd);
  }

  private endOf(index: number): number {
    return index + 1 < this.starts.length ? this.starts.at(index + 1) : this.used;
  }

  private reserve(bytes: number): void {
    if (this.used + bytes <= this.lines.length) return;
    const byteLength = this.used + Math.max(bytes, LINES_STEP_BYTES);
    this.memory.resize(byteLength);
    this.lines = Buffer.from(this.memory.buffer, 0, byteLength);
  }
}

/** The lines of a run; each is valid until the next. */
function* runLines(run: PagedUint8Column): Generator<Uint8Array> {
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

/** The next line of a sorted run, and the source of its later lines. */
interface Head {
  readonly rest: Generator<Uint8Array>;
  line: Uint8Array;
}

/** Merges the lines of sorted runs; each path is in one run only. */
function* merged(runs: readonly Generator<Uint8Array>[]): Generator<Uint8Array> {
  /** A heap: the smallest path is first. */
  const heads: Head[] = [];
  for (const rest of runs) {
    const { value, done } = rest.next();
    if (done !== true) heads.push({ rest, line: value });
  }
  for (let at = (heads.length >>> 1) - 1; at >= 0; at--) sink(heads, at);
  while (heads.length > 0) {
    const first = heads[0]!;
    yield first.line;
    const { value, done } = first.rest.next();
    if (done !== true) first.line = value;
    else {
      const last = heads.pop()!;
      if (heads.length > 0) heads[0] = last;
    }
    sink(heads, 0);
  }
}

/** Restores the heap below an index. */
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
  return Buffer.compare(pathOf(one.line), pathOf(other.line)) < 0;
}

function pathOf(line: Uint8Array): Uint8Array {
  return line.subarray(PATH_OFFSET, -1);
}
