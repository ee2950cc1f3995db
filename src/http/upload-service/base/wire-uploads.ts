import * as z from "zod";
import { publishedDate, requiredDate } from "../../../document/published-values.ts";
import { countSchema, dateSchema, nullableDateSchema, sha256Schema } from "../../../document/wire-values.ts";
import { PHASES } from "../../../extraction/extraction-event.ts";
import type { Instant } from "../../../mail/dates/instant.ts";
import { type AddedSource, UPLOAD_STATUSES, type UploadRecord } from "../../../mail/uploads.ts";

/**
 * Uploads and the progress of their jobs as clients see them: the events of /agent-stream, and the answers of the
 * upload routes.
 */

const uploadIdSchema = z.string().regex(/^upload-[a-z2-7]{12}$/, "must be an id such as upload-abcdefgh2345");

const addedSourceSchema = z.object({ filename: z.string(), size_bytes: countSchema, sha256: sha256Schema });

export const uploadSchema = z.object({
  upload_id: uploadIdSchema,
  filename: z.string(),
  size_bytes: countSchema,
  sha256: sha256Schema.describe("of the uploaded bytes"),
  status: z.enum(UPLOAD_STATUSES),
  phase: z.enum(PHASES).nullable().describe("current phase of a running job, else null"),
  created_at: dateSchema,
  started_at: nullableDateSchema,
  completed_at: nullableDateSchema.describe("time it completed, failed or was canceled"),
  originals: z
    .enum(["kept", "discarded", "in place"])
    .describe("whether the uploaded file is kept after extraction; in place: a path on the server"),
  added: z.array(addedSourceSchema).describe("mail added to the archive, oldest first"),
  adding: addedSourceSchema
    .nullable()
    .describe("mail that a queued or running job adds; the archive can be read meanwhile"),
  error: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe("why it failed; of a completed upload, why the last mail could not be added"),
});
export type UploadWire = z.infer<typeof uploadSchema>;

/** `data` of the last event of a deleted upload: nothing else is kept. */
const deletedUploadSchema = z.strictObject({ upload_id: uploadIdSchema, status: z.literal("cancelled") });
export type DeletedUploadWire = z.infer<typeof deletedUploadSchema>;

/** `data` of an `upload` event, and an element of GET /uploads. */
export function uploadWire(upload: UploadRecord): UploadWire {
  return {
    upload_id: upload.uploadId,
    filename: upload.filename,
    size_bytes: upload.sizeBytes,
    sha256: upload.sha256,
    status: upload.status,
    phase: PHASES.find((phase) => phase === upload.phase) ?? null,
    created_at: requiredDate(upload.createdAt),
    started_at: publishedDate(upload.startedAt),
    completed_at: publishedDate(upload.completedAt),
    originals: originalsOf(upload),
    added: upload.added.map(addedSourceWire),
    adding: upload.adding === null ? null : addedSourceWire(upload.adding),
    error: upload.error === null ? null : { code: upload.error.code, message: upload.error.message },
  };
}

function addedSourceWire({ filename, sizeBytes, sha256 }: AddedSource): z.infer<typeof addedSourceSchema> {
  return { filename, size_bytes: sizeBytes, sha256 };
}

function originalsOf({ sourcePath, discardsOriginals }: UploadRecord): UploadWire["originals"] {
  if (sourcePath !== null) return "in place";
  return discardsOriginals ? "discarded" : "kept";
}

export const phaseEventSchema = z.object({
  upload_id: uploadIdSchema,
  phase: z.enum(PHASES),
  state: z.enum(["started", "progress", "completed"]),
  done: countSchema.describe("messages so far"),
  total: countSchema.nullable().describe("total messages; null if not yet known"),
  timestamp: dateSchema,
  skipped: z.literal(true).optional().describe("the phase is disabled"),
  bytes: countSchema.optional().describe("source bytes read so far, during reading"),
  total_bytes: countSchema.optional().describe("size of the sources in bytes, during reading"),
});
export type PhaseEventWire = z.infer<typeof phaseEventSchema>;

/** Progress of a job, as reported by its process. */
export interface JobPhase {
  readonly phase: PhaseEventWire["phase"];
  readonly state: PhaseEventWire["state"];
  readonly done: number;
  readonly total: number | null;
  readonly isSkipped: boolean;
  /** While messages are read and their number is unknown: bytes read, and in total. */
  readonly bytes?: { readonly done: number; readonly total: number };
}

/** `data` of an event `phase`. */
export function phaseEventWire(
  uploadId: string,
  { phase, state, done, total, isSkipped, bytes }: JobPhase,
  at: Instant,
): PhaseEventWire {
  return {
    upload_id: uploadId,
    phase,
    state,
    done,
    total,
    timestamp: requiredDate(at),
    ...(isSkipped ? { skipped: true } : {}),
    ...(bytes === undefined ? {} : { bytes: bytes.done, total_bytes: bytes.total }),
  };
}
