import type { LoggedEvent, UploadRecord } from "../../../mail/uploads.ts";
import { type Immediate, promised } from "../../contract/promised-calls.ts";
import {
  type CatalogCalls,
  type CatalogState,
  CUT_EVENTS_EVERY,
  SKIPPED_SEQUENCES,
  type UploadCatalog,
} from "../../contract/upload-catalog.ts";
import type { UploadCorrections } from "../../contract/upload-corrections.ts";
import { removedCorrections, replacedEntries, storedEntries } from "../../tables/correction-questions.ts";
import { UPLOAD_EVENTS, UPLOADS } from "../../tables/service-tables.ts";
import { answering, NO_SQL, type Question, some, sql } from "../../tables/statement.ts";
import { uploadQuestions } from "../../tables/upload-questions.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { type QueryableDatabase, queryableDatabase } from "../driver/queryable-database.ts";
import { withSqliteFaults } from "../driver/sqlite-faults.ts";
import { accessRegister, type CatalogWrites } from "./access-register.ts";
import { openCatalogDatabase } from "./catalog-database.ts";
import { closeSealed } from "./checksummed-file.ts";

/** With a file, one service runs all jobs. */
const { asked, changes, steps } = uploadQuestions({
  uploads: UPLOADS,
  events: UPLOAD_EVENTS,
  newestSequence: sql`SELECT seq FROM sqlite_sequence WHERE name = 'events'`,
  skipTaken: NO_SQL,
  held: NO_SQL,
  closeUnreadBlob: NO_SQL,
  heldToRemove: NO_SQL,
  isOurs: NO_SQL,
});

/**
 * Opens or creates the catalog. Throws NOT_AN_ARCHIVE, ARCHIVE_VERSION, SOURCE_UNREADABLE. @param eventData the
 * logged JSON of an upload whose status changed
 */
export function openUploadCatalog(path: string, eventData: (upload: UploadRecord) => string): UploadCatalog {
  const database = openCatalogDatabase(path);
  const writes = catalogWrites(path, database);
  return {
    isShared: false,
    notebooks: null,
    access: accessRegister(queryableDatabase(database), writes),
    ...promised<CatalogCalls>({
      ...fileCalls({ path, database }, writes, eventData),
      ...correctionCalls(queryableDatabase(database), writes),
    }),
  };
}

function fileCalls(
  { path, database }: { readonly path: string; readonly database: SqliteDatabase },
  { write, writeSoon }: CatalogWrites,
  eventData: (upload: UploadRecord) => string,
): Immediate<Omit<CatalogCalls, keyof UploadCorrections>> {
  const { ask, run } = queryableDatabase(database);
  const catalog = answering(asked, ask);

  const append = (event: Omit<LoggedEvent, "sequence">): void => {
    if (ask(steps.append(event)) % CUT_EVENTS_EVERY === 0) run(steps.cutEvents());
  };
  const logChange = (upload: UploadRecord): void =>
    append({ uploadId: upload.uploadId, event: "upload", data: eventData(upload) });
  const change = (question: Question<UploadRecord | null>): UploadRecord | null =>
    write(() => {
      const upload = ask(question);
      if (upload !== null) logChange(upload);
      return upload;
    });
  /** Deleted data remains in the journal until a checkpoint. */
  const emptyJournal = (): void => void database.pragma("wal_checkpoint(TRUNCATE)");
  /** A change that ends a job removes its password from the file and its journal. */
  const end = (uploadId: string, question: Question<UploadRecord | null>): UploadRecord | null => {
    const hadPassword = ask(some(sql`SELECT 1 FROM ${UPLOADS} WHERE id = ${uploadId} AND password IS NOT NULL`));
    const upload = change(question);
    if (upload !== null && hadPassword) emptyJournal();
    return upload;
  };

  return {
    ...catalog,
    ...ALONE,
    add: (upload) => change(steps.add(upload))!,
    claim: (startedAt) =>
      write(() => {
        const job = ask(steps.claim(startedAt));
        if (job !== null) logChange(job.upload);
        return job;
      }),
    setProcess: (uploadId, process) => void write(() => run(steps.setProcess(uploadId, process))),
    takeOver: () => [...catalog.jobsOf("running"), ...catalog.jobsOf("cancelled")],
    renew: (uploadIds) => uploadIds.filter((uploadId) => catalog.get(uploadId)?.status === "running"),
    requeue: (...given) => change(changes.requeue(...given)),
    addSource: (...given) => change(changes.addSource(...given)),
    complete: (uploadId, ...given) => end(uploadId, changes.complete(uploadId, ...given)),
    fail: (uploadId, ...given) => end(uploadId, changes.fail(uploadId, ...given)),
    cancel(uploadId, ...given) {
      const cancelled = write(() => {
        const upload = ask(changes.cancel(uploadId, ...given));
        if (upload === null) return null;
        for (const statement of steps.eraseEvents(uploadId, eventData(upload))) run(statement);
        logChange(upload);
        return upload;
      });
      emptyJournal();
      return cancelled;
    },
    remove(uploadId) {
      write(() => [steps.remove(uploadId), removedCorrections(uploadId)].forEach(run));
      emptyJournal();
    },
    appendPhase: (uploadId, phase, data) =>
      writeSoon(() => {
        if (ask(some(steps.setPhase(uploadId, phase)))) append({ uploadId, event: "phase", data });
      }),
    state: (uploadId) => database.transaction("deferred", () => stateOf(ask, uploadId)),
    skipSequences: () => void write(() => run(SKIP_SEQUENCES)),
    hasForeignChanges: foreignChanges(database),
    close: () => closeSealed(path, database),
  };
}

function correctionCalls({ ask, run }: QueryableDatabase, { write }: CatalogWrites): Immediate<UploadCorrections> {
  return {
    correctionEntries: (upload) => ask(storedEntries(upload)),
    changeCorrections: (upload, change) =>
      write(() => {
        const before = ask(storedEntries(upload));
        const after = change(before);
        if (after !== null) replacedEntries(upload, before, after).forEach(run);
      }),
  };
}

function stateOf(ask: QueryableDatabase["ask"], uploadId: string | null): CatalogState {
  return { uploads: ask(steps.firstUploads(uploadId)), phases: ask(steps.lastPhases(uploadId)) };
}

const SKIP_SEQUENCES = sql`UPDATE sqlite_sequence SET seq = seq + ${SKIPPED_SEQUENCES} WHERE name = 'events'`;

/** A catalog file has no leases. */
const ALONE = {
  isHeldElsewhere: () => false,
  lock: () => true,
  unlock: () => undefined,
} as const;

function catalogWrites(path: string, database: SqliteDatabase): CatalogWrites {
  const write = <T>(run: () => T): T => withSqliteFaults("writing", path, () => database.transaction("immediate", run));
  return {
    write,
    writeSoon(run) {
      database.pragma("synchronous = NORMAL");
      try {
        return write(run);
      } finally {
        database.pragma("synchronous = FULL");
      }
    },
  };
}

/** Returns true if another connection has written since the last call. */
function foreignChanges(database: SqliteDatabase): () => boolean {
  let seen = database.pragma("data_version");
  return () => {
    const before = seen;
    seen = database.pragma("data_version");
    return seen !== before;
  };
}
