import type { Contact } from "../../mail/contact.ts";
import type { ContactNetwork } from "../contact-network.ts";

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
export function cutNetwork({ contacts, graph }: ContactNetwork, limit: number): NetworkCut {
  const strongest = Array.from(contacts.keys())
    .sort((a, b) => contacts[b]!.messageCount - contacts[a]!.messageCount || a - b)
    .slice(0, Math.max(1, Math.min(MAX_NODES, limit)));
  const place = new Int32Array(contacts.length).fill(-1);
  for (const [at, contact] of strongest.entries()) place[contact] = at;
  const edges: CutEdge[] = [];
  for (let contact = 0; contact < contacts.length; contact++) {
    const from = place[contact]!;
    if (from < 0) continue;
    for (let at = graph.offsets[contact]!; at < graph.offsets[contact + 1]!; at++) {
      const to = place[graph.targets[at]!]!;
      if (to >= 0) edges.push({ from, to, count: graph.counts[at]!, weight: graph.weights[at]! });
    }
  }
  return {
    contacts: strongest.map((contact) => contacts[contact]!),
    edges,
    totalContacts: contacts.length,
    totalEdges: graph.targets.length,
  };
}
