import type { ErrorCode } from "../../errors.ts";
import type { ProcessIdentity } from "../../files/process-identity.ts";
import type { Instant } from "../../mail/instant.ts";
import type { PiiType } from "../../mail/provenance.ts";
import type {
  LoggedEvent,
  NewUpload,
  UploadCounts,
  UploadFault,
  UploadRecord,
  UploadStatus,
} from "../../mail/uploads.ts";
import type { AccessRegister } from "../access-register.ts";
import type { CatalogueState, UploadCatalogue, UploadJob } from "../upload-catalogue.ts";
import { accessTables } from "./access-tables.ts";
import { openCatalogueDatabase } from "./catalogue-database.ts";
import { type SqliteDatabase, writing } from "./database.ts";
import { JOB_COLUMNS, UPLOAD_COLUMNS } from "./upload-catalogue-schema.ts";
import { type EventTable, eventTable } from "./upload-events.ts";

/**
 * Opens or makes the catalogue. Throws NOT_AN_ARCHIVE, ARCHIVE_VERSION, SOURCE_UNREADABLE.
 * @param eventData the JSON that the log keeps of an upload whose status has changed
 */
export function openUploadCatalogue(path: string, eventData: (upload: UploadRecord) => string): UploadCatalogue {
  const database = openCatalogueDatabase(path);
  return new SqliteUploadCatalogue({ path, database, eventData });
}

interface Opened {
  readonly path: string;
  readonly database: SqliteDatabase;
  readonly eventData: (upload: UploadRecord) => string;
}

class SqliteUploadCatalogue implements UploadCatalogue {
  readonly isShared = false;
  readonly access: AccessRegister;
  private readonly opened: Opened;
  private readonly events: EventTable;
  private readonly statements: ReturnType<typeof prepareStatements>;
  private dataVersion: unknown;

  constructor(opened: Opened) {
    this.opened = opened;
    this.access = accessTables(opened.database, {
      write: (run) => this.write(run),
      writeSoon: (run) => this.writeSoon(run),
    });
    this.events = eventTable(opened.database);
    this.statements = prepareStatements(opened.database);
    this.dataVersion = this.readDataVersion();
  }

  add(upload: NewUpload): UploadRecord {
    const { uploadId, filename, sizeBytes, sha256, sourcePath, createdAt, options } = upload;
    return this.write(() => {
      const redact = JSON.stringify(options.redact);
      this.statements.add.run(
        uploadId,
        filename,
        sizeBytes,
        sha256,
        sourcePath,
        createdAt,
        redact,
        options.password,
        options.maxMessages,
        options.discardsOriginals === false ? 0 : 1,
      );
      return this.logChange(uploadId);
    });
  }

  get(uploadId: string): UploadRecord | null {
    const row = this.statements.get.get(uploadId) as UploadRow | undefined;
    return row === undefined ? null : recordOf(row);
  }

  list(): readonly UploadRecord[] {
    return (this.statements.list.all() as UploadRow[]).map(recordOf);
  }

  newestCompleted(): UploadRecord | null {
    const row = this.statements.newestCompleted.get() as UploadRow | undefined;
    return row === undefined ? null : recordOf(row);
  }

  countOf(status: UploadStatus): number {
    return this.statements.count.get(status) as number;
  }

  claim(startedAt: Instant): UploadJob | null {
    return this.write(() => {
      const row = this.statements.claim.get(startedAt) as JobRow | undefined;
      if (row === undefined) return null;
      this.logChange(row.id);
      return jobOf(row);
    });
  }

  setProcess(uploadId: string, { processId, startedAt }: ProcessIdentity): void {
    this.write(() => this.statements.setProcess.run(processId, startedAt, uploadId));
  }

  takeOver(): readonly UploadJob[] {
    return [...this.jobsOf("running"), ...this.jobsOf("cancelled")];
  }

  renew(uploadIds: readonly string[]): readonly string[] {
    return uploadIds.filter((uploadId) => this.get(uploadId)?.status === "running");
  }

  isHeldElsewhere(): boolean {
    return false;
  }

  lock(): boolean {
    return true;
  }

  unlock(): void {
    // Nobody else asks.
  }

