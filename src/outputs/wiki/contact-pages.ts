import type { MessageHeading } from "../../mail/archive.ts";
import type { Address } from "../../mail/records/address.ts";
import type { ContactDetail } from "../../mail/records/contact.ts";
import type { ContactId, MessageId, ThreadId } from "../../mail/records/ids.ts";
import type { ArchivedItem } from "../../mail/records/item.ts";
import type { ArchiveStatistics } from "../../mail/records/provenance.ts";
import { type ArcsInto, arcsInto } from "../../network/contact-graph.ts";
import { countOf, formatCount } from "../../text/tokens/format-count.ts";
import { type AddressCard, addressCard, addressesOfCard, MAX_CARDS } from "../address-cards.ts";
import type { ContactColumns, ContactNetwork, ListedContact } from "../contact-network.ts";
import { Greatest, type Ranked } from "./greatest.ts";
import { ADDRESS_BOOK } from "./item-pages.ts";
import { cell, inline, section, table } from "./markdown.ts";
import type { PageDirectory } from "./page-directory.ts";
import { pagesOf } from "./page-plan.ts";
import { PagedList } from "./paged-list.ts";
import { showDay, showSent, type Vault } from "./vault.ts";
import { writePage } from "./wiki-page.ts";

/** Rows per page of contacts.md. */
const PAGE_SIZE = 2_000;
/** Maximum messages listed on the page of a contact. */
const RECENT_MESSAGES = 20;
/** Maximum correspondents and topics listed on the page of a contact. */
const TOP_RELATED = 10;

/** Writes contacts.md: everybody, most active first. */
export function writeContactList(
  directory: PageDirectory,
  contacts: ContactColumns,
  { earliest, latest }: ArchiveStatistics["dateRange"],
  vault: Vault,
): void {
  const header = ["Name", "Email", "Messages", "Sent", "Received", "First", "Last", "Frequency", "Community"];
  const list = new PagedList(
    directory,
    {
      path: "contacts",
      title: "Contacts",
      facts: { earliest: showDay(earliest), latest: showDay(latest) },
      plan: pagesOf(contacts.length, PAGE_SIZE),
      head: table(header, []),
    },
    vault.links,
  );
  for (const index of contacts.mostActive()) list.add(`| ${contactRow(contacts.at(index), vault).join(" | ")} |\n`);
  list.close();
}

function contactRow(contact: ListedContact, vault: Vault): readonly string[] {
  const { id, name, email, messageCount, sentCount, receivedCount, firstSeen, lastSeen, frequency, communityId } =
    contact;
  const counts = [messageCount, sentCount, receivedCount].map(formatCount);
  return [
    vault.contact(id, name || email, true),
    cell(email),
    ...counts,
    showDay(firstSeen),
    showDay(lastSeen),
    frequency,
    communityId,
  ];
}

interface Headline {
  readonly threadId: ThreadId;
  readonly subject: string;
  readonly date: string;
  readonly from: string;
}

/** The newest messages of contacts, as plain data that crosses threads. */
export type RecentOfContacts = ReadonlyMap<ContactId, Ranked<Headline>>;

/** The newest messages of a contact, and the last one added: a message may name a contact several times. */
interface KnownMessages {
  readonly newest: Greatest<Headline>;
  last: MessageId | null;
}

/** Collects the newest messages of every contact with a page, in the single pass over all messages. */
export class RecentMessages {
  private readonly recent = new Map<ContactId, KnownMessages>();

  constructor(private readonly vault: Vault) {}

  add(message: MessageHeading): void {
    // Contacts of a message share one object, which also crosses threads once.
    let headline: Headline | null = null;
    const headlineOf = (): Headline => (headline ??= headlineOfMessage(message));
    if (message.from !== null) this.addPerson(message.from, message, headlineOf);
    for (const field of [message.to, message.cc, message.bcc])
      for (const address of field) this.addPerson(address, message, headlineOf);
  }

  /** Adds those of the messages that follow. */
  addRecent(recent: RecentOfContacts): void {
    for (const [contact, ranked] of recent) this.knownOf(contact).newest.addRanked(ranked);
  }

  collected(): RecentOfContacts {
    return new Map(Array.from(this.recent, ([contact, { newest }]) => [contact, newest.ranked()]));
  }

  private addPerson({ email }: Address, { id, sortedAt }: MessageHeading, headlineOf: () => Headline): void {
    const contact = this.vault.contactOf(email);
    if (contact === undefined) return;
    const known = this.knownOf(contact);
    if (known.last === id) return;
    known.last = id;
    if (known.newest.accepts(sortedAt)) known.newest.add(sortedAt, headlineOf());
  }

  private knownOf(contact: ContactId): KnownMessages {
    let known = this.recent.get(contact);
    if (known === undefined) this.recent.set(contact, (known = { newest: new Greatest(RECENT_MESSAGES), last: null }));
    return known;
  }

