import type { AddressBook } from "../../contacts/addresses/address-book.ts";
import { messageId } from "../../mail/records/ids.ts";
import { FIRST_MESSAGE, type MessageIndex, type MessageOrdinal, ordinalAt } from "../../mail/records/ordinal.ts";
import type { MessageContactsRow, MessageQuotesRow, MessageThreadRow } from "../../store/contract/rows.ts";
import type { QuotedMessages } from "../../threading/quoted-messages.ts";
import type { RestoredMessages } from "../earlier/earlier-archive.ts";
import type { Ledger } from "../ledger/deduplicate.ts";
import { contactOfAddress, type NumberedContacts } from "./contact-phase.ts";
import { type KnowledgeContext, restoredOf } from "./knowledge-context.ts";
import type { NumberedThreads } from "./thread-rows.ts";
import type { TopicAssignment } from "./topic-phase.ts";

/** Thread, contacts and topic of every message. */
export interface ResolvedArchive {
  readonly threads: NumberedThreads;
  readonly contacts: NumberedContacts;
  readonly topics: TopicAssignment;
  readonly quotes: {
    /** First message with known quotes. */
    readonly unknown: MessageIndex;
    readonly known: QuotedMessages;
  };
}

/** Updates stored messages whose thread, topic, quotations or contacts changed because of new mail. */
export async function updateRestoredMessages(
  context: KnowledgeContext,
  resolved: ResolvedArchive,
  onChange: (message: MessageOrdinal) => void,
): Promise<void> {
  const { earlier, ledger, writer } = context;
  if (earlier === null) return;
  const restored = restoredOf(context);
  await writer.setMessageThreads(passing(movedThreads(restored, resolved), onChange));
  await writer.setMessageQuotes(passing(changedQuotes(restored, resolved), onChange));
  const changed = changedAddresses(ledger.book, restored.contactOfAddress, resolved.contacts);
  if (!changed.includes(1) && ledger.hiddenCount === 0) return;
  await writer.setMessageContacts(
    passing(movedContacts(restored, { ledger, changed, contacts: resolved.contacts }), onChange),
  );
}

/** The same rows; calls `onChange` for the message of each. */
function* passing<T extends { readonly message: MessageOrdinal }>(
  rows: Iterable<T>,
  onChange: (message: MessageOrdinal) => void,
): Generator<T> {
  for (const row of rows) {
    onChange(row.message);
    yield row;
  }
}

function* movedThreads(restored: RestoredMessages, { threads, topics }: ResolvedArchive): Generator<MessageThreadRow> {
  for (let message = FIRST_MESSAGE; message < restored.thread.length; message++) {
    const thread = threads.ordinalOf(message);
    const topic = topics.topicOf(thread);
    if (thread !== restored.thread.at(message) || topic !== restored.topic.at(message))
      yield { message: ordinalAt(message), thread, topic };
  }
}

/** 1 at each address that belongs to another contact than before, or may have. */
function changedAddresses(
  book: AddressBook,
  known: RestoredMessages["contactOfAddress"],
  contacts: NumberedContacts,
): Uint8Array {
  const changed = new Uint8Array(book.size);
  for (let address = 0; address < changed.length; address++) {
    const key = book.keyOf(address);
    const before = known.get(key === "" ? nameOf(book, address) : key);
    const now = contactOfAddress(contacts, address);
    // Names without an address are stored only with a contact that has no other.
    if (before === undefined ? key === "" : before !== now) changed[address] = 1;
  }
  return changed;
}

/** Name of a name without an address, in lower case. */
function nameOf(book: AddressBook, address: number): string {
  return book.namesOf(address)[0]?.text.toLowerCase() ?? "";
}

function* movedContacts(
  { thread }: RestoredMessages,
  {
    ledger,
    changed,
    contacts,
  }: { readonly ledger: Ledger; readonly changed: Uint8Array; readonly contacts: NumberedContacts },
): Generator<MessageContactsRow> {
  for (let message = FIRST_MESSAGE; message < thread.length; message++)
    if (ledger.hasHidden(message) || ledger.participants(message).some((address) => changed[address] === 1))
      yield contactsOf(message, ledger, contacts);
}

function contactsOf(message: MessageIndex, ledger: Ledger, contacts: NumberedContacts): MessageContactsRow {
  const from = ledger.from.at(message);
  return {
    message: ordinalAt(message),
    fromContact: from < 0 ? null : contactOfAddress(contacts, from),
    recipients: ledger
      .recipientsOf(message)
      .map(({ address, kind }) => ({ contact: contactOfAddress(contacts, address), kind })),
  };
}

/** Stored messages with new quotations: the quoted mail was added later. */
function* changedQuotes(
  { thread, quotes: before }: RestoredMessages,
  { quotes: { unknown, known } }: ResolvedArchive,
): Generator<MessageQuotesRow> {
  for (let message = unknown; message < thread.length; message++) {
    const now = known.of(message);
    const earlier = before.of(message);
    if (now.length === earlier.length && now.every((quoted, index) => quoted === earlier[index])) continue;
    yield { message: ordinalAt(message), quotes: now.map((quoted) => messageId(ordinalAt(quoted))) };
  }
}