  jobsOf(status: UploadStatus): readonly UploadJob[] {
    return (this.statements.jobs.all(status) as JobRow[]).map(jobOf);
  }

  requeue(uploadId: string, isInterruption: boolean): UploadRecord | null {
    return this.change(uploadId, () => this.statements.requeue.run(isInterruption ? 1 : 0, uploadId).changes);
  }

  complete(uploadId: string, counts: UploadCounts, completedAt: Instant): UploadRecord | null {
    return this.end(
      uploadId,
      () => this.statements.complete.run(JSON.stringify(counts), completedAt, uploadId).changes,
    );
  }

  fail(uploadId: string, fault: UploadFault, completedAt: Instant): UploadRecord | null {
    return this.end(uploadId, () => this.statements.fail.run(fault.code, fault.message, completedAt, uploadId).changes);
  }

  cancel(uploadId: string, completedAt: Instant): UploadRecord | null {
    return this.end(uploadId, () => this.statements.cancel.run(completedAt, uploadId).changes);
  }

  remove(uploadId: string): void {
    this.write(() => this.statements.remove.run(uploadId));
  }

  appendPhase(uploadId: string, phase: string, data: string): void {
    this.writeSoon(() => {
      const { changes } = this.statements.setPhase.run(phase, uploadId);
      if (changes > 0) this.events.append(uploadId, "phase", data);
    });
  }

  eventsAfter(sequence: number, limit: number, uploadId: string | null): readonly LoggedEvent[] {
    return this.events.after(sequence, limit, uploadId);
  }

  firstSequence(): number {
    return this.events.firstSequence();
  }

  lastSequence(): number {
    return this.events.lastSequence();
  }

  state(uploadId: string | null): CatalogueState {
    return this.opened.database.transaction("deferred", () => {
      const uploads =
        uploadId === null ? [...this.list()].reverse() : [this.get(uploadId)].filter((upload) => upload !== null);
      const phases = uploads
        .filter(({ status, phase }) => status === "running" && phase !== null)
        .map((upload) => this.events.lastPhase(upload.uploadId))
        .filter((event) => event !== null);
      return { uploads, phases };
    });
  }

  statusSequence(uploadId: string): number {
    return this.events.lastStatus(uploadId);
  }

  skipSequences(): void {
    this.write(() => this.events.skipSequences());
  }

  hasForeignChanges(): boolean {
    const before = this.dataVersion;
    this.dataVersion = this.readDataVersion();
    return this.dataVersion !== before;
  }

  close(): void {
    this.opened.database.close();
  }

  /** A change that ends a job takes its password out of the file and of its journal. */
  private end(uploadId: string, update: () => number): UploadRecord | null {
    const hadPassword = this.statements.hasPassword.get(uploadId) === 1;
    const upload = this.change(uploadId, update);
    if (upload !== null && hadPassword) this.opened.database.pragma("wal_checkpoint(TRUNCATE)");
    return upload;
  }

  private change(uploadId: string, update: () => number): UploadRecord | null {
    return this.write(() => (update() === 0 ? null : this.logChange(uploadId)));
  }

  private logChange(uploadId: string): UploadRecord {
    const upload = recordOf(this.statements.get.get(uploadId) as UploadRow);
    this.events.append(uploadId, "upload", this.opened.eventData(upload));
    return upload;
  }

  private write<T>(run: () => T): T {
    const { path, database } = this.opened;
    return writing(path, () => database.transaction("immediate", run));
  }

  /** Waits for no disk: what it writes is there when the next change is. */
  private writeSoon<T>(run: () => T): T {
    const { database } = this.opened;
    database.pragma("synchronous = NORMAL");
    try {
      return this.write(run);
    } finally {
      database.pragma("synchronous = FULL");
    }
  }

  /** Changes when another connection has written. */
  private readDataVersion(): unknown {
    return this.opened.database.pragma("data_version");
  }
}

