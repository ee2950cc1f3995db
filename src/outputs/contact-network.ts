import type { Archive } from "../mail/archive.ts";
import type { Contact } from "../mail/contact.ts";
import { ordinalOf } from "../mail/ids.ts";
import type { ContactGraph } from "../network/contact-graph.ts";
import type { NetworkMetrics } from "../network/network-metrics.ts";

/** The contact graph of an archive as columns, read back from the store: the metrics are those that were measured on extraction. */
export interface ContactNetwork {
  /** By contact index, in id order. */
  readonly contacts: readonly Contact[];
  readonly graph: ContactGraph;
  readonly metrics: NetworkMetrics;
}

/** Reads contacts and edges; about 200 bytes a contact and 16 an edge. */
export async function readContactNetwork(archive: Archive): Promise<ContactNetwork> {
  const contacts: Contact[] = [];
  for await (const batch of archive.contacts.scan()) contacts.push(...batch);
  const indexOf = new Map(contacts.map((contact, index) => [contact.id, index]));
  const offsets = new Uint32Array(contacts.length + 1);
  const targets: number[] = [];
  const counts: number[] = [];
  const weights: number[] = [];
  for await (const batch of archive.contacts.edges()) {
    for (const { from, to, count, weight } of batch) {
      const source = indexOf.get(from);
      const target = indexOf.get(to);
      if (source === undefined || target === undefined) continue;
      offsets[source + 1] = (offsets[source + 1] as number) + 1;
      targets.push(target);
      counts.push(count);
      weights.push(weight);
    }
  }
  for (let index = 0; index < contacts.length; index += 1) offsets[index + 1] = (offsets[index + 1] as number) + (offsets[index] as number);
  const graph = {
    nodeCount: contacts.length,
    offsets,
    targets: Uint32Array.from(targets),
    counts: Uint32Array.from(counts),
    weights: Float64Array.from(weights),
  };
  return { contacts, graph, metrics: metricsOf(contacts) };
}

function metricsOf(contacts: readonly Contact[]): NetworkMetrics {
  const community = Int32Array.from(contacts, (contact) => (ordinalOf("community", contact.communityId) ?? 1) - 1);
  return {
    authority: Float64Array.from(contacts, (contact) => contact.authorityScore),
    hub: Float64Array.from(contacts, (contact) => contact.hubScore),
    pagerank: Float64Array.from(contacts, (contact) => contact.pagerank),
    degree: Uint32Array.from(contacts, (contact) => contact.degree),
    inDegree: Uint32Array.from(contacts, (contact) => contact.inDegree),
    outDegree: Uint32Array.from(contacts, (contact) => contact.outDegree),
    community,
    communityCount: community.reduce((most, number) => Math.max(most, number + 1), 0),
    modularity: Number.NaN,
  };
}
