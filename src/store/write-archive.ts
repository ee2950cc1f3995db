import type { ArchiveLocation } from "./archive-location.ts";
import type { ArchiveWriter } from "./archive-writer.ts";
import { copyArchive } from "./publish-archive.ts";
import { createSqliteArchive, growSqliteArchive } from "./sqlite/archive-writer.ts";
import { SCHEMA_VERSION } from "./sqlite/schema.ts";

/** What tells archives apart that earlier versions of the tool wrote: it changes with the shape they are written in. */
export const WRITTEN_VERSION = `v${SCHEMA_VERSION}`;

/**
 * A new archive. The place is private to whoever writes until `finish`, and `publishArchive` puts it where readers are.
 */
export async function createArchive({ file }: ArchiveLocation): Promise<ArchiveWriter> {
  return createSqliteArchive(file);
}

/**
 * An archive that begins as a copy of an earlier one, which stays as it is. Throws NOT_AN_ARCHIVE or ARCHIVE_VERSION.
 */
export async function growArchive(earlier: ArchiveLocation, location: ArchiveLocation): Promise<ArchiveWriter> {
  await copyArchive(earlier, location);
  return growSqliteArchive(location.file);
}
