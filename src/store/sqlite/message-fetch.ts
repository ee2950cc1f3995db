import { isAscii, isUtf8 } from "node:buffer";
import type { Address } from "../../mail/address.ts";
import type { ArchivedMessage, EncodedMessage } from "../../mail/archive.ts";
import { messageId, threadId, topicId } from "../../mail/ids.ts";
import { type Attachment, isUntold, type KeptMessage, type Occurrence, type UntoldField } from "../../mail/message.ts";
import type { MessageOrdinal, ThreadOrdinal, TopicOrdinal } from "../../mail/ordinal.ts";
import type { MessageRow } from "../rows.ts";
import { ATTACHMENTS, BODIES, ENVELOPES, KEPT_PLACES, MESSAGES, OCCURRENCES } from "../tables/message-tables.ts";
import { selection } from "../tables/table.ts";
import { type CopyColumns, decodeCopy } from "./copy-columns.ts";
import type { SqliteDatabase } from "./database.ts";
import { inferredLanguageReader } from "./inferred-languages.ts";
import { writtenDate } from "./sorting-dates.ts";
import type { SqlValue } from "./sqlite-database.ts";

/** Reads whole messages by ordinal. */
export interface MessageFetch {
  /** Null when there is none. */
  one(ordinal: number): ArchivedMessage | null;
  many(ordinals: readonly number[]): readonly ArchivedMessage[];
  /** All messages from one ordinal to another, both included, in order. */
  range(first: number, last: number): readonly EncodedMessage[];
}

/** What a message is told with as it stands in its rows; the mailbox has a table of its own. */
type ToldRow = Omit<KeptMessage, UntoldField | "mailbox"> &
  Pick<MessageRow, "source" | "language" | "quotes" | "body" | "bodyTokens">;
const TOLD_FIELDS: readonly (keyof ToldRow)[] = [
  ...KEPT_PLACES.map(({ field }) => field as keyof KeptMessage).filter(
    (field) => field !== "mailbox" && !isUntold(field),
  ),
  ...(["source", "language", "quotes", "body", "bodyTokens"] as const),
];
/** What the rest of it is made of. */
const BESIDE = ["ordinal", "thread", "topic", "mailboxId", "attachmentCount", "contentKey", "sortedAt"] as const;

/** What is not as it stands in a row. */
const FILLED_IN = [
  ...([
    "id",
    "threadId",
    "topicId",
    "mailbox",
    "contentKey",
    "sortedAt",
    "inferredLanguage",
    "attachments",
    "occurrences",
    "bcc",
    "body",
  ] as const),
] as const satisfies readonly (keyof EncodedMessage)[];
type FilledIn = (typeof FILLED_IN)[number];
type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** The order of the tables is given: a walk over messages, and of each its other two rows. */
const TABLES =
  "messages NOT INDEXED CROSS JOIN envelopes ON envelopes.id = messages.id CROSS JOIN bodies ON bodies.id = messages.id";

/** @param tellsKeys false when content keys must not be told, or are made up. */
export function messageFetch(database: SqliteDatabase, tellsKeys: boolean): MessageFetch {
  const stored = selection<ToldRow, (typeof BESIDE)[number]>([MESSAGES, ENVELOPES, BODIES], TOLD_FIELDS, {
    // A text is read in half the time of a blob for which an array is made.
    sqlOf: { sentAt: writtenDate(database), sortedAt: "messages.sent_at", contentKey: "lower(hex(content_key))" },
    beside: BESIDE,
    filledIn: FILLED_IN,
  });
  const { at } = stored;
  const message = database.prepare(`SELECT ${stored.sql} FROM ${TABLES} WHERE messages.id = ?`).raw();
  const between = database
    .prepare(`SELECT ${stored.sql} FROM ${TABLES} WHERE messages.id BETWEEN ? AND ? ORDER BY messages.id`)
    .raw();
  const places = database.prepare(`SELECT ${PLACE.sql} FROM occurrences WHERE message_id = ? ORDER BY position`).raw();
  const placed = database
    .prepare("SELECT DISTINCT message_id FROM occurrences WHERE message_id BETWEEN ? AND ?")
    .pluck();
  const attached = database
    .prepare(`SELECT ${ATTACHMENT.sql} FROM attachments WHERE message_id = ? ORDER BY position`)
    .raw();
  const inferredLanguage = inferredLanguageReader(database);
  const mailboxNames = new Map(database.prepare("SELECT id, name FROM mailboxes").raw().all() as [number, string][]);

  function furtherPlaces(ordinal: number): readonly Occurrence[] {
    return (places.all(ordinal) as SqlValue[][]).map((row) => occurrenceOf(PLACE.decode(row), mailboxNames));
  }

  function completed(row: readonly SqlValue[], further: readonly Occurrence[]): EncodedMessage {
    const message = stored.decode(row) as ToldRow & Writable<Pick<EncodedMessage, FilledIn>>;
    const { source, location } = message;
    const ordinal = row[at.ordinal] as MessageOrdinal;
    const mailbox = mailboxNames.get(row[at.mailboxId] as number)!;
    message.id = messageId(ordinal);
    message.threadId = threadId(row[at.thread] as ThreadOrdinal);
    message.topicId = topicId(row[at.topic] as TopicOrdinal);
    message.bcc = unitedBcc(message.bcc, further);
    message.sortedAt = row[at.sortedAt] as number | null;
    message.inferredLanguage = message.language === null ? inferredLanguage(ordinal) : null;
    message.mailbox = mailbox;
    message.contentKey = tellsKeys ? (row[at.contentKey] as string) : null;
    message.body = validText(message.body);
    message.attachments =
      row[at.attachmentCount] === 0 ? [] : (attached.all(ordinal) as SqlValue[][]).map(ATTACHMENT.decode);
    message.occurrences = [{ source, mailbox, location }, ...further];
    return message;
  }

  function one(ordinal: number): ArchivedMessage | null {
    const row = message.get(ordinal) as SqlValue[] | undefined;
    if (row === undefined) return null;
    const { sortedAt: _, ...found } = completed(row, furtherPlaces(ordinal));
    return { ...found, body: decodeText(row[at.body] as Uint8Array) };
  }

  return {
    one,
    many: (ordinals) => ordinals.map(one).filter((found) => found !== null),
    range(first, last) {
      const several = new Set(placed.all(first, last) as number[]);
      return (between.all(first, last) as SqlValue[][]).map((row) => {
        const ordinal = row[at.ordinal] as number;
        return completed(row, several.has(ordinal) ? furtherPlaces(ordinal) : []);
      });
    },
  };
}

const PLACE = selection<
  CopyColumns & { readonly source: number; readonly mailboxId: number; readonly location: string }
>([OCCURRENCES], ["source", "mailboxId", "location", "otherId", "sha256", "differs"]);
const ATTACHMENT = selection<Attachment>(
  [ATTACHMENTS],
  ["id", "filename", "mediaType", "sizeBytes", "sha256", "disposition", "contentId", "path"],
);

function occurrenceOf(
  place: ReturnType<(typeof PLACE)["decode"]>,
  mailboxNames: ReadonlyMap<number, string>,
): Occurrence {
  const { source, mailboxId, location } = place;
  return { source, mailbox: mailboxNames.get(mailboxId)!, location, ...decodeCopy(place) };
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
