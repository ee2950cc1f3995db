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

/**
 * Responses of the explore API: types, checks of the contract tests and its openapi.json are derived from these
 * schemas.
 */

export const clauseSchema = z.object({
  start: countSchema.describe("start of the clause in the query"),
  end: countSchema.describe("end of it, exclusive"),
  kind: z.string().describe("words, phrase, prefix, stem, date, group, or the operator"),
  is_excluded: z.boolean(),
  is_no_operator: z.boolean().describe("not an operator: searched as text"),
  count: countSchema.describe("messages that match this clause on its own"),
  forms: z.array(z.string()).describe("words that the stems of the clause match"),
});

export const personSchema = z.object({
  name: z.string(),
  email: z.string(),
  contact_id: contactIdSchema.nullable(),
});

export const rowSchema = z.object({
  id: messageIdSchema,
  message_id: z.string().describe("Message-ID, or a name derived from the bytes if missing"),
  thread_id: threadIdSchema,
  thread_messages: countSchema.describe("messages of the thread"),
  thread_hits: countSchema.describe("matching messages of the thread"),
  from: personSchema.nullable(),
  to: z.array(personSchema).describe("the first five"),
  to_count: countSchema,
  subject: z.string(),
  snippet: z.array(z.tuple([z.string(), z.boolean()])).describe("pieces of text, each with whether it is a match"),
  sent_at: nullableDateSchema,
  mailbox: z.string(),
  mailbox_label: z.string().describe("includes the source if several have a mailbox with this name"),
  attachment_count: countSchema,
  attachments: z.array(z.string()).describe("names of the first five"),
  topic_id: topicIdSchema,
  labels: z.array(z.string()).describe("flags, and labels prefixed with label:"),
  tags: z.array(z.string()).describe("notebook tags of the message or its conversation"),
  size_bytes: countSchema,
  places: countSchema.describe("number of folders and sources it was found in"),
  same_text: z
    .object({ count: countSchema, message_ids: z.array(messageIdSchema).describe("the first 100") })
    .describe("other matching messages with the same text; they have no separate row"),
});

export const pageSchema = z.object({
  total: countSchema.describe("matching messages on all pages"),
  rows: countSchema.describe("rows on all pages; fewer than messages if texts repeat"),
  conversations: countSchema.describe("number of their threads"),
  understood: z.array(clauseSchema),
  problems: problemsSchema,
  messages: z.array(rowSchema),
});

export const facetSchema = z.object({
  of: z.enum(FACETS),
  total: countSchema.describe("messages counted, ignoring the clauses of this facet"),
  is_multiple: z.boolean().describe("a message can have several values, so sums can exceed the total"),
  values: z.array(
    z.object({
      clause: z.string().describe("clause that matches exactly these; empty if none exists"),
      label: z.string(),
      count: countSchema,
    }),
  ),
  other: countSchema.describe("sum of the values not listed"),
  none: countSchema.describe("messages without a value"),
  none_clause: z.string().describe("clause that matches exactly these; empty if none exists"),
});

export const facetsSchema = z.object({ facets: z.array(facetSchema) });

export const timelineSchema = z.object({
  by: z.enum(TIMELINE_UNITS),
  total: countSchema,
  first: nullableDateSchema.describe("earliest message in a bin"),
  last: nullableDateSchema.describe("latest message in a bin"),
  bins: z.array(z.object({ span: z.string().describe("2001, 2001-05 or 2001-05-14, UTC"), count: countSchema })),
  stacks: z
    .array(
      z.object({
        clause: z.string().describe("clause that matches exactly these"),
        label: z.string(),
        count: countSchema.describe("of all matching messages"),
        counts: z.array(countSchema).describe("of each bin"),
      }),
    )
    .describe("the most frequent values of the facet that `stack` names"),
  stray: countSchema.describe("dated outside the time span of the archive"),
  strays: z
    .array(
      z.object({
        side: z.enum(["before", "after"]),
        year: z.int().describe("the first or last year of the time span"),
        clause: z.string().describe("clause that matches exactly these"),
        count: countSchema,
      }),
    )
    .describe("counts on either side of the time span"),
  undated: countSchema,
});

export type ClauseWire = z.infer<typeof clauseSchema>;
export type PersonWire = z.infer<typeof personSchema>;
export type RowWire = z.infer<typeof rowSchema>;
export type FacetWire = z.infer<typeof facetSchema>;
export type TimelineWire = z.infer<typeof timelineSchema>;
