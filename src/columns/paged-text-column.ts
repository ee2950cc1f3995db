import { isLatin1 } from "./detached-text.ts";
import { PagedFloat64Column, PagedUint8Column, PagedUint32Column } from "./paged-column.ts";
import type { PagedMemory } from "./paged-memory.ts";

const FIRST_BYTES = 1 << 10;

/**
 * A growable list of texts, partly in memory: 12 bytes per text, and one byte per unit, or two if the text is not
 * Latin-1. Texts are returned unchanged, including unpaired surrogates.
 */
export class PagedTextColumn {
  private readonly bytes: PagedUint8Column;
  private readonly starts: PagedFloat64Column;
  /** Twice the length in bytes, plus one if units have two bytes. */
  private readonly sizes: PagedUint32Column;
  private scratch = Buffer.allocUnsafeSlow(FIRST_BYTES);

  constructor(memory: PagedMemory) {
    this.bytes = new PagedUint8Column(memory);
    this.starts = new PagedFloat64Column(memory);
    this.sizes = new PagedUint32Column(memory);
  }

  get length(): number {
    return this.sizes.length;
  }

  push(text: string): void {
    const encoded = this.encoded(text);
    this.starts.push(this.bytes.length);
    this.sizes.push(encoded.size);
    this.bytes.write(this.bytes.length, encoded.bytes);
  }

  /** Replaces the text at an index below `length`: in place if it is not longer than the earlier one, else appended. */
  set(index: number, text: string): void {
    const encoded = this.encoded(text);
    const isRoomy = encoded.bytes.length <= this.sizes.at(index) >>> 1;
    const start = isRoomy ? this.starts.at(index) : this.bytes.length;
    if (!isRoomy) this.starts.set(index, start);
    this.sizes.set(index, encoded.size);
    this.bytes.write(start, encoded.bytes);
  }

  /** The text at an index below `length`. */
  at(index: number): string {
    const size = this.sizes.at(index);
    const length = size >>> 1;
    this.reserve(length);
    this.bytes.read(this.starts.at(index), this.scratch.subarray(0, length));
    return this.scratch.toString((size & 1) === 1 ? "utf16le" : "latin1", 0, length);
  }

  /** Empties the list and releases its pages. */
  clear(): void {
    for (const part of [this.bytes, this.starts, this.sizes]) part.clear();
  }

  /** Encodes a text. Returns its bytes, valid until the next call, and its entry for `sizes`. */
  private encoded(text: string): { readonly bytes: Buffer; readonly size: number } {
    const isWide = !isLatin1(text);
    const length = isWide ? text.length * 2 : text.length;
    this.reserve(length);
    this.scratch.write(text, 0, isWide ? "utf16le" : "latin1");
    return { bytes: this.scratch.subarray(0, length), size: length * 2 + (isWide ? 1 : 0) };
  }

  private reserve(length: number): void {
    if (length > this.scratch.length) this.scratch = Buffer.allocUnsafeSlow(length * 2);
  }
}
