import { isAscii } from "node:buffer";
import type { ArchivedMessage } from "../mail/archive.ts";
import { messageId, threadId, topicId } from "../mail/ids.ts";
import type { Attachment, Disposition, Occurrence } from "../mail/message.ts";
import type { SqliteDatabase } from "./database.ts";
import { decodeAddress, decodeAddresses, decodeHex, decodeList } from "./json-columns.ts";

/** Reads whole messages by ordinal. */
export interface MessageFetch {
  /** Null when there is none. */
  one(ordinal: number): ArchivedMessage | null;
  many(ordinals: readonly number[]): readonly ArchivedMessage[];
}

interface MessageColumns {
  id: number;
  message_id: string;
  sha256: Buffer;
  size_bytes: number;
  source: number;
  mailbox_id: number;
  location: string;
  thread_id: number;
  topic_id: number;
  sent_at: number | null;
  received_at: number | null;
  subject: string;
  body_tokens: number;
  language: string | null;
  attachment_count: number;
  from_json: string | null;
  to_json: string | null;
  cc_json: string | null;
  bcc_json: string | null;
  reply_to_json: string | null;
  in_reply_to: string | null;
  reference_ids: string | null;
  conversation_root: Buffer | null;
  flags: string | null;
  findings: string | null;
  body: Buffer;
}

const MESSAGE = `SELECT messages.id, message_id, sha256, size_bytes, source, mailbox_id, location, thread_id, topic_id, sent_at, received_at,
  subject, body_tokens, language, attachment_count, from_json, to_json, cc_json, bcc_json, reply_to_json, in_reply_to, reference_ids,
  conversation_root, flags, findings, body FROM messages JOIN bodies ON bodies.id = messages.id WHERE messages.id = ?`;

export function messageFetch(database: SqliteDatabase): MessageFetch {
  const message = database.prepare(MESSAGE);
  const places = database.prepare("SELECT source, mailbox_id, location FROM occurrences WHERE message_id = ? ORDER BY position");
  const attached = database.prepare("SELECT * FROM attachments WHERE message_id = ? ORDER BY position");
  const mailboxNames = new Map(database.prepare("SELECT id, name FROM mailboxes").raw().all() as [number, string][]);

  function occurrence(row: { source: number; mailbox_id: number; location: string }): Occurrence {
    return { source: row.source, mailbox: mailboxNames.get(row.mailbox_id)!, location: row.location };
  }

  function one(ordinal: number): ArchivedMessage | null {
    const row = message.get(ordinal) as MessageColumns | undefined;
    if (row === undefined) return null;
    const further = places.all(ordinal) as { source: number; mailbox_id: number; location: string }[];
    const attachments = row.attachment_count === 0 ? [] : (attached.all(ordinal) as AttachmentColumns[]).map(toAttachment);
    return toMessage(row, [occurrence(row), ...further.map(occurrence)], attachments);
  }

  return {
    one,
    many: (ordinals) => ordinals.map(one).filter((found) => found !== null),
  };
}

interface AttachmentColumns {
  id: string;
  filename: string;
  media_type: string;
  size_bytes: number;
  sha256: Buffer;
  disposition: Disposition;
  content_id: string | null;
  path: string | null;
}

function toAttachment(row: AttachmentColumns): Attachment {
  return {
    id: row.id,
    filename: row.filename,
    mediaType: row.media_type,
    sizeBytes: row.size_bytes,
    sha256: decodeHex(row.sha256),
    disposition: row.disposition,
    contentId: row.content_id,
    path: row.path,
  };
}

function toMessage(row: MessageColumns, occurrences: readonly Occurrence[], attachments: readonly Attachment[]): ArchivedMessage {
  return {
    id: messageId(row.id),
    messageId: row.message_id,
    threadId: threadId(row.thread_id),
    topicId: topicId(row.topic_id),
    inReplyTo: decodeList(row.in_reply_to),
    references: decodeList(row.reference_ids),
    conversationIndexRoot: row.conversation_root === null ? null : decodeHex(row.conversation_root),
    subject: row.subject,
    from: decodeAddress(row.from_json),
    to: decodeAddresses(row.to_json),
    cc: decodeAddresses(row.cc_json),
    bcc: decodeAddresses(row.bcc_json),
    replyTo: decodeAddresses(row.reply_to_json),
    sentAt: row.sent_at,
    receivedAt: row.received_at,
    mailbox: occurrences[0]!.mailbox,
    flags: decodeList(row.flags),
    source: row.source,
    location: row.location,
    sha256: decodeHex(row.sha256),
    sizeBytes: row.size_bytes,
    language: row.language,
    body: decodeText(row.body),
    bodyTokens: row.body_tokens,
    attachments,
    occurrences,
    findings: decodeList(row.findings),
  };
}

/** Most bodies are ASCII, and as such are decoded several times faster. */
function decodeText(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString("latin1") : bytes.toString("utf8");
}
