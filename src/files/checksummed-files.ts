import { createHash } from "node:crypto";
import { closeSync, fsync, openSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { atOnce, ignoreUnsynced, openForSync, syncDirectoryAsync } from "./durable-files.ts";
import { readFully } from "./read-fully.ts";

/** Fingerprint of a file when it was written; a file that differs is damaged. */
export interface FileSeal {
  readonly sizeBytes: number;
  /** SHA-256 in hex. */
  readonly sha256: string;
}

/** A file by its path below some directory, with `/` between levels. */
export interface SealedFile extends FileSeal {
  readonly path: string;
}

/** Bytes read at a time. */
const CHUNK_BYTES = 1 << 18;
/**
 * Bytes hashed between two turns of the event loop, so that a signal is handled within a few hundredths of a second.
 */
const TURN_BYTES = 32 << 20;

/**
 * Waits until every file and directory below a directory is on disk, and hashes the files at the same time.
 * @returns the files, sorted by path
 * @throws the reason of the signal; system errors of a disk that fails or is full
 */
export async function sealTree(root: string, signal: AbortSignal): Promise<readonly SealedFile[]> {
  const { files, directories } = await entriesBelow(root);
  const sealed: SealedFile[] = [];
  const hasher = new FileHasher();
  await atOnce(files, async (path) => {
    signal.throwIfAborted();
    const descriptor = openForSync(join(root, path));
    try {
      const synced = syncDescriptor(descriptor).catch(ignoreUnsynced);
      // Not awaited while the file is hashed; the error is handled below.
      synced.catch(() => undefined);
      sealed.push({ path, ...(await hasher.sealOf(descriptor, signal)) });
      await synced;
    } finally {
      closeSync(descriptor);
    }
  });
  await atOnce(directories, (path) => syncDirectoryAsync(join(root, path)));
  return sealed.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Computes the seal of a file. Throws the reason of the signal, or the system error. */
export async function sealOfFile(path: string, signal: AbortSignal): Promise<FileSeal> {
  const descriptor = openSync(path, "r");
  try {
    return await new FileHasher().sealOf(descriptor, signal);
  } finally {
    closeSync(descriptor);
  }
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

/** Reads through one buffer: thousands of small files are hashed one after the other. */
class FileHasher {
  private readonly buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  private untilTurn = TURN_BYTES;

  async sealOf(descriptor: number, signal: AbortSignal): Promise<FileSeal> {
    const hash = createHash("sha256");
    let sizeBytes = 0;
    for (;;) {
      const count = readFully(descriptor, this.buffer, sizeBytes);
      hash.update(count === CHUNK_BYTES ? this.buffer : this.buffer.subarray(0, count));
      sizeBytes += count;
      if (count < CHUNK_BYTES) return { sizeBytes, sha256: hash.digest("hex") };
      this.untilTurn -= count;
      if (this.untilTurn > 0) continue;
      this.untilTurn = TURN_BYTES;
      await turn();
      signal.throwIfAborted();
    }
  }
}
