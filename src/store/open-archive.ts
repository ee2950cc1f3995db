import type { Archive } from "../mail/archive.ts";
import type { ArchiveLocation } from "./archive-location.ts";
import { notebookReader } from "./open-notebook.ts";
import { type ReadingMemory, WHOLE_MEMORY } from "./reading-memory.ts";
import { openSqliteArchive } from "./sqlite/open-archive.ts";

/**
 * Opens an archive for reading; it may be open any number of times, and another may be published in its place while it
 * is. Rejects with NOT_AN_ARCHIVE, ARCHIVE_VERSION, ARCHIVE_DAMAGED, SOURCE_NOT_FOUND or SOURCE_UNREADABLE.
 */
export async function openArchive(location: ArchiveLocation, memory: ReadingMemory = WHOLE_MEMORY): Promise<Archive> {
  return openSqliteArchive(location.file, memory, notebookReader(location));
}
