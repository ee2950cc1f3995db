import * as z from "zod";
import { ITEM_KINDS } from "../mail/item.ts";
import { MESSAGE_KINDS } from "../mail/message-kind.ts";
import { SOURCE_FORMAT_NAMES } from "../mail/source-formats.ts";
import { EXTRACTION_SCHEMA_VERSION } from "./published-values.ts";
import {
  addressSchema,
  communityIdSchema,
  contactIdSchema,
  countSchema,
  countsSchema,
  dateSchema,
  eventIdSchema,
  itemIdSchema,
  messageIdSchema,
  nullableDateSchema,
  scoreSchema,
  sha256Schema,
  threadIdSchema,
  topicIdSchema,
} from "./wire-values.ts";

export const sourceFormatSchema = z.enum(SOURCE_FORMAT_NAMES);

export const sourceSchema = z.strictObject({
  path: z.string(),
  format: sourceFormatSchema,
  sha256: sha256Schema,
  size_bytes: countSchema,
  counts: countsSchema,
  calendar_events: countSchema,
});

export const statisticsSchema = z.strictObject({
  total_messages: countSchema,
  total_calendar_events: countSchema,
  total_contacts: countSchema,
  total_threads: countSchema,
  multi_message_threads: countSchema,
  total_topics: countSchema,
  total_attachments: countSchema,
  pii_redactions: countSchema,
  date_range: z.strictObject({ earliest: nullableDateSchema, latest: nullableDateSchema }),
});

export const contactSchema = z.strictObject({
  id: contactIdSchema,
  name: z.string(),
  email: z.string(),
  message_count: countSchema,
  sent_count: countSchema,
  received_count: countSchema,
  frequency: z.enum(["high", "medium", "low"]),
  first_seen: nullableDateSchema,
  last_seen: nullableDateSchema,
  sentiment: z.enum(["positive", "neutral", "negative"]),
  community_id: communityIdSchema,
  authority_score: scoreSchema,
  hub_score: scoreSchema,
  pagerank: scoreSchema,
  degree: countSchema,
  in_degree: countSchema,
  out_degree: countSchema,
  aliases: z.array(z.string()),
  domains: z.array(z.string()),
});

export const threadSchema = z.strictObject({
  id: threadIdSchema,
  subject: z.string(),
  message_count: countSchema,
  participants: z.array(z.string()),
  date_range: z.strictObject({ first_message: nullableDateSchema, last_message: nullableDateSchema }),
  topic_id: topicIdSchema,
  message_ids: z.array(messageIdSchema),
});

export const topicSchema = z.strictObject({
  id: topicIdSchema,
  name: z.string(),
  description: z.string(),
  message_count: countSchema,
  top_keywords: z.array(z.string()),
  created_at: dateSchema,
});

export const calendarEventSchema = z.strictObject({
  id: eventIdSchema,
  uid: z.string(),
  recurrence_id: nullableDateSchema,
  message_id: messageIdSchema.nullable(),
  source: countSchema,
  mailbox: z.string(),
  method: z.string().nullable(),
  status: z.enum(["tentative", "confirmed", "cancelled"]),
  sequence: z.int(),
  subject: z.string(),
  description: z.string(),
  location: z.string(),
  start: nullableDateSchema,
  end: nullableDateSchema,
  all_day: z.boolean(),
  timezone: z.string().nullable(),
  organizer: addressSchema.nullable(),
  attendees: z.array(z.strictObject({ name: z.string(), email: z.string(), role: z.string(), status: z.string() })),
  recurrence: z.strictObject({ rrule: z.string(), exdates: z.array(dateSchema), text: z.string() }).nullable(),
  busy_status: z.enum(["free", "tentative", "busy", "out_of_office", "working_elsewhere"]).nullable(),
  created_at: nullableDateSchema,
  updated_at: nullableDateSchema,
});

export const itemSchema = z.strictObject({
  id: itemIdSchema,
  kind: z.enum(ITEM_KINDS),
  subject: z.string(),
  mailbox: z.string(),
  source: countSchema,
  fields: z.record(z.string(), z.string()),
});

export const attachmentSchema = z.strictObject({
  id: z.string(),
  filename: z.string(),
  media_type: z.string(),
  size_bytes: countSchema,
  sha256: sha256Schema,
  disposition: z.enum(["attachment", "inline"]),
  content_id: z.string().nullable(),
  path: z.string().nullable(),
});

