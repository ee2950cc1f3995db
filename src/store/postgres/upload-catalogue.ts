import type { ProcessIdentity } from "../../files/process-identity.ts";
import type { Instant } from "../../mail/instant.ts";
import type {
  LoggedEvent,
  NewUpload,
  UploadCounts,
  UploadFault,
  UploadRecord,
  UploadStatus,
} from "../../mail/uploads.ts";
import { nameOfServer } from "../archive-location.ts";
import type { SqlValue } from "../sqlite/sqlite-database.ts";
import { type CatalogueState, KEPT_EVENTS, type UploadCatalogue, type UploadJob } from "../upload-catalogue.ts";
import { PostgresAccessRegister } from "./access-tables.ts";
import type { Parameter, PostgresClient } from "./postgres-client.ts";
import { eventOf, jobOf, recordOf } from "./service-rows.ts";
import { JOB_COLUMNS, prepareService, UPLOAD_COLUMNS } from "./service-tables.ts";
import { SteadyClient } from "./steady-client.ts";

/** The calls of a catalogue, each answered later. */
export type DistantCatalogue = {
  readonly [K in Exclude<keyof UploadCatalogue, "isShared" | "access">]: (
    ...args: Parameters<UploadCatalogue[K]>
  ) => Promise<ReturnType<UploadCatalogue[K]>>;
};

export interface CatalogueSetting {
  /** The URL of the database. */
  readonly server: string;
  /** The id of the data directory. */
  readonly directory: string;
  /** Tells this service from all others, also from one before it on this machine. */
  readonly owner: string;
  /** Seconds after which what a silent service holds is given to another. */
  readonly leaseSeconds: number;
}

/** Tries of a question: whoever asks waits for it, and is told at once when the database is away. */
const TRIES = 1;
/** The log is cut once in so many events. */
const CUT_EVERY = 250;
/** As many as the catalogue in a file skips. */
const SKIPPED_SEQUENCES = 1000;
/** Tells the locks of uploads from those of other programs. */
const UPLOADS_LOCK = 1_095_910_233;

const EVENT_COLUMNS = "sequence, upload_id, event, data";
const ENDED = "phase = NULL, password = NULL, job_pid = NULL, job_started = NULL, owner = NULL, lease_until = NULL";

/**
 * The catalogue of a service in a database that its replicas share. Each call is asked once; the next one connects anew
 * where a connection was lost. Rejects with STORE_UNREACHABLE, DRIVER_MISSING, OUTPUT_NOT_OURS, ARCHIVE_VERSION.
 * @param eventData the JSON that the log keeps of an upload whose status has changed
 */
export class PostgresUploadCatalogue implements DistantCatalogue {
  readonly access: PostgresAccessRegister;
  private readonly setting: CatalogueSetting;
  private readonly eventData: (upload: UploadRecord) => string;
  private readonly client: SteadyClient;
  /** The newest sequence at the last look for changes, and how many were given here since. */
  private seen: number | null = null;
  private given = 0;

  constructor(setting: CatalogueSetting, eventData: (upload: UploadRecord) => string) {
    this.setting = setting;
    this.eventData = eventData;
    const { server } = setting;
    const { signal } = new AbortController();
    this.client = new SteadyClient({ server, name: nameOfServer(server), signal }, async (client) => {
      await prepareService(client, setting.directory);
      this.seen ??= await lastSequenceOf(client);
    });
    this.access = new PostgresAccessRegister({
      ask: (question) => this.ask(question),
      change: (question) => this.transaction(question),
    });
  }

  add(upload: NewUpload): Promise<UploadRecord> {
    const { uploadId, filename, sizeBytes, sha256, sourcePath, createdAt, options } = upload;
    const { redact, password, maxMessages, discardsOriginals } = options;
    return this.transaction(async (client) => {
      const [row] = await client.rows(
        `INSERT INTO service_uploads(id, filename, size_bytes, sha256, source_path, created_at, redact, password, max_messages,
           discard_originals, status) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'queued') RETURNING ${UPLOAD_COLUMNS}`,
        [
          uploadId,
          filename,
          sizeBytes,
          sha256,
          sourcePath,
          createdAt,
          JSON.stringify(redact),
          password,
          maxMessages,
          discardsOriginals === false ? 0 : 1,
        ],
      );
      return this.logChange(client, row!);
    });
  }

