import { isAscii, isUtf8 } from "node:buffer";
import type { Address } from "../../mail/address.ts";
import type { ArchivedMessage, EncodedMessage } from "../../mail/archive.ts";
import { messageId, threadId, topicId } from "../../mail/ids.ts";
import type { Attachment, Disposition, Occurrence } from "../../mail/message.ts";
import { COPY_COLUMNS, decodeCopy } from "./copy-columns.ts";
import type { SqliteDatabase } from "./database.ts";
import { decodeAddress, decodeAddresses, decodeHex, decodeList } from "./json-columns.ts";
import { writtenDate } from "./sorting-dates.ts";

/** Reads whole messages by ordinal. */
export interface MessageFetch {
  /** Null when there is none. */
  one(ordinal: number): ArchivedMessage | null;
  many(ordinals: readonly number[]): readonly ArchivedMessage[];
  /** All messages from one ordinal to another, both included, in order. */
  range(first: number, last: number): readonly EncodedMessage[];
}

/** Places in a row. */
const MAILBOX = 3;
const ATTACHMENT_COUNT = 9;
const BODY = 25;
const CONTENT_KEY = 26;

/** A row as an array: naming 28 columns for every message costs more than reading them. */
type MessageColumns = readonly [
  id: number,
  messageId: string,
  source: number,
  mailbox: number,
  thread: number,
  topic: number,
  from: string | null,
  sentAt: number | null,
  subject: string,
  attachmentCount: number,
  sha256: string,
  sizeBytes: number,
  location: string,
  receivedAt: number | null,
  bodyTokens: number,
  language: string | null,
  to: string | null,
  cc: string | null,
  bcc: string | null,
  replyTo: string | null,
  inReplyTo: string | null,
  references: string | null,
  conversationRoot: Uint8Array | null,
  flags: string | null,
  findings: string | null,
  body: Uint8Array,
  contentKey: string,
  sortedAt: number | null,
];

/** The hash as hex: a string takes half the time of a blob for which an array is made. */
const columns = (
  sentAt: string,
): string => `messages.id, message_id, source, mailbox_id, thread_id, topic_id, from_json, ${sentAt}, subject, attachment_count,
  lower(hex(sha256)), size_bytes, location, received_at, body_tokens, language, to_json, cc_json, bcc_json, reply_to_json, in_reply_to, reference_ids,
  conversation_root, flags, findings, body, lower(hex(content_key)), messages.sent_at`;
/** The order of the tables is given: a walk over messages, and of each its other two rows. */
const TABLES = "messages NOT INDEXED CROSS JOIN envelopes ON envelopes.id = messages.id CROSS JOIN bodies ON bodies.id = messages.id";

/** @param tellsKeys false when content keys must not be told, or are made up. */
export function messageFetch(database: SqliteDatabase, tellsKeys: boolean): MessageFetch {
  const selected = columns(writtenDate(database));
  const message = database.prepare(`SELECT ${selected} FROM ${TABLES} WHERE messages.id = ?`).raw();
  const between = database.prepare(`SELECT ${selected} FROM ${TABLES} WHERE messages.id BETWEEN ? AND ? ORDER BY messages.id`).raw();
  const places = database
    .prepare(`SELECT source, mailbox_id, location, ${COPY_COLUMNS} FROM occurrences WHERE message_id = ? ORDER BY position`)
    .raw();
  const placed = database.prepare("SELECT DISTINCT message_id FROM occurrences WHERE message_id BETWEEN ? AND ?").pluck();
  const attached = database.prepare("SELECT * FROM attachments WHERE message_id = ? ORDER BY position");
  const mailboxNames = new Map(database.prepare("SELECT id, name FROM mailboxes").raw().all() as [number, string][]);

  function furtherPlaces(ordinal: number): readonly Occurrence[] {
    return (places.all(ordinal) as PlaceColumns[]).map(([source, mailbox, location, otherId, sha256, differs]) => ({
      source,
      mailbox: mailboxNames.get(mailbox)!,
      location,
      ...decodeCopy(otherId, sha256, differs),
    }));
  }

  function completed(row: MessageColumns, further: readonly Occurrence[]): EncodedMessage {
    const ordinal = row[0];
    const attachments = row[ATTACHMENT_COUNT] === 0 ? [] : (attached.all(ordinal) as AttachmentColumns[]).map(toAttachment);
    return toMessage(row, {
      mailbox: mailboxNames.get(row[MAILBOX])!,
      attachments,
      further,
      contentKey: tellsKeys ? row[CONTENT_KEY] : null,
    });
  }

  function one(ordinal: number): ArchivedMessage | null {
    const row = message.get(ordinal) as MessageColumns | undefined;
    if (row === undefined) return null;
    const { sortedAt: _, ...found } = completed(row, furtherPlaces(ordinal));
    return { ...found, body: decodeText(row[BODY]) };
  }

  return {
    one,
    many: (ordinals) => ordinals.map(one).filter((found) => found !== null),
    range(first, last) {
      const several = new Set(placed.all(first, last) as number[]);
      return (between.all(first, last) as MessageColumns[]).map((row) => completed(row, several.has(row[0]) ? furtherPlaces(row[0]) : []));
    },
  };
}

