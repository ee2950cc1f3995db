import { ArchiveError, ERRORS } from "../../../errors.ts";
import type { UploadRecord } from "../../../mail/uploads.ts";
import { nameOfServer } from "../../contract/archive-location.ts";
import type { DatabaseWatch } from "../../contract/database-watch.ts";
import { CUT_EVENTS_EVERY, SKIPPED_SEQUENCES, type UploadCatalog } from "../../contract/upload-catalog.ts";
import { removedCorrections, replacedEntries, storedEntries } from "../../tables/correction-questions.ts";
import {
  asyncCalls,
  every,
  listed,
  type Question,
  type Statement,
  scalar,
  single,
  some,
  sql,
} from "../../tables/statement.ts";
import { type UploadQuestions, uploadQuestions } from "../../tables/upload-questions.ts";
import type { DedicatedClient } from "../client/dedicated-client.ts";
import type { PostgresClient } from "../client/postgres-client.ts";
import { askIn, runIn } from "../client/queryable-client.ts";
import { ReconnectingClient } from "../client/reconnecting-client.ts";
import { postgresRegister } from "./access-register.ts";
import { notebookCalls } from "./notebook-calls.ts";
import {
  prepareService,
  SERVICE_EVENTS,
  SERVICE_LOCKS,
  SERVICE_NOTEBOOK_TABLES,
  SERVICE_NOTEBOOKS,
  SERVICE_NOTES,
  SERVICE_STATE,
  SERVICE_UPLOADS,
} from "./service-tables.ts";

interface CatalogSetting {
  /** The URL of the database. */
  readonly server: string;
  /** The id of the data directory. */
  readonly directory: string;
  /** Identifies this service, also against an earlier one on this machine. */
  readonly owner: string;
  /** Seconds without renewal after which another service takes over. */
  readonly leaseSeconds: number;
  /** Of a service, so that no call waits for an unreachable database. */
  readonly watch?: DatabaseWatch | null;
}

/** Attempts per query: the caller is waiting, and must learn at once that the database is down. */
const TRIES = 1;

const NEWEST_SEQUENCE = sql`SELECT last_sequence FROM ${SERVICE_STATE}`;
const NEXT_SEQUENCE = sql`UPDATE ${SERVICE_STATE} SET last_sequence = last_sequence + 1`;

/** A service holds each job by a lease. */
function sharedQuestions(owner: string, leaseEnd: Statement): UploadQuestions {
  return uploadQuestions({
    uploads: SERVICE_UPLOADS,
    events: SERVICE_EVENTS,
    newestSequence: NEWEST_SEQUENCE,
    skipTaken: sql` FOR UPDATE SKIP LOCKED`,
    held: sql`, owner = ${owner}, lease_until = ${leaseEnd}`,
    closeUnreadBlob: sql`, owner = NULL, lease_until = NULL`,
    heldToRemove: sql`, owner = CASE WHEN lease_until > now() THEN owner ELSE ${owner} END,
      lease_until = CASE WHEN lease_until > now() THEN lease_until ELSE ${leaseEnd} END`,
    isOurs: sql` AND owner = ${owner}`,
  });
}

/**
 * The catalog of services that share a database. Calls are not retried; after a lost connection, the next call
 * reconnects. Calls reject with CATALOGUE_UNREACHABLE, whose message is for clients and whose hint has the cause,
 * DRIVER_MISSING, OUTPUT_NOT_OURS, ARCHIVE_VERSION.
 * @param eventData the logged JSON of an upload whose status changed
 */
