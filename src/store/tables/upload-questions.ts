import type { ProcessIdentity } from "../../files/process-identity.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type {
  AddedSource,
  LoggedEvent,
  NewUpload,
  UploadCounts,
  UploadFault,
  UploadRecord,
  UploadStatus,
} from "../../mail/uploads.ts";
import { KEPT_EVENTS, type UploadJob } from "../contract/upload-catalog.ts";
import type { UPLOAD_EVENTS, UploadColumns, UploadRow } from "./service-tables.ts";
import type { SqlValue } from "./sql-value.ts";
import { assigned, every, inserted, NO_SQL, type Question, type Statement, scalar, single, sql } from "./statement.ts";
import { selection, type Table } from "./table.ts";

type EventColumns = (typeof UPLOAD_EVENTS)["columns"];

/** Parts of a catalog that depend on the database. */
interface CatalogHome {
  readonly uploads: Table<UploadColumns>;
  readonly events: Table<EventColumns>;
  /** Reads the newest sequence; no row or NULL before the first. */
  readonly newestSequence: Statement;
  /** SQL that skips rows locked by another service. */
  readonly skipTaken: Statement;
  /** Assignments that give the upload to this service until its lease ends. */
  readonly held: Statement;
  /** Assignments that release the upload. */
  readonly closeUnreadBlob: Statement;
  /** Assignments for an upload to be removed: its holder removes it, or this service if there is none. */
  readonly heldToRemove: Statement;
  /** Condition: running uploads that this service holds. */
  readonly isOurs: Statement;
}

const UPLOAD_FIELDS = [
  ...(["uploadId", "filename", "sizeBytes", "sha256", "sourcePath", "status", "phase", "createdAt"] as const),
  ...(["startedAt", "completedAt", "errorCode", "errorMessage", "counts", "discardsOriginals"] as const),
  ...(["addedSources", "nextSources"] as const),
] satisfies readonly (keyof UploadRow)[];
const JOB_FIELDS = [
  ...UPLOAD_FIELDS,
  ...(["redact", "redactWords", "password", "maxMessages", "attempt", "interruptions"] as const),
  ...(["processId", "processStartedAt"] as const),
] satisfies readonly (keyof UploadRow)[];
type UploadFields = Pick<UploadRow, (typeof UPLOAD_FIELDS)[number]>;
type JobRow = Pick<UploadRow, (typeof JOB_FIELDS)[number]>;

function recordOf({ errorCode, errorMessage, addedSources, nextSources, ...upload }: UploadFields): UploadRecord {
  return {
    ...upload,
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? "" },
    added: addedSources ?? [],
    adding: nextSources?.at(-1) ?? null,
  };
}

function jobOf({ redact, redactWords, password, maxMessages, attempt, interruptions, ...rest }: JobRow): UploadJob {
  const words = redactWords === null ? {} : { redactWords };
  const { processId, processStartedAt, ...upload } = rest;
  return {
    upload: recordOf(upload),
    options: { redact, ...words, password, maxMessages, discardsOriginals: upload.discardsOriginals },
    attempt,
    interruptions,
    process: processId === null ? null : { processId, startedAt: processStartedAt },
  };
}

/** SQL version of `isReadable`. */
const READABLE = sql`(status = 'completed' OR (next_sources IS NOT NULL AND status <> 'cancelled'))`;
const NO_PROCESS = { processId: null, processStartedAt: null };
/** Fields that are cleared when a job ends. */
const ENDED = { phase: null, password: null, ...NO_PROCESS };

/** Shared queries of all catalogs, changes of uploads, and the steps that differ. */
export type UploadQuestions = ReturnType<typeof uploadQuestions>;

export function uploadQuestions(home: CatalogHome) {
  return {
    asked: { ...listQuestions(home), ...logQuestions(home) },
    changes: uploadChanges(home),
    steps: { ...jobSteps(home), ...stateSteps(home) },
  };
}

/** Selected columns of uploads, jobs and events, with their mappers. */
function readings({ uploads, events }: CatalogHome) {
  const uploadColumns = selection([uploads], UPLOAD_FIELDS);
  const jobColumns = selection([uploads], JOB_FIELDS);
  return {
    uploadColumns,
    jobColumns,
    logged: selection([events], ["sequence", "uploadId", "event", "data"]),
    recordIn: (row: readonly SqlValue[]) => recordOf(uploadColumns.decode(row)),
    jobIn: (row: readonly SqlValue[]) => jobOf(jobColumns.decode(row)),
  };
}

