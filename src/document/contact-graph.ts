import type { ContactEdge } from "../mail/archive.ts";
import type { Contact } from "../mail/contact.ts";
import { ordinalOf } from "../mail/ids.ts";
import { formatInstant } from "../mail/instant.ts";
import type { ContactArc, ContactNode, GraphPayload } from "./contact-graph-schema.ts";
import { publishedScore } from "./published-values.ts";

export function contactNode(contact: Contact): ContactNode {
  return {
    id: contact.id,
    name: contact.name,
    email: contact.email,
    message_count: contact.messageCount,
    sent_count: contact.sentCount,
    received_count: contact.receivedCount,
    first_seen: formatInstant(contact.firstSeen),
    last_seen: formatInstant(contact.lastSeen),
    domains: contact.domains,
    aliases: contact.aliases,
    authority_score: publishedScore(contact.authorityScore),
    hub_score: publishedScore(contact.hubScore),
    pagerank: publishedScore(contact.pagerank),
    community: ordinalOf("community", contact.communityId) ?? 0,
    community_id: contact.communityId,
    degree: contact.degree,
    in_degree: contact.inDegree,
    out_degree: contact.outDegree,
  };
}

export function contactArc(edge: ContactEdge): ContactArc {
  return { from: edge.from, to: edge.to, count: edge.count };
}

/** What a cut of the graph is published as. */
export interface GraphCut {
  readonly contacts: readonly Contact[];
  readonly edges: readonly ContactEdge[];
  readonly totalContacts: number;
  readonly totalEdges: number;
}

export function graphPayload({ contacts, edges, totalContacts, totalEdges }: GraphCut): GraphPayload {
  return {
    nodes: contacts.map(contactNode),
    edges: edges.map(contactArc),
    total_nodes: totalContacts,
    total_edges: totalEdges,
  };
}
