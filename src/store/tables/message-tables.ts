import type { Attachment, KeptMessage } from "../../mail/records/message.ts";
import type { MessageKind } from "../../mail/records/message-kind.ts";
import type { ContactOrdinal, MessageOrdinal, ThreadOrdinal, TopicOrdinal } from "../../mail/records/ordinal.ts";
import {
  address,
  addresses,
  blob,
  type Column,
  type Columns,
  choice,
  deferred,
  findings,
  flag,
  hex,
  instant,
  integer,
  key,
  messageIds,
  optional,
  optionalHex,
  since,
  text,
  texts,
  word,
  words,
} from "./column.ts";
import { type Place, type Table, table } from "./table.ts";

/**
 * A message is three rows: `messages` has the sorted and filtered fields, so that indexing reads little; `envelopes`
 * the other header fields; `bodies` the text as a UTF-8 blob (`enc` 0), decoded only when needed. Lists that are
 * never filtered are JSON in their row. Times are milliseconds; undated is NULL. Each field of `KeptMessage` is a
 * column here, or of `envelopes` if nothing sorts or filters by it. Staging, redaction, writing and reading are
 * derived from it.
 */
export const MESSAGES = table("messages", {
  ordinal: key<MessageOrdinal>("id"),
  messageId: word("message_id"),
  contentKey: deferred(blob("content_key")),
  source: deferred(integer("source")),
  mailboxId: deferred(integer("mailbox_id")),
  thread: deferred(integer<ThreadOrdinal>("thread_id")),
  topic: deferred(integer<TopicOrdinal>("topic_id")),
  fromContact: deferred(optional(integer<ContactOrdinal>("from_id"))),
  fromKey: deferred(word("from_key")),
  from: address("from_json"),
  sentAt: instant("sent_at"),
  subject: text("subject"),
  subjectKey: deferred(word("subject_key")),
  attachmentCount: deferred(integer("attachment_count")),
});

export const ENVELOPES = table("envelopes", {
  ordinal: key<MessageOrdinal>("id"),
  sha256: hex("sha256"),
  sizeBytes: integer("size_bytes"),
  location: word("location"),
  receivedAt: instant("received_at"),
  bodyTokens: deferred(integer("body_tokens")),
  language: deferred(optional(word("language"))),
  isAutomatic: flag("is_automatic"),
  sender: address("sender_json"),
  to: addresses("to_json"),
  cc: addresses("cc_json"),
  bcc: addresses("bcc_json"),
  replyTo: addresses("reply_to_json"),
  inReplyTo: words("in_reply_to"),
  references: words("reference_ids"),
  conversationIndexRoot: optionalHex("conversation_root"),
  gmailThreadId: optional(word("gmail_thread_id")),
  baseSubjectKey: word("base_subject_key"),
  flags: texts("flags"),
  findings: findings("findings"),
  messageKind: optional(choice<MessageKind>("kind")),
  quotes: deferred(messageIds("quotes")),
  textKey: deferred(optional(integer("text_key"))),
  mentions: deferred(since(6, texts("mentions"))),
});

export const BODIES = table("bodies", {
  ordinal: key<MessageOrdinal>("id"),
  encoding: deferred(integer("enc")),
  body: deferred(blob("body")),
  fileTexts: deferred(texts("file_texts")),
});

export const ATTACHMENTS = table(
  "attachments",
  {
    message: integer<MessageOrdinal>("message_id"),
    position: integer("position"),
    id: word("id"),
    filename: text("filename"),
    mediaType: word("media_type"),
    sizeBytes: integer("size_bytes"),
    sha256: hex("sha256"),
    disposition: choice<Attachment["disposition"]>("disposition"),
    contentId: optional(word("content_id")),
    path: optional(word("path")),
    linkTarget: optional(text("link_target")),
    attachedMessage: optional(text("attached_message")),
  } satisfies Columns<Attachment & { readonly message: number; readonly position: number }>,
  { keys: "PRIMARY KEY(message_id, position)", options: " WITHOUT ROWID" },
);

/**
 * Further locations of a message; each row has only the differences (copy-columns.ts), which a reader merges with the
 * message.
 */
export const OCCURRENCES = table(
  "occurrences",
  {
    message: integer<MessageOrdinal>("message_id"),
    position: integer("position"),
    source: integer("source"),
    mailboxId: integer("mailbox_id"),
    location: word("location"),
    otherId: optional(word("other_id")),
    sha256: optionalHex("sha256"),
    differs: optional(word("differs")),
  },
  { keys: "PRIMARY KEY(message_id, position)", options: "" },
);

type KeptColumns<C> = {
  readonly [Field in keyof C as C[Field] extends { readonly isKept: false } ? never : Field]: C[Field];
};

function keptColumns<C>({ columns }: Table<C>): KeptColumns<C> {
  const kept = Object.entries(columns as Readonly<Record<string, Column<unknown>>>).filter(([, { isKept }]) => isKept);
  return Object.fromEntries(kept) as KeptColumns<C>;
}

/** Every field of a message known after reading, by name. A field without a column does not compile. */
export const KEPT_COLUMNS: Columns<KeptMessage> = {
  ...keptColumns(MESSAGES),
  ...keptColumns(ENVELOPES),
  mailbox: word("mailbox"),
};

/** The same as a list. */
export const KEPT_PLACES: readonly Pick<Place, "field" | "pack" | "unpack" | "isWritten" | "rewrite">[] =
  Object.entries(KEPT_COLUMNS).map(([field, column]) => ({ ...(column as Column<unknown>), field }));

/** Dates as written, for messages sorted by other dates (sqlite/database/sorting-dates.ts). */
export const WRITTEN_DATES = table("written_dates", {
  ordinal: key("id"),
  sentAt: instant("sent_at"),
});
