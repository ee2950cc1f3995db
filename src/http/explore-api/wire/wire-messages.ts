import * as z from "zod";
import { ATTACHMENT } from "../../../document/extraction-records.ts";
import { recordSchemaOf } from "../../../document/record-schema.ts";
import {
  countSchema,
  messageIdSchema,
  nullableDateSchema,
  sha256Schema,
  threadIdSchema,
  topicIdSchema,
} from "../../../document/wire-values.ts";
import { ATTACHMENT_TYPES } from "../../../mail/records/attachment-types.ts";
import { MESSAGE_KINDS } from "../../../mail/records/message-kind.ts";
import { BODY_PART_KINDS } from "../../../text/quoting/split-body.ts";
import { personSchema } from "./wire.ts";
import { ATTACHMENT_STATES } from "./wire-originals.ts";

/** Responses of the explore API on a message and a conversation. */

const referenceSchema = z.object({
  message_id: z.string().describe("Message-ID"),
  id: messageIdSchema.nullable().describe("id of the message with this Message-ID"),
});

const occurrenceSchema = z.object({
  source: countSchema,
  source_path: z.string(),
  mailbox: z.string(),
  mailbox_clause: z.string().describe("query that matches this mailbox of this source"),
  location: z.string(),
  message_id: z.string().describe("Message-ID as written in the source"),
  sha256: sha256Schema.describe("hash of the bytes in the source"),
});

const fileSchema = z.object({
  number: countSchema.describe("position among the attachments of the message, from 1"),
  type: z.enum(ATTACHMENT_TYPES),
  ...recordSchemaOf(ATTACHMENT).shape,
});

const heldFileSchema = fileSchema.extend({
  availability: z
    .enum(ATTACHMENT_STATES)
    .nullable()
    .describe("whether it can be opened now; null for links and for originals stored elsewhere"),
});

export const detailSchema = z.object({
  id: messageIdSchema,
  thread_id: threadIdSchema,
  topic_id: topicIdSchema,
  message_id: z.string().describe("Message-ID, or a name derived from the bytes if missing"),
  kind: z.enum(MESSAGE_KINDS).nullable().describe("null if extracted by an earlier version"),
  subject: z.string(),
  from: personSchema.nullable(),
  sender: personSchema.nullable().describe("actual sender if different from the author, else null"),
  reply_to: z.array(personSchema),
  to: z.array(personSchema),
  cc: z.array(personSchema),
  bcc: z.array(personSchema),
  sent_at: nullableDateSchema,
  received_at: nullableDateSchema,
  in_reply_to: z.array(referenceSchema),
  references: z.array(referenceSchema).describe("the most recent 50"),
  quotes: z.array(messageIdSchema).describe("quoted messages, closest to the new text first"),
  labels: z.array(z.string()).describe("flags, and labels prefixed with label:"),
  language: z.string().nullable().describe("ISO 639-1 of the text"),
  size_bytes: countSchema,
  sha256: sha256Schema.describe("hash of the message bytes"),
  source: countSchema.describe("number of the source in provenance.json"),
  source_path: z.string(),
  mailbox: z.string(),
  location: z.string(),
  findings: z.array(z.object({ code: z.string(), message: z.string() })),
  occurrences: z.array(occurrenceSchema).describe("every location it was found in, including the first"),
  attachments: z.array(heldFileSchema),
  is_withheld: z.boolean().describe("the archive is redacted and provides no originals"),
  text: z.string().describe("the first piece of the text"),
  text_length: countSchema.describe("length of the whole text in UTF-16 units"),
  text_pieces: countSchema,
  parts: z
    .array(z.object({ kind: z.enum(BODY_PART_KINDS), start: countSchema, end: countSchema }))
    .describe("contiguous ranges that cover the whole text"),
});

export const textSchema = z.object({
  part: countSchema,
  text_pieces: countSchema,
  start: countSchema.describe("offset of the piece in the whole text"),
  text: z.string(),
});

const threadPartSchema = z.object({
  kind: z.enum(BODY_PART_KINDS),
  start: countSchema,
  end: countSchema,
  lines: countSchema,
  text: z.string().describe("new text and signature in full, the first line of quotations"),
});

const threadMessageSchema = z.object({
  id: messageIdSchema,
  parent: messageIdSchema.nullable().describe("the message it replies to or forwards"),
  kind: z.enum(MESSAGE_KINDS).nullable(),
  from: personSchema.nullable(),
  to: z.array(personSchema).describe("the first eight"),
  to_count: countSchema,
  cc_count: countSchema.describe("recipients in Cc and Bcc"),
  subject: z.string(),
  message_id: z.string(),
  sha256: z.string(),
  sent_at: nullableDateSchema,
  labels: z.array(z.string()),
  language: z.string().nullable(),
  mailbox: z.string(),
  mailbox_label: z.string().describe("includes the source if several have a mailbox with this name"),
  mailbox_clause: z.string().describe("query that matches this mailbox of this source"),
  places: countSchema,
  attachments: z.array(fileSchema),
  text_length: countSchema,
  parts: z.array(threadPartSchema),
  is_cut: z.boolean().describe("truncated: the message has the rest"),
});

export const threadSchema = z.object({
  id: threadIdSchema,
  subject: z.string(),
  message_count: countSchema,
  people_count: countSchema,
  topic_id: topicIdSchema,
  first_message: nullableDateSchema,
  last_message: nullableDateSchema,
  offset: countSchema.describe("number of messages before the first one returned"),
  messages: z.array(threadMessageSchema).describe("oldest first, undated last"),
  mentioned: z
    .array(z.object({ message_id: z.string(), id: messageIdSchema }))
    .describe("archived messages mentioned in the texts as `<Message-ID>`"),
});

export type DetailWire = z.infer<typeof detailSchema>;
export type TextWire = z.infer<typeof textSchema>;
export type FileWire = z.infer<typeof fileSchema>;
export type ThreadWire = z.infer<typeof threadSchema>;
export type ThreadMessageWire = z.infer<typeof threadMessageSchema>;
