import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_DIRECTORY, syncDirectory } from "../files/durable-files.ts";
import { type ArchiveLocation, archiveAt, archiveIn, isArchiveThere } from "./archive-location.ts";
import { importDocument } from "./import-document.ts";
import { publishArchive } from "./publish-archive.ts";
import { acquireFileLock, type FileLock } from "./sqlite/file-lock.ts";
import { SCHEMA_VERSION } from "./sqlite/schema.ts";
import { createArchive } from "./write-archive.ts";

/** Bytes read at a time from a document. */
const READ_BYTES = 1 << 20;
/** Begins the names of directories in which stores are made. */
const IMPORT_PREFIX = "import-";
/** Ends the name of the lock beside such a directory: it is held as long as somebody is at work there. */
const LOCK_SUFFIX = ".lock";

/**
 * The archive made of an extraction.json, made now unless it was before: `cacheDirectory` keeps it under the SHA-256 of
 * the document. What imports that were killed have left there is removed: it holds mail.
 *
 * @param work names what is being made, as no other import does.
 * @throws ArchiveError DOCUMENT_INVALID for a document that breaks its schema.
 */
export async function storeOfDocument(
  documentPath: string,
  cacheDirectory: string,
  work: string,
): Promise<ArchiveLocation> {
  removeDeadImports(cacheDirectory);
  const target = archiveAt(join(cacheDirectory, `${await sha256Of(documentPath)}-v${SCHEMA_VERSION}.db`));
  if (isArchiveThere(target)) return target;
  // Mail of whoever runs this: nobody else needs to read it.
  mkdirSync(cacheDirectory, { recursive: true, mode: PRIVATE_DIRECTORY });
  const workDirectory = importDirectory(cacheDirectory, work);
  const lock = lockImport(workDirectory);
  try {
    mkdirSync(workDirectory, { mode: PRIVATE_DIRECTORY });
    const made = archiveIn(workDirectory);
    const writer = await createArchive(made);
    try {
      await importDocument(() => createReadStream(documentPath, { highWaterMark: READ_BYTES }), writer);
      await writer.finish();
    } catch (error) {
      await writer.abort();
      throw error;
    }
    publishArchive(made, target);
    syncDirectory(cacheDirectory);
    return target;
  } finally {
    lock?.release();
    removeImport(cacheDirectory, work);
  }
}

/** Where a store is made of a document. */
function importDirectory(cacheDirectory: string, work: string): string {
  return join(cacheDirectory, IMPORT_PREFIX + work);
}

/** Removes what an import left in the cache that was ended while it was at work. */
export function removeImport(cacheDirectory: string, work: string): void {
  const directory = importDirectory(cacheDirectory, work);
  rmSync(directory, { recursive: true, force: true });
  rmSync(directory + LOCK_SUFFIX, { force: true });
}

/** Null while another process works there, and where nothing can be locked: then nobody removes anything. */
function lockImport(workDirectory: string): FileLock | null {
  try {
    return acquireFileLock(workDirectory + LOCK_SUFFIX);
  } catch {
    return null;
  }
}

function removeDeadImports(cacheDirectory: string): void {
  if (!existsSync(cacheDirectory)) return;
  const works = readdirSync(cacheDirectory)
    .filter((name) => name.startsWith(IMPORT_PREFIX))
    .map((name) => name.slice(IMPORT_PREFIX.length).replace(/\.lock$/, ""));
  for (const work of new Set(works)) {
    const lock = lockImport(importDirectory(cacheDirectory, work));
    if (lock === null) continue;
    lock.release();
    removeImport(cacheDirectory, work);
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
