import * as z from "zod";
import {
  communityIdSchema,
  contactIdSchema,
  countSchema,
  nullableDateSchema,
  threadIdSchema,
  topicIdSchema,
} from "../../../document/wire-values.ts";
import { problemsSchema } from "../../query-api/wire.ts";
import { facetSchema, timelineSchema } from "./wire.ts";

/** Responses of the explore API on people, topics and conversations. */

const figuresSchema = z.object({
  clause: z.string().describe("query that matches exactly these"),
  messages: countSchema,
  conversations: countSchema,
  first: nullableDateSchema,
  last: nullableDateSchema,
});

const personRowSchema = z.object({
  contact_id: contactIdSchema,
  name: z.string(),
  email: z.string(),
  alias_count: countSchema.describe("further addresses"),
  sent: figuresSchema,
  received: figuresSchema,
  all: figuresSchema.describe("sent or received"),
  sentiment: z.enum(["positive", "neutral", "negative"]),
  community_id: communityIdSchema,
});

export const peopleSchema = z.object({ total: countSchema, people: z.array(personRowSchema) });

export const NAMESAKE_REASONS = [
  "merging_was_off",
  "no_full_name",
  "no_address",
  "other_organisation",
  "no_evidence",
] as const;

export const personDetailSchema = personRowSchema.extend({
  community: z
    .object({
      members: countSchema,
      leading: z.array(z.object({ contact_id: contactIdSchema, name: z.string() })).describe("the most active others"),
    })
    .describe("members of the person's community, as listed by `/people?community=`"),
  addresses: z
    .array(
      z.object({
        address: z.string(),
        reason: z.string().nullable().describe("evidence that it belongs to this person"),
      }),
    )
    .describe("most used first"),
  address_book: z
    .array(
      z.object({
        item_id: z.string().describe("the entry, as returned by `/items`"),
        name: z.string(),
        company: z.string(),
        title: z.string().describe("job title and department"),
        phones: z.array(z.string()).describe("phone numbers with their type: `mobile 555 0100`"),
      }),
    )
    .describe("address book entries with an address of the person, up to 20"),
  sent_timeline: timelineSchema,
  received_timeline: timelineSchema,
  counterparts: z
    .array(
      z.object({
        contact_id: contactIdSchema,
        name: z.string(),
        there: countSchema.describe("messages to them"),
        there_clause: z.string(),
        back: countSchema.describe("messages from them"),
        back_clause: z.string(),
      }),
    )
    .describe("correspondents including Cc, most frequent first"),
  facets: z.array(facetSchema).describe("topics, domains, mailboxes and files of this person's mail"),
  mentioned_by: facetSchema.describe("authors whose texts mention the person"),
  namesakes: z
    .array(
      z.object({
        contact_id: contactIdSchema,
        name: z.string(),
        email: z.string(),
        messages: countSchema,
        reason: z.enum(NAMESAKE_REASONS).describe("why they were not merged"),
        explanation: z.string(),
      }),
    )
    .describe("other people of this name"),
});

const conversationSchema = z.object({
  id: threadIdSchema,
  subject: z.string(),
  message_count: countSchema,
  hits: countSchema.describe("matching messages in it"),
  people_count: countSchema,
  topic_id: topicIdSchema,
  first: nullableDateSchema.describe("earliest matching message"),
  last: nullableDateSchema.describe("latest matching message"),
});

export const conversationsSchema = z.object({ total: countSchema, threads: z.array(conversationSchema) });

const topicRowSchema = z.object({
  id: topicIdSchema,
  name: z.string(),
  keywords: z.array(z.string()),
  mentioned: z
    .object({ keywords: z.array(z.string()), percent: z.int().min(0).max(100) })
    .nullable()
    .describe("percent of its conversations that mention one of these keywords; null for Other"),
  messages: countSchema,
  clause: z.string(),
});

export const topicsSchema = z.object({ total: countSchema, topics: z.array(topicRowSchema) });

export const topicDetailSchema = topicRowSchema.extend({
  figures: figuresSchema,
  timeline: timelineSchema,
  facets: z.array(facetSchema).describe("authors, recipients and mailboxes"),
  threads: z.array(conversationSchema).describe("the largest"),
});

export const hitFiguresSchema = z.object({
  messages: countSchema,
  conversations: countSchema,
  first: nullableDateSchema,
  last: nullableDateSchema,
  attachments: countSchema.describe("attachments of these messages"),
  conversation_messages: countSchema.describe("all messages of these conversations, matching or not"),
  custodians: z
    .array(z.object({ name: z.string(), messages: countSchema }))
    .describe("counts per custodian; a message with several custodians counts for each"),
});

/** Details of a query, only if requested. */
const DETAILS = { attachments: true, conversation_messages: true, custodians: true } as const;

export const hitsSchema = z.object({
  hits: z.array(
    hitFiguresSchema
      .extend({
        query: z.string(),
        problems: problemsSchema,
        unique: countSchema.describe("messages matched by no other query of the list"),
      })
      .partial({ ...DETAILS, unique: true }),
  ),
  union: hitFiguresSchema.optional().describe("all queries combined, each message counted once"),
});

export type FiguresWire = z.infer<typeof figuresSchema>;
export type PersonRowWire = z.infer<typeof personRowSchema>;
export type PersonDetailWire = z.infer<typeof personDetailSchema>;
export type PeopleWire = z.infer<typeof peopleSchema>;
export type ConversationWire = z.infer<typeof conversationSchema>;
export type ConversationsWire = z.infer<typeof conversationsSchema>;
export type TopicRowWire = z.infer<typeof topicRowSchema>;
export type TopicsWire = z.infer<typeof topicsSchema>;
export type TopicDetailWire = z.infer<typeof topicDetailSchema>;
