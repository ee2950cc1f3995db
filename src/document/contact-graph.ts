import type { ContactEdge } from "../mail/archive.ts";
import type { Contact } from "../mail/records/contact.ts";
import { ordinalOf } from "../mail/records/ids.ts";
import { COUNT, type JsonOf, list, record, TEXT } from "./published-record.ts";
import {
  COMMUNITY_ID,
  CONTACT_DEGREES,
  CONTACT_ID,
  CONTACT_IDENTITY,
  CONTACT_RANKS,
  CONTACT_TIMES,
} from "./published-values.ts";

/** A contact as a node of contacts.json, of the graph page and of every graph payload. */
const CONTACT_NODE = record({
  ...CONTACT_IDENTITY,
  ...CONTACT_TIMES,
  domains: ["domains", list(TEXT)],
  aliases: ["aliases", list(TEXT)],
  ...CONTACT_RANKS,
  /** Community number: 1 is `community-01`. */
  community: ["community", COUNT],
  communityId: ["community_id", COMMUNITY_ID],
  ...CONTACT_DEGREES,
});
type ContactNode = JsonOf<typeof CONTACT_NODE>;

/** Sender to recipient; `from` and `to` are node ids. */
const CONTACT_ARC = record({ from: ["from", CONTACT_ID], to: ["to", CONTACT_ID], count: ["count", COUNT] });
type ContactArc = JsonOf<typeof CONTACT_ARC>;

/** The contact graph as sent by servers: the strongest part of contacts.json, with the total size. */
export const GRAPH_PAYLOAD = record({
  /** Most messages first, then by id. */
  nodes: ["nodes", list(CONTACT_NODE)],
  /** Every edge between them, in (from, to) order of the archive. */
  edges: ["edges", list(CONTACT_ARC)],
  totalNodes: ["total_nodes", COUNT],
  totalEdges: ["total_edges", COUNT],
});
export type GraphPayload = JsonOf<typeof GRAPH_PAYLOAD>;

export function contactNode(contact: Contact): ContactNode {
  return CONTACT_NODE.writeParts(contact, { community: ordinalOf("community", contact.communityId) ?? 0 });
}

export function contactArc(edge: ContactEdge): ContactArc {
  return CONTACT_ARC.write(edge);
}

/** Published form of a part of the graph. */
interface GraphCut {
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
