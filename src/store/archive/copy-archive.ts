import { createHash } from "node:crypto";
import { constants, copyFileSync } from "node:fs";
import { dirname } from "node:path";
import { ArchiveError } from "../../errors.ts";
import { removeQuietly, syncDirectory, UNFINISHED_SUFFIX } from "../../files/durable-files.ts";
import { makeDirectories, removeDirectories } from "../../files/make-directories.ts";
import { outputFault } from "../../files/output-fault.ts";
import {
  type ArchiveLocation,
  archiveAt,
  type FileLocation,
  isFile,
  nameOfArchive,
} from "../contract/archive-location.ts";
import { SCAN_CACHE } from "../contract/reading-memory.ts";
import type { RowsSink, StoredRows } from "../reading/stored-rows.ts";
import { sqliteRows, sqliteSink } from "../sqlite/reading/stored-rows.ts";
import { STORED_TABLES } from "../tables/stored-tables.ts";
import { openArchive } from "./open-archive.ts";
import { publishArchive } from "./publish-archive.ts";

/**
 * Copies a finished archive file to a new path. On file systems that can share bytes between files, this is
 * immediate.
 */
function copyFile(from: FileLocation, to: FileLocation): void {
  copyFileSync(from.file, to.file, constants.COPYFILE_FICLONE);
}

/**
 * Copies a finished archive, table by table unless both are files. Readers see the previous content until the copy is
 * complete. Rejects like `openArchive`, and with OUTPUT_BUSY, OUTPUT_UNWRITABLE and DISK_FULL.
 * @param to a file must not be an open archive: it is replaced
 */
export async function copyArchive(from: ArchiveLocation, to: ArchiveLocation): Promise<void> {
  if (isFile(from) && isFile(to)) {
    copyFile(from, to);
    return;
  }
  const source = await openRows(from);
  try {
    const sink = await openSink(to, source.hasIndex);
    try {
      for (const table of STORED_TABLES) await sink.write(table, source.rows(table));
      await sink.finish();
    } catch (error) {
      await sink.abort();
      throw error;
    }
  } finally {
    await source.close();
  }
}

async function openRows(location: ArchiveLocation): Promise<StoredRows> {
  if (isFile(location)) return sqliteRows(location.file);
  const { postgresRows } = await import("../postgres/reading/stored-rows.ts");
  return postgresRows(location);
}

async function openSink(location: ArchiveLocation, hasIndex: boolean): Promise<RowsSink> {
  if (isFile(location)) return sqliteSink(location.file, hasIndex);
  const { postgresSink } = await import("../postgres/reading/stored-rows.ts");
  return postgresSink(location, hasIndex);
}

/** Contents of a copy. */
export interface CopyReport {
  readonly messages: number;
  /** Number of tables verified as equal by reading both sides again; 0 if not requested. */
  readonly comparedTables: number;
}

/**
 * The same, to a location with readers: a file is written under another name and renamed when complete.
 * @throws ArchiveError ARCHIVE_DAMAGED if a table of the copy differs from its original; OUTPUT_UNWRITABLE and
 * DISK_FULL: the location is then as before
 */
export async function copyToPlace(
  from: ArchiveLocation,
  to: ArchiveLocation,
  isVerified: boolean,
): Promise<CopyReport> {
  await (isFile(to) ? copyToFile(from, to) : copyArchive(from, to));
  const comparedTables = isVerified ? await compareTables(from, to) : 0;
  const archive = await openArchive(to, SCAN_CACHE);
  try {
    return { messages: (await archive.stats()).totalMessages, comparedTables };
  } finally {
    await archive.close();
  }
}

async function copyToFile(from: ArchiveLocation, to: FileLocation): Promise<void> {
  const directory = dirname(to.file);
  const unfinished = unfinishedCopy(to);
  let made: readonly string[] = [];
  try {
    made = makeDirectories(directory);
    await copyArchive(from, unfinished);
    publishArchive(unfinished, to);
    syncDirectory(directory);
  } catch (error) {
    removeQuietly(unfinished.file);
    removeDirectories(made);
    throw outputFault(error, to.file, "a writable directory");
  }
}

/** Temporary location for the copy of a file; leftovers of an interrupted copy may be removed. */
export function unfinishedCopy({ file }: FileLocation): FileLocation {
  return archiveAt(`${file}${UNFINISHED_SUFFIX}`);
}

async function compareTables(from: ArchiveLocation, to: ArchiveLocation): Promise<number> {
  const [expected, copied] = [await archiveDigests(from), await archiveDigests(to)];
  for (const [table, digest] of expected) {
    if (copied.get(table) !== digest)
      throw new ArchiveError("ARCHIVE_DAMAGED", `table ${table} of ${nameOfArchive(to)} differs from the original`, {
        hint: "copy it again when no program is writing to the original",
      });
  }
  return expected.size;
}

/** SHA-256 of every table, independent of the store. */
type TableDigests = ReadonlyMap<string, string>;

/** Reads the whole archive. Rejects like `openArchive`. */
export async function archiveDigests(location: ArchiveLocation): Promise<TableDigests> {
  const { RowEncoder } = await import("../postgres/client/binary-rows.ts");
  const source = await openRows(location);
  try {
    const digests = new Map<string, string>();
    for (const table of STORED_TABLES) {
      const hash = createHash("sha256");
      const encoder = new RowEncoder();
      for await (const batch of source.rows(table)) {
        for (const row of batch) encoder.fields(table.columns, row);
        hash.update(encoder.take());
      }
      digests.set(table.name, hash.digest("hex"));
    }
    return digests;
  } finally {
    await source.close();
  }
}
