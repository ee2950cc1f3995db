/**
 * Data of the contact graph as columns: the nodes and edges of contacts.json without repeated keys, and the position of
 * each node. Written by Node, read by browsers. Times are seconds since 1970 in UTC.
 */
export interface GraphData {
  /** Name and version of the tool that wrote the page. */
  readonly generator: string;
  readonly extractedAt: number;
  /** Totals of the archive; the page shows the strongest part of it. */
  readonly totals: { readonly contacts: number; readonly edges: number };
  /** Main time span of the archive, without outliers; null if nothing is dated. */
  readonly dates: { readonly first: number; readonly last: number } | null;
  readonly nodes: NodeColumns;
  readonly ties: TieColumns;
  /** Communities of the nodes shown, the largest first. */
  readonly communities: readonly GraphCommunity[];
}

/** One element per node, most messages first. */
export interface NodeColumns {
  readonly id: readonly string[];
  readonly name: readonly string[];
  readonly email: readonly string[];
  readonly aliases: readonly (readonly string[])[];
  readonly messages: readonly number[];
  readonly sent: readonly number[];
  readonly received: readonly number[];
  readonly firstSeen: readonly (number | null)[];
  readonly lastSeen: readonly (number | null)[];
  readonly hub: readonly number[];
  readonly authority: readonly number[];
  readonly pagerank: readonly number[];
  /** Index into `communities`. */
  readonly community: readonly number[];
  /** Different contacts written to or heard from in the whole archive. */
  readonly partners: readonly number[];
  /** Initial position in world units. */
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** One element per pair of correspondents; `a` and `b` are node indices. */
interface TieColumns {
  readonly a: readonly number[];
  readonly b: readonly number[];
  /** Messages from a to b, and from b to a. */
  readonly there: readonly number[];
  readonly back: readonly number[];
  /** Number of leading ties that are the strongest of some node: the skeleton of the picture. */
  readonly skeleton: number;
}

export interface GraphCommunity {
  /** Such as `community-01`. */
  readonly id: string;
  /** Names of its most central people. */
  readonly name: string;
  /** Nodes shown. */
  readonly members: number;
}

/** Radius of the node with most messages, and of one with hardly any, in world units. */
const LARGEST_RADIUS = 30;
const SMALLEST_RADIUS = 3;

/**
 * Radius of a node in world units: its area grows with the messages, so that twice the mail looks like twice as much.
 */
export function nodeRadius(messages: number, mostMessages: number): number {
  return Math.max(SMALLEST_RADIUS, LARGEST_RADIUS * Math.sqrt(messages / Math.max(1, mostMessages)));
}
