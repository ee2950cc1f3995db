import * as z from "zod";
import { countSchema, countsSchema, dateSchema, sha256Schema } from "../../../document/wire-values.ts";
import { PII_TYPES } from "../../../mail/records/provenance.ts";
import { facetSchema, timelineSchema } from "./wire.ts";

/** What an archive is, at first sight. */

export const overviewSchema = z.object({
  name: z.string().describe("what the archive is called: an upload by its file"),
  messages: countSchema,
  threads: countSchema,
  multi_message_threads: countSchema,
  contacts: countSchema,
  topics: countSchema,
  attachments: countSchema,
  events: countSchema,
  items: countSchema,
  timeline: timelineSchema.describe("of all messages; its first and last say what time the archive is from"),
  facets: z.array(facetSchema).describe("the most frequent senders, topics, mailboxes and domains"),
  counts: countsSchema.describe("of all sources: seen = kept + duplicate + skipped + failed"),
  source_count: countSchema,
  damaged_sources: countSchema.describe("those that may have held more than was seen"),
  sources: z
    .array(
      z.object({
        source: countSchema.describe("its number, as source: takes it"),
        path: z.string(),
        format: z.string(),
        size_bytes: countSchema,
        sha256: sha256Schema,
        counts: countsSchema,
      }),
    )
    .describe("the first hundred"),
  warnings: z.array(z.object({ code: z.string(), count: countSchema })).describe("by code, the most frequent first"),
  warnings_unlisted: countSchema.describe("warnings beyond those that provenance lists"),
  is_withheld: z.boolean().describe("the archive is redacted and gives no originals"),
  keeps_copies: z.boolean().describe("mails that differ in their Message-ID alone are kept apart"),
  notebook: z
    .object({
      revision: countSchema.describe("raised by every write; 0 while nothing is written"),
      saved_searches: countSchema,
      is_readable: z.boolean().describe("false while it is damaged: its own routes say what is wrong"),
    })
    .nullable()
    .describe("what is written beside the archive; null where nothing can be"),
  redactions: z.array(z.object({ type: z.enum(PII_TYPES), count: countSchema })).describe("types that were redacted"),
  extracted_at: dateSchema,
  tool_version: z.string(),
});

export type OverviewWire = z.infer<typeof overviewSchema>;