function listQuestions(home: CatalogHome) {
  const { uploads } = home;
  const { uploadColumns, jobColumns, recordIn, jobIn } = readings(home);
  const select = sql`SELECT ${uploadColumns} FROM ${uploads}`;
  return {
    get: (uploadId: string) => single(sql`${select} WHERE id = ${uploadId}`, recordIn),
    list: () => every(sql`${select} WHERE status <> 'cancelled' ORDER BY ordinal DESC`, recordIn),
    newestCompleted: () => single(sql`${select} WHERE ${READABLE} ORDER BY ordinal DESC LIMIT 1`, recordIn),
    countOf: (status: UploadStatus) => scalar<number>(sql`SELECT count(*) FROM ${uploads} WHERE status = ${status}`),
    jobsOf: (status: UploadStatus) =>
      every(sql`SELECT ${jobColumns} FROM ${uploads} WHERE status = ${status} ORDER BY ordinal`, jobIn),
  };
}

/** Prefixes and suffixes of changes. */
function changing(home: CatalogHome) {
  const { uploads, isOurs } = home;
  const { uploadColumns, recordIn } = readings(home);
  return {
    set: (row: Partial<UploadRow>) => sql`UPDATE ${uploads} SET ${assigned(uploads, row)}`,
    running: (uploadId: string) => sql`WHERE id = ${uploadId} AND status = 'running'${isOurs}`,
    changed: (change: Statement) => single(sql`${change} RETURNING ${uploadColumns}`, recordIn),
  };
}

/** A change returns the updated upload, or nothing if nothing changed. */
function uploadChanges(home: CatalogHome) {
  const { closeUnreadBlob, heldToRemove } = home;
  const { set, running, changed } = changing(home);
  return {
    requeue: (uploadId: string, isInterruption: boolean) =>
      changed(
        sql`${set({ status: "queued", phase: null, startedAt: null, ...NO_PROCESS })},
          interruptions = interruptions + ${isInterruption ? 1 : 0}${closeUnreadBlob} ${running(uploadId)}`,
      ),
    complete: (uploadId: string, counts: UploadCounts, completedAt: Instant) =>
      changed(
        sql`${set({ status: "completed", counts, completedAt, ...ENDED })},
          added_sources = coalesce(next_sources, added_sources), next_sources = NULL${closeUnreadBlob} ${running(uploadId)}`,
      ),
    /** If mail could not be added, the upload stays completed. */
    fail: (uploadId: string, { code, message }: UploadFault, completedAt: Instant) =>
      changed(
        sql`${set({ errorCode: code, errorMessage: message, ...ENDED })},
          status = CASE WHEN next_sources IS NULL THEN 'failed' ELSE 'completed' END,
          completed_at = CASE WHEN next_sources IS NULL THEN ${completedAt} ELSE completed_at END,
          next_sources = NULL${closeUnreadBlob} ${running(uploadId)}`,
      ),
    addSource: ({ uploadId, added, completedAt }: UploadRecord, source: AddedSource, password: string | null) =>
      changed(
        sql`${set({ status: "queued", nextSources: [...added, source], password, errorCode: null, errorMessage: null, attempt: 0, interruptions: 0 })}
          WHERE id = ${uploadId} AND status = 'completed' AND completed_at = ${completedAt}`,
      ),
    /** Keeps the process: a restarted service must end it before it removes the files. */
    cancel: (uploadId: string, completedAt: Instant) =>
      changed(
        sql`${set({ status: "cancelled", phase: null, redactWords: null, password: null, completedAt })}${heldToRemove}
          WHERE id = ${uploadId} AND status <> 'cancelled'`,
      ),
  };
}

