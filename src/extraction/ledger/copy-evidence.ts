import { Uint32Column } from "../../columns/column.ts";
import type { AddressBook } from "../../contacts/addresses/address-book.ts";
import { addressKey } from "../../contacts/addresses/address-form.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type { Address } from "../../mail/records/address.ts";
import type { MessageIndex } from "../../mail/records/ordinal.ts";
import type { MessageHeaderRecord } from "../staging/message-header-record.ts";

/** The fields of a duplicate that matter for people and threads. */
export type CopySkeleton = Pick<
  MessageHeaderRecord,
  | "messageId"
  | "references"
  | "conversationIndexRoot"
  | "gmailThreadId"
  | "sentAt"
  | "from"
  | "sender"
  | "replyTo"
  | "to"
  | "cc"
  | "bcc"
>;

/** A person named only in a duplicate. */
interface NamedByCopy {
  readonly message: MessageIndex;
  readonly address: Address;
  readonly at: Instant | null;
}

/**
 * Collects what duplicates add to the kept message: Bcc recipients (only the sender's message has them), other Sender
 * and Reply-To fields, and names of addresses. It is applied once after all mail is read, as contact items are:
 * independent of order, or an incremental run would find other contacts than a full one. Stores new information only.
 */
export class CopyEvidence {
  private readonly hidden: NamedByCopy[] = [];
  private readonly mentioned: (NamedByCopy & { readonly role: "sender" | "reply_to" })[] = [];
  /** By address and name, since many duplicates repeat the same. */
  private readonly names = new Map<string, Address>();
  /** Addresses only in Bcc of duplicates, with their message, in message order. */
  private readonly furtherMessages = new Uint32Column();
  private readonly furtherAddresses = new Uint32Column();

  constructor(private readonly book: AddressBook) {}

  add(message: MessageIndex, copy: CopySkeleton): void {
    const { book } = this;
    const at = copy.sentAt;
    for (const address of copy.bcc) this.hidden.push({ message, address, at });
    if (copy.sender !== null && !this.isKnown(copy.sender))
      this.mentioned.push({ message, address: copy.sender, at, role: "sender" });
    for (const address of copy.replyTo)
      if (!this.isKnown(address)) this.mentioned.push({ message, address, at, role: "reply_to" });
    for (const address of named(copy))
      if (!book.hasName(address)) this.names.set(`${address.email}\n${address.name}`, address);
  }

  /** Counts the collected addresses. @param bccOf Bcc address numbers of a message itself */
  settle(bccOf: (message: MessageIndex) => Iterable<number>): void {
    const { book } = this;
    let settled: MessageIndex | null = null;
    /** Known Bcc addresses of that message: its duplicates may have a million. */
    let known = new Set<number>();
    for (const named of this.hidden.sort((a, b) => a.message - b.message)) {
      if (named.message !== settled) {
        settled = named.message;
        known = new Set(bccOf(settled));
      }
      this.settleHidden(named, known);
    }
    for (const { address, at, role } of this.mentioned.sort(byAddress))
      if (!this.isKnown(address)) book.observe(address, role, at);
    for (const address of [...this.names.values()].sort(byAddressAndName))
      if (!book.hasName(address)) book.observeEntry(address);
    for (const waiting of [this.hidden, this.mentioned]) waiting.length = 0;
    this.names.clear();
  }

  private settleHidden({ message, address, at }: NamedByCopy, known: Set<number>): void {
    const { book } = this;
    const before = address.email === "" ? undefined : book.indexOf(addressKey(address.email));
    if (before !== undefined && known.has(before)) return;
    const index = book.observe(address, "bcc", at);
    if (known.has(index)) return;
    known.add(index);
    this.furtherMessages.push(message);
    this.furtherAddresses.push(index);
  }

  /** Total number of addresses only in Bcc of duplicates; call after `settle`. */
  get hiddenCount(): number {
    return this.furtherMessages.length;
  }

  /** Addresses only in Bcc of a message's duplicates; call after `settle`. */
  hiddenOf(message: MessageIndex): readonly number[] {
    const start = this.firstOf(message);
    if (start === this.hiddenCount || this.furtherMessages.at(start) !== message) return NOBODY;
    const addresses: number[] = [];
    for (let at = start; at < this.hiddenCount && this.furtherMessages.at(at) === message; at++)
      addresses.push(this.furtherAddresses.at(at));
    return addresses;
  }

  /** First position of a message at or after this one. */
  private firstOf(message: MessageIndex): number {
    let [low, high] = [0, this.hiddenCount];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.furtherMessages.at(middle) < message) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private isKnown({ email }: Address): boolean {
    return email !== "" && this.book.indexOf(addressKey(email)) !== undefined;
  }
}

const NOBODY: readonly number[] = [];

/** Addresses of a duplicate that have both a name and an email. */
function* named({ from, sender, to, cc, bcc }: CopySkeleton): Generator<Address> {
  if (from !== null && isNamed(from)) yield from;
  if (sender !== null && isNamed(sender)) yield sender;
  for (const field of [to, cc, bcc]) for (const address of field) if (isNamed(address)) yield address;
}

function isNamed({ name, email }: Address): boolean {
  return name !== "" && email.trim() !== "";
}

function byAddress(a: NamedByCopy, b: NamedByCopy): number {
  return compareText(a.address.email, b.address.email) || a.message - b.message;
}

function byAddressAndName(a: Address, b: Address): number {
  return compareText(a.email, b.email) || compareText(a.name, b.name);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
