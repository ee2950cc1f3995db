import { FIRST_MESSAGE, ordinalAt } from "../../mail/ordinal.ts";
import type { RecipientRow } from "../../store/rows.ts";
import { contactOfAddress, type NumberedContacts } from "./contact-phase.ts";
import { type KnowledgeContext, restoredOf } from "./knowledge-context.ts";
import type { NumberedThreads } from "./thread-rows.ts";
import type { FoundTopics } from "./topic-phase.ts";

/** Where every message of the archive belongs now. */
export interface ResolvedArchive {
  readonly threads: NumberedThreads;
  readonly contacts: NumberedContacts;
  readonly topics: FoundTopics;
}

/** Stored messages whose thread, topic or contacts the new mail changed. */
export async function moveRestored(
  context: KnowledgeContext,
  { threads, contacts, topics }: ResolvedArchive,
): Promise<void> {
  if (context.earlier === null) return;
  const { ledger } = context;
  const restored = restoredOf(context);
  const moved = [];
  for (let message = FIRST_MESSAGE; message < restored.thread.length; message++) {
    const thread = threads.ordinalOf[message]!;
    const topic = topics.topicOf(thread);
    if (thread !== restored.thread[message] || topic !== restored.topic[message])
      moved.push({ message: ordinalAt(message), thread, topic });
  }
  await context.writer.setMessageThreads(moved);
  const { contactOfAddress: known } = context.earlier.archive;
  const changed = new Uint8Array(ledger.book.size);
  for (let address = 0; address < changed.length; address++) {
    const before = known.get(ledger.book.keyOf(address));
    if (before !== undefined && before !== contactOfAddress(contacts, address)) changed[address] = 1;
  }
  const grown = new Set(ledger.withHiddenRecipients());
  if (!changed.includes(1) && grown.size === 0) return;
  const rows = [];
  for (let message = FIRST_MESSAGE; message < restored.thread.length; message++) {
    let isChanged = grown.has(message);
    for (const address of ledger.participants(message)) if (changed[address] === 1) isChanged = true;
    if (!isChanged) continue;
    const from = ledger.from.at(message);
    const recipients: RecipientRow[] = [...ledger.recipientsOf(message)].map(({ address, kind }) => ({
      contact: contactOfAddress(contacts, address),
      kind,
    }));
    rows.push({
      message: ordinalAt(message),
      fromContact: from < 0 ? null : contactOfAddress(contacts, from),
      recipients,
    });
  }
  await context.writer.setMessageContacts(rows);
}
