import { COLORED, type GraphModel } from "../model/graph-model.ts";

/** Edges drawn with one stroke: same color, width and opacity. */
export interface EdgeBatch {
  /** Node slot for ties inside a community, -1 between two. */
  readonly slot: number;
  readonly widthPx: number;
  readonly opacity: number;
  readonly ties: Uint32Array;
}

/** Width of a tie by its messages in both directions. */
const WIDTHS: readonly { readonly messages: number; readonly widthPx: number }[] = [
  { messages: 300, widthPx: 2.6 },
  { messages: 50, widthPx: 1.5 },
  { messages: 0, widthPx: 0.8 },
];
/** The skeleton is emphasized, so that the shape is visible through the mesh of weak edges. */
const SKELETON_OPACITY = 0.42;
const MESH_OPACITY = 0.13;
/** Number of ties from which all are drawn fainter: many faint lines are as dark as few strong ones. */
const MANY_TIES = 4_000;

/** Groups ties so that thousands are stroked in a few dozen calls; weak ones first, the skeleton on top. */
export function batchEdges({ data: { ties, nodes } }: GraphModel): readonly EdgeBatch[] {
  const groups = new Map<number, number[]>();
  const thinning = Math.sqrt(Math.min(1, MANY_TIES / ties.a.length));
  for (let tie = 0; tie < ties.a.length; tie++) {
    const community = nodes.community[ties.a[tie]!]!;
    const slot = community === nodes.community[ties.b[tie]!] ? Math.min(community, COLORED) : -1;
    const width = WIDTHS.findIndex(({ messages }) => ties.there[tie]! + ties.back[tie]! >= messages);
    const isSkeleton = tie < ties.skeleton;
    const key = ((isSkeleton ? 1 : 0) * WIDTHS.length + width) * (COLORED + 2) + slot + 1;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [tie]);
    else group.push(tie);
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([key, group]) => {
      const style = Math.floor(key / (COLORED + 2));
      return {
        slot: (key % (COLORED + 2)) - 1,
        widthPx: WIDTHS[style % WIDTHS.length]!.widthPx,
        opacity: (style >= WIDTHS.length ? SKELETON_OPACITY : MESH_OPACITY) * thinning,
        ties: Uint32Array.from(group),
      };
    });
}