type PlaceColumns = readonly [
  source: number,
  mailbox: number,
  location: string,
  otherId: string | null,
  sha256: Uint8Array | null,
  differs: string | null,
];

interface AttachmentColumns {
  id: string;
  filename: string;
  media_type: string;
  size_bytes: number;
  sha256: Uint8Array;
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

/** What stands in other tables than the row of a message. */
interface Related {
  readonly mailbox: string;
  readonly attachments: readonly Attachment[];
  /** Places beside the first. */
  readonly further: readonly Occurrence[];
  readonly contentKey: string | null;
}

/** By place: to take an array apart by names, V8 asks its iterator for every column, and compiles ten times as much. */
function toMessage(row: MessageColumns, { mailbox, attachments, further, contentKey }: Related): EncodedMessage {
  const source = row[2];
  const location = row[12];
  const conversationRoot = row[22];
  return {
    id: messageId(row[0]),
    messageId: row[1],
    threadId: threadId(row[4]),
    topicId: topicId(row[5]),
    inReplyTo: decodeList(row[20]),
    references: decodeList(row[21]),
    conversationIndexRoot: conversationRoot === null ? null : decodeHex(conversationRoot),
    subject: row[8],
    from: decodeAddress(row[6]),
    to: decodeAddresses(row[16]),
    cc: decodeAddresses(row[17]),
    bcc: unitedBcc(decodeAddresses(row[18]), further),
    replyTo: decodeAddresses(row[19]),
    sentAt: row[7],
    sortedAt: row[27],
    receivedAt: row[13],
    mailbox,
    flags: decodeList(row[23]),
    source,
    location,
    sha256: row[10],
    contentKey,
    sizeBytes: row[11],
    language: row[15],
    body: validText(row[BODY]),
    bodyTokens: row[14],
    attachments,
    occurrences: [{ source, mailbox, location }, ...further],
    findings: decodeList(row[24]),
  };
}

/** Only the copy that its sender kept names those in Bcc. */
function unitedBcc(own: readonly Address[], further: readonly Occurrence[]): readonly Address[] {
  const named = further.filter(({ bcc }) => bcc !== undefined && bcc.length > 0);
  if (named.length === 0) return own;
  const united = new Map<string, Address>();
  for (const address of [...own, ...named.flatMap(({ bcc }) => bcc ?? [])]) {
    const key = (address.email || address.name).toLowerCase();
    if (!united.has(key)) united.set(key, address);
  }
  return [...united.values()];
}

/** UTF-8 in which what is malformed reads as U+FFFD. */
export function validText(bytes: Uint8Array): Uint8Array {
  return isUtf8(bytes) ? bytes : Buffer.from(bufferOver(bytes).toString("utf8"));
}

/** Most bodies are ASCII, and as such are decoded several times faster. */
export function decodeText(bytes: Uint8Array): string {
  return bufferOver(bytes).toString(isAscii(bytes) ? "latin1" : "utf8");
}

/** The same memory. */
function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
