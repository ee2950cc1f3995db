import { setImmediate as nextTurn } from "node:timers/promises";
import type { Archive } from "../../mail/archive.ts";
import { EARLIEST_INSTANT, type Instant, LATEST_INSTANT } from "../../mail/dates/instant.ts";
import type { Contact } from "../../mail/records/contact.ts";
import { type ContactId, ordinalOf } from "../../mail/records/ids.ts";

/** Maximum contacts in a part of the graph: what a page can draw and a person can survey. */
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
  /** Different contacts that each of them wrote to or heard from, in the whole archive. */
  readonly partners: readonly number[];
  /** Every edge between them, in (from, to) order of the archive. */
  readonly edges: readonly CutEdge[];
  readonly totalContacts: number;
  readonly totalEdges: number;
}

/** A period in which people were seen. */
interface SeenSpan {
  readonly first: Instant;
  readonly last: Instant;
}

/** Minimum contacts considered for a page: those seen in a period may be far apart. */
const LOOKED_AT = 1000;
const ALWAYS: SeenSpan = { first: EARLIEST_INSTANT, last: LATEST_INSTANT };

/** The page and the route select the same people. */
function wasSeen({ firstSeen, lastSeen }: Contact, span: SeenSpan): boolean {
  if (span === ALWAYS) return true;
  return firstSeen !== null && firstSeen <= span.last && (lastSeen ?? firstSeen) >= span.first;
}

/**
 * The contacts with most messages, and the edges between them.
 * @param limit maximum nodes, 1 … 5,000
 * @param span when they were seen
 */
export async function cutNetwork(archive: Archive, limit: number, span = ALWAYS): Promise<NetworkCut> {
  const most = Math.max(1, Math.min(MAX_NODES, limit));
  const contacts: Contact[] = [];
  let totalContacts = 1;
  const step = Math.max(most, LOOKED_AT);
  for (let offset = 0; offset < totalContacts && contacts.length < most; offset += step) {
    const { items, total } = await archive.contacts.list("frequency", { limit: step, offset });
    totalContacts = total;
    contacts.push(...items.filter((contact) => wasSeen(contact, span)));
  }
  return { ...(await edgesAmong(archive, contacts.slice(0, most))), totalContacts };
}

/** A contact, its strongest ties, and the ties between all of them. */
export async function cutNeighborhood(
  archive: Archive,
  center: Contact,
  limit: number,
  span = ALWAYS,
): Promise<NetworkCut> {
  const nearest = await tiesOf(archive, center.id);
  const contacts: Contact[] = [center];
  const most = Math.max(1, Math.min(MAX_NODES, limit));
  for (const [id] of nearest) {
    if (contacts.length >= most) break;
    const contact = await archive.contacts.get(id);
    if (contact !== null && wasSeen(contact, span)) contacts.push(contact);
  }
  contacts.sort((one, other) => other.messageCount - one.messageCount || (one.id < other.id ? -1 : 1));
  return { ...(await edgesAmong(archive, contacts)), totalContacts: nearest.length + 1 };
}

/** Correspondents of a contact with their number of messages, most first. */
async function tiesOf(archive: Archive, center: ContactId): Promise<readonly (readonly [ContactId, number])[]> {
  const ties = new Map<ContactId, number>();
  for await (const batch of archive.contacts.edges()) {
    for (const { from, to, count } of batch) {
      if ((from === center) === (to === center)) continue;
      const other = from === center ? to : from;
      ties.set(other, (ties.get(other) ?? 0) + count);
    }
    await nextTurn();
  }
  return Array.from(ties).sort(([one, some], [other, more]) => more - some || (one < other ? -1 : 1));
}

/**
 * Ties between contacts. Edges are read in batches, yielding to the event loop in between, so that other requests do
 * not wait for a graph of millions.
 */
async function edgesAmong(archive: Archive, contacts: readonly Contact[]): Promise<Omit<NetworkCut, "totalContacts">> {
  const placeOf = new Map(contacts.map(({ id }, place) => [id, place]));
  const partners = contacts.map(() => new Set<number>());
  const edges: CutEdge[] = [];
  let totalEdges = 0;
  for await (const batch of archive.contacts.edges()) {
    totalEdges += batch.length;
    for (const edge of batch.filter(({ from, to }) => from !== to)) {
      const from = placeOf.get(edge.from) ?? -1;
      const to = placeOf.get(edge.to) ?? -1;
      partners[from]?.add(ordinalOf("contact", edge.to)!);
      partners[to]?.add(ordinalOf("contact", edge.from)!);
      if (from >= 0 && to >= 0) edges.push({ from, to, count: edge.count, weight: edge.weight });
    }
    await nextTurn();
  }
  return { contacts, partners: partners.map(({ size }) => size), edges, totalEdges };
}
