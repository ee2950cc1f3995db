import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { systemErrorCode } from "../../../errors.ts";
import { replaceFile, syncDirectory, UNFINISHED_SUFFIX } from "../../../files/durable-files.ts";
import type { Instant } from "../../../mail/dates/instant.ts";
import { isReadable, type UploadRecord } from "../../../mail/uploads.ts";
import type { UploadCatalog } from "../../../store/contract/upload-catalog.ts";
import {
  ARCHIVE_PART,
  ARCHIVE_VERSION_FILE,
  CACHE_PART,
  type DataDirectory,
  RESUMABLE_MAX_AGE_MS,
} from "./data-directory.ts";
import { type JobResult, RESULT_FILE } from "./job-messages.ts";
import { isUploadId } from "./upload-id.ts";

/**
 * Creates, publishes and removes files of an upload. Large files and trees are removed without blocking other
 * requests.
 */

/** In the directory of an attempt: a part that its result replaces. */
const REPLACED_SUFFIX = ".replaced";

/** Creates the directory of an attempt; removes leftovers of the same number. */
export function makeAttemptDirectory(directory: DataDirectory, uploadId: string, attempt: number): string {
  const path = directory.attemptDirectory(uploadId, attempt);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

/** The result of a job; null if it did not finish. */
export function readResult(directory: DataDirectory, uploadId: string, attempt: number): JobResult | null {
  try {
    return JSON.parse(
      readFileSync(join(directory.attemptDirectory(uploadId, attempt), RESULT_FILE), "utf8"),
    ) as JobResult;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Moves the results of a finished attempt to where clients find them. May be repeated after an interruption. */
export async function publishAttempt(directory: DataDirectory, uploadId: string, attempt: number): Promise<void> {
  const from = directory.attemptDirectory(uploadId, attempt);
  const to = directory.uploadDirectory(uploadId);
  for (const part of [ARCHIVE_PART, CACHE_PART]) {
    if (!existsSync(join(from, part))) continue;
    // Moved aside, not removed, so that clients find one or the other.
    const replaced = join(from, `${part}${REPLACED_SUFFIX}`);
    await removeTree(replaced);
    if (existsSync(join(to, part))) replaceFile(join(to, part), replaced);
    replaceFile(join(from, part), join(to, part));
    await removeTree(replaced);
  }
  syncDirectory(to);
}

/**
 * Removes files that an upload does not need in its status, while the service may be writing its cache. A source that
 * was imported in place is not removed.
 */
export async function tidyUpload(directory: DataDirectory, upload: UploadRecord): Promise<void> {
  const path = directory.uploadDirectory(upload.uploadId);
  const kept = keptParts(directory, upload);
  if (kept.length === 0) return removeTree(path);
  for (const name of await namesIn(path)) if (!kept.includes(name)) await removeTree(join(path, name));
  const source = directory.sourceDirectory(upload.uploadId);
  const files = sourcesOf(upload).map(({ filename }) => filename);
  for (const name of await namesIn(source)) if (!files.includes(name)) await removeTree(join(source, name));
}

/** Removes files that a service was still writing to the cache of an upload when it was killed. */
async function tidyCache(cache: string, isAtWork: (path: string) => Promise<boolean>): Promise<void> {
  const unfinished = (await namesIn(cache)).filter((name) => name.endsWith(UNFINISHED_SUFFIX));
  for (const path of unfinished.map((name) => join(cache, name))) if (!(await isAtWork(path))) await removeTree(path);
}

function keptParts(directory: DataDirectory, upload: UploadRecord): readonly string[] {
  const archive = isReadable(upload) ? [ARCHIVE_PART, CACHE_PART, ARCHIVE_VERSION_FILE] : [];
  const source = sourcesOf(upload).length === 0 ? [] : [basename(directory.sourceDirectory(upload.uploadId))];
  return [...archive, ...source];
}

/**
 * The files of an upload that contain its mail, and those a job still needs, except a source that was imported in
 * place.
 */
export function sourcesOf(upload: UploadRecord): readonly SourceFile[] {
  const { status, sourcePath, discardsOriginals, filename, sha256, added, adding } = upload;
  const isWaiting = status === "queued" || status === "running";
  const first = sourcePath === null ? [{ id: null, filename, sha256 }] : [];
  const kept = discardsOriginals && isReadable(upload) ? [] : [...first, ...added];
  return status === "completed" || isWaiting ? [...kept, ...(adding === null ? [] : [adding])] : [];
}

/** Mail of an upload. */
export interface SourceFile {
  /** Null for its source file. */
  readonly id: string | null;
  readonly filename: string;
  readonly sha256: string;
}

/** Removes the output of an attempt. */
export async function removeAttempt(directory: DataDirectory, uploadId: string, attempt: number): Promise<void> {
  await removeTree(directory.attemptDirectory(uploadId, attempt));
}

/** Removes everything of an upload. */
export async function removeUpload(directory: DataDirectory, uploadId: string): Promise<void> {
  await removeTree(directory.uploadDirectory(uploadId));
}

/**
 * Removes leftovers of a killed service, when no upload is running or being received. If other services may be
 * active, recently changed files stay. @param isOwn true if no other service uses the directory
 */
export async function tidyDataDirectory(
  directory: DataDirectory,
  catalog: UploadCatalog,
  { now, isOwn }: { readonly now: Instant; readonly isOwn: boolean },
): Promise<void> {
  const isAtWork = (path: string): Promise<boolean> => isTouched(path, isOwn ? Number.POSITIVE_INFINITY : now);
  for (const name of await namesIn(directory.uploads)) {
    if (await isAtWork(join(directory.uploads, name))) continue;
    const upload = isUploadId(name) ? await catalog.get(name) : null;
    if (upload !== null) {
      await tidyUpload(directory, upload);
      await tidyCache(directory.cacheDirectory(upload.uploadId), isAtWork);
      continue;
    }
    if (isUploadId(name)) await returnToIncoming(directory, name);
    await removeTree(join(directory.uploads, name));
  }
  const names = await namesIn(directory.incoming);
  for (const name of names) {
    if (await isAtWork(join(directory.incoming, name))) continue;
    if (!(await isResumable(directory, catalog, { name, names, now })))
      await removeTree(join(directory.incoming, name));
  }
}

/**
 * Moves the bytes of a resumable upload back to the incoming directory: its service ended after moving them to their
 * place and before recording that in the catalog. The client received confirmation of every piece, and resumes from
 * there.
 */
export async function returnToIncoming(directory: DataDirectory, uploadId: string): Promise<void> {
  const part = directory.incomingFile(uploadId);
  const state = directory.incomingState(uploadId);
  const source = directory.sourceDirectory(uploadId);
  const [file, ...others] = await namesIn(source);
  if (file === undefined || others.length > 0 || !existsSync(state) || existsSync(part)) return;
  replaceFile(join(source, file), part);
  syncDirectory(directory.incoming);
}

/** True if modified within the days before an instant. */
async function isTouched(path: string, now: Instant): Promise<boolean> {
  const touchedAt = (await stat(path).catch(() => null))?.mtimeMs ?? Number.NEGATIVE_INFINITY;
  return now - touchedAt < RESUMABLE_MAX_AGE_MS;
}

interface IncomingName {
  readonly name: string;
  readonly names: readonly string[];
  readonly now: Instant;
}

/** True if both the bytes and the state of a resumable upload exist, are recent, and have not become an upload. */
async function isResumable(
  directory: DataDirectory,
  catalog: UploadCatalog,
  { name, names, now }: IncomingName,
): Promise<boolean> {
  const match = /^(upload-[^.]*)\.(?:part|json)$/.exec(name);
  const uploadId = match?.[1];
  if (uploadId === undefined || !isUploadId(uploadId) || (await catalog.get(uploadId)) !== null) return false;
  const pair = [`${uploadId}.part`, `${uploadId}.json`];
  if (!pair.every((half) => names.includes(half))) return false;
  const times = await Promise.all(
    pair.map(async (half) => (await stat(join(directory.incoming, half)).catch(() => null))?.mtimeMs ?? 0),
  );
  return now - Math.max(...times) < RESUMABLE_MAX_AGE_MS;
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}

function removeTree(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}
