import type { CutEdge } from "./network-cut.ts";

/** Both directions between two contacts as one line of the picture; a < b. */
export interface Tie {
  readonly a: number;
  readonly b: number;
  /** Messages from a to b, and from b to a. */
  readonly there: number;
  readonly back: number;
  readonly weight: number;
}

export interface TieSelection {
  /** Skeleton first, then the rest; each part strongest first. */
  readonly ties: readonly Tie[];
  readonly skeleton: number;
  /** Number of directed edges in the ties. */
  readonly edges: number;
}

/** Strongest ties per node in the skeleton: few enough to show the structure, enough to connect it. */
const SKELETON_TIES = 3;
/** Maximum ties in one page: about 14 bytes each, and more only blacken the picture. */
const MAX_TIES = 15_000;

/** Joins the directions and picks the ties that are drawn. */
export function selectTies(edges: readonly CutEdge[], nodeCount: number): TieSelection {
  const ranked = joinDirections(edges, nodeCount).sort(
    (one, other) => other.weight - one.weight || one.a - other.a || one.b - other.b,
  );
  const taken = new Uint8Array(nodeCount);
  const skeleton: Tie[] = [];
  const rest: Tie[] = [];
  for (const tie of ranked) {
    if (taken[tie.a]! < SKELETON_TIES || taken[tie.b]! < SKELETON_TIES) {
      taken[tie.a] = Math.min(SKELETON_TIES, taken[tie.a]! + 1);
      taken[tie.b] = Math.min(SKELETON_TIES, taken[tie.b]! + 1);
      skeleton.push(tie);
    } else rest.push(tie);
  }
  const ties = [...skeleton, ...rest].slice(0, MAX_TIES);
  return {
    ties,
    skeleton: Math.min(skeleton.length, ties.length),
    edges: ties.reduce((sum, { there, back }) => sum + Number(there > 0) + Number(back > 0), 0),
  };
}

function joinDirections(edges: readonly CutEdge[], nodeCount: number): Tie[] {
  const ties = new Map<number, Tie>();
  for (const { from, to, count, weight } of edges) {
    if (from === to) continue;
    const a = Math.min(from, to);
    const b = Math.max(from, to);
    const key = a * nodeCount + b;
    const known = ties.get(key) ?? { a, b, there: 0, back: 0, weight: 0 };
    ties.set(key, {
      ...known,
      there: known.there + (from === a ? count : 0),
      back: known.back + (from === a ? 0 : count),
      weight: known.weight + weight,
    });
  }
  return [...ties.values()];
}