/** A place of a message; beside it what differs there, and only that. */
export const occurrenceSchema = z.strictObject({
  source: countSchema,
  mailbox: z.string(),
  location: z.string(),
  message_id: z.string().optional(),
  sha256: sha256Schema.optional(),
  sent_at: nullableDateSchema.optional(),
  received_at: nullableDateSchema.optional(),
  flags: z.array(z.string()).optional(),
  from: addressSchema.nullable().optional(),
  to: z.array(addressSchema).optional(),
  cc: z.array(addressSchema).optional(),
  bcc: z.array(addressSchema).optional(),
  reply_to: z.array(addressSchema).optional(),
  sender: addressSchema.nullable().optional(),
  in_reply_to: z.array(z.string()).optional(),
  references: z.array(z.string()).optional(),
});

export const messageSchema = z.strictObject({
  message_id: z.string(),
  id: messageIdSchema,
  thread_id: threadIdSchema,
  topic_id: topicIdSchema,
  in_reply_to: z.array(z.string()),
  references: z.array(z.string()),
  conversation_index_root: z
    .string()
    .regex(/^[0-9a-f]{44}$/, "must be 44 lower-case hex digits")
    .nullable(),
  subject: z.string(),
  from: addressSchema.nullable(),
  /** Documents of earlier versions do not have it, nor the kind. */
  sender: addressSchema.nullable().optional(),
  kind: z.enum(MESSAGE_KINDS).nullable().optional(),
  to: z.array(addressSchema),
  cc: z.array(addressSchema),
  bcc: z.array(addressSchema),
  reply_to: z.array(addressSchema),
  sent_at: nullableDateSchema,
  received_at: nullableDateSchema,
  mailbox: z.string(),
  flags: z.array(z.string()),
  source: countSchema,
  location: z.string(),
  sha256: sha256Schema,
  size_bytes: countSchema,
  language: z.string().nullable(),
  body: z.string(),
  body_tokens: countSchema,
  attachments: z.array(attachmentSchema),
  /** Not of an archive that was redacted. */
  content_key: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "must be 32 lower-case hex digits")
    .optional(),
  /** Only when more than one. */
  occurrences: z.array(occurrenceSchema).optional(),
  /** Only when there are any. */
  findings: z.array(z.strictObject({ code: z.string(), message: z.string() })).optional(),
});

/**
 * The keys of the document in the order they are written, each with the schema of its value, or of one element of it.
 */
export const VALUE_SCHEMAS = {
  schema_version: z.literal(EXTRACTION_SCHEMA_VERSION),
  tool: z.string(),
  tool_version: z.string(),
  extracted_at: dateSchema,
  statistics: statisticsSchema,
} as const;

export const ELEMENT_SCHEMAS = {
  sources: sourceSchema,
  contacts: contactSchema,
  threads: threadSchema,
  topics: topicSchema,
  calendar_events: calendarEventSchema,
  items: itemSchema,
  messages: messageSchema,
} as const;

export const extractionSchema = z.strictObject({
  schema_version: VALUE_SCHEMAS.schema_version,
  tool: VALUE_SCHEMAS.tool,
  tool_version: VALUE_SCHEMAS.tool_version,
  extracted_at: VALUE_SCHEMAS.extracted_at,
  sources: z.array(sourceSchema),
  statistics: statisticsSchema,
  contacts: z.array(contactSchema),
  threads: z.array(threadSchema),
  topics: z.array(topicSchema),
  calendar_events: z.array(calendarEventSchema),
  items: z.array(itemSchema),
  messages: z.array(messageSchema),
});

export type SourceJson = z.infer<typeof sourceSchema>;
export type StatisticsJson = z.infer<typeof statisticsSchema>;
export type ContactJson = z.infer<typeof contactSchema>;
export type ThreadJson = z.infer<typeof threadSchema>;
export type TopicJson = z.infer<typeof topicSchema>;
export type CalendarEventJson = z.infer<typeof calendarEventSchema>;
export type ItemJson = z.infer<typeof itemSchema>;
export type OccurrenceJson = z.infer<typeof occurrenceSchema>;
export type AttachmentJson = z.infer<typeof attachmentSchema>;
export type MessageJson = z.infer<typeof messageSchema>;
export type ValueKey = keyof typeof VALUE_SCHEMAS;
export type ElementKey = keyof typeof ELEMENT_SCHEMAS;

/** The JSON Schema (draft-07) of extraction.json: what `archivetool schema` prints. */
export function extractionJsonSchema(): object {
  return z.toJSONSchema(extractionSchema, { target: "draft-7" });
}
