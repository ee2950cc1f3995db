import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import { PRIVATE_DIRECTORY, PRIVATE_FILE, writeDurably } from "../../../files/durable-files.ts";
import { CATALOGUE_FILE } from "../../../store/contract/upload-catalogue.ts";

/**
 * Time after its last byte that a resumable upload may be taken up again, in milliseconds: over a weekend, not for
 * ever.
 */
export const RESUMABLE_MAX_AGE_MS = 3 * 24 * 60 * 60 * 1000;

/** What of an attempt is kept: the output directory, and what was made of it for the service. */
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
  /** The catalogue of uploads and events. */
  readonly catalogue: string;
  /** Locked as long as a service lives. */
  readonly lock: string;
  /** Of a directory that several services share: the id by which their database knows it. */
  readonly sharedId: string;
  /** Of a directory of copies: the id of the store of blobs that they are of. */
  readonly blobsId: string;
  /** What is being received. */
  readonly incoming: string;
  readonly uploads: string;
  /** The bytes of an upload while they come in. */
  incomingFile(uploadId: string): string;
  /** State of a resumable upload, next to its bytes. */
  incomingState(uploadId: string): string;
  /** Everything of one upload. */
  uploadDirectory(uploadId: string): string;
  /** The one uploaded file, until its job has ended; longer where originals are kept. */
  sourceDirectory(uploadId: string): string;
  /** What a job writes before it is published. */
  attemptDirectory(uploadId: string, attempt: number): string;
  /** The output directory: archive.db, extraction.json, tables, wiki. */
  archiveDirectory(uploadId: string): string;
  /** What was made of the archive for the service: graph.json, graph.html, wiki.zip. */
  cacheDirectory(uploadId: string): string;
}

/**
 * Makes the data directory, or takes an earlier one, and closes it to other users.
 * Throws OUTPUT_NOT_OURS for a directory that holds other files, OUTPUT_UNWRITABLE for one that cannot be written.
 */
export function openDataDirectory(path: string): DataDirectory {
  const directory = describeDataDirectory(resolve(path));
  try {
    if (isForeign(directory))
      throw new ArchiveError("OUTPUT_NOT_OURS", `${path} is not empty and is not an archivetool data directory`, HINT);
    for (const made of [directory.root, directory.incoming, directory.uploads])
      mkdirSync(made, { recursive: true, mode: PRIVATE_DIRECTORY });
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
 * The id of a directory that services share, which is made once. Throws OUTPUT_NOT_OURS for the directory of a service
 * whose catalogue is a file: uploads that the database does not know would be taken for what was left over.
 */
export function sharedDirectoryId(directory: DataDirectory): string {
  const { root, catalogue, sharedId } = directory;
  requireNoCopies(directory);
  if (existsSync(catalogue))
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
 * Makes a directory one of copies of what a store of blobs holds. Throws OUTPUT_NOT_OURS for one that holds what no
 * store has, or copies of another: what the database does not know would be removed.
 */
export function bindToBlobs({ root, catalogue, sharedId, blobsId }: DataDirectory, id: string): void {
  if (existsSync(catalogue) || existsSync(sharedId))
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
    catalogue: join(root, CATALOGUE_FILE),
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
 * A directory of other files would be closed to its other users, and things in it removed. One that was made and killed
 * halfway has `incoming` alone.
 */
function isForeign({ root, catalogue, sharedId, blobsId, incoming, uploads }: DataDirectory): boolean {
  if (!existsSync(root) || [catalogue, sharedId, blobsId].some((path) => existsSync(path))) return false;
  return readdirSync(root).some((name) => ![incoming, uploads, join(root, "service.lock")].includes(join(root, name)));
}
