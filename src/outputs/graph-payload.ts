import { setImmediate as nextTurn } from "node:timers/promises";
import { type GraphPayload, graphPayload } from "../document/contact-graph.ts";
import type { Archive, ContactEdge } from "../mail/archive.ts";

/**
 * The contacts with most messages, and the edges between them. Edges are read in batches, yielding to the event loop in
 * between, so that other requests do not wait for a graph of millions.
 * @param limit maximum nodes, 1 … 5,000.
 */
export async function collectGraphPayload(archive: Archive, limit: number): Promise<GraphPayload> {
  const { items: contacts, total: totalContacts } = await archive.contacts.list("frequency", { limit, offset: 0 });
  const shown = new Set(contacts.map(({ id }) => id));
  const edges: ContactEdge[] = [];
  let totalEdges = 0;
  for await (const batch of archive.contacts.edges()) {
    totalEdges += batch.length;
    for (const edge of batch) if (shown.has(edge.from) && shown.has(edge.to)) edges.push(edge);
    await nextTurn();
  }
  return graphPayload({ contacts, edges, totalContacts, totalEdges });
}
