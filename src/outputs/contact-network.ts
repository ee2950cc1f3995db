import { Float64Column, Int32Column, Uint8Column, Uint32Column } from "../columns/column.ts";
import { groupStarts } from "../columns/grouping.ts";
import { KeyNodes } from "../columns/key-nodes.ts";
import { TextColumn } from "../columns/text-column.ts";
import { addressKind } from "../contacts/names/role-address.ts";
import type { ContactEdge } from "../mail/archive.ts";
import type { Contact, Frequency } from "../mail/records/contact.ts";
import { type ContactId, communityId, contactId, ordinalOf } from "../mail/records/ids.ts";
import type { ContactOrdinal } from "../mail/records/ordinal.ts";
import type { ContactGraph } from "../network/contact-graph.ts";
import type { ContactMetrics } from "../network/network-insights.ts";

/** Fields of a contact in lists. */
export type ListedContact = Pick<
  Contact,
  | "id"
  | "name"
  | "email"
  | "messageCount"
  | "sentCount"
  | "receivedCount"
  | "frequency"
  | "firstSeen"
  | "lastSeen"
  | "communityId"
>;

const FREQUENCIES: readonly Frequency[] = ["low", "medium", "high"];
const ADDRESS_SPACE = 0;
const NOWHERE = -1;

/**
 * All contacts as columns by contact index, in id order, and by every address: about 150 bytes per contact, while an
 * object takes 1,000.
 */
export class ContactColumns {
  private readonly ordinals = new Uint32Column();
  /** Index by ordinal. */
  private readonly places = new Int32Column();
  private readonly names = new TextColumn();
  private readonly emails = new TextColumn();
  private readonly messageCounts = new Uint32Column();
  private readonly sentCounts = new Uint32Column();
  private readonly receivedCounts = new Uint32Column();
  private readonly frequencies = new Uint8Column();
  private readonly persons = new Uint8Column();
  /** NaN if nothing is dated. */
  private readonly firstSeen = new Float64Column();
  private readonly lastSeen = new Float64Column();
  private readonly authority = new Float64Column();
  private readonly hub = new Float64Column();
  private readonly pagerank = new Float64Column();
  private readonly communities = new Int32Column();
  private readonly addresses = new KeyNodes();
  /** Index by address number. */
  private readonly owners = new Int32Column();

  get length(): number {
    return this.ordinals.length;
  }

  /** Adds the next contact in id order. */
  add(contact: Contact): void {
    const ordinal = ordinalOf("contact", contact.id)!;
    while (this.places.length < ordinal) this.places.push(NOWHERE);
    this.places.push(this.length);
    for (const address of [contact.email, ...contact.aliases]) if (address !== "") this.own(address);
    this.ordinals.push(ordinal);
    this.names.push(contact.name);
    this.emails.push(contact.email);
    this.messageCounts.push(contact.messageCount);
    this.sentCounts.push(contact.sentCount);
    this.receivedCounts.push(contact.receivedCount);
    this.frequencies.push(FREQUENCIES.indexOf(contact.frequency));
    this.persons.push(addressKind(contact.email.split("@")[0] ?? "") === "person" ? 1 : 0);
    this.firstSeen.push(contact.firstSeen ?? Number.NaN);
    this.lastSeen.push(contact.lastSeen ?? Number.NaN);
    this.authority.push(contact.authorityScore);
    this.hub.push(contact.hubScore);
    this.pagerank.push(contact.pagerank);
    this.communities.push((ordinalOf("community", contact.communityId) ?? 1) - 1);
  }

  /** Assigns an address to the contact being added, even if another had it. */
  private own(address: string): void {
    const number = this.addresses.nodeOf(ADDRESS_SPACE, address.toLowerCase(), () => {
      this.owners.push(NOWHERE);
      return this.owners.length - 1;
    });
    this.owners.set(number, this.length);
  }

