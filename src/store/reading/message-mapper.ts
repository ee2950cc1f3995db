import { isAscii, isUtf8 } from "node:buffer";
import type { EncodedMessage } from "../../mail/archive.ts";
import type { Address } from "../../mail/records/address.ts";
import { messageId, threadId, topicId } from "../../mail/records/ids.ts";
import {
  type Attachment,
  type InternalField,
  isInternalField,
  type KeptMessage,
  type Occurrence,
} from "../../mail/records/message.ts";
import type { MessageOrdinal, ThreadOrdinal, TopicOrdinal } from "../../mail/records/ordinal.ts";
import type { MessageRow } from "../contract/rows.ts";
import { KEPT_PLACES } from "../tables/message-tables.ts";
import type { SqlValue } from "../tables/sql-value.ts";
import type { Selection } from "../tables/table.ts";
import { type CopyColumns, decodeCopy } from "./copy-columns.ts";

/** Fields of a message that are columns of its row; the mailbox has its own table. */
type MessageColumns = Omit<KeptMessage, InternalField | "mailbox"> &
  Pick<MessageRow, "source" | "language" | "quotes" | "body" | "bodyTokens">;
export const PUBLIC_FIELDS: readonly (keyof MessageColumns)[] = [
  ...KEPT_PLACES.map(({ field }) => field as keyof KeptMessage).filter(
    (field) => field !== "mailbox" && !isInternalField(field),
  ),
  ...(["source", "language", "quotes", "body", "bodyTokens"] as const),
];
/** Columns from which the other fields are computed. */
export const EXTRA_COLUMNS = [
  "ordinal",
  "thread",
  "topic",
  "mailboxId",
  "attachmentCount",
  "contentKey",
  "sortedAt",
] as const;

/** Fields from other tables. */
export const FILLED_IN = [
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

/** A selection of all columns of a message. */
type MessageSelection = Selection<MessageColumns, (typeof EXTRA_COLUMNS)[number]>;

/** Data of a message from other tables. */
export interface MessageSurroundings {
  readonly mailboxNames: ReadonlyMap<number, string>;
  /** False if content keys are secret or generated. */
  readonly publishesContentKeys: boolean;
  inferredLanguage(ordinal: number): string | null;
  attachmentsOf(ordinal: number): readonly Attachment[];
}

/** Maps a row and further locations to a message. */
export function toMessage(
  stored: MessageSelection,
  row: readonly SqlValue[],
  { further, around }: { readonly further: readonly Occurrence[]; readonly around: MessageSurroundings },
): EncodedMessage {
  const { at } = stored;
  const message = stored.decode(row) as MessageColumns & Writable<Pick<EncodedMessage, FilledIn>>;
  const { source, location } = message;
  const ordinal = row[at.ordinal] as MessageOrdinal;
  const mailbox = around.mailboxNames.get(row[at.mailboxId] as number)!;
  message.id = messageId(ordinal);
  message.threadId = threadId(row[at.thread] as ThreadOrdinal);
  message.topicId = topicId(row[at.topic] as TopicOrdinal);
  message.bcc = unitedBcc(message.bcc, further);
  message.sortedAt = row[at.sortedAt] as number | null;
  message.inferredLanguage = message.language === null ? around.inferredLanguage(ordinal) : null;
  message.mailbox = mailbox;
  message.contentKey = around.publishesContentKeys ? (row[at.contentKey] as string) : null;
  message.body = validText(message.body);
  message.attachments = row[at.attachmentCount] === 0 ? [] : around.attachmentsOf(ordinal);
  message.occurrences = [{ source, mailbox, location }, ...further];
  return message;
}

/** A row of a further location of a message. */
type PlaceRow = CopyColumns & {
  readonly source: number;
  readonly mailboxId: number;
  readonly location: string;
};
export const PLACE_FIELDS = ["source", "mailboxId", "location", "otherId", "sha256", "differs"] as const;

export const ATTACHMENT_FIELDS = [
  "id",
  "filename",
  "mediaType",
  "sizeBytes",
  "sha256",
  "disposition",
  "contentId",
  "path",
  "linkTarget",
  "attachedMessage",
] as const satisfies readonly (keyof Attachment)[];

export function occurrenceOf(place: PlaceRow, mailboxNames: ReadonlyMap<number, string>): Occurrence {
  const { source, mailboxId, location } = place;
  return { source, mailbox: mailboxNames.get(mailboxId)!, location, ...decodeCopy(place) };
}

/** Only the sender's own copy has Bcc. */
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

/** Decodes UTF-8 with U+FFFD for malformed bytes. */
export function validText(bytes: Uint8Array): Uint8Array {
  return isUtf8(bytes) ? bytes : Buffer.from(bufferOver(bytes).toString("utf8"));
}

/** Most bodies are ASCII, which decodes several times faster. */
export function decodeText(bytes: Uint8Array): string {
  return bufferOver(bytes).toString(isAscii(bytes) ? "latin1" : "utf8");
}

/** The same memory. */
function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
