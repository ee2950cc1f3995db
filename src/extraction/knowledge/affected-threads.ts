import type { AddressBook } from "../../contacts/addresses/address-book.ts";
import { FIRST_MESSAGE, type MessageIndex } from "../../mail/records/ordinal.ts";
import { TOOL_VERSION } from "../../version.ts";
import type { ContactsByAddress } from "../earlier/contacts-by-address.ts";
import { contactOfAddress, type NumberedContacts, textOfContact } from "./contact-phase.ts";
import type { KnowledgeContext } from "./knowledge-context.ts";
import type { ResolvedArchive } from "./moved-messages.ts";

/** Messages with another date than they have themselves, stored so that a later run knows whose date changed. */
const REDATED_KEY = "extraction:redated";

/**
 * 1 at each thread (ordinal) whose row may differ from that of an earlier run, because of its messages, their dates,
 * people or topic; null if all rows may differ. Threads that were joined to others are included.
 */
export async function affectedThreads(
  { earlier, ledger, writer }: KnowledgeContext,
  resolved: ResolvedArchive & { readonly redated: readonly number[] },
): Promise<Uint8Array | null> {
  const { threads, topics, redated } = resolved;
  const before = await writer.getMeta(REDATED_KEY);
  await writer.setMeta(REDATED_KEY, new Uint8Array(Int32Array.from(redated).buffer));
  if (earlier?.archive.provenance.toolVersion !== TOOL_VERSION || !(before instanceof Uint8Array)) return null;
  const { thread, topic } = earlier.messages;
  const others = otherPeople(earlier.messages.contactOfAddress, ledger.book, resolved.contacts);
  const affected = new Uint8Array(threads.last + 1);
  for (let message = FIRST_MESSAGE; message < ledger.messageCount; message++) {
    const now = threads.ordinalOf(message);
    if (message >= thread.length) affected[now] = 1;
    else if (
      thread.at(message) !== now ||
      topic.at(message) !== topics.topicOf(now) ||
      ledger.hasHidden(message) ||
      ledger.participants(message).some((address) => others[address] === 1)
    ) {
      affected[thread.at(message)] = 1;
      affected[now] = 1;
    }
  }
  for (const message of [...new Int32Array(new Uint8Array(before).buffer), ...redated])
    affected[threads.ordinalOf(message as MessageIndex)] = 1;
  return affected;
}

/** 1 at each address that threads may name by another text than before. */
function otherPeople(known: ContactsByAddress, book: AddressBook, contacts: NumberedContacts): Uint8Array {
  const others = new Uint8Array(book.size);
  for (let address = 0; address < others.length; address++) {
    const key = book.keyOf(address);
    const before = known.get(key);
    // Names without an address have the same key.
    const isSame =
      key !== "" &&
      before === contactOfAddress(contacts, address) &&
      known.textOf(before) === textOfContact(contacts, contacts.contactOf.at(address));
    if (!isSame) others[address] = 1;
  }
  return others;
}
