import type { Random } from "../columns/seeded-random.ts";
import type { VectorTable } from "./thread-vectors.ts";

/** Number of directions kept: more add details of single threads, fewer merge subjects. */
const DIMENSIONS = 64;
/** Each iteration turns the directions further toward the strongest ones; after three they are stable. */
const ROUNDS = 3;
/** A direction with less than this share of the strongest one is rounding error. */
const LEAST_SHARE = 1e-12;

/** A dense matrix by rows: the value of column c in row r is values[r * columns + c]. */
interface DenseRows {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

/**
 * Unit vectors in the space of latent semantic analysis (Deerwester et al. 1990), in which words with similar contexts
 * are near by cosine. Computed by randomized subspace iteration (Halko, Martinsson & Tropp 2011, algorithm 4.4), up to
 * a rotation, which changes no cosine. Sums are in row order.
 * @param terms number of terms of the vectors
 */
export function latentVectors(table: VectorTable, terms: number, random: Random): VectorTable {
  const columns = Math.min(DIMENSIONS, table.rows, terms);
  // Both are overwritten in each round, which saves memory.
  const left = zeros(table.rows, columns);
  const right = zeros(terms, columns);
  for (let at = 0; at < left.values.length; at++) left.values[at] = random() - 0.5;
  for (let round = 0; round < ROUNDS; round++) {
    setTransposed(right, table, left);
    setProduct(left, table, right);
    orthonormalize(left);
  }
  setTransposed(right, table, left);
  timesTriangle(left, cholesky(gram(right), columns));
  return unitRows(left);
}

function zeros(rows: number, columns: number): DenseRows {
  return { rows, columns, values: new Float64Array(rows * columns) };
}

/** Sets `right` to the transposed matrix of the vectors times `left`: one row per term. */
function setTransposed({ values: product }: DenseRows, table: VectorTable, { columns, values }: DenseRows): void {
  product.fill(0);
  for (let row = 0; row < table.rows; row++) {
    const from = row * columns;
    for (let entry = table.starts[row]!; entry < table.starts[row + 1]!; entry++) {
      addScaled(product, table.terms[entry]! * columns, { values, from, columns, factor: table.weights[entry]! });
    }
  }
}

/** Sets `left` to the matrix of the vectors times `right`: one row per vector. */
function setProduct({ values: product }: DenseRows, table: VectorTable, right: DenseRows): void {
  const { columns, values } = right;
  const { rows, starts, terms, weights } = table;
  product.fill(0);
  for (let row = 0; row < rows; row++) {
    const end = starts[row + 1]!;
    const whole = end - ((end - starts[row]!) % ENTRIES_AT_ONCE);
    for (let entry = starts[row]!; entry < whole; entry += ENTRIES_AT_ONCE)
      addEntries(product, row * columns, { table, entry, right });
    for (let entry = whole; entry < end; entry++) {
      const from = terms[entry]! * columns;
      addScaled(product, row * columns, { values, from, columns, factor: weights[entry]! });
    }
  }
}

/** Entries of a vector that are multiplied in one pass over the columns: the sums are fetched and stored once. */
const ENTRIES_AT_ONCE = 4;

/** Entries of a vector from an offset, and their rows. */
interface VectorEntries {
  readonly table: VectorTable;
  readonly entry: number;
  readonly right: DenseRows;
}

/** Adds ENTRIES_AT_ONCE of them, in their order. */
function addEntries(sums: Float64Array, at: number, { table, entry, right }: VectorEntries): void {
  const { terms, weights } = table;
  const { columns, values } = right;
  const w0 = weights[entry]!;
  const w1 = weights[entry + 1]!;
  const w2 = weights[entry + 2]!;
  const w3 = weights[entry + 3]!;
  const r0 = terms[entry]! * columns;
  const r1 = terms[entry + 1]! * columns;
  const r2 = terms[entry + 2]! * columns;
  const r3 = terms[entry + 3]! * columns;
  for (let column = 0; column < columns; column++) {
    sums[at + column] =
      sums[at + column]! +
      w0 * values[r0 + column]! +
      w1 * values[r1 + column]! +
      w2 * values[r2 + column]! +
      w3 * values[r3 + column]!;
  }
}

/** Multiplies a row of a matrix by a vector. */
interface ScaledRow {
  readonly values: Float64Array;
  readonly from: number;
  readonly columns: number;
  readonly factor: number;
}

function addScaled(sums: Float64Array, at: number, { values, from, columns, factor }: ScaledRow): void {
  for (let column = 0; column < columns; column++)
    sums[at + column] = sums[at + column]! + factor * values[from + column]!;
}

/** Rows that are multiplied in one pass over the products; more would not stay in the registers. */
const ROWS_AT_ONCE = 4;

/** Products of the columns with each other; the lower triangle of a symmetric matrix. */
function gram({ rows, columns, values }: DenseRows): Float64Array {
  const products = new Float64Array(columns * columns);
  const whole = rows - (rows % ROWS_AT_ONCE);
  for (let row = 0; row < whole; row += ROWS_AT_ONCE) addProducts(products, values, row * columns, columns);
  for (let from = whole * columns; from < rows * columns; from += columns) {
    for (let a = 0; a < columns; a++) {
      const at = a * columns;
      for (let b = 0; b <= a; b++) products[at + b] = products[at + b]! + values[from + a]! * values[from + b]!;
    }
  }
  return products;
}

/** Adds the products of ROWS_AT_ONCE rows: the sums are fetched and stored once. */
function addProducts(products: Float64Array, values: Float64Array, from: number, columns: number): void {
  const [r1, r2, r3] = [from + columns, from + 2 * columns, from + 3 * columns];
  for (let a = 0; a < columns; a++) {
    const at = a * columns;
    const v0 = values[from + a]!;
    const v1 = values[r1 + a]!;
    const v2 = values[r2 + a]!;
    const v3 = values[r3 + a]!;
    for (let b = 0; b <= a; b++) {
      products[at + b] =
        products[at + b]! + v0 * values[from + b]! + v1 * values[r1 + b]! + v2 * values[r2 + b]! + v3 * values[r3 + b]!;
    }
  }
}

/** Lower triangle L with L Lᵀ = the matrix; columns that depend on those before are zero. Works in place. */
function cholesky(matrix: Float64Array, size: number): Float64Array {
  let strongest = 0;
  for (let a = 0; a < size; a++) strongest = Math.max(strongest, matrix[a * size + a]!);
  for (let b = 0; b < size; b++) {
    const at = b * size;
    let square = matrix[at + b]!;
    for (let c = 0; c < b; c++) square -= matrix[at + c]! * matrix[at + c]!;
    const diagonal = square > strongest * LEAST_SHARE ? Math.sqrt(square) : 0;
    matrix[at + b] = diagonal;
    for (let a = b + 1; a < size; a++) {
      let sum = matrix[a * size + b]!;
      for (let c = 0; c < b; c++) sum -= matrix[a * size + c]! * matrix[at + c]!;
      matrix[a * size + b] = diagonal === 0 ? 0 : sum / diagonal;
    }
  }
  return matrix;
}

/**
 * Orthonormalizes the columns in place, dependent ones become zero: multiplies every row by the inverse of the
 * transposed triangle.
 */
function orthonormalize(matrix: DenseRows): void {
  const { rows, columns, values } = matrix;
  const triangle = cholesky(gram(matrix), columns);
  const whole = rows - (rows % ROWS_AT_ONCE);
  for (let row = 0; row < whole; row += ROWS_AT_ONCE) solveRows(triangle, values, row * columns, columns);
  for (let from = whole * columns; from < rows * columns; from += columns) {
    for (let b = 0; b < columns; b++) {
      const at = b * columns;
      let sum = values[from + b]!;
      for (let c = 0; c < b; c++) sum -= triangle[at + c]! * values[from + c]!;
      const diagonal = triangle[at + b]!;
      values[from + b] = diagonal === 0 ? 0 : sum / diagonal;
    }
  }
}

/** The same for ROWS_AT_ONCE rows: no sum waits for that of another row. */
function solveRows(triangle: Float64Array, values: Float64Array, from: number, columns: number): void {
  const [r1, r2, r3] = [from + columns, from + 2 * columns, from + 3 * columns];
  for (let b = 0; b < columns; b++) {
    const at = b * columns;
    let s0 = values[from + b]!;
    let s1 = values[r1 + b]!;
    let s2 = values[r2 + b]!;
    let s3 = values[r3 + b]!;
    for (let c = 0; c < b; c++) {
      const factor = triangle[at + c]!;
      s0 -= factor * values[from + c]!;
      s1 -= factor * values[r1 + c]!;
      s2 -= factor * values[r2 + c]!;
      s3 -= factor * values[r3 + c]!;
    }
    const diagonal = triangle[at + b]!;
    values[from + b] = diagonal === 0 ? 0 : s0 / diagonal;
    values[r1 + b] = diagonal === 0 ? 0 : s1 / diagonal;
    values[r2 + b] = diagonal === 0 ? 0 : s2 / diagonal;
    values[r3 + b] = diagonal === 0 ? 0 : s3 / diagonal;
  }
}

/** Multiplies every row by a lower triangle, in place: a product replaces a value that is not needed for later ones. */
function timesTriangle({ rows, columns, values }: DenseRows, triangle: Float64Array): void {
  for (let from = 0; from < rows * columns; from += columns) {
    for (let a = 0; a < columns; a++) {
      const value = values[from + a]!;
      const at = a * columns;
      values[from + a] = 0;
      for (let b = 0; b <= a; b++) values[from + b] = values[from + b]! + value * triangle[at + b]!;
    }
  }
}

/** The rows scaled to unit length, in the form of sparse vectors that leave nothing out; zero rows stay. */
function unitRows({ rows, columns, values }: DenseRows): VectorTable {
  const weights = new Float32Array(rows * columns);
  for (let from = 0; from < rows * columns; from += columns) {
    let square = 0;
    for (let column = 0; column < columns; column++) square += values[from + column]! * values[from + column]!;
    const scale = square === 0 ? 0 : 1 / Math.sqrt(square);
    for (let column = 0; column < columns; column++) weights[from + column] = values[from + column]! * scale;
  }
  return {
    rows,
    starts: Uint32Array.from({ length: rows + 1 }, (_, row) => row * columns),
    terms: Int32Array.from({ length: rows * columns }, (_, entry) => entry % columns),
    weights,
  };
}
