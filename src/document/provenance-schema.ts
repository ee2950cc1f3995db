import * as z from "zod";
import { sourceFormatSchema, sourceSchema, statisticsSchema } from "./extraction-schema.ts";
import { countSchema, countsSchema, dateSchema, sha256Schema } from "./wire-values.ts";

const piiTypeSchema = z.enum(["email", "phone", "ssn", "credit_card", "ip"]);

/** provenance.json: where everything came from, what was done to it, and what could not be read. */
export const provenanceSchema = z.strictObject({
  tool: z.string(),
  tool_version: z.string(),
  /** The watermark of incremental runs. */
  extracted_at: dateSchema,
  source_hash: sha256Schema,
  source_format: z.enum([...sourceFormatSchema.options, "mixed"]),
  sources: z.array(sourceSchema.extend({ mailboxes: z.array(z.strictObject({ name: z.string(), counts: countsSchema })) })),
  options: z.strictObject({
    max_messages: countSchema.nullable(),
    redact: z.array(piiTypeSchema),
    merge_contacts: z.boolean(),
    keep_copies: z.boolean(),
    extract_attachments: z.boolean(),
    incremental: z.boolean(),
  }),
  statistics: statisticsSchema,
  redactions: z.strictObject({ email: countSchema, phone: countSchema, ssn: countSchema, credit_card: countSchema, ip: countSchema }),
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
