import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, readFile, rm, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { DataStore, ERRORS, Upload } from "@tus/server";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { syncHandle, writeDurably } from "../../files/durable-files.ts";
import { writeFullyAsync } from "../../files/whole-bytes.ts";
import type { UploadOptions, UploadRecord } from "../../mail/uploads.ts";
import { RESUMABLE_MAX_AGE_MS } from "./data-directory.ts";
import { requireSpace } from "./disk-space.ts";
import type { Intake } from "./intake.ts";
import { discardReceived, diskFault, receivedHead } from "./receive-upload.ts";
import { registerUpload } from "./register-upload.ts";
import { takeBack } from "./upload-files.ts";
import { isUploadId } from "./upload-id.ts";
import { requireContent } from "./upload-kind.ts";

/** Bytes received between two looks at the free space. */
const SPACE_CHECK_BYTES = 64 * 2 ** 20;
/** Bytes hashed at a time, so that other requests are served meanwhile. */
const HASH_CHUNK_BYTES = 256 * 1024;
const FILE_MODE = 0o600;
/** Time between two looks whether another service has done with an upload, in milliseconds. */
const LOCK_RETRY_MS = 200;

/** What is kept beside the bytes of a resumable upload. */
export interface ResumableState {
  readonly filename: string;
  readonly sizeBytes: number;
  readonly options: UploadOptions;
}

/**
 * Resumable uploads in `incoming`: their bytes in `<id>.part`, how many came is the length of that file, and their
 * state in `<id>.json`. They survive the end of the service; those that nobody goes on with expire.
 */
export class ResumableStore extends DataStore {
  private readonly intake: Intake;
  /** Uploads that are complete and being registered. */
  private readonly finishing = new Map<string, Promise<UploadRecord>>();

  constructor(intake: Intake) {
    super();
    this.intake = intake;
    this.extensions = ["creation", "creation-with-upload", "expiration", "termination"];
  }

  /** Begins an upload whose state was checked. Its bytes come first: a state without them is no upload. */
  async begin(uploadId: string, state: ResumableState): Promise<void> {
    const path = this.partOf(uploadId);
    const { diskMarginBytes } = this.intake.service.limits;
    await requireSpace(this.intake.freeBytes(this.intake.service.directory.incoming), state.sizeBytes, diskMarginBytes);
    try {
      await (await open(path, "wx", FILE_MODE)).close();
      writeDurably(this.stateOf(uploadId), JSON.stringify(state));
    } catch (error) {
      await this.discard(uploadId);
      throw diskFault(error);
    }
  }