  of(id: ContactId): readonly Headline[] {
    return this.recent.get(id)?.newest.all() ?? [];
  }
}

function headlineOfMessage(message: MessageHeading): Headline {
  const { threadId, subject, from } = message;
  return { threadId, subject, date: showSent(message), from: from?.name || from?.email || "" };
}

interface Correspondent {
  readonly id: ContactId;
  readonly name: string;
  /** Messages in both directions. */
  readonly count: number;
}

/** Correspondents of each contact: the arcs of the graph from both ends, 8 bytes per arc in addition to the graph. */
export class Correspondents {
  private readonly into: ArcsInto;

  constructor(private readonly network: ContactNetwork) {
    this.into = arcsInto(network.graph);
  }

  top(id: ContactId): readonly Correspondent[] {
    const { contacts, graph } = this.network;
    const { into } = this;
    const own = contacts.indexOf(id);
    if (own === undefined) return [];
    const counts = new Map<number, number>();
    const add = (other: number, arc: number): void =>
      void counts.set(other, (counts.get(other) ?? 0) + graph.counts[arc]!);
    for (let arc = graph.offsets[own]!; arc < graph.offsets[own + 1]!; arc++) add(graph.targets[arc]!, arc);
    for (let at = into.offsets[own]!; at < into.offsets[own + 1]!; at++) add(into.sources[at]!, into.arcs[at]!);
    const most = [...counts]
      .sort((a, b) => b[1] - a[1] || (contacts.idOf(a[0]) < contacts.idOf(b[0]) ? -1 : 1))
      .slice(0, TOP_RELATED);
    return most.map(([other, count]) => ({ id: contacts.idOf(other), name: contacts.titleOf(other), count }));
  }
}

/** Address book entries of contacts with a page, collected in one pass over all items. */
export class ContactCards {
  private readonly cards = new Map<ContactId, AddressCard[]>();

  constructor(private readonly vault: Vault) {}

  add(item: ArchivedItem): void {
    const contacts = new Set(addressesOfCard(item).map((address) => this.vault.contactOf(address)));
    for (const contact of contacts) {
      if (contact === undefined) continue;
      const known = this.cards.get(contact) ?? [];
      if (known.length < MAX_CARDS) known.push(addressCard(item));
      this.cards.set(contact, known);
    }
  }

  of(id: ContactId): readonly AddressCard[] {
    return this.cards.get(id) ?? [];
  }
}

/**
 * The page of one contact: counts, addresses with the evidence that joins them, correspondents, topics, newest
 * messages.
 */
export function writeContactPage(
  directory: PageDirectory,
  contact: ContactDetail,
  related: {
    readonly vault: Vault;
    readonly recent: RecentMessages;
    readonly correspondents: Correspondents;
    readonly cards: ContactCards;
    /** Name of the most active member of the contact's community. */
    readonly community: string;
  },
): void {
  const { vault, recent, correspondents, cards, community } = related;
  const partners = correspondents
    .top(contact.id)
    .map(({ id, name, count }) => [vault.contact(id, name, true), formatCount(count)]);
  const topics = contact.commonTopics
    .slice(0, TOP_RELATED)
    .map(({ topicId, frequency }) => [vault.topic(topicId, true), formatCount(frequency)]);
  const messages = recent
    .of(contact.id)
    .map((one) => [one.date, vault.thread(one.threadId, one.subject, true), cell(one.from)]);
  const body = [
    `**${inline(contact.email) || "no address"}** · ${countOf(contact.messageCount, "message")} (${formatCount(contact.sentCount)} sent, ${formatCount(contact.receivedCount)} received) · ${showDay(contact.firstSeen)} to ${showDay(contact.lastSeen)}`,
    "",
    `Frequency ${contact.frequency} · sentiment ${contact.sentiment} · ${vault.links.page("network-analysis", `community of ${community}`, false)}`,
    "",
    section(
      "Addresses",
      ["Address", "Evidence"],
      contact.evidence.map(({ address, reason }) => [cell(address), cell(reason)]),
    ),
    section(
      "Address book",
      ["Entry", "Company", "Title", "Telephone"],
      cards
        .of(contact.id)
        .map(({ name, company, title, phones }) => [
          vault.links.page(ADDRESS_BOOK.path, name, true),
          ...[company, title, phones.join("; ")].map(cell),
        ]),
    ),
    section("Top correspondents", ["Contact", "Messages"], partners),
    section("Topics", ["Topic", "Messages"], topics),
    section("Newest messages", ["Date", "Thread", "From"], messages),
  ];
  writePage(
    directory,
    {
      path: `wiki/contacts/${contact.id}`,
      title: contact.name || contact.email || contact.id,
      facts: {
        id: contact.id,
        email: contact.email,
        messages: contact.messageCount,
        first_seen: showDay(contact.firstSeen),
        last_seen: showDay(contact.lastSeen),
        community,
      },
      body: body.join("\n"),
    },
    vault.links,
  );
}
