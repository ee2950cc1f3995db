import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { PRIVATE_DIRECTORY, PRIVATE_FILE, syncDirectoryAsync, syncHandle } from "../../files/durable-files.ts";
import { writeFullyAsync } from "../../files/whole-bytes.ts";
import type { Instant } from "../../mail/instant.ts";
import { type BlobBytes, type BlobEntry, type BlobStore, checkedKey, type NewBlob } from "./blob-store.ts";

/** Below the root: what is being written. No key begins with a dot. */
const UNFINISHED = ".unfinished";

/** What a shared directory says that is not mounted, or whose server is gone. */
const AWAY: ReadonlySet<string | null> = new Set([
  "EIO",
  "ESTALE",
  "EACCES",
  "EPERM",
  "EROFS",
  "ETIMEDOUT",
  "ENOTCONN",
]);
const FULL: ReadonlySet<string | null> = new Set(["ENOSPC", "EDQUOT"]);

/** Blobs as files of a directory that all services see, by their keys. */
export class BlobDirectory implements BlobStore {
  readonly name: string;
  private readonly root: string;
  private readonly unfinished: string;

  /** Throws BLOBS_UNREACHABLE for one that is not there: it may not be mounted. */
  constructor(root: string) {
    this.name = root;
    this.root = resolve(root);
    this.unfinished = join(this.root, UNFINISHED);
    try {
      mkdirSync(this.unfinished, { mode: PRIVATE_DIRECTORY });
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST") throw awayFault(error, this.root);
    }
  }

  async put(key: string, { bytes }: NewBlob, signal: AbortSignal): Promise<void> {
    const target = this.pathOf(key);
    const path = join(this.unfinished, randomBytes(12).toString("hex"));
    try {
      await writeNew(path, bytes, signal);
      await this.publish(path, target);
    } catch (error) {
      await rm(path, { force: true }).catch(() => undefined);
      throw blobFault(error, this.root);
    }
  }

  async get(key: string, signal: AbortSignal): Promise<BlobBytes | null> {
    const handle = await open(this.pathOf(key), "r").catch((error: unknown) => {
      if (systemErrorCode(error) === "ENOENT") return null;
      throw blobFault(error, this.root);
    });
    if (handle === null) return null;
    const found = await handle.stat();
    if (!found.isFile()) {
      await handle.close();
      return null;
    }
    const { size } = found;
    const { root } = this;
    const stream = handle.createReadStream({ signal });
    async function* read(): AsyncGenerator<Uint8Array> {
      let given = 0;
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          given += chunk.length;
          yield chunk;
        }
      } catch (error) {
        signal.throwIfAborted();
        throw blobFault(error, root);
      }
      if (given !== size) throw awayFault(new Error("ends early"), root);
    }
    return { sizeBytes: size, bytes: read() };
  }

  async remove(key: string): Promise<void> {
    const path = this.pathOf(key);
    try {
      await rm(path, { force: true });
      await this.removeEmpty(dirname(path));
    } catch (error) {
      throw blobFault(error, this.root);
    }
  }

  async *list(prefix: string): AsyncGenerator<BlobEntry> {
    const pending = [join(this.root, prefix)];
    for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
      for (const entry of await this.entriesOf(directory)) {
        const path = join(directory, entry.name);
        if (entry.isDirectory()) {
          if (path !== this.unfinished) pending.push(path);
          continue;
        }
        const found = await stat(path).catch(() => null);
        const key = relative(this.root, path).replaceAll("\\", "/");
        if (found !== null) yield { key, putAt: found.mtimeMs };
      }
    }
  }

  async sweep(before: Instant): Promise<void> {
    for (const { name } of await this.entriesOf(this.unfinished)) {
      const path = join(this.unfinished, name);
      const found = await stat(path).catch(() => null);
      if (found !== null && found.mtimeMs < before) await rm(path, { force: true });
    }
  }

  close(): void {
    // Nothing is held.
  }

  private pathOf(key: string): string {
    return join(this.root, checkedKey(key));
  }

  private async entriesOf(directory: string) {
    return readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
      if (systemErrorCode(error) === "ENOENT") return [];
      throw blobFault(error, this.root);
    });
  }

  /** The last of a directory may be removed while something new is put into it: then it is made again. */
  private async publish(path: string, target: string): Promise<void> {
    const directory = dirname(target);
    for (let tries = 1; ; tries++) {
      await mkdir(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
      try {
        await rename(path, target);
        break;
      } catch (error) {
        if (systemErrorCode(error) !== "ENOENT" || tries === RENAME_TRIES) throw error;
      }
    }
    for (let changed = directory; ; changed = dirname(changed)) {
      await syncDirectoryAsync(changed);
      if (changed === this.root) return;
    }
  }

  private async removeEmpty(directory: string): Promise<void> {
    for (let empty = directory; empty !== this.root; empty = dirname(empty)) {
      try {
        await rmdir(empty);
      } catch (error) {
        if (["ENOTEMPTY", "EEXIST", "ENOENT"].includes(systemErrorCode(error) ?? "")) return;
        throw error;
      }
    }
  }
}

/** Times that a directory is made anew for a blob: it takes another removal at the same moment each time. */
const RENAME_TRIES = 10;

async function writeNew(path: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  const handle = await open(path, "wx", PRIVATE_FILE);
  try {
    let at = 0;
    for await (const chunk of bytes) {
      signal.throwIfAborted();
      await writeFullyAsync(handle, chunk, at);
      at += chunk.length;
    }
    signal.throwIfAborted();
    await syncHandle(handle);
  } finally {
    await handle.close();
  }
}

/** What the system says of a directory, as a store of blobs says it. */
function blobFault(error: unknown, root: string): unknown {
  const code = error instanceof ArchiveError ? null : systemErrorCode(error);
  if (FULL.has(code)) return new ArchiveError("DISK_FULL", "the blob store of the service is full", { cause: error });
  return AWAY.has(code) ? awayFault(error, root) : error;
}

function awayFault(cause: unknown, root: string): ArchiveError {
  const why = systemErrorCode(cause) ?? "it cannot be read to its end";
  const hint = `${root}: ${why}; see that the directory is there, is mounted, and may be written to`;
  return new ArchiveError("BLOBS_UNREACHABLE", "the blob store of the service cannot be reached", { cause, hint });
}