  get(uploadId: string): Promise<UploadRecord | null> {
    return this.ask((client) => uploadIn(client, uploadId));
  }

  async list(): Promise<readonly UploadRecord[]> {
    return (
      await this.rows(`SELECT ${UPLOAD_COLUMNS} FROM service_uploads WHERE status <> 'cancelled' ORDER BY ordinal DESC`)
    ).map(recordOf);
  }

  async newestCompleted(): Promise<UploadRecord | null> {
    const [row] = await this.rows(
      `SELECT ${UPLOAD_COLUMNS} FROM service_uploads WHERE status = 'completed' ORDER BY ordinal DESC LIMIT 1`,
    );
    return row === undefined ? null : recordOf(row);
  }

  async countOf(status: UploadStatus): Promise<number> {
    const [[count]] = (await this.rows("SELECT count(*) FROM service_uploads WHERE status = $1", [status])) as [
      [number],
    ];
    return count;
  }

  claim(startedAt: Instant): Promise<UploadJob | null> {
    return this.transaction(async (client) => {
      const [row] = await client.rows(
        `UPDATE service_uploads SET status = 'running', phase = NULL, started_at = $1, attempt = attempt + 1, job_pid = NULL,
           job_started = NULL, owner = $2, lease_until = ${this.leaseEnd()}
         WHERE ordinal = (SELECT ordinal FROM service_uploads WHERE status = 'queued' ORDER BY ordinal LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING ${JOB_COLUMNS}`,
        [startedAt, this.setting.owner],
      );
      if (row === undefined) return null;
      await this.logChange(client, row);
      return jobOf(row);
    });
  }

  async setProcess(uploadId: string, { processId, startedAt }: ProcessIdentity): Promise<void> {
    await this.rows(
      "UPDATE service_uploads SET job_pid = $1, job_started = $2 WHERE id = $3 AND status = 'running' AND owner = $4",
      [processId, startedAt, uploadId, this.setting.owner],
    );
  }

  async takeOver(): Promise<readonly UploadJob[]> {
    const rows = await this.rows(
      `UPDATE service_uploads SET owner = $1, lease_until = ${this.leaseEnd()} WHERE ordinal IN (
         SELECT ordinal FROM service_uploads WHERE status IN ('running', 'cancelled') AND lease_until < now()
         ORDER BY ordinal FOR UPDATE SKIP LOCKED) RETURNING ${JOB_COLUMNS}`,
      [this.setting.owner],
    );
    return rows.map(jobOf);
  }

  async renew(uploadIds: readonly string[]): Promise<readonly string[]> {
    if (uploadIds.length === 0) return [];
    const rows = await this.rows(
      `UPDATE service_uploads SET lease_until = ${this.leaseEnd()}
       WHERE id = ANY($1::text[]) AND status = 'running' AND owner = $2 RETURNING id`,
      [uploadIds, this.setting.owner],
    );
    return rows.map(([id]) => id as string);
  }

  async isHeldElsewhere(uploadId: string): Promise<boolean> {
    const rows = await this.rows("SELECT FROM service_uploads WHERE id = $1 AND owner <> $2 AND lease_until > now()", [
      uploadId,
      this.setting.owner,
    ]);
    return rows.length > 0;
  }

  async lock(uploadId: string): Promise<boolean> {
    const [[isOurs]] = (await this.rows("SELECT pg_try_advisory_lock($1, hashtext($2))", [UPLOADS_LOCK, uploadId])) as [
      [number],
    ];
    return isOurs === 1;
  }

  async unlock(uploadId: string): Promise<void> {
    await this.rows("SELECT pg_advisory_unlock($1, hashtext($2))", [UPLOADS_LOCK, uploadId]);
  }

