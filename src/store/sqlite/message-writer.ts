import { foldKey } from "../../mail/fold-key.ts";
import type { Occurrence } from "../../mail/message.ts";
import { MAX_MESSAGE_ORDINAL } from "../archive-writer.ts";
import type { CopyRow, MessageContactsRow, MessageRow, MessageThreadRow } from "../rows.ts";
import { type BulkInsert, bulkInsert } from "./bulk-insert.ts";
import type { ContactMessages } from "./contact-messages.ts";
import { type CopyWriter, copyWriter } from "./copy-writer.ts";
import type { SqliteDatabase } from "./database.ts";
import { encodeAddress, encodeAddresses, encodeHex, encodeList } from "./json-columns.ts";
import type { MailboxIds } from "./mailbox-ids.ts";

/** Code units of a sort key: subjects alike so far are ordered by id. Bounds what one hostile header puts into three indexes. */
const SORT_KEY_UNITS = 256;

const MESSAGE_COLUMNS = [
  "id",
  "message_id",
  "content_key",
  "source",
  "mailbox_id",
  "thread_id",
  "topic_id",
  "from_id",
  "from_key",
  "from_json",
  "sent_at",
  "subject",
  "subject_key",
  "attachment_count",
] as const;

const ENVELOPE_COLUMNS = [
  "id",
  "sha256",
  "size_bytes",
  "location",
  "received_at",
  "body_tokens",
  "language",
  "is_automatic",
  "sender_json",
  "to_json",
  "cc_json",
  "bcc_json",
  "reply_to_json",
  "in_reply_to",
  "reference_ids",
  "conversation_root",
  "gmail_thread_id",
  "base_subject_key",
  "flags",
  "findings",
] as const;

/** The key by which subjects and addresses sort. */
export function sortKey(text: string): string {
  return foldKey(text.length <= SORT_KEY_UNITS ? text : text.slice(0, SORT_KEY_UNITS)).toWellFormed();
}

export interface MessageWriter {
  addMessage(row: MessageRow): void;
  /** Gives the number of places that were not known. */
  addCopies(rows: readonly CopyRow[]): number;
  setMessageThreads(rows: Iterable<MessageThreadRow>): void;
  setMessageContacts(rows: Iterable<MessageContactsRow>): void;
  flush(): void;
  /** Writes the rest; nothing is added any more. */
  finish(): void;
}

export function messageWriter(database: SqliteDatabase, mailboxes: MailboxIds, contacts: ContactMessages): MessageWriter {
  const messages = bulkInsert(database, "messages", MESSAGE_COLUMNS);
  const envelopes = bulkInsert(database, "envelopes", ENVELOPE_COLUMNS);
  // One by one: bodies are large, and may be overwritten when the call ends.
  const insertBody = database.prepare("INSERT INTO bodies(id, enc, body) VALUES (?, 0, ?)");
  const attachments = bulkInsert(database, "attachments", [
    "message_id",
    "position",
    "id",
    "filename",
    "media_type",
    "size_bytes",
    "sha256",
    "disposition",
    "content_id",
    "path",
  ]);
  let copies: CopyWriter | null = null;

  function addCopies(): CopyWriter {
    flush();
    copies ??= copyWriter(database, mailboxes);
    return copies;
  }

  function addMessage(row: MessageRow): void {
    if (row.ordinal > MAX_MESSAGE_ORDINAL) throw new RangeError(`an archive holds at most ${MAX_MESSAGE_ORDINAL} messages`);
    const mailbox = mailboxes.idOf(row.source, row.mailbox);
    mailboxes.count(mailbox, row.ordinal, 0);
    addColumns(messages, row, mailbox);
    addEnvelope(envelopes, row);
    insertBody.run(row.ordinal, row.body);
    contacts.add(row.ordinal, row.fromContact, row.recipients);
    for (const [position, attachment] of row.attachments.entries()) {
      const { id, filename, mediaType, sizeBytes, sha256, disposition, contentId, path } = attachment;
      attachments.add(row.ordinal, position, id, filename, mediaType, sizeBytes, encodeHex(sha256), disposition, contentId, path);
    }
    if (row.occurrences.length === 0 || (row.occurrences.length === 1 && isSamePlace(row.occurrences[0]!, row))) return;
    const writer = addCopies();
    for (const occurrence of row.occurrences) writer.addOccurrence(row.ordinal, occurrence);
  }

  function flush(): void {
    for (const table of [messages, envelopes, attachments]) table.flush();
  }

  return {
    addMessage,
    addCopies(rows) {
      if (rows.length === 0) return 0;
      const writer = addCopies();
      return rows.reduce((added, row) => added + (writer.add(row) ? 1 : 0), 0);
    },
    setMessageThreads(rows) {
      flush();
      const update = database.prepare("UPDATE messages SET thread_id = ?, topic_id = ? WHERE id = ?");
      for (const row of rows) update.run(row.thread, row.topic, row.message);
    },
    setMessageContacts(rows) {
      flush();
      const changed = [...rows];
      const setSender = database.prepare("UPDATE messages SET from_id = ? WHERE id = ?");
      contacts.clear(new Set(changed.map((row) => row.message)));
      for (const row of changed) {
        setSender.run(row.fromContact, row.message);
        contacts.add(row.message, row.fromContact, row.recipients);
      }
    },
    flush,
    finish() {
      flush();
      copies?.finish();
    },
  };
}

function addColumns(messages: BulkInsert, row: MessageRow, mailbox: number): void {
  messages.add(
    row.ordinal,
    row.messageId,
    row.contentKey,
    row.source,
    mailbox,
    row.thread,
    row.topic,
    row.fromContact,
    row.from === null ? "" : sortKey(row.from.email),
    encodeAddress(row.from),
    row.sentAt,
    row.subject,
    sortKey(row.subject),
    row.attachments.length,
  );
}

function addEnvelope(envelopes: BulkInsert, row: MessageRow): void {
  envelopes.add(
    row.ordinal,
    encodeHex(row.sha256),
    row.sizeBytes,
    row.location,
    row.receivedAt,
    row.bodyTokens,
    row.language,
    row.isAutomatic ? 1 : 0,
    encodeAddress(row.sender),
    encodeAddresses(row.to),
    encodeAddresses(row.cc),
    encodeAddresses(row.bcc),
    encodeAddresses(row.replyTo),
    encodeList(row.inReplyTo),
    encodeList(row.references),
    row.conversationIndexRoot === null ? null : encodeHex(row.conversationIndexRoot),
    row.gmailThreadId,
    row.baseSubjectKey,
    encodeList(row.flags),
    encodeList(row.findings),
  );
}

function isSamePlace(a: Occurrence, b: Pick<MessageRow, "source" | "mailbox" | "location">): boolean {
  return a.location === b.location && a.mailbox === b.mailbox && a.source === b.source;
}
