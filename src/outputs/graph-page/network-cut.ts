import type { Archive } from "../../mail/archive.ts";
import type { Contact } from "../../mail/contact.ts";

/** Contacts of the network at most in one cut: what a page can draw and a person can look at. */
export const MAX_NODES = 5_000;
export const DEFAULT_NODES = 500;

/** An edge of the network; `from` and `to` are indices into the contacts of the cut. */
export interface CutEdge {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly weight: number;
}

/** The strongest part of a network. */
export interface NetworkCut {
  /** Most messages first, then by id. */
  readonly contacts: readonly Contact[];
  /** Every edge between them, in (from, to) order of the archive. */
  readonly edges: readonly CutEdge[];
  readonly totalContacts: number;
  readonly totalEdges: number;
}

/** The contacts with most messages, and what they wrote one another. @param limit nodes at most, 1 … 5,000. */
export async function cutNetwork(archive: Archive, limit: number): Promise<NetworkCut> {
  const most = Math.max(1, Math.min(MAX_NODES, limit));
  const { items: contacts, total: totalContacts } = await archive.contacts.list("frequency", {
    limit: most,
    offset: 0,
  });
  const placeOf = new Map(contacts.map(({ id }, place) => [id, place]));
  const edges: CutEdge[] = [];
  let totalEdges = 0;
  for await (const batch of archive.contacts.edges()) {
    totalEdges += batch.length;
    for (const edge of batch) {
      const from = placeOf.get(edge.from);
      const to = placeOf.get(edge.to);
      if (from !== undefined && to !== undefined) edges.push({ from, to, count: edge.count, weight: edge.weight });
    }
  }
  return { contacts, edges, totalContacts, totalEdges };
}