export function postgresCatalog(setting: CatalogSetting, eventData: (upload: UploadRecord) => string): UploadCatalog {
  const leaseEnd = sql`now() + make_interval(secs => ${setting.leaseSeconds}::float8)`;
  const questions = sharedQuestions(setting.owner, leaseEnd);
  const { asked, changes, steps } = questions;
  const client = new CatalogClient(setting, questions, eventData);
  const change = (question: Question<UploadRecord | null>) => client.change(question);
  const own: DedicatedClient = {
    ask: (question) => client.asking(question),
    change: (question) => client.transaction(question),
  };
  return {
    isShared: true,
    ...asyncCalls(asked, (question) => client.ask(question)),
    ...leaseCalls(client, steps, { owner: setting.owner, leaseEnd }),
    access: postgresRegister(own),
    add: async (upload) => (await change(steps.add(upload)))!,
    claim: (startedAt) =>
      client.transaction(async (opened) => {
        const job = await askIn(opened, steps.claim(startedAt));
        if (job !== null) await client.logChange(opened, job.upload);
        return job;
      }),
    setProcess: (uploadId, process) => client.run(steps.setProcess(uploadId, process)),
    requeue: (...given) => change(changes.requeue(...given)),
    addSource: (...given) => change(changes.addSource(...given)),
    complete: (...given) => change(changes.complete(...given)),
    fail: (...given) => change(changes.fail(...given)),
    cancel: (uploadId, ...given) =>
      client.transaction(async (opened) => {
        const upload = await askIn(opened, changes.cancel(uploadId, ...given));
        if (upload === null) return null;
        for (const statement of steps.eraseEvents(uploadId, eventData(upload))) await runIn(opened, statement);
        await client.logChange(opened, upload);
        return upload;
      }),
    remove: (uploadId) =>
      client.transaction(async (opened) => {
        for (const notes of [SERVICE_NOTES, SERVICE_NOTEBOOKS])
          await runIn(opened, sql`DELETE FROM ${notes} WHERE upload_id = ${uploadId}`);
        for (const statement of [removedCorrections(uploadId), steps.remove(uploadId)]) await runIn(opened, statement);
      }),
    correctionEntries: (upload) => client.ask(storedEntries(upload)),
    changeCorrections: (upload, correct) =>
      client.transaction(async (opened) => {
        // Another service that corrects the same upload waits here.
        await runIn(opened, sql`SELECT 1 FROM ${SERVICE_UPLOADS} WHERE id = ${upload.uploadId} FOR UPDATE`);
        const before = await askIn(opened, storedEntries(upload));
        const after = correct(before);
        if (after === null) return;
        for (const statement of replacedEntries(upload, before, after)) await runIn(opened, statement);
      }),
    notebooks: notebookCalls(own, SERVICE_NOTEBOOK_TABLES),
    appendPhase: (...given) => client.appendPhase(...given),
    state: (uploadId) =>
      client.transaction(async (opened) => {
        // Reads all in one transaction.
        await opened.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        const uploads = await askIn(opened, steps.firstUploads(uploadId));
        return { uploads, phases: await askIn(opened, steps.lastPhases(uploadId)) };
      }),
    skipSequences: () => client.skipSequences(),
    hasForeignChanges: () => client.hasForeignChanges(),
  };
}

/** Coordination of services by leases and locks. */
function leaseCalls(
  client: CatalogClient,
  steps: UploadQuestions["steps"],
  { owner, leaseEnd }: { readonly owner: string; readonly leaseEnd: Statement },
) {
  /** Uploads that this service has locked. */
  const locked = new Set<string>();
  const set = sql`UPDATE ${SERVICE_UPLOADS} SET lease_until = ${leaseEnd}`;
  const lost = sql`SELECT ordinal FROM ${SERVICE_UPLOADS} WHERE status IN ('running', 'cancelled') AND lease_until < now()
    ORDER BY ordinal FOR UPDATE SKIP LOCKED`;
  return {
    takeOver: () => client.ask(steps.jobs(sql`${set}, owner = ${owner} WHERE ordinal IN (${lost})`)),
    renew: async (uploadIds: readonly string[]): Promise<readonly string[]> => {
      if (locked.size > 0)
        await client.run(sql`UPDATE ${SERVICE_LOCKS} SET lease_until = ${leaseEnd} WHERE owner = ${owner}`);
      if (uploadIds.length === 0) return [];
      const renewed = sql`${set} WHERE id IN (${listed(uploadIds)}) AND status = 'running' AND owner = ${owner} RETURNING id`;
      return client.ask(every(renewed, ([id]) => id as string));
    },
    isHeldElsewhere: (uploadId: string) =>
      client.ask(
        some(
          sql`SELECT 1 FROM ${SERVICE_UPLOADS} WHERE id = ${uploadId} AND owner <> ${owner} AND lease_until > now()`,
        ),
      ),
    lock: async (uploadId: string): Promise<boolean> => {
      const taken = sql`INSERT INTO ${SERVICE_LOCKS}(upload_id, owner, lease_until)
        VALUES (${uploadId}, ${owner}, ${leaseEnd})
        ON CONFLICT (upload_id) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
          WHERE ${SERVICE_LOCKS}.lease_until < now() RETURNING upload_id`;
      const isOurs = await client.ask(some(taken));
      if (isOurs) locked.add(uploadId);
      return isOurs;
    },
    unlock: async (uploadId: string): Promise<void> => {
      locked.delete(uploadId);
      await client.run(sql`DELETE FROM ${SERVICE_LOCKS}
        WHERE (upload_id = ${uploadId} AND owner = ${owner}) OR lease_until < now()`);
    },
    close: async (): Promise<void> => {
      // If the database is unreachable, locks expire with their leases.
      if (locked.size > 0)
        await client.run(sql`DELETE FROM ${SERVICE_LOCKS} WHERE owner = ${owner}`).catch(() => undefined);
      await client.close();
    },
  };
}

