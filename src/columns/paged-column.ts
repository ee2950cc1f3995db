import { ArchiveError } from "../errors.ts";
import { PAGE_BYTES, type PagedMemory, type PageOwner } from "./paged-memory.ts";

/** Maximum length of a paged column with one value per write: indexes have 32 bits. */
export const MAX_PAGED_LENGTH = 2 ** 32;

type Cells = Int32Array | Uint32Array | Float64Array | Uint8Array;

/** A column that can be stored as bytes. */
export interface StoredColumn {
  /** Bytes of a value. */
  readonly width: number;
  readonly length: number;
  /** Fills aligned bytes with the values from an index on. */
  copyTo(bytes: Uint8Array<ArrayBuffer>, from: number): void;
  /** Appends values from their bytes. */
  append(bytes: Uint8Array): void;
}

/**
 * A growable column backed by a file, with some pages in memory. For data that grows with the archive and is mostly
 * written and read in order.
 */
class PagedColumn<T extends Cells> implements PageOwner, StoredColumn {
  /** Cells of a page are 2^shift. */
  private readonly shift: number;
  private readonly mask: number;
  /** Number of pages in memory. */
  private pages: (T | undefined)[] = [];
  private isChanged: boolean[] = [];
  /** Location of each page in the file; undefined until the page is first evicted. */
  private places: (number | undefined)[] = [];
  length = 0;

  constructor(
    private readonly memory: PagedMemory,
    readonly width: number,
    private readonly over: (bytes: ArrayBuffer, offset: number, length: number) => T,
  ) {
    this.shift = Math.log2(PAGE_BYTES / width);
    this.mask = PAGE_BYTES / width - 1;
  }

  /** Throws ARCHIVE_FULL beyond MAX_PAGED_LENGTH. */
  push(value: number): void {
    if (this.length === MAX_PAGED_LENGTH)
      throw new ArchiveError("ARCHIVE_FULL", `a run can store at most ${MAX_PAGED_LENGTH} numbers of one kind`);
    this.set(this.length, value);
    this.length++;
  }

  /** The value at an index below `length`. */
  at(index: number): number {
    const page = index >>> this.shift;
    return (this.pages[page] ?? this.bring(page))[index & this.mask]!;
  }

  set(index: number, value: number): void {
    const page = index >>> this.shift;
    (this.pages[page] ?? this.bring(page))[index & this.mask] = value;
    this.isChanged[page] = true;
  }

  /** Extends the column to a minimum length; new values have all bits set. */
  extend(length: number, value: number): void {
    const from = this.length;
    this.eachPart(from, Math.max(0, length - from), (part, _, page) => {
      part.fill(value);
      this.isChanged[page] = true;
    });
    this.length = Math.max(from, length);
  }

  /** All values in order. */
  *values(): Generator<number> {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }

  /** Copies a range of values. */
  slice(from = 0, to = this.length): T {
    const copy = this.over(new ArrayBuffer((to - from) * this.width), 0, to - from);
    this.read(from, copy);
    return copy;
  }

  /** Fills an array with the values from an index on. */
  read(from: number, into: T): void {
    this.eachPart(from, into.length, (part, at) => into.set(part, at));
  }

  /** Overwrites values from an index on; the column grows if they extend past its end. */
  write(from: number, values: T): void {
    this.eachPart(from, values.length, (part, at, page) => {
      part.set(values.subarray(at, at + part.length));
      this.isChanged[page] = true;
    });
    this.length = Math.max(this.length, from + values.length);
  }

  copyTo({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>, from: number): void {
    this.read(from, this.over(buffer, byteOffset, byteLength / this.width));
  }

  append(bytes: Uint8Array): void {
    const { buffer } = new Uint8Array(bytes);
    this.write(this.length, this.over(buffer, 0, bytes.length / this.width));
  }

  /** Reads cells page by page; each part is valid until the next. */
  private eachPart(from: number, count: number, take: (part: T, at: number, page: number) => void): void {
    const cells = this.mask + 1;
    for (let at = 0; at < count; ) {
      const start = (from + at) % cells;
      const page = (from + at - start) / cells;
      const part = (this.pages[page] ?? this.bring(page)).subarray(start, start + count - at) as T;
      take(part, at, page);
      at += part.length;
    }
  }

  /** Empties the column and releases its pages. */
  clear(): void {
    this.memory.forget(
      this,
      this.places.filter((place) => place !== undefined),
    );
    this.pages = [];
    this.isChanged = [];
    this.places = [];
    this.length = 0;
  }

  release(page: number, bytes: Uint8Array): void {
    if (this.isChanged[page] === true) {
      const place = this.places[page] ?? this.memory.takePlace();
      this.memory.file.write(place, bytes);
      this.places[page] = place;
      this.isChanged[page] = false;
    }
    this.pages[page] = undefined;
  }

  private bring(page: number): T {
    const bytes = this.memory.take(this, page);
    const place = this.places[page];
    if (place !== undefined) this.memory.file.read(place, bytes);
    const cells = this.over(bytes.buffer, bytes.byteOffset, PAGE_BYTES / this.width);
    this.pages[page] = cells;
    return cells;
  }
}

export class PagedInt32Column extends PagedColumn<Int32Array> {
  constructor(memory: PagedMemory) {
    super(memory, Int32Array.BYTES_PER_ELEMENT, (...part) => new Int32Array(...part));
  }
}

export class PagedUint32Column extends PagedColumn<Uint32Array> {
  constructor(memory: PagedMemory) {
    super(memory, Uint32Array.BYTES_PER_ELEMENT, (...part) => new Uint32Array(...part));
  }
}

export class PagedFloat64Column extends PagedColumn<Float64Array> {
  constructor(memory: PagedMemory) {
    super(memory, Float64Array.BYTES_PER_ELEMENT, (...part) => new Float64Array(...part));
  }
}

export class PagedUint8Column extends PagedColumn<Uint8Array> {
  constructor(memory: PagedMemory) {
    super(memory, Uint8Array.BYTES_PER_ELEMENT, (...part) => new Uint8Array(...part));
  }
}