  async jobsOf(status: UploadStatus): Promise<readonly UploadJob[]> {
    return (
      await this.rows(`SELECT ${JOB_COLUMNS} FROM service_uploads WHERE status = $1 ORDER BY ordinal`, [status])
    ).map(jobOf);
  }

  requeue(uploadId: string, isInterruption: boolean): Promise<UploadRecord | null> {
    return this.change(
      `status = 'queued', phase = NULL, started_at = NULL, job_pid = NULL, job_started = NULL, owner = NULL, lease_until = NULL,
       interruptions = interruptions + $3 WHERE id = $1 AND status = 'running' AND owner = $2`,
      [uploadId, this.setting.owner, isInterruption ? 1 : 0],
    );
  }

  complete(uploadId: string, counts: UploadCounts, completedAt: Instant): Promise<UploadRecord | null> {
    return this.change(
      `status = 'completed', counts = $3, completed_at = $4, ${ENDED} WHERE id = $1 AND status = 'running' AND owner = $2`,
      [uploadId, this.setting.owner, JSON.stringify(counts), completedAt],
    );
  }

  fail(uploadId: string, { code, message }: UploadFault, completedAt: Instant): Promise<UploadRecord | null> {
    return this.change(
      `status = 'failed', error_code = $3, error_message = $4, completed_at = $5, ${ENDED}
       WHERE id = $1 AND status = 'running' AND owner = $2`,
      [uploadId, this.setting.owner, code, message, completedAt],
    );
  }

  /** Who holds the upload goes on to do so, and removes it; else this service does. */
  cancel(uploadId: string, completedAt: Instant): Promise<UploadRecord | null> {
    return this.change(
      `status = 'cancelled', phase = NULL, password = NULL, completed_at = $3,
       owner = CASE WHEN lease_until > now() THEN owner ELSE $2 END,
       lease_until = CASE WHEN lease_until > now() THEN lease_until ELSE ${this.leaseEnd()} END
       WHERE id = $1 AND status <> 'cancelled'`,
      [uploadId, this.setting.owner, completedAt],
    );
  }

  async remove(uploadId: string): Promise<void> {
    await this.rows("DELETE FROM service_uploads WHERE id = $1 AND status = 'cancelled'", [uploadId]);
  }

  /** One statement: a job has four of them a second. */
  async appendPhase(uploadId: string, phase: string, data: string): Promise<void> {
    const rows = (await this.rows(
      `WITH changed AS (UPDATE service_uploads SET phase = $2 WHERE id = $1 AND status = 'running' AND owner = $4 RETURNING 1),
         counted AS (UPDATE service_state SET last_sequence = last_sequence + 1 WHERE EXISTS (SELECT FROM changed) RETURNING last_sequence)
       INSERT INTO service_events(${EVENT_COLUMNS}) SELECT last_sequence, $1, 'phase', $3::text FROM counted RETURNING sequence`,
      [uploadId, phase, data, this.setting.owner],
    )) as [number][];
    for (const [sequence] of rows) await this.ask((client) => this.count(client, sequence));
  }