/** Clients can read the error message, so only the hint names the server. */
function hideServer(error: unknown): never {
  if (!(error instanceof ArchiveError) || error.code !== "STORE_UNREACHABLE") throw error;
  const hint = `${error.message}: ${ERRORS.CATALOGUE_UNREACHABLE.hint}`;
  throw new ArchiveError("CATALOGUE_UNREACHABLE", "cannot reach the database of the service", { hint });
}

/** Queries the database and counts its own events; a higher count indicates other writers. */
class CatalogClient {
  private readonly client: ReconnectingClient;
  /** Newest sequence at the last check, and how many this service added since. */
  private seen: number | null = null;
  private given = 0;

  constructor(
    { server, directory, watch = null }: CatalogSetting,
    private readonly questions: UploadQuestions,
    private readonly eventData: (upload: UploadRecord) => string,
  ) {
    const { signal } = new AbortController();
    this.client = new ReconnectingClient({ server, name: nameOfServer(server), signal, watch }, async (client) => {
      await prepareService(client, directory);
      this.seen ??= await askIn(client, questions.asked.lastSequence());
    });
  }

  asking<T>(question: (client: PostgresClient) => Promise<T>): Promise<T> {
    return this.client.ask(question, TRIES).catch(hideServer);
  }

  transaction<T>(question: (client: PostgresClient) => Promise<T>): Promise<T> {
    return this.client.change(question, TRIES).catch(hideServer);
  }

  ask<Answer>(question: Question<Answer>): Promise<Answer> {
    return this.asking((client) => askIn(client, question));
  }

  async run(statement: Statement): Promise<void> {
    await this.asking((client) => runIn(client, statement));
  }

  change(change: Question<UploadRecord | null>): Promise<UploadRecord | null> {
    return this.transaction(async (client) => {
      const upload = await askIn(client, change);
      if (upload !== null) await this.logChange(client, upload);
      return upload;
    });
  }

  /** Last statement of a transaction: it holds the lock on the sequence until the commit. */
  async logChange(client: PostgresClient, upload: UploadRecord): Promise<void> {
    const { uploadId } = upload;
    const sequence = await askIn(client, scalar<number>(sql`${NEXT_SEQUENCE} RETURNING last_sequence`));
    const data = this.eventData(upload);
    await askIn(client, this.questions.steps.append({ sequence, uploadId, event: "upload", data }));
    await this.count(client, sequence);
  }

  /** One statement, since a job logs four of these per second. */
  async appendPhase(uploadId: string, phase: string, data: string): Promise<void> {
    const appended = single(
      sql`WITH changed AS (${this.questions.steps.setPhase(uploadId, phase)}),
         counted AS (${NEXT_SEQUENCE} WHERE EXISTS (SELECT 1 FROM changed) RETURNING last_sequence)
       INSERT INTO ${SERVICE_EVENTS}(sequence, upload_id, event, data)
         SELECT last_sequence, ${uploadId}, 'phase', ${data} FROM counted RETURNING sequence`,
      ([given]) => given as number,
    );
    await this.asking(async (client) => {
      const sequence = await askIn(client, appended);
      if (sequence !== null) await this.count(client, sequence);
    });
  }

  skipSequences(): Promise<void> {
    return this.asking(async (client) => {
      await runIn(client, sql`UPDATE ${SERVICE_STATE} SET last_sequence = last_sequence + ${SKIPPED_SEQUENCES}`);
      this.given += SKIPPED_SEQUENCES;
    });
  }

  /** Counted in the same query, so that no other query runs in between. */
  hasForeignChanges(): Promise<boolean> {
    return this.asking(async (client) => {
      const last = await askIn(client, this.questions.asked.lastSequence());
      const isForeign = last !== (this.seen ?? last) + this.given;
      this.seen = last;
      this.given = 0;
      return isForeign;
    });
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private async count(client: PostgresClient, sequence: number): Promise<void> {
    this.given++;
    if (sequence % CUT_EVENTS_EVERY === 0) await runIn(client, this.questions.steps.cutEvents());
  }
}
