import * as z from "zod";
import { provenanceSchema } from "../../../document/provenance-schema.ts";
import { countSchema, countsSchema, sha256Schema } from "../../../document/wire-values.ts";

/** Responses about the origin of an archive: its record, warnings and mailboxes. */

const { shape } = provenanceSchema;

const clause = z.string().describe("query that matches exactly these messages; empty if none exists");

const ways = z
  .object({
    kept: z.string().nullable().describe("query that matches exactly the imported messages; null if none exists"),
    warned: z
      .array(z.enum(["skipped", "failed"]))
      .describe("counts whose items each have a listed warning with this `outcome`"),
  })
  .describe("queries for these counts");

const sourceSchema = z.object({
  source: countSchema.describe("source number, as used by `source:`"),
  path: z.string(),
  format: z.string(),
  sha256: sha256Schema,
  size_bytes: countSchema,
  calendar_events: countSchema,
  mailboxes: countSchema.describe("number of items found in it"),
  counts: countsSchema,
  is_damaged: z.boolean().describe("some messages may be missing"),
  messages: countSchema.describe("messages located in it"),
  clause,
  warnings: countSchema.describe("warnings about it"),
  ways,
});

export const provenanceRecordSchema = z.object({
  tool: shape.tool,
  tool_version: shape.tool_version,
  extracted_at: shape.extracted_at,
  source_hash: shape.source_hash,
  source_format: shape.source_format,
  options: shape.options,
  statistics: shape.statistics,
  redactions: shape.redactions,
  runs: shape.runs,
  counts: countsSchema.describe("sum over all sources"),
  ways,
  sources: z.array(sourceSchema),
  warnings: z.array(z.object({ code: z.string(), count: countSchema })).describe("by code, most frequent first"),
  warnings_truncated: countSchema.describe("warnings that are not listed"),
});

/** Outcome of the item of a warning. */
export const outcome = z.enum(["skipped", "failed", "noted"]).describe("`noted`: nothing was omitted");

const warningSchema = z.object({
  code: z.string(),
  message: z.string(),
  source: countSchema.nullable().describe("null if it is about the run"),
  location: z.string().nullable(),
  sha256: sha256Schema.nullable(),
  outcome: outcome.nullable().describe("null if written by an earlier version"),
});

export const warningPageSchema = z.object({
  total: countSchema.describe("matching warnings on all pages"),
  codes: z.array(z.object({ code: z.string(), count: countSchema })).describe("counted without the code filter"),
  sources: z
    .array(z.object({ source: countSchema.nullable(), path: z.string(), count: countSchema }))
    .describe("counted without the source filter"),
  outcomes: z.array(z.object({ outcome, count: countSchema })).describe("counted without the outcome filter"),
  warnings: z.array(warningSchema),
  truncated: countSchema.describe("warnings that are not listed"),
});

const mailboxSchema = z.object({
  source: countSchema,
  depth: countSchema.describe("depth: 0 for sources, 1 for their folders, and so on"),
  label: z.string().describe("last part of the name; the path of a source"),
  name: z
    .string()
    .nullable()
    .describe(
      "as `mailbox:` takes it; null for folders without messages, and for sources unless their only mailbox has their name",
    ),
  counts: countsSchema.nullable().describe("item counts; null if it was not read in this extraction"),
  messages: countSchema.describe("messages located in it"),
  clause,
  ways: ways.nullable().describe("null if there are no counts"),
});

export const mailboxTreeSchema = z.object({
  total: countSchema.describe("mailboxes"),
  rows: z.array(mailboxSchema).describe("sources, each followed by its folders in tree order"),
});

export type ProvenanceRecordWire = z.infer<typeof provenanceRecordSchema>;
export type CountLinksWire = z.infer<typeof ways>;
export type SourceWire = z.infer<typeof sourceSchema>;
export type WarningPageWire = z.infer<typeof warningPageSchema>;
export type WarningWire = z.infer<typeof warningSchema>;
export type MailboxTreeWire = z.infer<typeof mailboxTreeSchema>;
export type MailboxWire = z.infer<typeof mailboxSchema>;
