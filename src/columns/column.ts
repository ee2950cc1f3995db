import { GrowableBuffer } from "./growable-buffer.ts";
import type { StoredColumn } from "./paged-column.ts";

/**
 * Growable typed columns: one number per message costs little more than its width, while an array of objects would cost
 * ten times as much.
 */
type Cells = Int32Array | Uint32Array | Float64Array | Uint8Array;

const FIRST_BYTES = 1 << 12;
/** A column doubles up to steps of this size: each is one system call, and limits unused memory. */
const STEP_BYTES = 1 << 18;

class Column<T extends Cells> implements StoredColumn {
  private readonly memory = new GrowableBuffer(FIRST_BYTES);
  private cells: T;
  length = 0;

  constructor(private readonly over: (buffer: ArrayBuffer) => T) {
    this.cells = over(this.memory.buffer);
  }

  push(value: number): void {
    if (this.length === this.cells.length) this.grow();
    this.cells[this.length] = value;
    this.length++;
  }

  /** The value at an index below `length`. */
  at(index: number): number {
    return this.cells[index]!;
  }

  set(index: number, value: number): void {
    this.cells[index] = value;
  }

  /** A view of the values pushed so far; valid until the next push. */
  view(): T {
    return this.cells.subarray(0, this.length) as T;
  }

  /** A copy of the values pushed so far. */
  slice(): T {
    return this.view().slice() as T;
  }

  get width(): number {
    return this.cells.BYTES_PER_ELEMENT;
  }

  copyTo(bytes: Uint8Array, from: number): void {
    const { buffer, byteOffset } = this.cells.subarray(from);
    bytes.set(new Uint8Array(buffer, byteOffset, bytes.length));
  }

  append(bytes: Uint8Array): void {
    const from = this.length;
    this.extend(from + bytes.length / this.width);
    const { buffer, byteOffset } = this.cells.subarray(from);
    new Uint8Array(buffer, byteOffset).set(bytes);
  }

  /** Extends the column to a minimum length; new values are 0. */
  extend(length: number): void {
    if (length > this.cells.length) this.resize(length * this.cells.BYTES_PER_ELEMENT);
    this.length = Math.max(this.length, length);
  }

  /** Empties the column and frees its memory at once. */
  clear(): void {
    this.length = 0;
    this.resize(0);
  }

  private grow(): void {
    const { byteLength } = this.memory.buffer;
    this.resize(byteLength + Math.min(Math.max(byteLength, FIRST_BYTES), STEP_BYTES));
  }

  private resize(byteLength: number): void {
    this.memory.resize(byteLength);
    this.cells = this.over(this.memory.buffer);
  }
}

// A fixed-length view: a view that tracks its buffer looks up the length at every access.
export class Int32Column extends Column<Int32Array> {
  constructor() {
    super((buffer) => new Int32Array(buffer, 0, buffer.byteLength / Int32Array.BYTES_PER_ELEMENT));
  }
}

export class Uint32Column extends Column<Uint32Array> {
  constructor() {
    super((buffer) => new Uint32Array(buffer, 0, buffer.byteLength / Uint32Array.BYTES_PER_ELEMENT));
  }
}

export class Float64Column extends Column<Float64Array> {
  constructor() {
    super((buffer) => new Float64Array(buffer, 0, buffer.byteLength / Float64Array.BYTES_PER_ELEMENT));
  }
}

export class Uint8Column extends Column<Uint8Array> {
  constructor() {
    super((buffer) => new Uint8Array(buffer, 0, buffer.byteLength));
  }
}
