import { growArray } from "../columns/grow-array.ts";

/** Maximum depth of cells; points in one cell there are treated as one. 2^-24 of the area is below a pixel. */
const MAX_DEPTH = 24;
const NO_CELL = 0;

/**
 * Barnes-Hut tree over points in the plane (Barnes and Hut 1986, doi:10.1038/324446a0), in columns that every build
 * reuses. Cell 0 means none and cell 1 is the root; `children` has the index of the first of a cell's four children.
 */
export class Quadtree {
  private children: Int32Array;
  private mass: Float64Array;
  private sumX: Float64Array;
  private sumY: Float64Array;
  /** Index of the single point of a leaf, -1 for cells with several. */
  private points: Int32Array;
  private stack: Int32Array;
  private cells = 2;
  private x = 0;
  private y = 0;
  private side = 1;

  /** @param pointCount maximum number of points per build */
  constructor(pointCount: number) {
    const capacity = Math.max(64, pointCount * 8);
    this.children = new Int32Array(capacity);
    this.mass = new Float64Array(capacity);
    this.sumX = new Float64Array(capacity);
    this.sumY = new Float64Array(capacity);
    this.points = new Int32Array(capacity);
    this.stack = new Int32Array(capacity);
  }

  build(xs: Float64Array, ys: Float64Array): void {
    let [left, right, top, bottom] = [
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ];
    for (let point = 0; point < xs.length; point++) {
      left = Math.min(left, xs[point]!);
      right = Math.max(right, xs[point]!);
      top = Math.min(top, ys[point]!);
      bottom = Math.max(bottom, ys[point]!);
    }
    this.x = left;
    this.y = top;
    this.side = Math.max(right - left, bottom - top, 1);
    this.cells = 2;
    this.clear(1);
    for (let point = 0; point < xs.length; point++) this.insert(point, xs, ys);
  }

  private clear(cell: number): void {
    this.children[cell] = NO_CELL;
    this.mass[cell] = 0;
    this.sumX[cell] = 0;
    this.sumY[cell] = 0;
    this.points[cell] = -1;
  }

  /** Adds four children to a cell; returns the first. */
  private split(cell: number): number {
    const first = this.cells;
    this.cells += 4;
    if (this.cells > this.children.length) this.grow();
    for (let child = first; child < first + 4; child++) this.clear(child);
    this.children[cell] = first;
    return first;
  }

  private grow(): void {
    this.children = growArray(this.children);
    this.points = growArray(this.points);
    this.stack = growArray(this.stack);
    this.mass = growArray(this.mass);
    this.sumX = growArray(this.sumX);
    this.sumY = growArray(this.sumY);
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the way down the tree, with the split of a cell where two points meet
  private insert(point: number, xs: Float64Array, ys: Float64Array): void {
    const x = xs[point]!;
    const y = ys[point]!;
    let [left, top, side, cell] = [this.x, this.y, this.side, 1];
    for (let depth = 0; ; depth++) {
      const resident = this.points[cell]!;
      const isEmpty = this.mass[cell] === 0;
      this.mass[cell]!++;
      this.sumX[cell]! += x;
      this.sumY[cell]! += y;
      if (isEmpty) {
        this.points[cell] = point;
        return;
      }
      if (depth >= MAX_DEPTH) {
        this.points[cell] = -1;
        return;
      }
      side /= 2;
      const middleX = left + side;
      const middleY = top + side;
      let first = this.children[cell]!;
      if (first === NO_CELL) {
        first = this.split(cell);
        this.points[cell] = -1;
        const rx = xs[resident]!;
        const ry = ys[resident]!;
        const child = first + (rx >= middleX ? 1 : 0) + (ry >= middleY ? 2 : 0);
        this.points[child] = resident;
        this.mass[child] = 1;
        this.sumX[child] = rx;
        this.sumY[child] = ry;
      }
      cell = first + (x >= middleX ? 1 : 0) + (y >= middleY ? 2 : 0);
      if (x >= middleX) left = middleX;
      if (y >= middleY) top = middleY;
    }
  }

  /**
   * Adds the repulsion of all other points to `fx[point]` and `fy[point]`: `strength` over the distance. A cell counts
   * as one body if its side is below `theta` distances.
   */
  addRepulsion(point: number, xs: Float64Array, ys: Float64Array, push: Push): void {
    const x = xs[point]!;
    const y = ys[point]!;
    const thetaSquared = push.theta * push.theta;
    const stack = this.stack;
    const sides = push.sides;
    let height = 0;
    stack[height] = 1;
    sides[height++] = this.side;
    let fx = 0;
    let fy = 0;
    while (height > 0) {
      const cell = stack[--height]!;
      const side = sides[height]!;
      const mass = this.mass[cell]!;
      if (mass === 0 || this.points[cell] === point) continue;
      const dx = x - this.sumX[cell]! / mass;
      const dy = y - this.sumY[cell]! / mass;
      const squared = dx * dx + dy * dy;
      const first = this.children[cell]!;
      if (first !== NO_CELL && side * side >= thetaSquared * squared) {
        for (let child = first; child < first + 4; child++) {
          stack[height] = child;
          sides[height++] = side / 2;
        }
        continue;
      }
      const scale = (push.strength * mass) / Math.max(squared, push.leastSquared);
      fx += dx * scale;
      fy += dy * scale;
    }
    push.fx[point]! += fx;
    push.fy[point]! += fy;
  }
}

/** Parameters of the repulsion, and the columns to which it is added. */
export interface Push {
  readonly strength: number;
  readonly theta: number;
  /** Squared distance below which the repulsion does not grow. */
  readonly leastSquared: number;
  readonly fx: Float64Array;
  readonly fy: Float64Array;
  /** Space for the sides of pending cells: at least 4 per level. */
  readonly sides: Float64Array;
}

/** Length that `Push.sides` needs. */
export const WAITING_CELLS = 4 * (MAX_DEPTH + 2);
