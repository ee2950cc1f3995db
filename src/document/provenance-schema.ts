import * as z from "zod";
import { DEFAULT_PII_TYPES, NAMED_PII_TYPES, PII_TYPES } from "../mail/provenance.ts";
import { sourceFormatSchema, sourceSchema, statisticsSchema } from "./extraction-schema.ts";
import { countSchema, countsSchema, dateSchema, sha256Schema } from "./wire-values.ts";

/** A type that need not be named is counted always, any other where it was named. */
const redactionsSchema = z.strictObject({
  ...fieldsOf(DEFAULT_PII_TYPES, countSchema),
  ...fieldsOf(NAMED_PII_TYPES, countSchema.optional()),
});

function fieldsOf<Name extends string, Field>(names: readonly Name[], field: Field): Record<Name, Field> {
  return Object.fromEntries(names.map((name) => [name, field])) as Record<Name, Field>;
}

/** provenance.json: where everything came from, what was done to it, and what could not be read. */
export const provenanceSchema = z.strictObject({
  tool: z.string(),
  tool_version: z.string(),
  /** The watermark of incremental runs. */
  extracted_at: dateSchema,
  source_hash: sha256Schema,
  source_format: z.enum([...sourceFormatSchema.options, "mixed"]),
  sources: z.array(
    sourceSchema.extend({ mailboxes: z.array(z.strictObject({ name: z.string(), counts: countsSchema })) }),
  ),
  options: z.strictObject({
    max_messages: countSchema.nullable(),
    redact: z.array(z.enum(PII_TYPES)),
    merge_contacts: z.boolean(),
    keep_copies: z.boolean(),
    extract_attachments: z.boolean(),
    incremental: z.boolean(),
  }),
  statistics: statisticsSchema,
  redactions: redactionsSchema,
  warnings: z.array(
    z.strictObject({
      code: z.string(),
      message: z.string(),
      source: countSchema.nullable(),
      location: z.string().nullable(),
      sha256: sha256Schema.nullable(),
    }),
  ),
  /** Warnings beyond the first 10,000. */
  warnings_truncated: countSchema,
  /** Oldest first. */
  runs: z.array(
    z.strictObject({
      extracted_at: dateSchema,
      tool_version: z.string(),
      incremental: z.boolean(),
      sources: z.array(z.string()),
      added: countsSchema,
    }),
  ),
});

export type ProvenanceJson = z.infer<typeof provenanceSchema>;
