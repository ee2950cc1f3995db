/** Steps of Newton and Schulz at most; the last is the one after the columns are orthonormal up to this. */
const MAX_STEPS = 40;
const ORTHONORMAL = 1e-2;
/** Columns, rows and entries that are multiplied in one pass; more would not stay in the registers. */
const AT_ONCE = 4;

/**
 * The rotation (Kaiser 1958) after which each row lies along few axes and each axis is that of few rows: where rows
 * stand in bundles, the axes point into these (Rohe & Zeng 2023). No centres are drawn: a few rows more or less turn the
 * axes a little, where they may give k-means other centres altogether. Entry (a, c) is the part of column a in axis c,
 * at a * columns + c; an axis points to where its rows are. Sums are taken in the order of the rows.
 * @param values rows one behind the other
 * @param first axes to begin with
 * @param rounds turns of the axes; with too few they depend on those that they began with
 */
export function varimaxAxes(values: Float32Array, columns: number, first: Float64Array, rounds: number): Float64Array {
  const rows = padded(values, columns);
  const turn = new Turn(columns);
  let axes = first.slice();
  for (let round = 0; round < rounds; round++) axes = turn.next(rows, axes);
  for (let axis = 0; axis < columns; axis++) {
    if (turn.cubes[axis]! >= 0) continue;
    for (let at = axis; at < axes.length; at += columns) axes[at] = -axes[at]!;
  }
  return axes;
}

/** The axes that the columns are. */
export function columnAxes(columns: number): Float64Array {
  return Float64Array.from({ length: columns * columns }, (_, at) => (at % (columns + 1) === 0 ? 1 : 0));
}

/** The rows with zeros behind them, so that AT_ONCE of them are always there. */
function padded(values: Float32Array, columns: number): Float64Array {
  const block = columns * AT_ONCE;
  const rows = new Float64Array(Math.ceil(values.length / block) * block);
  rows.set(values);
  return rows;
}

/** Turns axes towards the rows, again and again. */
class Turn {
  /** Sum of the cubes of the rows along each axis, before the last turn: negative where most rows lie behind it. */
  readonly cubes: Float64Array;
  private readonly columns: number;
  /** Mean of the squares of the rows along each axis, before the last turn. */
  private readonly squares: Float64Array;
  /** Rows along the axes, AT_ONCE of them. */
  private readonly along: Float64Array;

  constructor(columns: number) {
    this.columns = columns;
    this.cubes = new Float64Array(columns);
    this.squares = new Float64Array(columns);
    this.along = new Float64Array(columns * AT_ONCE);
  }

  next(rows: Float64Array, axes: Float64Array): Float64Array<ArrayBuffer> {
    const { columns, along, cubes } = this;
    const block = columns * AT_ONCE;
    const pull = new Float64Array(columns * columns);
    const means = this.squares.slice();
    this.squares.fill(0);
    cubes.fill(0);
    for (let from = 0; from < rows.length; from += block) {
      along.fill(0);
      for (let at = 0; at < block; at += columns) addProduct(along, at, rows, from + at, axes, columns);
      this.raise(means);
      addOuterProducts(pull, rows, from, along, columns);
    }
    const count = Math.max(1, rows.length / columns);
    for (let axis = 0; axis < columns; axis++) this.squares[axis] = this.squares[axis]! / count;
    scaleColumns(pull, columns);
    return orthonormal(pull, columns);
  }

  /** Puts the derivative of the criterion in place of the rows along the axes, and adds up powers of these. */
  private raise(means: Float64Array): void {
    const { along, columns, cubes, squares } = this;
    for (let from = 0; from < along.length; from += columns) {
      for (let axis = 0; axis < columns; axis++) {
        const value = along[from + axis]!;
        const square = value * value;
        cubes[axis] = cubes[axis]! + square * value;
        squares[axis] = squares[axis]! + square;
        along[from + axis] = value * (square - means[axis]!);
      }
    }
  }
}

