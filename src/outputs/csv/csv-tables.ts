import { publishedScore } from "../../document/published-values.ts";
import type { EncodedMessage } from "../../mail/archive.ts";
import { formatInstant } from "../../mail/dates/instant.ts";
import type { Address } from "../../mail/records/address.ts";
import type { Contact } from "../../mail/records/contact.ts";
import type { Thread } from "../../mail/records/thread.ts";
import { type CsvValue, csvList } from "./csv-row.ts";

/** A column: its header and its value for a record. */
export interface CsvColumn<T> {
  readonly name: string;
  readonly value: (record: T) => CsvValue;
}

function emails(addresses: readonly Address[]): string {
  return csvList(addresses.map((address) => (address.email === "" ? address.name : address.email)));
}

/** The columns of emails.csv, in order. */
export const EMAIL_COLUMNS: readonly CsvColumn<EncodedMessage>[] = [
  { name: "id", value: (message) => message.id },
  { name: "message_id", value: (message) => message.messageId },
  { name: "thread_id", value: (message) => message.threadId },
  { name: "topic_id", value: (message) => message.topicId },
  { name: "sent_at", value: (message) => formatInstant(message.sentAt) },
  { name: "received_at", value: (message) => formatInstant(message.receivedAt) },
  { name: "from_name", value: (message) => message.from?.name ?? "" },
  { name: "from_email", value: (message) => message.from?.email ?? "" },
  { name: "to_emails", value: (message) => emails(message.to) },
  { name: "cc_emails", value: (message) => emails(message.cc) },
  { name: "bcc_emails", value: (message) => emails(message.bcc) },
  { name: "subject", value: (message) => message.subject },
  { name: "body", value: (message) => message.body },
  { name: "body_tokens", value: (message) => message.bodyTokens },
  { name: "attachment_count", value: (message) => message.attachments.length },
  { name: "mailbox", value: (message) => message.mailbox },
  { name: "source", value: (message) => message.source },
];

/** The columns of contacts.csv, in order. */
export const CONTACT_COLUMNS: readonly CsvColumn<Contact>[] = [
  { name: "id", value: (contact) => contact.id },
  { name: "name", value: (contact) => contact.name },
  { name: "email", value: (contact) => contact.email },
  { name: "message_count", value: (contact) => contact.messageCount },
  { name: "sent_count", value: (contact) => contact.sentCount },
  { name: "received_count", value: (contact) => contact.receivedCount },
  { name: "frequency", value: (contact) => contact.frequency },
  { name: "sentiment", value: (contact) => contact.sentiment },
  { name: "first_seen", value: (contact) => formatInstant(contact.firstSeen) },
  { name: "last_seen", value: (contact) => formatInstant(contact.lastSeen) },
  { name: "community_id", value: (contact) => contact.communityId },
  { name: "authority_score", value: (contact) => publishedScore(contact.authorityScore) },
  { name: "hub_score", value: (contact) => publishedScore(contact.hubScore) },
  { name: "pagerank", value: (contact) => publishedScore(contact.pagerank) },
  { name: "aliases", value: (contact) => csvList(contact.aliases) },
];

/** The columns of threads.csv, in order. */
export const THREAD_COLUMNS: readonly CsvColumn<Thread>[] = [
  { name: "id", value: (thread) => thread.id },
  { name: "subject", value: (thread) => thread.subject },
  { name: "message_count", value: (thread) => thread.messageCount },
  { name: "participants", value: (thread) => csvList(thread.participants) },
  { name: "first_message", value: (thread) => formatInstant(thread.firstMessage) },
  { name: "last_message", value: (thread) => formatInstant(thread.lastMessage) },
  { name: "topic_id", value: (thread) => thread.topicId },
];