  at(index: number): ListedContact {
    return {
      id: this.idOf(index),
      name: this.names.at(index),
      email: this.emails.at(index),
      messageCount: this.messageCounts.at(index),
      sentCount: this.sentCounts.at(index),
      receivedCount: this.receivedCounts.at(index),
      frequency: FREQUENCIES[this.frequencies.at(index)]!,
      firstSeen: dated(this.firstSeen.at(index)),
      lastSeen: dated(this.lastSeen.at(index)),
      communityId: communityId(this.communities.at(index) + 1),
    };
  }

  idOf(index: number): ContactId {
    return contactId(this.ordinals.at(index) as ContactOrdinal);
  }

  /** Name of the contact, or its address. */
  titleOf(index: number): string {
    return this.names.at(index) || this.emails.at(index);
  }

  messageCountOf(index: number): number {
    return this.messageCounts.at(index);
  }

  isPerson(index: number): boolean {
    return this.persons.at(index) === 1;
  }

  /** Index of a contact; undefined for an unknown id. */
  indexOf(id: ContactId): number | undefined {
    const place = this.places.at(ordinalOf("contact", id) ?? this.places.length) ?? NOWHERE;
    return place === NOWHERE ? undefined : place;
  }

  /** Index of the contact with an address, or undefined. */
  withAddress(address: string): number | undefined {
    const number = this.addresses.find(ADDRESS_SPACE, address.toLowerCase());
    return number === null ? undefined : this.owners.at(number);
  }

  /** Most messages first, then in id order, like the lists of the archive. */
  mostActive(): Uint32Array {
    const counts = this.messageCounts.view();
    return Uint32Array.from(counts, (_, index) => index).sort((a, b) => counts[b]! - counts[a]! || a - b);
  }

  /**
   * The most active member of the community of each contact, a person if it has any. Its name hardly changes with
   * further mail, unlike the number of the community.
   */
  communityLeaders(): Int32Array {
    const communities = this.communities.view();
    const leaders = new Map<number, number>();
    for (const index of this.mostActive()) {
      const known = leaders.get(communities[index]!);
      if (known === undefined || (!this.isPerson(known) && this.isPerson(index)))
        leaders.set(communities[index]!, index);
    }
    return communities.map((community) => leaders.get(community)!);
  }

  /** Network metrics of the contacts, computed during extraction. */
  metrics(): ContactMetrics {
    const community = this.communities.view();
    return {
      authority: this.authority.view(),
      hub: this.hub.view(),
      pagerank: this.pagerank.view(),
      community,
      communityCount: community.reduce((most, number) => Math.max(most, number + 1), 0),
    };
  }

  seen(): { readonly first: Float64Array; readonly last: Float64Array } {
    return { first: this.firstSeen.view(), last: this.lastSeen.view() };
  }
}

function dated(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** The contact graph of an archive, read back from the store. */
export interface ContactNetwork {
  readonly contacts: ContactColumns;
  readonly graph: ContactGraph;
}

/** Collects all contacts, then all edges, in id order; 20 bytes per edge. */
export class NetworkColumns {
  private readonly contacts = new ContactColumns();
  private readonly sources = new Uint32Column();
  private readonly targets = new Uint32Column();
  private readonly counts = new Uint32Column();
  private readonly weights = new Float64Column();

  addContacts(contacts: readonly Contact[]): void {
    for (const contact of contacts) this.contacts.add(contact);
  }

  addEdges(edges: readonly ContactEdge[]): void {
    for (const { from, to, count, weight } of edges) {
      const source = this.contacts.indexOf(from);
      const target = this.contacts.indexOf(to);
      if (source === undefined || target === undefined) continue;
      this.sources.push(source);
      this.targets.push(target);
      this.counts.push(count);
      this.weights.push(weight);
    }
  }

  finish(): ContactNetwork {
    const { contacts } = this;
    const offsets = groupStarts(this.sources.view(), contacts.length);
    this.sources.clear();
    const graph = {
      nodeCount: contacts.length,
      offsets,
      targets: this.targets.view(),
      counts: this.counts.view(),
      weights: this.weights.view(),
    };
    return { contacts, graph };
  }
}
