import type { ArchivedMessage, ContactSort, MessageFilter, MessageSort } from "../src/mail/archive.ts";
import { contactId, messageId, threadId, topicId } from "../src/mail/records/ids.ts";
import { foldKey } from "../src/mail/words/fold-key.ts";
import type { ContactRow, MessageRow, ThreadRow } from "../src/store/contract/rows.ts";
import { SAMPLE_ADDRESSES, type SampleArchive } from "./sample-rows.ts";

/** Expected result of every list of an archive, by a simple implementation: filter, sort and slice an array. */

type Order<T> = (a: T, b: T) => number;

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(foldKey(a)), Buffer.from(foldKey(b)));
const newestFirst = (a: number | null, b: number | null): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : b - a;
const oldestFirst = (a: number | null, b: number | null): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : a - b;
const tied =
  <T extends { readonly ordinal: number }>(order: Order<T>): Order<T> =>
  (a, b) =>
    order(a, b) || a.ordinal - b.ordinal;

const MESSAGE_ORDERS: Record<MessageSort, Order<MessageRow>> = {
  sent_at: tied((a, b) => newestFirst(a.sentAt, b.sentAt)),
  subject: tied((a, b) => byBytes(a.subject, b.subject)),
  from: tied((a, b) => byBytes(a.from?.email ?? "", b.from?.email ?? "")),
};
const CONTACT_ORDERS: Record<ContactSort, Order<ContactRow>> = {
  frequency: tied((a, b) => b.messageCount - a.messageCount),
  name: tied((a, b) => byBytes(a.name, b.name)),
  last_seen: tied((a, b) => newestFirst(a.lastSeen, b.lastSeen)),
};

export function modelMessages(archive: SampleArchive, sort: MessageSort, filter: MessageFilter): readonly string[] {
  const contact =
    filter.from === undefined
      ? 0
      : SAMPLE_ADDRESSES.findIndex((all) => all.some((one) => one.toLowerCase() === filter.from!.toLowerCase())) + 1;
  return archive.messages
    .filter((message) => filter.from === undefined || (contact > 0 && message.fromContact === contact))
    .filter((message) => filter.threadId === undefined || threadId(message.thread) === filter.threadId)
    .filter((message) => filter.topicId === undefined || topicId(message.topic) === filter.topicId)
    .sort(MESSAGE_ORDERS[sort])
    .map((message) => messageId(message.ordinal));
}

export function modelContacts(archive: SampleArchive, sort: ContactSort, search: string): readonly string[] {
  const wanted = foldKey(search);
  return archive.contacts
    .filter(({ name, email, aliases }) => [name, email, ...aliases].some((text) => foldKey(text).includes(wanted)))
    .sort(CONTACT_ORDERS[sort])
    .map((contact) => contactId(contact.ordinal));
}

export function modelThreads(archive: SampleArchive): readonly string[] {
  return [...archive.threads]
    .sort(tied<ThreadRow>((a, b) => newestFirst(a.lastMessage, b.lastMessage)))
    .map((thread) => threadId(thread.ordinal));
}

export function modelThreadMessages(archive: SampleArchive, thread: number): readonly string[] {
  const own = archive.messages.filter((message) => message.thread === thread);
  return own.sort(tied((a, b) => oldestFirst(a.sentAt, b.sentAt))).map((message) => messageId(message.ordinal));
}

/** The message that readers must return for a row. */
export function modelMessage(row: MessageRow): ArchivedMessage {
  const {
    ordinal,
    contentKey: _,
    textKey: __,
    fileTexts: ___,
    mentions: _mentions,
    thread,
    topic,
    gmailThreadId,
    baseSubjectKey,
    isAutomatic,
    fromContact,
    recipients,
    body,
    ...same
  } = row;
  return {
    ...same,
    id: messageId(ordinal),
    threadId: threadId(thread),
    topicId: topicId(topic),
    contentKey: null,
    inferredLanguage: null,
    body: Buffer.from(body).toString(),
  };
}
