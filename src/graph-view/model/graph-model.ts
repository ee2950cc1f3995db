import { type GraphData, nodeRadius } from "./graph-data.ts";

/** Number of communities with a distinct color; the rest share the gray of this slot. */
export const COLORED = 12;
export const NO_NODE = -1;

/** The graph as the page works with it: columns by node index, and the ties of each node. */
export interface GraphModel {
  readonly data: GraphData;
  readonly size: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly radius: Float64Array;
  /** Color of each node, 0 … 12. */
  readonly slot: Uint8Array;
  /** Ties of node n are tieList[tieStart[n] … tieStart[n + 1]). */
  readonly tieStart: Uint32Array;
  readonly tieList: Uint32Array;
}

export function readModel(data: GraphData): GraphModel {
  const { nodes, ties } = data;
  const size = nodes.id.length;
  const most = nodes.messages[0] ?? 0;
  const tieStart = new Uint32Array(size + 1);
  for (const end of [ties.a, ties.b]) for (const node of end) tieStart[node + 1]!++;
  for (let node = 0; node < size; node++) tieStart[node + 1]! += tieStart[node]!;
  const tieList = new Uint32Array(ties.a.length * 2);
  const next = tieStart.slice();
  for (let tie = 0; tie < ties.a.length; tie++) {
    tieList[next[ties.a[tie]!]!++] = tie;
    tieList[next[ties.b[tie]!]!++] = tie;
  }
  return {
    data,
    size,
    x: Float64Array.from(nodes.x),
    y: Float64Array.from(nodes.y),
    radius: Float64Array.from(nodes.messages, (messages) => nodeRadius(messages, most)),
    slot: Uint8Array.from(nodes.community, (community) => Math.min(community, COLORED)),
    tieStart,
    tieList,
  };
}

export function tiesOf({ tieStart, tieList }: GraphModel, node: number): Uint32Array {
  return tieList.subarray(tieStart[node]!, tieStart[node + 1]!);
}

/** The other end of a tie of `node`. */
export function otherEnd({ data: { ties } }: GraphModel, tie: number, node: number): number {
  return ties.a[tie] === node ? ties.b[tie]! : ties.a[tie]!;
}

/** Label of a node. */
export function nameOf({ data: { nodes } }: GraphModel, node: number): string {
  return nodes.name[node] || nodes.email[node] || nodes.id[node]!;
}

export function communityOf({ data: { nodes, communities } }: GraphModel, node: number): string {
  const community = communities[nodes.community[node]!]!;
  return `${community.id.replace("community-", "Community ").replace(/ 0+/, " ")}: ${community.name}`;
}
