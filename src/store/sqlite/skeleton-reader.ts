import type { MessageSkeleton, StoredCopy } from "../rows.ts";
import { COPY_COLUMNS, decodeCopy } from "./copy-columns.ts";
import type { SqliteDatabase } from "./database.ts";
import { decodeAddress, decodeAddresses, decodeHex, decodeList } from "./json-columns.ts";

interface SkeletonColumns {
  id: number;
  message_id: string;
  content_key: Uint8Array;
  thread_id: number;
  topic_id: number;
  from_id: number | null;
  in_reply_to: string | null;
  reference_ids: string | null;
  conversation_root: Uint8Array | null;
  gmail_thread_id: string | null;
  subject: string;
  base_subject_key: string;
  is_automatic: number;
  flags: string | null;
  from_json: string | null;
  sender_json: string | null;
  to_json: string | null;
  cc_json: string | null;
  bcc_json: string | null;
  reply_to_json: string | null;
  sent_at: number | null;
  received_at: number | null;
  source: number;
  mailbox: string;
}

const SKELETONS = `SELECT messages.id, message_id, content_key, thread_id, topic_id, from_id, in_reply_to, reference_ids, conversation_root,
  gmail_thread_id, subject, base_subject_key, is_automatic, flags, from_json, sender_json, to_json, cc_json, bcc_json, reply_to_json,
  sent_at, received_at, messages.source, mailboxes.name AS mailbox
  FROM messages NOT INDEXED CROSS JOIN envelopes ON envelopes.id = messages.id CROSS JOIN mailboxes ON mailboxes.id = mailbox_id
  ORDER BY messages.id`;

/** What a later run needs of every stored message, in id order. */
export function* messageSkeletons(database: SqliteDatabase): Generator<MessageSkeleton> {
  for (const row of database.prepare(SKELETONS).iterate() as IterableIterator<SkeletonColumns>) {
    yield {
      ordinal: row.id,
      messageId: row.message_id,
      contentKey: row.content_key,
      thread: row.thread_id,
      topic: row.topic_id,
      fromContact: row.from_id,
      inReplyTo: decodeList(row.in_reply_to),
      references: decodeList(row.reference_ids),
      conversationIndexRoot: row.conversation_root === null ? null : decodeHex(row.conversation_root),
      gmailThreadId: row.gmail_thread_id,
      subject: row.subject,
      baseSubjectKey: row.base_subject_key,
      isAutomatic: row.is_automatic === 1,
      flags: decodeList(row.flags),
      from: decodeAddress(row.from_json),
      sender: decodeAddress(row.sender_json),
      to: decodeAddresses(row.to_json),
      cc: decodeAddresses(row.cc_json),
      bcc: decodeAddresses(row.bcc_json),
      replyTo: decodeAddresses(row.reply_to_json),
      sentAt: row.sent_at,
      receivedAt: row.received_at,
      source: row.source,
      mailbox: row.mailbox,
    };
  }
}

/** What differs in the copies of stored messages. */
export function* storedCopies(database: SqliteDatabase): Generator<StoredCopy> {
  const rows = database
    .prepare(
      `SELECT message_id, ${COPY_COLUMNS} FROM occurrences WHERE other_id IS NOT NULL OR differs IS NOT NULL ORDER BY message_id, position`,
    )
    .raw()
    .iterate() as IterableIterator<[number, string | null, Uint8Array | null, string | null]>;
  for (const [message, otherId, sha256, differs] of rows) yield { message, differs: decodeCopy(otherId, sha256, differs) };
}
