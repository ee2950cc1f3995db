import * as z from "zod";
import { ATTACHMENT } from "../../document/extraction-records.ts";
import { schemaOf } from "../../document/record-schema.ts";
import {
  communityIdSchema,
  contactIdSchema,
  countSchema,
  dateSchema,
  messageIdSchema,
  nullableDateSchema,
  scoreSchema,
  threadIdSchema,
  topicIdSchema,
} from "../../document/wire-values.ts";
import { WORD_MATCHES } from "../../mail/exploration.ts";
import { MESSAGE_KINDS } from "../../mail/records/message-kind.ts";
import { WIRE_CODES } from "../refusal.ts";

/**
 * Version of the query API: `data.version` of /health and `data.pipeline_version` of /stats. It changes with the shapes
 * below.
 */
export const API_VERSION = "0.5.0";

/**
 * Responses of the eleven routes: types, checks of the contract tests and openapi.json are derived from these
 * schemas.
 */

export const paginationSchema = z.object({
  total: countSchema.describe("items that match, on all pages"),
  limit: countSchema.describe("page size used"),
  offset: countSchema.describe("offset used"),
  pages: countSchema.describe("ceil(total / limit)"),
});

export const contactSchema = z.object({
  id: contactIdSchema,
  name: z.string(),
  email: z.string(),
  message_count: countSchema.describe("messages sent or received"),
  frequency: z.enum(["high", "medium", "low"]),
  last_seen: nullableDateSchema,
  first_seen: nullableDateSchema,
  sentiment: z.enum(["positive", "neutral", "negative"]),
  community_id: communityIdSchema,
  authority_score: scoreSchema.describe("HITS authority"),
  hub_score: scoreSchema.describe("HITS hub"),
});

export const contactDetailSchema = contactSchema.extend({
  message_ids: z.array(messageIdSchema),
  common_topics: z.array(z.object({ topic_id: topicIdSchema, frequency: countSchema })),
});

export const messageSchema = z.object({
  id: messageIdSchema,
  thread_id: threadIdSchema,
  from_email: z.string().describe("empty if the message has no author"),
  to_emails: z.array(z.string()),
  subject: z.string(),
  body: z.string().describe("full text with whitespace collapsed"),
  body_tokens: countSchema.describe("search tokens of the body"),
  sent_at: nullableDateSchema,
  received_at: nullableDateSchema,
  topic_id: topicIdSchema,
  search_score: scoreSchema.optional(),
});

export const messageDetailSchema = messageSchema.extend({
  body: z.string().describe("full text with line breaks"),
  sender_email: z.string().nullable().describe("actual sender if different from the author, else null"),
  kind: z.enum(MESSAGE_KINDS).nullable().describe("kind of message; null if extracted by an earlier version"),
  cc_emails: z.array(z.string()),
  bcc_emails: z.array(z.string()),
  thread_messages: z.array(messageIdSchema).describe("messages of the thread, oldest first, including this one"),
  quotes: z.array(messageIdSchema).describe("quoted messages, closest to the new text first"),
  attachments: z.array(schemaOf(ATTACHMENT)),
});

export const topicSchema = z.object({
  id: topicIdSchema,
  name: z.string(),
  description: z.string().optional(),
  message_count: countSchema,
  top_keywords: z.array(z.string()),
  created_at: dateSchema,
});

export const topicDetailSchema = topicSchema.extend({
  key_contacts: z.array(z.object({ contact_id: contactIdSchema, name: z.string(), frequency: countSchema })),
  message_ids: z.array(messageIdSchema),
  date_range: z.object({ earliest: nullableDateSchema, latest: nullableDateSchema }),
});

export const threadSchema = z.object({
  id: threadIdSchema,
  subject: z.string(),
  message_count: countSchema,
  participants: z.array(z.string()).describe("addresses"),
  date_range: z.object({ first_message: nullableDateSchema, last_message: nullableDateSchema }),
  topic_id: topicIdSchema,
});

export const threadMessageSchema = z.object({
  id: messageIdSchema,
  from_email: z.string(),
  to_emails: z.array(z.string()),
  subject: z.string(),
  body: z.string().describe("full text with line breaks"),
  sent_at: nullableDateSchema,
});

export const searchResultSchema = z.object({
  message_id: messageIdSchema,
  rank: z.int().min(1),
  score: scoreSchema,
  snippet: z.string().describe("about 180 characters, matches marked with **"),
  from_email: z.string(),
  subject: z.string(),
  sent_at: nullableDateSchema,
  same_text: z
    .object({ count: countSchema, message_ids: z.array(messageIdSchema).describe("the first 100") })
    .optional()
    .describe("other messages with the same text; they are not separate results"),
});

export const healthSchema = z.object({ version: z.string(), uptime_ms: countSchema, environment: z.string() });

export const statisticsSchema = z.object({
  total_messages: countSchema,
  total_contacts: countSchema,
  total_topics: countSchema,
  total_threads: countSchema,
  pii_redactions: countSchema,
  date_range: z.object({ earliest: nullableDateSchema, latest: nullableDateSchema }),
  extraction_timestamp: dateSchema,
  pipeline_version: z.string(),
});

export const contactListSchema = z.object({ contacts: z.array(contactSchema), pagination: paginationSchema });
export const messageListSchema = z.object({ messages: z.array(messageSchema), pagination: paginationSchema });
export const topicListSchema = z.object({ topics: z.array(topicSchema), total: countSchema });
export const threadListSchema = z.object({ threads: z.array(threadSchema), pagination: paginationSchema });
export const threadMessagesSchema = z.object({
  thread_id: threadIdSchema,
  subject: z.string(),
  messages: z.array(threadMessageSchema),
});
export const problemsSchema = z
  .array(z.string())
  .readonly()
  .describe("one sentence for each part of the query that could not be interpreted");

export const searchAnswerSchema = z.object({
  query: z.string(),
  results: z.array(searchResultSchema),
  matched: z.enum(WORD_MATCHES).describe("whether results match all words or any word"),
  problems: problemsSchema.optional(),
  query_time_ms: countSchema,
});

export const errorSchema = z.object({ code: z.enum(WIRE_CODES), message: z.string() });
export const errorEnvelopeSchema = z.object({ status: z.literal("error"), error: errorSchema, timestamp: dateSchema });

export type PaginationWire = z.infer<typeof paginationSchema>;
export type ContactWire = z.infer<typeof contactSchema>;
export type ContactDetailWire = z.infer<typeof contactDetailSchema>;
export type MessageWire = z.infer<typeof messageSchema>;
export type MessageDetailWire = z.infer<typeof messageDetailSchema>;
export type TopicWire = z.infer<typeof topicSchema>;
export type TopicDetailWire = z.infer<typeof topicDetailSchema>;
export type ThreadWire = z.infer<typeof threadSchema>;
export type ThreadMessageWire = z.infer<typeof threadMessageSchema>;
export type SearchResultWire = z.infer<typeof searchResultSchema>;
export type StatisticsWire = z.infer<typeof statisticsSchema>;
