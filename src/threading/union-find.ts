import { Int32Column } from "../columns/column.ts";

/**
 * Disjoint sets over dense node numbers that grow as nodes are created. Union by smaller root, path halving: near
 * constant time, no recursion.
 */
export class UnionFind {
  private readonly parent = new Int32Column();

  get size(): number {
    return this.parent.length;
  }

  /** Creates a set with one new node; returns its number. */
  make(): number {
    const node = this.parent.length;
    this.parent.push(node);
    return node;
  }

  /** Removes every node and frees the memory. */
  clear(): void {
    this.parent.clear();
  }

  find(node: number): number {
    let current = node;
    let up = this.parent.at(current);
    while (up !== current) {
      const above = this.parent.at(up);
      this.parent.set(current, above);
      current = above;
      up = this.parent.at(current);
    }
    return current;
  }

  /** Joins two sets; the smaller root stays, so that the result does not depend on the order of joins. */
  union(a: number, b: number): void {
    const rootA = this.find(a);
    const rootB = this.find(b);
    if (rootA < rootB) this.parent.set(rootB, rootA);
    else if (rootB < rootA) this.parent.set(rootA, rootB);
  }
}