function prepareStatements(database: SqliteDatabase) {
  const ended = "phase = NULL, password = NULL, job_pid = NULL, job_started = NULL";
  return {
    add: database.prepare(`INSERT INTO uploads(id, filename, size_bytes, sha256, source_path, created_at, redact, password, max_messages,
      discard_originals, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued')`),
    get: database.prepare(`SELECT ${UPLOAD_COLUMNS} FROM uploads WHERE id = ?`),
    list: database.prepare(`SELECT ${UPLOAD_COLUMNS} FROM uploads WHERE status != 'cancelled' ORDER BY ordinal DESC`),
    newestCompleted: database.prepare(
      `SELECT ${UPLOAD_COLUMNS} FROM uploads WHERE status = 'completed' ORDER BY ordinal DESC LIMIT 1`,
    ),
    count: database.prepare("SELECT count(*) FROM uploads WHERE status = ?").pluck(),
    claim:
      database.prepare(`UPDATE uploads SET status = 'running', phase = NULL, started_at = ?, attempt = attempt + 1, job_pid = NULL, job_started = NULL
      WHERE ordinal = (SELECT ordinal FROM uploads WHERE status = 'queued' ORDER BY ordinal LIMIT 1) RETURNING ${JOB_COLUMNS}`),
    setProcess: database.prepare("UPDATE uploads SET job_pid = ?, job_started = ? WHERE id = ? AND status = 'running'"),
    setPhase: database.prepare("UPDATE uploads SET phase = ? WHERE id = ? AND status = 'running'"),
    jobs: database.prepare(`SELECT ${JOB_COLUMNS} FROM uploads WHERE status = ? ORDER BY ordinal`),
    requeue:
      database.prepare(`UPDATE uploads SET status = 'queued', phase = NULL, started_at = NULL, job_pid = NULL, job_started = NULL,
      interruptions = interruptions + ? WHERE id = ? AND status = 'running'`),
    complete: database.prepare(
      `UPDATE uploads SET status = 'completed', counts = ?, completed_at = ?, ${ended} WHERE id = ? AND status = 'running'`,
    ),
    fail: database.prepare(
      `UPDATE uploads SET status = 'failed', error_code = ?, error_message = ?, completed_at = ?, ${ended} WHERE id = ? AND status = 'running'`,
    ),
    // The process stays named: a service that starts anew must end it before it removes the files.
    cancel: database.prepare(
      "UPDATE uploads SET status = 'cancelled', phase = NULL, password = NULL, completed_at = ? WHERE id = ? AND status != 'cancelled'",
    ),
    remove: database.prepare("DELETE FROM uploads WHERE id = ? AND status = 'cancelled'"),
    hasPassword: database.prepare("SELECT password IS NOT NULL FROM uploads WHERE id = ?").pluck(),
  };
}

interface UploadRow {
  readonly id: string;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly sourcePath: string | null;
  readonly status: UploadStatus;
  readonly phase: string | null;
  readonly createdAt: Instant;
  readonly startedAt: Instant | null;
  readonly completedAt: Instant | null;
  readonly errorCode: ErrorCode | null;
  readonly errorMessage: string | null;
  readonly counts: string | null;
  readonly discardsOriginals: number;
}

interface JobRow extends UploadRow {
  readonly redact: string;
  readonly password: string | null;
  readonly maxMessages: number | null;
  readonly attempt: number;
  readonly interruptions: number;
  readonly processId: number | null;
  readonly processStartedAt: string | null;
}

function recordOf(row: UploadRow): UploadRecord {
  const { id, filename, sizeBytes, sha256, sourcePath, status, phase, createdAt, startedAt, completedAt } = row;
  const error = row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? "" };
  const counts = row.counts === null ? null : (JSON.parse(row.counts) as UploadCounts);
  return {
    uploadId: id,
    filename,
    sizeBytes,
    sha256,
    status,
    phase,
    createdAt,
    startedAt,
    completedAt,
    error,
    counts,
    sourcePath,
    discardsOriginals: row.discardsOriginals === 1,
  };
}

function jobOf(row: JobRow): UploadJob {
  const { password, maxMessages, attempt, interruptions, processId, processStartedAt } = row;
  return {
    upload: recordOf(row),
    options: {
      redact: JSON.parse(row.redact) as PiiType[],
      password,
      maxMessages,
      discardsOriginals: row.discardsOriginals === 1,
    },
    attempt,
    interruptions,
    process: processId === null ? null : { processId, startedAt: processStartedAt },
  };
}