  override async write(stream: Readable, uploadId: string, offset: number): Promise<number> {
    const state = await this.readState(uploadId);
    const { limits } = this.intake.service;
    const handle = await open(this.partOf(uploadId), "r+").catch(notFoundFault);
    let end = offset;
    try {
      let nextCheck = offset;
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (end + chunk.length > nextCheck) {
          await requireSpace(this.intake.freeBytes(this.partOf(uploadId)), chunk.length, limits.diskMarginBytes);
          nextCheck = end + SPACE_CHECK_BYTES;
        }
        await writeFullyAsync(handle, chunk, end);
        end += chunk.length;
      }
      if (end === state.sizeBytes) requireContent(await receivedHead(handle), state.filename);
    } catch (error) {
      // What came before a connection broke is kept: that is what the protocol is for. What is refused is not.
      if (error instanceof ArchiveError && error.code !== "DISK_FULL") await this.discard(uploadId);
      throw diskFault(error);
    } finally {
      await syncHandle(handle);
      await handle.close();
    }
    return end;
  }

  /** An upload that was registered is complete: a client that missed the answer learns so. */
  override async getUpload(uploadId: string): Promise<Upload> {
    const before = this.registered(uploadId);
    if (before !== null) return before;
    try {
      const partial = await this.partial(uploadId);
      return this.registered(uploadId) ?? partial;
    } catch (error) {
      // Another request may be registering it, which moves its bytes and removes its state.
      await this.finishing.get(uploadId)?.catch(() => undefined);
      const since = this.registered(uploadId);
      if (since === null) throw error;
      return since;
    }
  }

  private registered(uploadId: string): Upload | null {
    const record = this.intake.service.catalogue.get(uploadId);
    if (record === null) return null;
    return uploadOf(uploadId, { filename: record.filename, size: record.sizeBytes, offset: record.sizeBytes });
  }

  private async partial(uploadId: string): Promise<Upload> {
    const state = await this.readState(uploadId);
    const { size, mtime } = await stat(this.partOf(uploadId)).catch(notFoundFault);
    // It expires by its last byte, not by its first.
    return uploadOf(uploadId, {
      filename: state.filename,
      size: state.sizeBytes,
      offset: size,
      touchedAt: mtime.toISOString(),
    });
  }

  override async remove(uploadId: string): Promise<void> {
    await this.readState(uploadId);
    await this.discard(uploadId);
  }

  override getExpiration(): number {
    return RESUMABLE_MAX_AGE_MS;
  }

  override async deleteExpired(): Promise<number> {
    let count = 0;
    for (const name of await readdir(this.intake.service.directory.incoming)) {
      const uploadId = name.replace(/\.json$/, "");
      if (uploadId === name || !isUploadId(uploadId) || this.finishing.has(uploadId)) continue;
      const part = await stat(this.partOf(uploadId)).catch(() => null);
      if (part !== null && this.intake.now() - part.mtimeMs < RESUMABLE_MAX_AGE_MS) continue;
      await this.discard(uploadId);
      count++;
    }
    return count;
  }

  /** True when all bytes are there and nothing was made of them yet: the service ended between the two. */
  async isWaiting(uploadId: string): Promise<boolean> {
    const { catalogue } = this.intake.service;
    if (!isUploadId(uploadId) || catalogue.get(uploadId) !== null) return false;
    const state = await this.readState(uploadId).catch(() => null);
    if (state !== null && catalogue.isShared) await this.takeBackOfDead(uploadId);
    const part = await stat(this.partOf(uploadId)).catch(() => null);
    return state !== null && part !== null && part.size === state.sizeBytes;
  }

  /** What another service had moved to its place, and not yet told the catalogue, when it died. */
  private async takeBackOfDead(uploadId: string): Promise<void> {
    const { catalogue, directory } = this.intake.service;
    if (this.finishing.has(uploadId) || !catalogue.lock(uploadId)) return;
    try {
      if (catalogue.get(uploadId) === null) await takeBack(directory, uploadId);
    } finally {
      catalogue.unlock(uploadId);
    }
  }

  /**
   * Makes a complete upload one of the catalogue, once, however often it is asked. Throws as `registerUpload`; then
   * nothing of it is left.
   */
  finish(uploadId: string): Promise<UploadRecord> {
    const known = this.intake.service.catalogue.get(uploadId);
    if (known !== null) return Promise.resolve(known);
    const finishing =
      this.finishing.get(uploadId) ?? this.registerAlone(uploadId).finally(() => this.finishing.delete(uploadId));
    this.finishing.set(uploadId, finishing);
    return finishing;
  }

  /** Of services that share their uploads one makes it, and the others wait for it. */
  private async registerAlone(uploadId: string): Promise<UploadRecord> {
    const { catalogue } = this.intake.service;
    while (!catalogue.lock(uploadId)) await pause(LOCK_RETRY_MS);
    try {
      return catalogue.get(uploadId) ?? (await this.register(uploadId));
    } finally {
      catalogue.unlock(uploadId);
    }
  }

  /** Goes on when the client leaves: it believes that all has come. */
  private async register(uploadId: string): Promise<UploadRecord> {
    const { filename, options } = await this.readState(uploadId);
    const path = this.partOf(uploadId);
    try {
      // Who sent the last byte may not have looked at the content yet, or has refused it and removed the file
      // meanwhile.
      await requireContentOf(path, filename);
      const { sizeBytes, sha256 } = await hashFile(path);
      const file = { uploadId, filename, path, sizeBytes, sha256 };
      return await registerUpload(file, options, { intake: this.intake, signal: new AbortController().signal });
    } catch (error) {
      return notFoundFault(error);
    } finally {
      await this.discard(uploadId);
    }
  }

  private async readState(uploadId: string): Promise<ResumableState> {
    if (!isUploadId(uploadId)) throw ERRORS.FILE_NOT_FOUND;
    try {
      return JSON.parse(await readFile(this.stateOf(uploadId), "utf8")) as ResumableState;
    } catch (error) {
      if (systemErrorCode(error) === "ENOENT") throw ERRORS.FILE_NOT_FOUND;
      throw error;
    }
  }

  private partOf(uploadId: string): string {
    return this.intake.service.directory.incomingFile(uploadId);
  }

  private stateOf(uploadId: string): string {
    return this.intake.service.directory.incomingState(uploadId);
  }

  private async discard(uploadId: string): Promise<void> {
    await discardReceived({ path: this.partOf(uploadId) });
    await rm(this.stateOf(uploadId), { force: true });
  }
}

/** @throws ArchiveError UNSUPPORTED_FORMAT for a file that is not what its name says */
async function requireContentOf(path: string, filename: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    requireContent(await receivedHead(handle), filename);
  } finally {
    await handle.close();
  }
}

/** Rethrows; a file that another request has moved or removed is an upload that is not found. */
function notFoundFault(error: unknown): never {
  throw systemErrorCode(error) === "ENOENT" ? ERRORS.FILE_NOT_FOUND : error;
}

/** What the protocol shows of an upload. Of its metadata the name alone: the others hold a password. */
function uploadOf(
  id: string,
  {
    filename,
    size,
    offset,
    touchedAt,
  }: { readonly filename: string; readonly size: number; readonly offset: number; readonly touchedAt?: string },
): Upload {
  return new Upload({
    id,
    size,
    offset,
    metadata: { filename },
    ...(touchedAt === undefined ? {} : { creation_date: touchedAt }),
  });
}

async function hashFile(path: string): Promise<{ readonly sizeBytes: number; readonly sha256: string }> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: HASH_CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sizeBytes, sha256: hash.digest("hex") };
}
