import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ArchiveLocation, archiveIn, type FileLocation } from "../contract/archive-location.ts";
import type { ArchiveWriter } from "../contract/archive-writer.ts";
import { createSqliteArchive, growSqliteArchive } from "../sqlite/writing/archive-writer.ts";
import { copyArchive } from "./copy-archive.ts";

/**
 * Creates an archive in a temporary file. `finish` copies it to its location in one transaction and deletes the file.
 */
export async function createStagedArchive(location: ArchiveLocation): Promise<ArchiveWriter> {
  return staged(location, async (file) => createSqliteArchive(file.file));
}

/** Like `createStagedArchive`, but begins as a copy of an earlier archive. */
export async function growStagedArchive(earlier: ArchiveLocation, location: ArchiveLocation): Promise<ArchiveWriter> {
  return staged(location, async (file) => {
    await copyArchive(earlier, file);
    return growSqliteArchive(file.file);
  });
}

async function staged(
  location: ArchiveLocation,
  begin: (file: FileLocation) => Promise<ArchiveWriter>,
): Promise<ArchiveWriter> {
  const directory = mkdtempSync(join(tmpdir(), "archivetool-staged-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  const file = archiveIn(directory);
  try {
    const writer = await begin(file);
    return {
      ...writer,
      async finish() {
        await writer.finish();
        await copyArchive(file, location);
        remove();
      },
      async abort() {
        await writer.abort();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
