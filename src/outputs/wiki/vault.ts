import type { Address } from "../../mail/address.ts";
import type { EncodedMessage, MailboxTotal } from "../../mail/archive.ts";
import type { ContactId, ThreadId, TopicId } from "../../mail/ids.ts";
import { formatInstant, type Instant } from "../../mail/instant.ts";
import { sharedMailboxNames } from "../../mail/shared-mailboxes.ts";
import { formatCount } from "../../text/format-count.ts";
import { inline, wikiLink, wikiLinkInTable } from "./markdown.ts";

/** Which entities have a page of their own: only those are linked, so that no link of the vault is broken. */
export class Vault {
  private readonly contactNames = new Map<ContactId, string>();
  private readonly contactOfAddress = new Map<string, ContactId>();
  private readonly threads = new Set<ThreadId>();
  private readonly topics = new Map<TopicId, string>();
  private sharedMailboxes: ReadonlySet<string> = new Set();
  private sourcePaths: readonly string[] = [];
  private lastMailbox = { name: "", source: -1, text: "" };

  addContact(id: ContactId, name: string, addresses: readonly string[]): void {
    this.contactNames.set(id, name);
    for (const address of addresses) this.contactOfAddress.set(address.toLowerCase(), id);
  }

  addThread(id: ThreadId): void {
    this.threads.add(id);
  }

  addTopic(id: TopicId, name: string): void {
    this.topics.set(id, name);
  }

  /** @param paths of the sources of the archive, by number. */
  addMailboxes(mailboxes: readonly MailboxTotal[], paths: readonly string[]): void {
    this.sharedMailboxes = sharedMailboxNames(mailboxes);
    this.sourcePaths = paths;
  }

  /** The contact with a page behind an address; undefined when there is none. */
  contactOf(address: string): ContactId | undefined {
    const known = this.contactOfAddress.get(address);
    if (known !== undefined) return known;
    // Most addresses have no capitals.
    const lower = address.toLowerCase();
    return lower === address ? undefined : this.contactOfAddress.get(lower);
  }

  contact(id: ContactId, name: string, inTable: boolean): string {
    return this.contactNames.has(id) ? link(inTable)(`wiki/contacts/${id}`, name) : inline(name);
  }

  /** A person of an address field, linked when known. */
  person(address: Address, inTable: boolean): string {
    const id = this.contactOf(address.email);
    const text = address.name || address.email;
    if (id !== undefined) return link(inTable)(`wiki/contacts/${id}`, text);
    return address.name !== "" && address.email !== ""
      ? `${inline(address.name)} (${inline(address.email)})`
      : inline(text);
  }

  /**
   * The name of the contact behind an address that stands alone, linked; the address itself when no contact with a page
   * has it.
   */
  participant(email: string, inTable: boolean): string {
    const id = this.contactOf(email);
    return id === undefined ? inline(email) : link(inTable)(`wiki/contacts/${id}`, this.contactNames.get(id) || email);
  }

  /** Addresses with one of each contact, in their order: two addresses of one person are that person once. */
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
    return this.threads.has(id) ? link(inTable)(`wiki/threads/${id}`, text) : inline(text);
  }

  /**
   * The name of a mailbox, with its source when another source has one of that name. Neighbours in the archive lie in
   * the same one, and it is escaped once for all of them.
   */
  mailbox(name: string, source: number): string {
    if (this.lastMailbox.name !== name || this.lastMailbox.source !== source) {
      const place = this.sharedMailboxes.has(name) ? ` (${inline(this.sourcePaths[source] ?? "")})` : "";
      this.lastMailbox = { name, source, text: inline(name) + place };
    }
    return this.lastMailbox.text;
  }

  topic(id: TopicId, inTable: boolean): string {
    const name = this.topics.get(id);
    return name === undefined ? id : link(inTable)(`wiki/topics/${id}`, name);
  }
}

function link(inTable: boolean): typeof wikiLink {
  return inTable ? wikiLinkInTable : wikiLink;
}

/** `2001-05-14 16:39`, UTC; `undated` for a date that could not be read. */
export function showInstant(instant: Instant | null): string {
  return instant === null ? "undated" : formatInstant(instant).slice(0, 16).replace("T", " ");
}

/** When a message was sent, and in words where it is sorted by another date or by none (mail/believed-dates.ts). */
export function showSent({ sentAt, sortedAt }: Pick<EncodedMessage, "sentAt" | "sortedAt">): string {
  if (sentAt === sortedAt) return showInstant(sentAt);
  if (sentAt === null) return `${showInstant(sortedAt)} (received)`;
  return `${showInstant(sentAt)} (date not believed${sortedAt === null ? "" : `, received ${showInstant(sortedAt)}`})`;
}

/** `2001-05-14`. */
export function showDay(instant: Instant | null): string {
  return instant === null ? "undated" : formatInstant(instant).slice(0, 10);
}

/** The noun as it stands behind a count: `topic` of 1, `topics` of any other number. */
export function nounOf(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}

/** `1 message`, `42,661 messages`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${nounOf(count, noun)}`;
}
