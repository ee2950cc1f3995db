import type { ContactEdge } from "../mail/archive.ts";
import type { Contact } from "../mail/contact.ts";
import { ordinalOf } from "../mail/ids.ts";
import { formatInstant } from "../mail/instant.ts";
import { publishedScore } from "./wire-values.ts";

/** A contact as a node of contacts.json, of the graph page and of every graph payload. */
export interface ContactNode {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly message_count: number;
  readonly sent_count: number;
  readonly received_count: number;
  readonly first_seen: string | null;
  readonly last_seen: string | null;
  readonly domains: readonly string[];
  readonly aliases: readonly string[];
  readonly authority_score: number;
  readonly hub_score: number;
  readonly pagerank: number;
  /** Community number: 1 is `community-01`. */
  readonly community: number;
  readonly community_id: string;
  readonly degree: number;
  readonly in_degree: number;
  readonly out_degree: number;
}

/** Sender to recipient; `from` and `to` are node ids. */
export interface ContactArc {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

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

/** The contact graph as a server sends it: contacts.json cut to its strongest part, with the size of the whole. */
export interface GraphPayload {
  /** Most messages first, then by id. */
  readonly nodes: readonly ContactNode[];
  /** Every edge between them, in (from, to) order of the archive. */
  readonly edges: readonly ContactArc[];
  readonly total_nodes: number;
  readonly total_edges: number;
}

/** What a cut of the graph is published as. */
export interface GraphCut {
  readonly contacts: readonly Contact[];
  readonly edges: readonly ContactEdge[];
  readonly totalContacts: number;
  readonly totalEdges: number;
}

export function graphPayload({ contacts, edges, totalContacts, totalEdges }: GraphCut): GraphPayload {
  return { nodes: contacts.map(contactNode), edges: edges.map(contactArc), total_nodes: totalContacts, total_edges: totalEdges };
}
