import { closeSync, fstatSync, fsync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { atOnce, ignoreUnsynced, openForSync, syncDirectoryAsync } from "./durable-files.ts";
import { FileHasher, type FileSeal } from "./file-seal.ts";
import type { SealThread } from "./seal-thread.ts";

/** A file by its path below some directory, with `/` between levels. */
export interface SealedFile extends FileSeal {
  readonly path: string;
}

/** Bytes from which opening a file again, in another thread, costs little. */
const LARGE_BYTES = 1 << 18;

/**
 * Waits until every file and directory below a directory is on disk, and hashes the files at the same time.
 * @param thread hashes the large files; without it, this thread does
 * @returns the files, sorted by path
 * @throws the reason of the signal; system errors of a disk that fails or is full
 */
export async function sealTree(
  root: string,
  signal: AbortSignal,
  thread: SealThread | null = null,
): Promise<readonly SealedFile[]> {
  const { files, directories } = await entriesBelow(root);
  const sealed: SealedFile[] = [];
  const inThread: { readonly path: string; readonly seal: Promise<FileSeal> }[] = [];
  const hasher = new FileHasher();
  await atOnce(files, async (path) => {
    signal.throwIfAborted();
    const whole = join(root, path);
    const descriptor = openForSync(whole);
    try {
      const synced = syncDescriptor(descriptor).catch(ignoreUnsynced);
      // Not awaited while the file is hashed; the error is handled below.
      synced.catch(() => undefined);
      if (thread !== null && fstatSync(descriptor).size >= LARGE_BYTES)
        inThread.push({ path, seal: thread.sealOf(whole) });
      else sealed.push({ path, ...(await hasher.sealOf(descriptor, signal)) });
      await synced;
    } finally {
      closeSync(descriptor);
    }
  });
  await atOnce(directories, (path) => syncDirectoryAsync(join(root, path)));
  for (const { path, seal } of inThread) sealed.push({ path, ...(await seal) });
  return sealed.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Relative paths of all files and directories below a directory, `/` between levels; the directory itself is the empty
 * path.
 */
export async function entriesBelow(
  root: string,
): Promise<{ readonly files: readonly string[]; readonly directories: readonly string[] }> {
  const files: string[] = [];
  const directories = [""];
  for (const directory of directories) {
    for (const entry of await readdir(join(root, directory), { withFileTypes: true })) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      (entry.isDirectory() ? directories : files).push(path);
    }
  }
  return { files, directories };
}

function syncDescriptor(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => fsync(descriptor, (error) => (error === null ? resolve() : reject(error))));
}
