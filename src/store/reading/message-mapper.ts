import { isAscii, isUtf8 } from "node:buffer";
import type { EncodedMessage, MessageHeading } from "../../mail/archive.ts";
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

/** The same for a heading. */
export const HEADING_FIELDS = ["subject", "from", "sender", "to", "cc", "bcc", "sentAt", "source", "location"] as const;
export const EXTRA_HEADING_COLUMNS = ["ordinal", "thread", "topic", "mailboxId", "sortedAt"] as const;
export const FILLED_IN_HEADING = ["id", "threadId", "topicId", "mailbox", "sortedAt", "bcc", "occurrences"] as const;
type FilledInHeading = (typeof FILLED_IN_HEADING)[number];

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** A selection of all columns of a message. */
type MessageSelection = Selection<MessageColumns, (typeof EXTRA_COLUMNS)[number]>;

/** A selection of the columns of a heading. */
type HeadingSelection = Selection<
  Pick<MessageColumns, (typeof HEADING_FIELDS)[number]>,
  (typeof EXTRA_HEADING_COLUMNS)[number]
>;

/** Data of a heading from other tables. */
interface HeadingSurroundings {
  readonly mailboxNames: ReadonlyMap<number, string>;
}

/** Data of a message from other tables. */
export interface MessageSurroundings extends HeadingSurroundings {
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
  const ordinal = row[at.ordinal] as MessageOrdinal;
  fillHeading(message, row, { at, further, around });
  message.inferredLanguage = message.language === null ? around.inferredLanguage(ordinal) : null;
  message.contentKey = around.publishesContentKeys ? (row[at.contentKey] as string) : null;
  message.body = validText(message.body);
  message.attachments = row[at.attachmentCount] === 0 ? [] : around.attachmentsOf(ordinal);
  return message;
}

/** Maps a row and further locations to a heading. */
export function toHeading(
  stored: HeadingSelection,
  row: readonly SqlValue[],
  { further, around }: { readonly further: readonly Occurrence[]; readonly around: HeadingSurroundings },
): MessageHeading {
  const { at } = stored;
  const heading = stored.decode(row) as ReturnType<HeadingSelection["decode"]> &
    Writable<Pick<EncodedMessage, FilledInHeading>>;
  fillHeading(heading, row, { at, further, around });
  return heading;
}

/** Assigns the fields of a heading that other columns and tables determine. */
function fillHeading(
  message: Pick<MessageColumns, "source" | "location"> & Writable<Pick<EncodedMessage, FilledInHeading>>,
  row: readonly SqlValue[],
  {
    at,
    further,
    around,
  }: {
    readonly at: HeadingSelection["at"];
    readonly further: readonly Occurrence[];
    readonly around: HeadingSurroundings;
  },
): void {
  const { source, location } = message;
  const mailbox = around.mailboxNames.get(row[at.mailboxId] as number)!;
  message.id = messageId(row[at.ordinal] as MessageOrdinal);
  message.threadId = threadId(row[at.thread] as ThreadOrdinal);
  message.topicId = topicId(row[at.topic] as TopicOrdinal);
  message.bcc = unitedBcc(message.bcc, further);
  message.sortedAt = row[at.sortedAt] as number | null;
  message.mailbox = mailbox;
  message.occurrences = [{ source, mailbox, location }, ...further];
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