  async eventsAfter(sequence: number, limit: number, uploadId: string | null): Promise<readonly LoggedEvent[]> {
    const rows =
      uploadId === null
        ? await this.rows(
            `SELECT ${EVENT_COLUMNS} FROM service_events WHERE sequence > $1 ORDER BY sequence LIMIT $2`,
            [sequence, limit],
          )
        : await this.rows(
            `SELECT ${EVENT_COLUMNS} FROM service_events WHERE upload_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
            [uploadId, sequence, limit],
          );
    return rows.map(eventOf);
  }

  async firstSequence(): Promise<number> {
    const [[first]] = (await this.rows(
      "SELECT coalesce((SELECT min(sequence) FROM service_events), last_sequence + 1) FROM service_state",
    )) as [[number]];
    return first;
  }

  lastSequence(): Promise<number> {
    return this.ask(lastSequenceOf);
  }

  /** All as they are at one moment. */
  state(uploadId: string | null): Promise<CatalogueState> {
    return this.transaction(async (client) => {
      await client.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
      const which = uploadId === null ? "status <> 'cancelled'" : "id = $1";
      const rows = await client.rows(
        `SELECT ${UPLOAD_COLUMNS} FROM service_uploads WHERE ${which} ORDER BY ordinal`,
        uploadId === null ? [] : [uploadId],
      );
      const uploads = rows.map(recordOf);
      const running = uploads.filter(({ status, phase }) => status === "running" && phase !== null);
      const phases = await client.rows(
        `SELECT ${EVENT_COLUMNS} FROM service_events WHERE sequence IN (
           SELECT max(sequence) FROM service_events WHERE event = 'phase' AND upload_id = ANY($1::text[]) GROUP BY upload_id)
         ORDER BY sequence`,
        [running.map(({ uploadId: id }) => id)],
      );
      return { uploads, phases: phases.map(eventOf) };
    });
  }

  async statusSequence(uploadId: string): Promise<number> {
    const [[sequence]] = (await this.rows(
      "SELECT coalesce(max(sequence), 0) FROM service_events WHERE upload_id = $1 AND event = 'upload'",
      [uploadId],
    )) as [[number]];
    return sequence;
  }

  async skipSequences(): Promise<void> {
    await this.rows("UPDATE service_state SET last_sequence = last_sequence + $1", [SKIPPED_SEQUENCES]);
    this.given += SKIPPED_SEQUENCES;
  }

  async hasForeignChanges(): Promise<boolean> {
    const last = await this.lastSequence();
    const isForeign = last !== (this.seen ?? last) + this.given;
    this.seen = last;
    this.given = 0;
    return isForeign;
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private leaseEnd(): string {
    return `now() + interval '${this.setting.leaseSeconds} seconds'`;
  }

  /** @param update what is set, where; its rest is told below */
  private change(update: string, values: readonly Parameter[]): Promise<UploadRecord | null> {
    return this.transaction(async (client) => {
      const [row] = await client.rows(`UPDATE service_uploads SET ${update} RETURNING ${UPLOAD_COLUMNS}`, values);
      return row === undefined ? null : this.logChange(client, row);
    });
  }

  /** The last of a transaction: whoever counts is alone from here to its end. */
  private async logChange(client: PostgresClient, row: readonly SqlValue[]): Promise<UploadRecord> {
    const upload = recordOf(row);
    const [[sequence]] = (await client.rows(
      "UPDATE service_state SET last_sequence = last_sequence + 1 RETURNING last_sequence",
    )) as [[number]];
    await client.rows(`INSERT INTO service_events(${EVENT_COLUMNS}) VALUES ($1, $2, 'upload', $3)`, [
      sequence,
      upload.uploadId,
      this.eventData(upload),
    ]);
    await this.count(client, sequence);
    return upload;
  }

  private async count(client: PostgresClient, sequence: number): Promise<void> {
    this.given++;
    if (sequence % CUT_EVERY !== 0) return;
    await client.rows(
      "DELETE FROM service_events WHERE sequence <= (SELECT sequence FROM service_events ORDER BY sequence DESC LIMIT 1 OFFSET $1)",
      [KEPT_EVENTS],
    );
  }

  private ask<T>(question: (client: PostgresClient) => Promise<T>): Promise<T> {
    return this.client.ask(question, TRIES);
  }

  private rows(sql: string, values: readonly Parameter[] = []): Promise<SqlValue[][]> {
    return this.ask((client) => client.rows(sql, values));
  }

  private transaction<T>(question: (client: PostgresClient) => Promise<T>): Promise<T> {
    return this.client.change(question, TRIES);
  }
}

async function uploadIn(client: PostgresClient, uploadId: string): Promise<UploadRecord | null> {
  const [row] = await client.rows(`SELECT ${UPLOAD_COLUMNS} FROM service_uploads WHERE id = $1`, [uploadId]);
  return row === undefined ? null : recordOf(row);
}

async function lastSequenceOf(client: PostgresClient): Promise<number> {
  const [[last]] = (await client.rows("SELECT last_sequence FROM service_state")) as [[number]];
  return last;
}
