import { ArchiveError } from "../../../errors.ts";
import { META } from "../../contract/archive-meta.ts";
import type { ReadingMemory } from "../../contract/reading-memory.ts";
import type { ArchiveRecord } from "../../contract/rows.ts";
import type { ArchiveCounters } from "../../reading/archive-counters.ts";
import { openForReading, type SqliteDatabase } from "../database/database.ts";
import { type MetaTable, metaTable, readJson } from "../database/meta-table.ts";
import { damaged, sqliteFault, withSqliteFaults } from "../driver/sqlite-faults.ts";
import { refuseDamage } from "../files/archive-damage.ts";
import { checkFile } from "../files/file-checksums.ts";

/** The open archive of a finished run, with its one-row tables. */
export interface FinishedArchive {
  readonly database: SqliteDatabase;
  readonly meta: MetaTable;
  readonly counters: ArchiveCounters;
  readonly record: ArchiveRecord;
}

/**
 * Throws NOT_AN_ARCHIVE, ARCHIVE_VERSION, ARCHIVE_DAMAGED, SOURCE_NOT_FOUND or SOURCE_UNREADABLE. If `make` throws,
 * closes the archive. Checks bytes against their checksums first, unless the file was just written or is already open.
 */
export function openFinished<T>(path: string, memory: ReadingMemory, make: (archive: FinishedArchive) => T): T {
  if (!memory.isChecked) refuseDamage(path, memory.checkedBytes);
  const database = withSqliteFaults("reading", path, () => openForReading(path, memory));
  try {
    const meta = metaTable(database);
    if (!memory.isChecked) requireSeal(database, meta, path);
    const counters = readJson<ArchiveCounters>(meta, META.counters);
    const record = readJson<ArchiveRecord>(meta, META.record);
    if (counters !== null && record !== null) return make({ database, meta, counters, record });
    throw new ArchiveError("NOT_AN_ARCHIVE", `${path} is the unfinished archive of a run that was stopped`);
  } catch (error) {
    database.close();
    throw sqliteFault("reading", path, error);
  }
}

/** Identifies the state of an archive. */
export function stateOfArchive({ meta }: FinishedArchive): string {
  return JSON.stringify([META.record, META.counters, META.sealedRuns].map((key) => meta.get(key)));
}

/**
 * An earlier version that added to the archive left no checksums: then there is one more run than when it was sealed.
 */
function requireSeal(database: SqliteDatabase, meta: MetaTable, path: string): void {
  const sealed = meta.get(META.sealedRuns);
  if (sealed === null || checkFile(path, 0).state !== "unsealed") return;
  const runs = database.prepare("SELECT count(*) FROM runs").pluck().get() as number;
  if (Number(sealed) === runs) throw damaged(path, "it is truncated or was changed by another program");
}
