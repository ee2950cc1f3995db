import { ArchiveError } from "../errors.ts";
import { openForReading, type ReadingMemory, type SqliteDatabase } from "./database.ts";
import { type ArchiveCounters, META, type MetaTable, metaTable, readJson } from "./meta-table.ts";
import type { ArchiveRecord } from "./rows.ts";

/** An open archive that a run has finished, with what stands in it once. */
export interface FinishedArchive {
  readonly database: SqliteDatabase;
  readonly meta: MetaTable;
  readonly counters: ArchiveCounters;
  readonly record: ArchiveRecord;
}

/** Throws NOT_AN_ARCHIVE, ARCHIVE_VERSION, SOURCE_NOT_FOUND or SOURCE_UNREADABLE. What `make` throws closes the archive. */
export function openFinished<T>(path: string, memory: ReadingMemory, make: (archive: FinishedArchive) => T): T {
  const database = openForReading(path, memory);
  try {
    const meta = metaTable(database);
    const counters = readJson<ArchiveCounters>(meta, META.counters);
    const record = readJson<ArchiveRecord>(meta, META.record);
    if (counters !== null && record !== null) return make({ database, meta, counters, record });
    throw new ArchiveError("NOT_AN_ARCHIVE", `${path} is the unfinished archive of a run that was stopped`);
  } catch (error) {
    database.close();
    throw error;
  }
}
