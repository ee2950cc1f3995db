import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import { type GraphPayload, graphPayload } from "../../document/contact-graph.ts";
import type { Archive, ContactEdge } from "../../mail/archive.ts";
import type { Contact } from "../../mail/contact.ts";
import type { ContactId } from "../../mail/ids.ts";
import { DEFAULT_NODES, MAX_NODES } from "../../outputs/graph-page/network-cut.ts";
import { collectGraphPayload } from "../../outputs/graph-payload.ts";
import { queryRoute, requireFound } from "../query-api/query-route.ts";
import { filter, limit } from "../query-api/wire-requests.ts";
import { graphSchema } from "./wire-tables.ts";

export const graph = queryRoute({
  path: "/graph",
  summary: "The contact network: its strongest part, or one person with those who wrote with that person",
  parameters: z.object({
    person: filter("id of a contact: the network around that person"),
    limit: limit(DEFAULT_NODES, MAX_NODES),
  }),
  data: graphSchema,
  async answer({ archive, parameters: { person, limit: most } }) {
    if (!person) return collectGraphPayload(archive, most);
    return neighbourhood(archive, requireFound(await archive.contacts.get(person), "Contact", person), most);
  },
});

/** A person, those with the strongest ties, and what they all wrote one another. */
async function neighbourhood(archive: Archive, person: Contact, limit: number): Promise<GraphPayload> {
  const { ties, totalEdges } = await tiesOf(archive, person.id);
  const nearest = Array.from(ties).sort((left, right) => right[1] - left[1]);
  const contacts: Contact[] = [person];
  for (const [id] of nearest.slice(0, limit - 1)) {
    const contact = await archive.contacts.get(id);
    if (contact !== null) contacts.push(contact);
  }
  const shown = new Set(contacts.map(({ id }) => id));
  const edges: ContactEdge[] = [];
  for await (const batch of archive.contacts.edges()) {
    edges.push(...batch.filter(({ from, to }) => shown.has(from) && shown.has(to)));
    await nextTurn();
  }
  return graphPayload({ contacts, edges, totalContacts: ties.size + 1, totalEdges });
}

/** Messages between a person and everybody else, both directions together. */
async function tiesOf(
  archive: Archive,
  person: ContactId,
): Promise<{ readonly ties: ReadonlyMap<ContactId, number>; readonly totalEdges: number }> {
  const ties = new Map<ContactId, number>();
  let totalEdges = 0;
  for await (const batch of archive.contacts.edges()) {
    totalEdges += batch.length;
    for (const { from, to, count } of batch.filter((edge) => edge.from === person || edge.to === person)) {
      const other = from === person ? to : from;
      ties.set(other, (ties.get(other) ?? 0) + count);
    }
    await nextTurn();
  }
  ties.delete(person);
  return { ties, totalEdges };
}
