import { type ArchiveLocation, isFile } from "../contract/archive-location.ts";
import type { ArchiveWriter } from "../contract/archive-writer.ts";
import { schemaVersionIn } from "../sqlite/database/archive-header.ts";
import { createSqliteArchive, growSqliteArchive } from "../sqlite/writing/archive-writer.ts";
import { SCHEMA_VERSION } from "../tables/archive-tables.ts";
import { copyArchive } from "./copy-archive.ts";

/** Identifies the format of archives: it changes with the schema. */
export const WRITTEN_VERSION = `v${SCHEMA_VERSION}`;

/** True for an archive file with the schema of this version, whose records have all current fields. */
export function hasCurrentSchema(location: ArchiveLocation): boolean {
  return isFile(location) && schemaVersionIn(location.file) === SCHEMA_VERSION;
}

/**
 * Creates an archive. A file is private to the writer until `publishArchive` moves it; readers of a collection see
 * the previous content until `finish`.
 */
export async function createArchive(location: ArchiveLocation): Promise<ArchiveWriter> {
  if (isFile(location)) return createSqliteArchive(location.file);
  const { createStagedArchive } = await import("./staged-archive.ts");
  return createStagedArchive(location);
}

/**
 * Creates an archive that begins as a copy of an earlier one, which is not changed. Throws NOT_AN_ARCHIVE or
 * ARCHIVE_VERSION.
 */
export async function growArchive(earlier: ArchiveLocation, location: ArchiveLocation): Promise<ArchiveWriter> {
  if (!isFile(location)) {
    const { growStagedArchive } = await import("./staged-archive.ts");
    return growStagedArchive(earlier, location);
  }
  await copyArchive(earlier, location);
  return growSqliteArchive(location.file, isFile(earlier) ? earlier.file : location.file);
}
