import type { MailboxTotal, MessageHeading } from "../../mail/archive.ts";
import { formatInstant, type Instant } from "../../mail/dates/instant.ts";
import type { Address } from "../../mail/records/address.ts";
import type { ContactId, ThreadId, TopicId } from "../../mail/records/ids.ts";
import { sharedMailboxNames } from "../../mail/shared-mailboxes.ts";
import { inline } from "./markdown.ts";
import { type LinkStyle, type PageLinks, pageLinks } from "./page-links.ts";

/**
 * Entities with their own page: only those are linked, so that no link of the vault is broken. Plain data that crosses
 * threads.
 */
export interface Entities {
  readonly contactNames: Map<ContactId, string>;
  readonly contactOfAddress: Map<string, ContactId>;
  readonly threads: Set<ThreadId>;
  readonly topics: Map<TopicId, string>;
  sharedMailboxes: ReadonlySet<string>;
  sourcePaths: readonly string[];
}

/** Links people and topics of messages from the pages of one directory to all entities with a page. */
export class Vault {
  readonly links: PageLinks;
  private lastMailbox = { name: "", source: -1, text: "" };

  /** @param directory of the linking pages, below the vault */
  constructor(
    readonly style: LinkStyle,
    directory = "",
    readonly entities: Entities = noEntities(),
  ) {
    this.links = pageLinks(style, directory);
  }

  /** The same entities, linked from the pages of another directory. */
  from(directory: string): Vault {
    return new Vault(this.style, directory, this.entities);
  }

  addContact(id: ContactId, name: string, addresses: readonly string[]): void {
    this.entities.contactNames.set(id, name);
    for (const address of addresses) this.entities.contactOfAddress.set(address.toLowerCase(), id);
  }

  addThread(id: ThreadId): void {
    this.entities.threads.add(id);
  }

  addTopic(id: TopicId, name: string): void {
    this.entities.topics.set(id, name);
  }

  /** @param paths of the sources of the archive, by number. */
  addMailboxes(mailboxes: readonly MailboxTotal[], paths: readonly string[]): void {
    this.entities.sharedMailboxes = sharedMailboxNames(mailboxes);
    this.entities.sourcePaths = paths;
  }

  /** The contact with this address, if it has a page. */
  contactOf(address: string): ContactId | undefined {
    const known = this.entities.contactOfAddress.get(address);
    if (known !== undefined) return known;
    // Most addresses have no capitals.
    const lower = address.toLowerCase();
    return lower === address ? undefined : this.entities.contactOfAddress.get(lower);
  }

  contact(id: ContactId, name: string, inTable: boolean): string {
    return this.entities.contactNames.has(id) ? this.links.page(`wiki/contacts/${id}`, name, inTable) : inline(name);
  }

  /** A person of an address field, linked when known. */
  person(address: Address, inTable: boolean): string {
    const id = this.contactOf(address.email);
    const text = address.name || address.email;
    if (id !== undefined) return this.links.page(`wiki/contacts/${id}`, text, inTable);
    return address.name !== "" && address.email !== ""
      ? `${inline(address.name)} (${inline(address.email)})`
      : inline(text);
  }

  /** The linked name of the contact with an address; the address itself if no contact with a page has it. */
  participant(email: string, inTable: boolean): string {
    const id = this.contactOf(email);
    if (id === undefined) return inline(email);
    return this.links.page(`wiki/contacts/${id}`, this.entities.contactNames.get(id) || email, inTable);
  }

  /** Addresses in order, one per contact: two addresses of one person appear once. */
  onePerPerson(emails: readonly string[]): readonly string[] {
    if (emails.length < 2) return emails;
    const people = new Map<string, string>();
    for (const email of emails) {
      const person = this.contactOf(email) ?? email;
      if (!people.has(person)) people.set(person, email);
    }
    return [...people.values()];
  }

  thread(id: ThreadId, subject: string, inTable: boolean): string {
    const text = subject.trim() === "" ? "(no subject)" : subject;
    return this.entities.threads.has(id) ? this.links.page(`wiki/threads/${id}`, text, inTable) : inline(text);
  }

  /**
   * The name of a mailbox, with its source if another source has a mailbox of that name. Consecutive messages are
   * usually in the same mailbox, so the last escaped name is cached.
   */
  mailbox(name: string, source: number): string {
    if (this.lastMailbox.name !== name || this.lastMailbox.source !== source) {
      const place = this.entities.sharedMailboxes.has(name)
        ? ` (${inline(this.entities.sourcePaths[source] ?? "")})`
        : "";
      this.lastMailbox = { name, source, text: inline(name) + place };
    }
    return this.lastMailbox.text;
  }

  topic(id: TopicId, inTable: boolean): string {
    const name = this.entities.topics.get(id);
    return name === undefined ? id : this.links.page(`wiki/topics/${id}`, name, inTable);
  }
}

function noEntities(): Entities {
  return {
    contactNames: new Map(),
    contactOfAddress: new Map(),
    threads: new Set(),
    topics: new Map(),
    sharedMailboxes: new Set(),
    sourcePaths: [],
  };
}

/** `2001-05-14 16:39`, UTC; `undated` for a date that could not be read. */
export function showInstant(instant: Instant | null): string {
  return instant === null ? "undated" : formatInstant(instant).slice(0, 16).replace("T", " ");
}

/** Sent date of a message, with a note if it is sorted by another date or none (mail/dates/plausible-dates.ts). */
export function showSent({ sentAt, sortedAt }: Pick<MessageHeading, "sentAt" | "sortedAt">): string {
  if (sentAt === sortedAt) return showInstant(sentAt);
  if (sentAt === null) return `${showInstant(sortedAt)} (received)`;
  return `${showInstant(sentAt)} (implausible date${sortedAt === null ? "" : `, received ${showInstant(sortedAt)}`})`;
}

/** `2001-05-14`. */
export function showDay(instant: Instant | null): string {
  return instant === null ? "undated" : formatInstant(instant).slice(0, 10);
}
