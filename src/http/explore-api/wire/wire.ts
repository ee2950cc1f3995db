import * as z from "zod";
import {
  contactIdSchema,
  countSchema,
  messageIdSchema,
  nullableDateSchema,
  threadIdSchema,
  topicIdSchema,
} from "../../../document/wire-values.ts";
import { FACETS, TIMELINE_UNITS } from "../../../mail/exploration.ts";
import { problemsSchema } from "../../query-api/wire.ts";

/** What the explore API answers: types, checks of the contract tests and its openapi.json are made of these schemas. */

export const clauseSchema = z.object({
  start: countSchema.describe("offset of the clause in the query"),
  end: countSchema.describe("end of it, exclusive"),
  kind: z.string().describe("words, phrase, prefix, stem, date, group, or what an operator asks for"),
  is_excluded: z.boolean(),
  is_no_operator: z.boolean().describe("looks like an operator and is none: searched as words"),
  count: countSchema.describe("messages that fit this clause alone"),
});

export const personSchema = z.object({
  name: z.string(),
  email: z.string(),
  contact_id: contactIdSchema.nullable(),
});

export const rowSchema = z.object({
  id: messageIdSchema,
  message_id: z.string().describe("Message-ID, or a name made of the bytes where there is none"),
  thread_id: threadIdSchema,
  thread_messages: countSchema.describe("messages of the thread"),
  thread_hits: countSchema.describe("those of them that the query finds"),
  from: personSchema.nullable(),
  to: z.array(personSchema).describe("the first five"),
  to_count: countSchema,
  subject: z.string(),
  snippet: z.array(z.tuple([z.string(), z.boolean()])).describe("pieces of text, and whether each is a match"),
  sent_at: nullableDateSchema,
  mailbox: z.string(),
  mailbox_label: z.string().describe("with its source, where several have a mailbox of this name"),
  attachment_count: countSchema,
  attachments: z.array(z.string()).describe("names of the first five"),
  topic_id: topicIdSchema,
  labels: z.array(z.string()).describe("flags, and labels behind label:"),
  tags: z.array(z.string()).describe("what it, or its conversation, is tagged with in the notebook"),
  size_bytes: countSchema,
  places: countSchema.describe("folders and sources it was found in"),
  same_text: z
    .object({ count: countSchema, message_ids: z.array(messageIdSchema).describe("the first 100") })
    .describe("other messages found that say the same, whoever wrote them: they have no row of their own"),
});

export const pageSchema = z.object({
  total: countSchema.describe("messages found, on all pages"),
  rows: countSchema.describe("rows of all pages: fewer than messages where texts repeat"),
  conversations: countSchema.describe("threads they belong to"),
  understood: z.array(clauseSchema),
  problems: problemsSchema,
  messages: z.array(rowSchema),
});

export const facetSchema = z.object({
  of: z.enum(FACETS),
  total: countSchema.describe("messages counted: those found without the clauses of this facet"),
  is_multiple: z.boolean().describe("a message may have several values, so that sums may exceed the total"),
  values: z.array(
    z.object({
      clause: z.string().describe("finds exactly these beside the rest of the query; empty where none can be written"),
      label: z.string(),
      count: countSchema,
    }),
  ),
  other: countSchema.describe("sum of the values that are not listed"),
  none: countSchema.describe("messages without a value"),
  none_clause: z.string().describe("finds exactly these beside the rest of the query; empty where none can be"),
});

export const facetsSchema = z.object({ facets: z.array(facetSchema) });

export const timelineSchema = z.object({
  by: z.enum(TIMELINE_UNITS),
  total: countSchema,
  first: nullableDateSchema.describe("the earliest that is in a bin"),
  last: nullableDateSchema.describe("the latest that is in a bin"),
  bins: z.array(z.object({ span: z.string().describe("2001, 2001-05 or 2001-05-14, UTC"), count: countSchema })),
  stacks: z
    .array(
      z.object({
        clause: z.string().describe("finds exactly these beside the rest of the query"),
        label: z.string(),
        count: countSchema.describe("of all messages found"),
        counts: z.array(countSchema).describe("of each bin"),
      }),
    )
    .describe("the most frequent values of the facet that `stack` names"),
  stray: countSchema.describe("dated outside of the time that the archive is from"),
  strays: z
    .array(
      z.object({
        side: z.enum(["before", "after"]),
        year: z.int().describe("the first or last year of that time"),
        clause: z.string().describe("finds exactly these beside the rest of the query"),
        count: countSchema,
      }),
    )
    .describe("the same on either side of that time"),
  undated: countSchema,
});

export type ClauseWire = z.infer<typeof clauseSchema>;
export type PersonWire = z.infer<typeof personSchema>;
export type RowWire = z.infer<typeof rowSchema>;
export type FacetWire = z.infer<typeof facetSchema>;
export type TimelineWire = z.infer<typeof timelineSchema>;
