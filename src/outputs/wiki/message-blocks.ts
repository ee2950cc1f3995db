import { closeSync, openSync, rmSync } from "node:fs";
import { Float64Column } from "../../columns/column.ts";
import { PagedFloat64Column, PagedUint8Column, PagedUint32Column } from "../../columns/paged-column.ts";
import { PagedMemory } from "../../columns/paged-memory.ts";
import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { readFully } from "../../files/read-fully.ts";
import { PagesOnDisk } from "../../files/spill-file.ts";
import { BLOCK_END, type RenderedBlocks, SPECIAL_OF_KINDS } from "./block-writer.ts";
import type { EarlierBodies } from "./earlier-bodies.ts";

/** Bytes of block positions in memory: enough for a few hundred thousand messages. */
const PLACES_BYTES = 4 << 20;

/** A file of blocks. */
interface BlockFile {
  readonly path: string;
  readonly descriptor: number;
  /** Total bytes of the files before it. */
  readonly start: number;
}

/**
 * The Markdown block of every message, in temporary files next to the vault. A message appears on up to three pages in
 * different orders: it is rendered once, in the order of the store, and then copied. Uses 4 bytes of memory per
 * message, and 8 until all are rendered.
 */
export class MessageBlocks {
  private readonly files: BlockFile[] = [];
  /** Bytes of all files. */
  private end = 0;
  /** By ordinal: start of its block, counted over all files, which is the end of the previous one. */
  private readonly starts: PagedFloat64Column;
  /** In store order. */
  private readonly ordinals: PagedUint32Column;
  private readonly sortedAt = new Float64Column();
  /** Indexes of SPECIAL_OF_KINDS. */
  private readonly kinds: PagedUint8Column;
  private readonly pages: PagesOnDisk;
  private readonly memory: PagedMemory;
  /** Indexes into the columns above, newest first, undated last, ties in store order. */
  private newest = new Uint32Array();

  /**
   * @param path of a temporary file
   * @param earlier texts of an earlier run; its creator closes it after the last block is copied
   */
  constructor(
    path: string,
    /** Their texts, or all of a block, are not in the files. */
    private readonly earlier: EarlierBodies,
  ) {
    this.pages = new PagesOnDisk(path);
    this.memory = new PagedMemory(this.pages, PLACES_BYTES);
    this.starts = new PagedFloat64Column(this.memory);
    this.ordinals = new PagedUint32Column(this.memory);
    this.kinds = new PagedUint8Column(this.memory);
  }

  /** Adds a file of blocks. Call in ordinal order. */
  add({ path, ordinals, sizes, sortedAt, kinds }: RenderedBlocks): void {
    this.files.push({ path, descriptor: openSync(path, "r"), start: this.end });
    for (const [index, ordinal] of ordinals.entries()) {
      while (this.starts.length <= ordinal) this.starts.push(this.end);
      this.end += sizes[index]!;
      this.ordinals.push(ordinal);
      this.sortedAt.push(sortedAt[index]!);
      this.kinds.push(kinds[index]!);
    }
  }

  /** Call after the last file; from now on blocks are copied. */
  seal(): void {
    this.starts.push(this.end);
    const sortedAt = this.sortedAt.view();
    this.newest = Uint32Array.from(sortedAt, (_, index) => index);
    this.newest.sort((a, b) => {
      const one = sortedAt[a]!;
      const other = sortedAt[b]!;
      return one === other ? a - b : one > other ? -1 : 1;
    });
    this.sortedAt.clear();
  }

  /** All messages with the kinds of their mailboxes, newest first. */
  *newestFirst(): Generator<{ readonly ordinal: number; readonly mailboxes: readonly ("inbox" | "sent")[] }> {
    for (const index of this.newest)
      yield { ordinal: this.ordinals.at(index), mailboxes: SPECIAL_OF_KINDS[this.kinds.at(index)]! };
  }

  /** Bytes of the block of a message. */
  sizeOf(ordinal: number): number {
    const copied = this.copiedBytes(ordinal);
    return this.writtenBytes(ordinal) + (copied === 0 ? 0 : copied + BLOCK_END.length);
  }

  /** Bytes of the earlier block: its text, and everything if nothing is written. */
  private copiedBytes(ordinal: number): number {
    const { earlier } = this;
    return earlier.sizeOf(ordinal) + (this.writtenBytes(ordinal) === 0 ? earlier.headSizeOf(ordinal) : 0);
  }

  private writtenBytes(ordinal: number): number {
    return this.starts.at(ordinal + 1) - this.starts.at(ordinal);
  }

  /** Writes the block of a message; returns it, valid until the next write. */
  copy(ordinal: number, out: Utf8Buffer): Buffer {
    const size = this.sizeOf(ordinal);
    out.reserve(size);
    const first = out.length;
    const written = this.writtenBytes(ordinal);
    if (written > 0) {
      const place = this.starts.at(ordinal);
      const file = this.files.findLast(({ start }) => start <= place)!;
      out.length += readFully(file.descriptor, out.bytes.subarray(first, first + written), place - file.start);
    }
    const copied = this.copiedBytes(ordinal);
    if (copied > 0) {
      out.length += this.earlier.read(ordinal, out.bytes.subarray(out.length, out.length + copied));
      // The space is reserved; `text` would write the beginning of a long block to the file.
      out.length += out.bytes.write(BLOCK_END, out.length);
    }
    if (out.length < first + size) throw new Error("a file of blocks or an earlier page ends early");
    return out.bytes.subarray(first, out.length);
  }

  remove(): void {
    for (const { path, descriptor } of this.files) {
      closeSync(descriptor);
      rmSync(path);
    }
    this.memory.clear();
    this.pages.remove();
  }
}
