/**
 * Growable typed columns: one number a message costs its width and nothing more, where an array of objects would cost ten times as much.
 * Growth by half keeps the slack small; a copy moves with memcpy speed.
 */
type Cells = Int32Array | Uint32Array | Float64Array | Uint8Array;

const FIRST_CAPACITY = 1024;

class Column<T extends Cells> {
  private cells: T;
  private readonly make: (length: number) => T;
  length = 0;

  constructor(make: (length: number) => T) {
    this.make = make;
    this.cells = make(FIRST_CAPACITY);
  }

  push(value: number): void {
    if (this.length === this.cells.length) {
      const larger = this.make(this.cells.length + (this.cells.length >> 1));
      larger.set(this.cells);
      this.cells = larger;
    }
    this.cells[this.length] = value;
    this.length += 1;
  }

  /** The value at an index below `length`. */
  at(index: number): number {
    return this.cells[index] as number;
  }

  set(index: number, value: number): void {
    this.cells[index] = value;
  }

  /** A view of the values pushed so far; valid until the next push. */
  view(): T {
    return this.cells.subarray(0, this.length) as T;
  }
}

export class Int32Column extends Column<Int32Array> {
  constructor() {
    super((length) => new Int32Array(length));
  }
}

export class Uint32Column extends Column<Uint32Array> {
  constructor() {
    super((length) => new Uint32Array(length));
  }
}

export class Float64Column extends Column<Float64Array> {
  constructor() {
    super((length) => new Float64Array(length));
  }
}

export class Uint8Column extends Column<Uint8Array> {
  constructor() {
    super((length) => new Uint8Array(length));
  }
}
