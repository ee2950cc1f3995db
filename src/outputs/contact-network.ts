import type { Archive, ContactEdge } from "../mail/archive.ts";
import { Float64Column, Uint32Column } from "../mail/column.ts";
import type { Contact } from "../mail/contact.ts";
import { type ContactId, ordinalOf } from "../mail/ids.ts";
import type { ContactGraph } from "../network/contact-graph.ts";
import type { NetworkMetrics } from "../network/network-metrics.ts";

/** The contact graph of an archive as columns, read back from the store: the metrics are those that were measured on extraction. */
export interface ContactNetwork {
  /** By contact index, in id order. */
  readonly contacts: readonly Contact[];
  readonly graph: ContactGraph;
  readonly metrics: NetworkMetrics;
}

/** Reads contacts and edges. */
export async function readContactNetwork(archive: Archive): Promise<ContactNetwork> {
  const network = new NetworkColumns();
  for await (const batch of archive.contacts.scan()) network.addContacts(batch);
  for await (const batch of archive.contacts.edges()) network.addEdges(batch);
  return network.finish();
}

/** Gathers the network of all contacts, then of all edges, in id order; about 600 bytes a contact and 20 an edge. */
export class NetworkColumns {
  private readonly contacts: Contact[] = [];
  private readonly indexOf = new Map<ContactId, number>();
  private readonly sources = new Uint32Column();
  private readonly targets = new Uint32Column();
  private readonly counts = new Uint32Column();
  private readonly weights = new Float64Column();

  addContacts(contacts: readonly Contact[]): void {
    for (const contact of contacts) {
      this.indexOf.set(contact.id, this.contacts.length);
      this.contacts.push(contact);
    }
  }

  addEdges(edges: readonly ContactEdge[]): void {
    for (const { from, to, count, weight } of edges) {
      const source = this.indexOf.get(from);
      const target = this.indexOf.get(to);
      if (source === undefined || target === undefined) continue;
      this.sources.push(source);
      this.targets.push(target);
      this.counts.push(count);
      this.weights.push(weight);
    }
  }

  finish(): ContactNetwork {
    const { contacts } = this;
    const offsets = new Uint32Array(contacts.length + 1);
    for (const source of this.sources.view()) offsets[source + 1] = (offsets[source + 1] as number) + 1;
    for (let index = 0; index < contacts.length; index += 1)
      offsets[index + 1] = (offsets[index + 1] as number) + (offsets[index] as number);
    const graph = {
      nodeCount: contacts.length,
      offsets,
      targets: this.targets.view(),
      counts: this.counts.view(),
      weights: this.weights.view(),
    };
    return { contacts, graph, metrics: metricsOf(contacts) };
  }
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
