import type { ArchiveLocation } from "./archive-location.ts";
import { copyArchive } from "./publish-archive.ts";
import { type ArchiveWriter, createSqliteArchive, growSqliteArchive } from "./sqlite/archive-writer.ts";

/** A new archive. The place is private to whoever writes until `finish`, and `publishArchive` puts it where readers are. */
export function createArchive({ file }: ArchiveLocation): ArchiveWriter {
  return createSqliteArchive(file);
}

/** An archive that begins as a copy of an earlier one, which stays as it is. Throws NOT_AN_ARCHIVE or ARCHIVE_VERSION. */
export function growArchive(earlier: ArchiveLocation, location: ArchiveLocation): ArchiveWriter {
  copyArchive(earlier, location);
  return growSqliteArchive(location.file);
}