/** Adds a row times a square matrix to the sums at a place. */
function addProduct(
  sums: Float64Array,
  at: number,
  rows: Float64Array,
  from: number,
  matrix: Float64Array,
  columns: number,
): void {
  const whole = columns - (columns % AT_ONCE);
  for (let a = 0; a < whole; a += AT_ONCE) {
    const [v0, v1, v2, v3] = [rows[from + a]!, rows[from + a + 1]!, rows[from + a + 2]!, rows[from + a + 3]!];
    const m0 = a * columns;
    const [m1, m2, m3] = [m0 + columns, m0 + 2 * columns, m0 + 3 * columns];
    for (let c = 0; c < columns; c++)
      sums[at + c] =
        sums[at + c]! + v0 * matrix[m0 + c]! + v1 * matrix[m1 + c]! + v2 * matrix[m2 + c]! + v3 * matrix[m3 + c]!;
  }
  for (let a = whole; a < columns; a++) {
    const value = rows[from + a]!;
    for (let c = 0; c < columns; c++) sums[at + c] = sums[at + c]! + value * matrix[a * columns + c]!;
  }
}

/** Adds the products of AT_ONCE rows from a place on, each with what stands in its place in `others`. */
function addOuterProducts(
  sums: Float64Array,
  rows: Float64Array,
  from: number,
  others: Float64Array,
  columns: number,
): void {
  const [r1, r2, r3] = [columns, 2 * columns, 3 * columns];
  for (let a = 0; a < columns; a++) {
    const [v0, v1] = [rows[from + a]!, rows[from + r1 + a]!];
    const [v2, v3] = [rows[from + r2 + a]!, rows[from + r3 + a]!];
    const at = a * columns;
    for (let c = 0; c < columns; c++)
      sums[at + c] =
        sums[at + c]! + v0 * others[c]! + v1 * others[r1 + c]! + v2 * others[r2 + c]! + v3 * others[r3 + c]!;
  }
}

/** Columns of unit length, in place; zero ones stay. */
function scaleColumns(matrix: Float64Array, columns: number): void {
  for (let axis = 0; axis < columns; axis++) {
    let square = 0;
    for (let at = axis; at < matrix.length; at += columns) square += matrix[at]! * matrix[at]!;
    const scale = square === 0 ? 0 : 1 / Math.sqrt(square);
    for (let at = axis; at < matrix.length; at += columns) matrix[at] = matrix[at]! * scale;
  }
}

/**
 * The orthonormal matrix nearest to one (Newton and Schulz: Higham, Functions of Matrices, 8.3): no column comes before
 * another, as it would where one after the other is made orthogonal.
 */
function orthonormal(matrix: Float64Array, columns: number): Float64Array<ArrayBuffer> {
  const scale = 1 / Math.sqrt(largestSum(gramOf(matrix, columns), columns) || 1);
  let current = matrix.map((value) => value * scale) as Float64Array<ArrayBuffer>;
  for (let step = 0; step < MAX_STEPS; step++) {
    const factor = gramOf(current, columns);
    const isOrthonormal = isIdentity(factor, columns);
    for (let at = 0; at < factor.length; at++) factor[at] = (at % (columns + 1) === 0 ? 1.5 : 0) - 0.5 * factor[at]!;
    const next = new Float64Array(columns * columns);
    for (let at = 0; at < next.length; at += columns) addProduct(next, at, current, at, factor, columns);
    current = next;
    if (isOrthonormal) return current;
  }
  return current;
}

/** The products of the columns with each other. */
function gramOf(matrix: Float64Array, columns: number): Float64Array {
  const products = new Float64Array(columns * columns);
  for (let from = 0; from < matrix.length; from += columns) {
    for (let a = 0; a < columns; a++) {
      const value = matrix[from + a]!;
      for (let b = 0; b < columns; b++)
        products[a * columns + b] = products[a * columns + b]! + value * matrix[from + b]!;
    }
  }
  return products;
}

/** The largest sum of a row, which no eigenvalue exceeds. */
function largestSum(matrix: Float64Array, columns: number): number {
  let largest = 0;
  for (let from = 0; from < matrix.length; from += columns) {
    let sum = 0;
    for (let at = from; at < from + columns; at++) sum += Math.abs(matrix[at]!);
    largest = Math.max(largest, sum);
  }
  return largest;
}

/** True when a matrix of products is that of orthonormal columns, zero ones aside. */
function isIdentity(products: Float64Array, columns: number): boolean {
  for (let at = 0; at < products.length; at++) {
    const isDiagonal = at % (columns + 1) === 0;
    const value = products[at]!;
    if (Math.abs(isDiagonal && value !== 0 ? value - 1 : value) > ORTHONORMAL) return false;
  }
  return true;
}
