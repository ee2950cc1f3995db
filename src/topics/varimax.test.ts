import { describe, expect, it } from "vitest";
import { seededRandom } from "../columns/seeded-random.ts";
import { columnAxes, varimaxAxes } from "./varimax.ts";

const COLUMNS = 5;

/** Rows in bundles around the columns, one after the other, all turned by the same rotation of the first two columns. */
function bundles(rows: number, angle: number): Float32Array {
  const random = seededRandom(5);
  const values = new Float32Array(rows * COLUMNS);
  for (let row = 0; row < rows; row++) {
    const own = values.subarray(row * COLUMNS, (row + 1) * COLUMNS);
    for (let column = 0; column < COLUMNS; column++)
      own[column] = (column === row % COLUMNS ? 1 : 0) + (random() - 0.5) / 5;
    const [x, y] = [own[0]!, own[1]!];
    own[0] = Math.cos(angle) * x - Math.sin(angle) * y;
    own[1] = Math.sin(angle) * x + Math.cos(angle) * y;
  }
  return values;
}

const axisOf = (axes: Float64Array, axis: number): readonly number[] =>
  Array.from({ length: COLUMNS }, (_, column) => axes[column * COLUMNS + axis]!);

describe("varimaxAxes", () => {
  const axes = varimaxAxes(bundles(203, 0.7), COLUMNS, columnAxes(COLUMNS), 20);

  it("points an axis into each bundle of rows, and not away from it", () => {
    const centres = [
      [Math.cos(0.7), Math.sin(0.7), 0, 0, 0],
      [-Math.sin(0.7), Math.cos(0.7), 0, 0, 0],
      [0, 0, 1, 0, 0],
    ];
    for (const centre of centres) {
      const cosines = Array.from({ length: COLUMNS }, (_, axis) =>
        axisOf(axes, axis).reduce((sum, value, column) => sum + value * centre[column]!, 0),
      );
      expect(Math.max(...cosines)).toBeGreaterThan(0.99);
    }
  });

  it("keeps the axes orthonormal", () => {
    for (let a = 0; a < COLUMNS; a++) {
      for (let b = 0; b <= a; b++) {
        const product = axisOf(axes, a).reduce((sum, value, column) => sum + value * axisOf(axes, b)[column]!, 0);
        expect(product).toBeCloseTo(a === b ? 1 : 0, 3);
      }
    }
  });

  it("copes with columns in which nothing is, and with no rows", () => {
    const flat = bundles(40, 0).map((value, at) => (at % COLUMNS === 4 ? 0 : value));
    const found = varimaxAxes(flat, COLUMNS, columnAxes(COLUMNS), 10);
    expect([...found].every(Number.isFinite)).toBe(true);
    expect([...varimaxAxes(new Float32Array(0), 0, columnAxes(0), 3)]).toEqual([]);
  });
});
