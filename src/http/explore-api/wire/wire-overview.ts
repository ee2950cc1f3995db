import * as z from "zod";
import { countSchema, countsSchema, dateSchema, sha256Schema } from "../../../document/wire-values.ts";
import { REDACTED_TYPES } from "../../../mail/records/provenance.ts";
import { facetSchema, timelineSchema } from "./wire.ts";

/** Overview of an archive. */

export const overviewSchema = z.object({
  name: z.string().describe("name of the archive; for an upload, its file name"),
  messages: countSchema,
  threads: countSchema,
  multi_message_threads: countSchema,
  contacts: countSchema,
  topics: countSchema,
  attachments: countSchema,
  events: countSchema,
  items: countSchema,
  timeline: timelineSchema.describe("counts of all messages; the first and last bins give the time span"),
  facets: z.array(facetSchema).describe("the most frequent senders, topics, mailboxes and domains"),
  counts: countsSchema.describe("totals of all sources: seen = kept + duplicate + skipped + failed"),
  source_count: countSchema,
  damaged_sources: countSchema.describe("sources that may be missing messages"),
  sources: z
    .array(
      z.object({
        source: countSchema.describe("source number, as used by source:"),
        path: z.string(),
        format: z.string(),
        size_bytes: countSchema,
        sha256: sha256Schema,
        counts: countsSchema,
      }),
    )
    .describe("the first hundred"),
  warnings: z.array(z.object({ code: z.string(), count: countSchema })).describe("by code, most frequent first"),
  warnings_unlisted: countSchema.describe("warnings beyond those that provenance lists"),
  is_withheld: z.boolean().describe("the archive is redacted and provides no originals"),
  keeps_copies: z.boolean().describe("messages that differ only in Message-ID are kept separate"),
  notebook: z
    .object({
      revision: countSchema.describe("incremented by every write; 0 before the first write"),
      saved_searches: countSchema,
      is_readable: z.boolean().describe("false if damaged: the notebook routes return the error"),
    })
    .nullable()
    .describe("the notebook; null if it is disabled"),
  redactions: z
    .array(z.object({ type: z.enum(REDACTED_TYPES), count: countSchema }))
    .describe("types that were redacted"),
  extracted_at: dateSchema,
  tool_version: z.string(),
});

export type OverviewWire = z.infer<typeof overviewSchema>;
