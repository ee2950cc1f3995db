import type { CopyDifferences, Occurrence } from "../../mail/message.ts";
import type { CopyRow, FoundCopy } from "../rows.ts";
import { COPY_COLUMNS, encodeCopy } from "./copy-columns.ts";
import type { SqliteDatabase } from "./database.ts";
import { decodeHex, encodeAddress, encodeAddresses, encodeHex, encodeList } from "./json-columns.ts";
import type { MailboxIds } from "./mailbox-ids.ts";

/** Adds places of stored messages; false for a place that is known. */
export interface CopyWriter {
  add(row: CopyRow): boolean;
  /** Adds a place that is told with what differs there. */
  addOccurrence(message: number, occurrence: Occurrence): boolean;
  /** No place is added any more. */
  finish(): void;
}

/** The message that is kept, as stored. */
type KeptColumns = readonly [
  messageId: string,
  source: number,
  mailbox: number,
  location: string,
  sha256: Uint8Array,
  sentAt: number | null,
  receivedAt: number | null,
  flags: string | null,
  from: string | null,
  sender: string | null,
  to: string | null,
  cc: string | null,
  bcc: string | null,
  replyTo: string | null,
  inReplyTo: string | null,
  references: string | null,
  conversationRoot: Uint8Array | null,
  gmailThreadId: string | null,
];

const KEPT = `SELECT message_id, source, mailbox_id, location, sha256, sent_at, received_at, flags, from_json, sender_json, to_json, cc_json, bcc_json,
  reply_to_json, in_reply_to, reference_ids, conversation_root, gmail_thread_id
  FROM messages NOT INDEXED CROSS JOIN envelopes ON envelopes.id = messages.id WHERE messages.id = ?`;

/** The rows of the messages must be written when a place is added. */
export function copyWriter(database: SqliteDatabase, mailboxes: MailboxIds): CopyWriter {
  // Only while places are added: a message without text may lie in a mailbox a hundred thousand times, and each is looked for among all.
  database.exec("CREATE INDEX IF NOT EXISTS occurrences_by_place ON occurrences(message_id, source, mailbox_id, location)");
  const kept = database.prepare(KEPT).raw();
  const place = database.prepare("SELECT 1 FROM occurrences WHERE message_id = ? AND source = ? AND mailbox_id = ? AND location = ?");
  const inMailbox = database.prepare("SELECT 1 FROM occurrences WHERE message_id = ? AND source = ? AND mailbox_id = ? LIMIT 1");
  const last = database.prepare("SELECT coalesce(max(position), 0) FROM occurrences WHERE message_id = ?").pluck();
  const insert = database.prepare(
    `INSERT INTO occurrences(message_id, position, source, mailbox_id, location, ${COPY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  function add(message: number, occurrence: Occurrence, differencesOf: (row: KeptColumns) => CopyDifferences): boolean {
    const { source, location } = occurrence;
    const mailbox = mailboxes.idOf(source, occurrence.mailbox);
    const row = kept.get(message) as KeptColumns;
    if (row[1] === source && row[2] === mailbox && row[3] === location) return false;
    if (place.get(message, source, mailbox, location) !== undefined) return false;
    const position = (last.get(message) as number) + 1;
    // A message counts once for a mailbox, however often it lies there.
    if (row[2] !== mailbox && inMailbox.get(message, source, mailbox) === undefined) mailboxes.count(mailbox, message, position);
    insert.run(message, position, source, mailbox, location, ...encodeCopy(differencesOf(row)));
    return true;
  }

  return {
    add: (row) => add(row.message, row, (stored) => differences(row.found, stored)),
    addOccurrence: (message, { source, mailbox, location, ...differs }) => add(message, { source, mailbox, location }, () => differs),
    finish() {
      database.exec("DROP INDEX occurrences_by_place");
    },
  };
}

/** What a copy has that is other than in the message, compared as it is stored. */
function differences(copy: FoundCopy, kept: KeptColumns): CopyDifferences {
  const { conversationIndexRoot, gmailThreadId } = copy;
  return {
    ...(copy.messageId === kept[0] ? {} : { messageId: copy.messageId }),
    ...(Buffer.compare(encodeHex(copy.sha256), kept[4]) === 0 ? {} : { sha256: copy.sha256 }),
    ...(copy.sentAt === kept[5] ? {} : { sentAt: copy.sentAt }),
    ...(copy.receivedAt === kept[6] ? {} : { receivedAt: copy.receivedAt }),
    ...(encodeList(copy.flags) === kept[7] ? {} : { flags: copy.flags }),
    ...(encodeAddress(copy.from) === kept[8] ? {} : { from: copy.from }),
    ...(encodeAddress(copy.sender) === kept[9] ? {} : { sender: copy.sender }),
    ...(encodeAddresses(copy.to) === kept[10] ? {} : { to: copy.to }),
    ...(encodeAddresses(copy.cc) === kept[11] ? {} : { cc: copy.cc }),
    ...(encodeAddresses(copy.bcc) === kept[12] ? {} : { bcc: copy.bcc }),
    ...(encodeAddresses(copy.replyTo) === kept[13] ? {} : { replyTo: copy.replyTo }),
    ...(encodeList(copy.inReplyTo) === kept[14] ? {} : { inReplyTo: copy.inReplyTo }),
    ...(encodeList(copy.references) === kept[15] ? {} : { references: copy.references }),
    ...(conversationIndexRoot === (kept[16] === null ? null : decodeHex(kept[16])) ? {} : { conversationIndexRoot }),
    ...(gmailThreadId === kept[17] ? {} : { gmailThreadId }),
  };
}
