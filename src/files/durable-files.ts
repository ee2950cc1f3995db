import { closeSync, fsyncSync, opendirSync, openSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemErrorCode } from "../errors.ts";
import { writeFully } from "./read-fully.ts";

/**
 * All code that makes files survive a power failure. A file is on disk when its bytes were synced and the directory
 * that names it was, too; a rename is on disk when the directory was synced afterwards.
 */

/** Output contains mail: only the current user may read it. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_DIRECTORY = 0o700;

/** Extension of unfinished files, which are worthless if nobody is writing them. */
export const UNFINISHED_SUFFIX = ".tmp";

/**
 * Maximum files synced at a time: file systems write waiting ones together. Four threads wait and take the others in
 * turn.
 */
const SYNCED_AT_ONCE = 16;
/** Directory entries read per call; Node's default of 32 needs many calls for a directory of mail. */
const LISTED_AT_ONCE = 512;

/** Error codes of systems that cannot sync or open directories (Windows: EPERM); a failing disk returns EIO. */
const CANNOT_SYNC_DIRECTORIES: ReadonlySet<string | null> = new Set([
  "EPERM",
  "EACCES",
  "EISDIR",
  "EINVAL",
  "EBADF",
  "ENOTSUP",
  "ENOSYS",
]);
/** Error codes of file systems without syncing, such as some network file systems. */
const CANNOT_SYNC_FILES: ReadonlySet<string | null> = new Set(["EINVAL", "ENOTSUP", "ENOSYS"]);
/** Node's permission model forbids syncing. */
const SYNC_FORBIDDEN = "ERR_ACCESS_DENIED";
/** Error codes of a read-only file. */
const READ_ONLY: ReadonlySet<string | null> = new Set(["EACCES", "EPERM", "EROFS"]);

/** Windows error codes for a file in use; virus scanners release a new file after a moment. */
const HELD: ReadonlySet<string | null> = new Set(["EBUSY", "EPERM", "EACCES"]);
/** Pauses before a rename is retried, in milliseconds: two seconds in total. */
const HELD_PAUSES_MS = [10, 20, 50, 100, 300, 500, 1000] as const;

/** Waits until the bytes of a file are on disk. */
export function syncFile(path: string): void {
  const descriptor = openForSync(path);
  try {
    syncDescriptor(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncDescriptor(descriptor: number): void {
  try {
    fsyncSync(descriptor);
  } catch (error) {
    tolerate(error, CANNOT_SYNC_FILES);
  }
}

/** Windows syncs only files opened for writing. */
export function openForSync(path: string): number {
  try {
    return openSync(path, "r+");
  } catch (error) {
    if (!READ_ONLY.has(systemErrorCode(error))) throw error;
    return openSync(path, "r");
  }
}

/** Waits until changes of the entries of a directory are on disk, if the system supports it. */
export function syncDirectory(path: string): void {
  try {
    const descriptor = openSync(path, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    tolerate(error, CANNOT_SYNC_DIRECTORIES);
  }
}

/**
 * Waits until every file and directory below a directory is on disk, without blocking the event loop. Rejects with the
 * reason of the signal: thousands of files can take a minute.
 */
export async function syncTree(root: string, signal?: AbortSignal): Promise<void> {
  const entries = entriesBelow(root);
  try {
    await atOnce(entries, ({ path, isDirectory }) => {
      signal?.throwIfAborted();
      return isDirectory ? syncDirectoryAsync(path) : syncFileAsync(path);
    });
  } finally {
    entries.return();
  }
}

interface TreeEntry {
  readonly path: string;
  readonly isDirectory: boolean;
}

/** Lists a directory and everything below it lazily: an export may have a million files. */
function* entriesBelow(root: string): Generator<TreeEntry, void> {
  const pending = [root];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    yield { path: directory, isDirectory: true };
    const listing = opendirSync(directory, { bufferSize: LISTED_AT_ONCE });
    try {
      for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
        const path = join(directory, entry.name);
        if (entry.isDirectory()) pending.push(path);
        else yield { path, isDirectory: false };
      }
    } finally {
      listing.closeSync();
    }
  }
}

/** Like `syncFile`, without blocking the event loop. */
export async function syncFileAsync(path: string): Promise<void> {
  const handle = await open(path, "r+").catch((error: unknown) => {
    if (!READ_ONLY.has(systemErrorCode(error))) throw error;
    return open(path, "r");
  });
  try {
    await syncHandle(handle);
  } finally {
    await handle.close();
  }
}

/** Waits until what was written to an open file is on disk. */
export async function syncHandle(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    tolerate(error, CANNOT_SYNC_FILES);
  }
}

/** Like `syncDirectory`, without blocking the event loop. */
export async function syncDirectoryAsync(path: string): Promise<void> {
  try {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    tolerate(error, CANNOT_SYNC_DIRECTORIES);
  }
}

/** Calls a function for each item with limited concurrency; the first error ends it. */
export async function atOnce<T>(items: Iterable<T>, act: (item: T) => Promise<void>): Promise<void> {
  const pending = items[Symbol.iterator]();
  let hasFailed = false;
  const takeNext = async (): Promise<void> => {
    for (let next = pending.next(); next.done !== true && !hasFailed; next = pending.next()) {
      try {
        await act(next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: SYNCED_AT_ONCE }, takeNext));
}

/** Ignores errors of systems that cannot or may not sync a file. */
export function ignoreUnsynced(error: unknown): void {
  tolerate(error, CANNOT_SYNC_FILES);
}

function tolerate(error: unknown, codes: ReadonlySet<string | null>): void {
  const code = systemErrorCode(error);
  if (code !== SYNC_FORBIDDEN && !codes.has(code)) throw error;
}

/** Writes a file atomically: it is durable on return, and the earlier file stays until then. */
export function writeDurably(path: string, content: string): void {
  const unfinished = `${path}${UNFINISHED_SUFFIX}`;
  try {
    writeNew(unfinished, content);
    replaceFile(unfinished, path);
  } catch (error) {
    removeQuietly(unfinished);
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Replaces a leftover file of that name. */
function writeNew(path: string, content: string): void {
  rmSync(path, { force: true });
  const descriptor = openSync(path, "wx", PRIVATE_FILE);
  try {
    writeFully(descriptor, Buffer.from(content, "utf8"));
    syncDescriptor(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Ignores errors: the earlier error is the one reported. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The next write replaces it.
  }
}

/**
 * Renames a file or directory, and retries for a moment if another program has one of them open. Not durable before
 * the directory is synced.
 */
export function replaceFile(source: string, target: string): void {
  for (const pauseMs of HELD_PAUSES_MS) {
    try {
      renameSync(source, target);
      return;
    } catch (error) {
      if (!HELD.has(systemErrorCode(error))) throw error;
      sleep(pauseMs);
    }
  }
  renameSync(source, target);
}

/** Blocks the process between two attempts to rename. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, milliseconds);
}
