import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_DIRECTORY, syncDirectory } from "../../files/durable-files.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { type ArchiveLocation, archiveIn, archiveNamed, isArchiveThere } from "../contract/archive-location.ts";
import { acquireFileLock, type FileLock } from "../sqlite/files/file-lock.ts";
import { importDocument } from "./import-document.ts";
import { importDirectory, importNamesIn, LOCK_SUFFIX } from "./import-locations.ts";
import { publishArchive } from "./publish-archive.ts";
import { createArchive, WRITTEN_VERSION } from "./write-archive.ts";

/** Bytes read at a time from a document. */
const READ_BYTES = 1 << 20;
/** Milliseconds after which a lock without a directory belongs to a killed import: running ones create it at once. */
const LOCK_ALONE_MS = 60_000;

/**
 * Returns the archive of an extraction.json, imported if it is not cached in `cacheDirectory` under its SHA-256.
 * @param work unique name of the import @throws ArchiveError DOCUMENT_INVALID if the document violates its schema
 */
export async function storeOfDocument(
  documentPath: string,
  cacheDirectory: string,
  work: string,
): Promise<ArchiveLocation> {
  const target = archiveNamed(cacheDirectory, `${await sha256Of(documentPath)}-${WRITTEN_VERSION}`);
  if (isArchiveThere(target)) return target;
  // Private: the cache contains mail.
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
    // Other processes remove a directory whose lock is free.
    rmSync(workDirectory, { recursive: true, force: true });
    lock?.release();
    removeImport(cacheDirectory, work);
  }
}

/** Removes leftovers of an import that ended while it was active. */
export function removeImport(cacheDirectory: string, work: string): void {
  const directory = importDirectory(cacheDirectory, work);
  rmSync(directory, { recursive: true, force: true });
  rmSync(directory + LOCK_SUFFIX, { force: true });
}

/** Null while another process is active there, and if locks are unavailable: then nothing is removed. */
function lockImport(workDirectory: string): FileLock | null {
  try {
    return acquireFileLock(workDirectory + LOCK_SUFFIX);
  } catch {
    return null;
  }
}

/**
 * Removes leftovers of killed imports from the cache, since they contain unredacted mail. A running import takes its
 * lock before it creates a directory, and holds it until the directory is removed. @returns one line per removal, for
 * the user
 */
export function removeDeadImports(cacheDirectory: string, now: Instant): readonly string[] {
  const notes: string[] = [];
  for (const name of importNamesIn(cacheDirectory)) {
    const path = join(cacheDirectory, name);
    try {
      if (!name.endsWith(LOCK_SUFFIX)) notes.push(...removeDeadImport(path));
      else if (isLockAlone(path, now)) rmSync(path, { force: true });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      notes.push(`${path} could not be removed (${reason}): it contains temporary files of an interrupted import`);
    }
  }
  return notes;
}

function removeDeadImport(directory: string): readonly string[] {
  const lock = lockImport(directory);
  if (lock === null) return [];
  try {
    rmSync(directory, { recursive: true, force: true });
  } finally {
    lock.release();
  }
  // Windows cannot remove open files.
  rmSync(directory + LOCK_SUFFIX, { force: true });
  return [`an import was interrupted: removed its temporary files from ${directory}`];
}

function isLockAlone(path: string, now: Instant): boolean {
  if (existsSync(path.slice(0, -LOCK_SUFFIX.length))) return false;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && now - stats.mtimeMs > LOCK_ALONE_MS;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
