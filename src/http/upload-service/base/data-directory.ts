import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import { PRIVATE_DIRECTORY, PRIVATE_FILE, writeDurably } from "../../../files/durable-files.ts";
import { makeDirectories } from "../../../files/make-directories.ts";
import { CATALOG_FILE } from "../../../store/contract/upload-catalog.ts";

/** Milliseconds after its last byte during which a resumable upload can be continued: long enough for a weekend. */
export const RESUMABLE_MAX_AGE_MS = 3 * 24 * 60 * 60 * 1000;

/** Kept part of an attempt: the output directory and the service's cache. */
export const ARCHIVE_PART = "archive";
export const CACHE_PART = "cache";
/** In a directory of cached archives: the version of the archive next to it. */
export const ARCHIVE_VERSION_FILE = "archive.version";

/** In the cache: the response of /graph without a limit, and the page. */
export const GRAPH_DATA_FILE = "graph.json";
export const GRAPH_PAGE_FILE = "graph.html";

/** Paths of a service. They are absolute; ids must have passed `isUploadId`. */
export interface DataDirectory {
  readonly root: string;
  /** The catalog of uploads and events. */
  readonly catalog: string;
  /** Locked as long as a service lives. */
  readonly lock: string;
  /** Of a shared directory: its id in the database of the services. */
  readonly sharedId: string;
  /** For a directory of cached copies: the id of their blob store. */
  readonly blobsId: string;
  /** Directory of unfinished uploads. */
  readonly incoming: string;
  readonly uploads: string;
  /** Path of an unfinished upload. */
  incomingFile(uploadId: string): string;
  /** State of a resumable upload, next to its bytes. */
  incomingState(uploadId: string): string;
  /** Everything of one upload. */
  uploadDirectory(uploadId: string): string;
  /** Directory of the uploaded file until its job has ended, or longer if originals are kept. */
  sourceDirectory(uploadId: string): string;
  /** Directory of a job's output before it is published. */
  attemptDirectory(uploadId: string, attempt: number): string;
  /** The output directory: archive.db, extraction.json, tables, wiki. */
  archiveDirectory(uploadId: string): string;
  /** Directory of files derived from the archive: graph.json, graph.html, wiki.zip. */
  cacheDirectory(uploadId: string): string;
}

/**
 * Creates or opens the data directory and makes it private. Throws OUTPUT_NOT_OURS for a directory with other files,
 * OUTPUT_UNWRITABLE if it is not writable.
 */
export function openDataDirectory(path: string): DataDirectory {
  const directory = describeDataDirectory(resolve(path));
  try {
    if (isForeign(directory))
      throw new ArchiveError("OUTPUT_NOT_OURS", `${path} is not empty and is not an archivetool data directory`, HINT);
    for (const needed of [directory.root, directory.incoming, directory.uploads]) makeDirectories(needed);
    chmodSync(directory.root, PRIVATE_DIRECTORY);
  } catch (cause) {
    if (cause instanceof ArchiveError) throw cause;
    throw new ArchiveError(
      "OUTPUT_UNWRITABLE",
      `cannot use ${path} as data directory: ${systemErrorCode(cause) ?? "unknown error"}`,
      {
        cause,
        ...HINT,
      },
    );
  }
  return directory;
}

/**
 * Creates or reads the id of a shared directory. Throws OUTPUT_NOT_OURS for the directory of a service with a catalog
 * file: its uploads would be removed as leftovers.
 */
export function sharedDirectoryId(directory: DataDirectory): string {
  const { root, catalog, sharedId } = directory;
  requireNoCopies(directory);
  if (existsSync(catalog))
    throw new ArchiveError("OUTPUT_NOT_OURS", `${root} is the data directory of a service without --store`, HINT);
  try {
    writeFileSync(sharedId, randomUUID(), { flag: "wx", mode: PRIVATE_FILE });
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
  return readFileSync(sharedId, "utf8");
}

/** Throws OUTPUT_NOT_OURS for the directory of services that share a database. */
export function requireUnshared(directory: DataDirectory): void {
  requireNoCopies(directory);
  if (!existsSync(directory.sharedId)) return;
  throw new ArchiveError("OUTPUT_NOT_OURS", `${directory.root} is the data directory of a service with --store`, HINT);
}

/**
 * Binds a directory to the blob store whose content it caches. Throws OUTPUT_NOT_OURS if it contains uploads that are
 * not in a store, or copies of another: whatever the database does not list would be removed.
 */
export function bindToBlobs({ root, catalog, sharedId, blobsId }: DataDirectory, id: string): void {
  if (existsSync(catalog) || existsSync(sharedId))
    throw new ArchiveError("OUTPUT_NOT_OURS", `${root} is the data directory of a service without --blobs`, HINT);
  if (!existsSync(blobsId)) writeDurably(blobsId, id);
  if (readFileSync(blobsId, "utf8") !== id)
    throw new ArchiveError(
      "OUTPUT_NOT_OURS",
      `${root} is the data directory of a service with a different --blobs`,
      HINT,
    );
}

function requireNoCopies({ root, blobsId }: DataDirectory): void {
  if (!existsSync(blobsId)) return;
  throw new ArchiveError("OUTPUT_NOT_OURS", `${root} is the data directory of a service with --blobs`, HINT);
}

const HINT = { hint: "choose an empty or new directory with --data" } as const;

function describeDataDirectory(root: string): DataDirectory {
  const incoming = join(root, "incoming");
  const uploads = join(root, "uploads");
  return {
    root,
    catalog: join(root, CATALOG_FILE),
    lock: join(root, "service.lock"),
    sharedId: join(root, "service.id"),
    blobsId: join(root, "blobs.id"),
    incoming,
    uploads,
    incomingFile: (uploadId) => join(incoming, `${uploadId}.part`),
    incomingState: (uploadId) => join(incoming, `${uploadId}.json`),
    uploadDirectory: (uploadId) => join(uploads, uploadId),
    sourceDirectory: (uploadId) => join(uploads, uploadId, "source"),
    attemptDirectory: (uploadId, attempt) => join(uploads, uploadId, `attempt-${attempt}`),
    archiveDirectory: (uploadId) => join(uploads, uploadId, ARCHIVE_PART),
    cacheDirectory: (uploadId) => join(uploads, uploadId, CACHE_PART),
  };
}

/**
 * A directory of other files would become private, and some of them would be removed. A directory whose creation was
 * interrupted has only `incoming`.
 */
function isForeign({ root, catalog, sharedId, blobsId, incoming, uploads }: DataDirectory): boolean {
  if (!existsSync(root) || [catalog, sharedId, blobsId].some((path) => existsSync(path))) return false;
  return readdirSync(root).some((name) => ![incoming, uploads, join(root, "service.lock")].includes(join(root, name)));
}
