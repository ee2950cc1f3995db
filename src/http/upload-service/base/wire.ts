import * as z from "zod";
import { WARNINGS } from "../../../document/provenance.ts";
import { warningsSchema } from "../../../document/provenance-schema.ts";
import { countSchema, dateSchema, sha256Schema } from "../../../document/wire-values.ts";
import { RANKED_MATCHES } from "../../../mail/exploration.ts";
import type { Provenance } from "../../../mail/records/provenance.ts";
import type { UploadCounts } from "../../../mail/uploads.ts";
import { DEFAULT_NODES, MAX_NODES } from "../../../outputs/graph-page/network-cut.ts";
import { TOOL_VERSION } from "../../../version.ts";
import { filter, isoDate, limit, messageParameters, offset, queryText, sortBy } from "../../query-api/wire-requests.ts";
import { SERVICE_CODES } from "../../refusal.ts";
import { uploadSchema } from "./wire-uploads.ts";

/**
 * Requests, responses and events of the upload service. The records of /contacts, /messages, /topics and /search are
 * those of the query API.
 */

/** Maximum warnings listed per upload; its provenance.json has all. */
const MAX_LISTED_WARNINGS = 100;

/** The body of every error: the envelope of the query API, with the codes of this service. */
export const serviceErrorSchema = z.strictObject({
  status: z.literal("error"),
  error: z.strictObject({ code: z.enum(SERVICE_CODES), message: z.string() }),
  timestamp: dateSchema,
});

export const uploadCountsSchema = z.strictObject({
  messages: countSchema,
  contacts: countSchema,
  threads: countSchema,
  topics: countSchema,
  calendar_events: countSchema,
  attachments: countSchema,
});

export const uploadProvenanceSchema = z.strictObject({
  sha256: sha256Schema.describe("source_hash of provenance.json"),
  tool_version: z.string(),
  warnings: warningsSchema.describe(`the first ${MAX_LISTED_WARNINGS}`),
  warning_count: countSchema,
});

/** Both additions are null until the extraction is completed. */
export const uploadDetailSchema = uploadSchema.extend({
  counts: uploadCountsSchema.nullable(),
  provenance: uploadProvenanceSchema.nullable(),
});

export const serviceHealthSchema = z.strictObject({
  status: z.literal("ok"),
  version: z.literal(TOOL_VERSION),
  uptime_ms: countSchema,
  // Sent to callers who see all uploads.
  queue_length: countSchema.optional(),
  running: countSchema.optional(),
  disk_free_bytes: countSchema.optional(),
});

type UploadCountsWire = z.infer<typeof uploadCountsSchema>;
type UploadProvenanceWire = z.infer<typeof uploadProvenanceSchema>;
export type ServiceHealthWire = z.infer<typeof serviceHealthSchema>;

/** The archive that a route is about. */
const upload_id = filter("upload to explore; defaults to the newest completed one");

export const exploreContactParameters = z.object({ upload_id, limit: limit(100), offset });
export const exploreMessageParameters = z.object({
  upload_id,
  limit: messageParameters.shape.limit,
  offset: messageParameters.shape.offset,
  from: messageParameters.shape.from,
  thread_id: messageParameters.shape.thread_id,
  topic_id: messageParameters.shape.topic_id,
});
export const exploreTopicParameters = z.object({ upload_id, limit: limit(50) });
export const exploreGraphParameters = z.object({ upload_id, limit: limit(DEFAULT_NODES, MAX_NODES) });
export const exploreSearchParameters = z.object({
  upload_id,
  q: queryText,
  sender: filter("sender address, ignoring case; includes aliases of the same contact"),
  after: isoDate("start date or time, inclusive"),
  before: isoDate("end date or time, inclusive; a date without a time includes the whole UTC day"),
  topic: filter("messages in this topic"),
  match: sortBy(RANKED_MATCHES).describe("match all words, any word, or any word if no message has all"),
  limit: limit(20),
});
export const streamParameters = z.object({ upload_id: filter("only events of this upload") });

export function uploadCountsWire(counts: UploadCounts): UploadCountsWire {
  return {
    messages: counts.messages,
    contacts: counts.contacts,
    threads: counts.threads,
    topics: counts.topics,
    calendar_events: counts.calendarEvents,
    attachments: counts.attachments,
  };
}

export function uploadProvenanceWire({
  sourceHash,
  toolVersion,
  warnings,
  warningsTruncated,
}: Provenance): UploadProvenanceWire {
  return {
    sha256: sourceHash,
    tool_version: toolVersion,
    warnings: WARNINGS.write(warnings.slice(0, MAX_LISTED_WARNINGS)),
    warning_count: warnings.length + warningsTruncated,
  };
}