function logQuestions(home: CatalogHome) {
  const { events, newestSequence } = home;
  const { logged } = readings(home);
  const select = sql`SELECT ${logged} FROM ${events}`;
  return {
    eventsAfter: (sequence: number, limit: number, uploadId: string | null) =>
      every(
        uploadId === null
          ? sql`${select} WHERE sequence > ${sequence} ORDER BY sequence LIMIT ${limit}`
          : sql`${select} WHERE upload_id = ${uploadId} AND sequence > ${sequence} ORDER BY sequence LIMIT ${limit}`,
        logged.decode,
      ),
    lastSequence: () => scalar<number>(sql`SELECT coalesce((${newestSequence}), 0)`),
    firstSequence: () =>
      scalar<number>(sql`SELECT coalesce((SELECT min(sequence) FROM ${events}), (${newestSequence}) + 1, 1)`),
    statusSequence: (uploadId: string) =>
      scalar<number>(
        sql`SELECT coalesce(max(sequence), 0) FROM ${events} WHERE upload_id = ${uploadId} AND event = 'upload'`,
      ),
  };
}

function jobSteps(home: CatalogHome) {
  const { uploads, skipTaken, held } = home;
  const { jobColumns, jobIn } = readings(home);
  const { set, running, changed } = changing(home);
  return {
    add: ({ options, ...upload }: NewUpload) => changed(inserted(uploads, { ...upload, ...options, status: "queued" })),
    /** Jobs from the returned rows of a change. */
    jobs: (change: Statement) => every(sql`${change} RETURNING ${jobColumns}`, jobIn),
    claim: (startedAt: Instant): Question<UploadJob | null> =>
      single(
        sql`${set({ status: "running", phase: null, startedAt, ...NO_PROCESS })}, attempt = attempt + 1${held}
          WHERE ordinal = (SELECT ordinal FROM ${uploads} WHERE status = 'queued' ORDER BY ordinal LIMIT 1${skipTaken})
          RETURNING ${jobColumns}`,
        jobIn,
      ),
    setProcess: (uploadId: string, { processId, startedAt }: ProcessIdentity) =>
      sql`${set({ processId, processStartedAt: startedAt })} ${running(uploadId)}`,
    setPhase: (uploadId: string, phase: string) => sql`${set({ phase })} ${running(uploadId)} RETURNING 1`,
    remove: (uploadId: string) => sql`DELETE FROM ${uploads} WHERE id = ${uploadId} AND status = 'cancelled'`,
  };
}

function stateSteps(home: CatalogHome) {
  const { uploads, events } = home;
  const { uploadColumns, recordIn, logged } = readings(home);
  return {
    /** Adds an event, with a sequence if the database does not assign it, and returns its sequence. */
    append: (event: Omit<LoggedEvent, "sequence"> & Partial<LoggedEvent>) =>
      scalar<number>(sql`${inserted(events, event)} RETURNING sequence`),
    /**
     * Removes the logged details of a deleted upload. Status changes remain, so that resuming clients keep their
     * position; they say that the upload is deleted.
     */
    eraseEvents: (uploadId: string, data: string): readonly Statement[] => [
      sql`DELETE FROM ${events} WHERE upload_id = ${uploadId} AND event = 'phase'`,
      sql`UPDATE ${events} SET data = ${data} WHERE upload_id = ${uploadId}`,
    ],
    cutEvents: () =>
      sql`DELETE FROM ${events} WHERE sequence <= (SELECT sequence FROM ${events} ORDER BY sequence DESC LIMIT 1 OFFSET ${KEPT_EVENTS})`,
    /** The first uploads sent to a client, oldest first. */
    firstUploads: (uploadId: string | null) =>
      every(
        uploadId === null
          ? sql`SELECT ${uploadColumns} FROM ${uploads} WHERE status <> 'cancelled' ORDER BY ordinal`
          : sql`SELECT ${uploadColumns} FROM ${uploads} WHERE id = ${uploadId}`,
        recordIn,
      ),
    /** The last event of each of some running uploads that has one. */
    lastPhases: (uploadId: string | null) =>
      every(
        sql`SELECT ${logged} FROM ${events} WHERE sequence IN (
          SELECT max(sequence) FROM ${events} WHERE event = 'phase' AND upload_id IN (
            SELECT id FROM ${uploads} WHERE status = 'running' AND phase IS NOT NULL${uploadId === null ? NO_SQL : sql` AND id = ${uploadId}`})
          GROUP BY upload_id) ORDER BY sequence`,
        logged.decode,
      ),
  };
}
