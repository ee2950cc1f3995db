import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { type FileHandle, open, readdir, readFile, rm, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { DataStore, ERRORS, Upload } from "@tus/server";
import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import { syncHandle, writeDurably } from "../../../files/durable-files.ts";
import { writeFullyAsync } from "../../../files/read-fully.ts";
import type { UploadOptions, UploadRecord } from "../../../mail/uploads.ts";
import { RESUMABLE_MAX_AGE_MS } from "../base/data-directory.ts";
import { requireSpace } from "../base/disk-space.ts";
import { decryptPassword, encryptPassword } from "../base/encrypted-password.ts";
import { type PartProgress, SHARED_PART_BYTES, type SharedParts } from "../base/shared-parts.ts";
import { returnToIncoming } from "../base/upload-files.ts";
import { isUploadId } from "../base/upload-id.ts";
import { requireContent } from "../base/upload-kind.ts";
import { diskFault } from "../storage/received-file.ts";
import type { Intake } from "./intake.ts";
import { discardReceived, receivedHead } from "./receive-upload.ts";
import { registerUpload } from "./register-upload.ts";

/** Bytes received between checks of the free space. */
const SPACE_CHECK_BYTES = 64 * 2 ** 20;
/** Bytes hashed at a time, so that other requests are served in between. */
const HASH_CHUNK_BYTES = 256 * 1024;
const FILE_MODE = 0o600;
/** Milliseconds between checks whether another service has released an upload. */
const LOCK_RETRY_MS = 200;

/** State stored next to the bytes of a resumable upload. */
export interface ResumableState {
  readonly filename: string;
  readonly sizeBytes: number;
  readonly options: UploadOptions;
}

/** The stored form, without passwords, which readers of the bucket or disk must not see. */
interface WrittenState extends ResumableState {
  readonly sealedPassword?: string | null;
}

/** Temporary errors: the received bytes remain valid, and the request can be repeated. */
const AWAY: ReadonlySet<string> = new Set(["BLOBS_UNREACHABLE", "CATALOGUE_UNREACHABLE", "DISK_FULL"]);

/**
 * Resumable uploads in `incoming`: their bytes in `<id>.part`, whose length is the number received, and their state in
 * `<id>.json`. They survive a restart of the service; abandoned ones expire.
 * Services without a common disk use the parts they share, and the file is a cache of them: bytes are acknowledged only
 * when all services have them.
 */
export class ResumableStore extends DataStore {
  /** Uploads that are complete and being registered. */
  private readonly finishing = new Map<string, Promise<UploadRecord>>();
  /** Bytes at the beginning of files that match the shared parts. */
  private readonly held = new Map<string, number>();

  constructor(private readonly intake: Intake) {
    super();
    this.extensions = ["creation", "creation-with-upload", "expiration", "termination"];
  }

  /** Begins an upload with a checked state. Stores its bytes first: a state without bytes is not an upload. */
  async begin(uploadId: string, state: ResumableState): Promise<void> {
    const path = this.partOf(uploadId);
    const { diskMarginBytes } = this.intake.service.limits;
    await requireSpace(this.intake.freeBytes(this.intake.service.directory.incoming), state.sizeBytes, diskMarginBytes);
    try {
      const written = this.written(uploadId, state);
      await (await open(path, "wx", FILE_MODE)).close();
      writeDurably(this.stateOf(uploadId), written);
      await this.parts?.begin(uploadId, written);
    } catch (error) {
      await this.discard(uploadId);
      throw diskFault(error);
    }
  }

  override async write(stream: Readable, uploadId: string, offset: number): Promise<number> {
    const state = await this.readState(uploadId);
    await this.hold(uploadId, state, offset);
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
        await this.share(uploadId, handle, { end, atLeast: SHARED_PART_BYTES });
      }
      if (end === state.sizeBytes) requireContent(await receivedHead(handle), state.filename);
      await this.share(uploadId, handle, { end, atLeast: 1 });
    } catch (error) {
      // Bytes received before a disconnect are kept, which is the purpose of the protocol; rejected ones are not.
      if (error instanceof ArchiveError && !AWAY.has(error.code)) await this.discard(uploadId);
      else await this.share(uploadId, handle, { end, atLeast: 1 }).catch(() => undefined);
      return notFoundFault(diskFault(error));
    } finally {
      await syncHandle(handle);
      await handle.close();
    }
    return end;
  }

  /** Shares received bytes with other services, once there are enough for a part. */
  private async share(
    uploadId: string,
    handle: FileHandle,
    { end, atLeast }: { readonly end: number; readonly atLeast: number },
  ): Promise<void> {
    const { parts } = this;
    if (parts === null) return;
    for (let start = this.held.get(uploadId) ?? 0; end - start >= atLeast; start = this.held.get(uploadId)!) {
      const part = { start, end: Math.min(end, start + SHARED_PART_BYTES) };
      await parts.keep(uploadId, handle, part);
      this.held.set(uploadId, part.end);
      // Another service may have removed the upload, but not this part.
      if ((await parts.state(uploadId)) !== null) continue;
      await this.discard(uploadId);
      throw ERRORS.FILE_NOT_FOUND;
    }
  }

  /** Ensures that the file has all bytes up to an offset, whichever service received them. */
  private async hold(uploadId: string, state: ResumableState, end: number): Promise<void> {
    const { parts } = this;
    const held = this.held.get(uploadId) ?? 0;
    const path = this.partOf(uploadId);
    const isNew = held === 0 || !existsSync(path);
    if (parts === null || (held === end && !isNew)) return;
    const { diskMarginBytes } = this.intake.service.limits;
    await requireSpace(this.intake.freeBytes(this.intake.service.directory.incoming), end - held, diskMarginBytes);
    const handle = await open(path, isNew ? "w" : "r+", FILE_MODE);
    try {
      if (isNew) writeDurably(this.stateOf(uploadId), this.written(uploadId, state));
      let at = isNew ? 0 : held;
      for await (const chunk of parts.bytes(uploadId, at, end)) {
        await writeFullyAsync(handle, chunk, at);
        at += chunk.length;
      }
      if (at < end) throw ERRORS.FILE_NOT_FOUND;
      this.held.set(uploadId, end);
    } catch (error) {
      this.held.delete(uploadId);
      if (error === ERRORS.FILE_NOT_FOUND) await this.discardHere(uploadId);
      throw diskFault(error);
    } finally {
      await handle.close();
    }
  }

  /** A registered upload is complete: a client that missed the response finds out this way. */
  override async getUpload(uploadId: string): Promise<Upload> {
    const before = await this.registered(uploadId);
    if (before !== null) return before;
    try {
      const partial = await this.partial(uploadId);
      return (await this.registered(uploadId)) ?? partial;
    } catch (error) {
      // Another request may be registering it, which moves its bytes and removes its state.
      await this.finishing.get(uploadId)?.catch(() => undefined);
      const since = await this.registered(uploadId);
      if (since === null) throw error;
      return since;
    }
  }

  private async registered(uploadId: string): Promise<Upload | null> {
    const record = await this.intake.service.catalog.get(uploadId);
    if (record === null) return null;
    return uploadOf(uploadId, { filename: record.filename, size: record.sizeBytes, offset: record.sizeBytes });
  }

  private async partial(uploadId: string): Promise<Upload> {
    const { filename, sizeBytes } = await this.readState(uploadId);
    const { end, touchedAt } = await this.progress(uploadId);
    // Expiry counts from its last byte, not its first.
    return uploadOf(uploadId, {
      filename,
      size: sizeBytes,
      offset: end,
      touchedAt: new Date(touchedAt).toISOString(),
    });
  }

  /** Throws the protocol's error if the file does not exist. */
  private async progress(uploadId: string): Promise<PartProgress> {
    if (this.parts !== null) return (await this.parts.progress(uploadId)) ?? Promise.reject(ERRORS.FILE_NOT_FOUND);
    const { size, mtimeMs } = await stat(this.partOf(uploadId)).catch(notFoundFault);
    return { end: size, touchedAt: mtimeMs };
  }

  override async remove(uploadId: string): Promise<void> {
    await this.finishing.get(uploadId)?.catch(() => undefined);
    await this.alone(uploadId, async () => {
      if ((await this.registered(uploadId)) !== null) throw ERRORS.INVALID_TERMINATION;
      await this.readState(uploadId);
      await this.discard(uploadId);
    });
  }

  private get parts(): SharedParts | null {
    return this.intake.service.storage?.parts ?? null;
  }

  override getExpiration(): number {
    return RESUMABLE_MAX_AGE_MS;
  }

  override async deleteExpired(): Promise<number> {
    let count = (await this.parts?.removeExpired(this.intake.now() - RESUMABLE_MAX_AGE_MS)) ?? 0;
    for (const name of await readdir(this.intake.service.directory.incoming)) {
      const uploadId = name.replace(/\.json$/, "");
      if (uploadId === name || !isUploadId(uploadId) || this.finishing.has(uploadId)) continue;
      const part = await stat(this.partOf(uploadId)).catch(() => null);
      // If another service completed it, it is in the catalog.
      const isDone = this.parts !== null && (await this.intake.service.catalog.get(uploadId)) !== null;
      if (!isDone && part !== null && this.intake.now() - part.mtimeMs < RESUMABLE_MAX_AGE_MS) continue;
      // Another service may have continued the upload; this file is then outdated.
      await this.discardHere(uploadId);
      count++;
    }
    return count;
  }

  /** True if all bytes are there but not yet queued: the service ended in between. */
  async isWaiting(uploadId: string): Promise<boolean> {
    const { catalog } = this.intake.service;
    if (!isUploadId(uploadId) || (await catalog.get(uploadId)) !== null) return false;
    const state = await this.readState(uploadId).catch(() => null);
    if (state !== null && catalog.isShared) await this.takeBackOfDead(uploadId);
    if (state === null) return false;
    const progress = await this.progress(uploadId).catch(() => null);
    return progress?.end === state.sizeBytes;
  }

  /** Takes back an upload that another service moved before it died without recording it. */
  private async takeBackOfDead(uploadId: string): Promise<void> {
    const { catalog, directory } = this.intake.service;
    if (this.finishing.has(uploadId) || !(await catalog.lock(uploadId))) return;
    try {
      if ((await catalog.get(uploadId)) === null) await returnToIncoming(directory, uploadId);
    } finally {
      await catalog.unlock(uploadId);
    }
  }

  /**
   * Registers a complete upload in the catalog; repeated calls register it once. Throws like `registerUpload`; then
   * nothing of it remains.
   */
  async finish(uploadId: string): Promise<UploadRecord> {
    const known = await this.intake.service.catalog.get(uploadId);
    if (known !== null) return known;
    const finishing =
      this.finishing.get(uploadId) ??
      this.alone(
        uploadId,
        async () => (await this.intake.service.catalog.get(uploadId)) ?? (await this.register(uploadId)),
      ).finally(() => this.finishing.delete(uploadId));
    this.finishing.set(uploadId, finishing);
    return finishing;
  }

  /** Services that share uploads create or remove one exclusively; others wait. */
  private async alone<T>(uploadId: string, use: () => Promise<T>): Promise<T> {
    const { catalog } = this.intake.service;
    while (!(await catalog.lock(uploadId))) await pause(LOCK_RETRY_MS);
    try {
      return await use();
    } finally {
      await catalog.unlock(uploadId);
    }
  }

  /** Continues if the client disconnects, which believes that everything was received. */
  private async register(uploadId: string): Promise<UploadRecord> {
    const state = await this.readState(uploadId);
    const { filename, options } = state;
    const path = this.partOf(uploadId);
    let isKept = false;
    try {
      await this.hold(uploadId, state, state.sizeBytes);
      // The request that sent the last byte may not have checked the content yet, or has rejected it and removed the
      // file.
      await requireContentOf(path, filename);
      const { sizeBytes, sha256 } = await hashFile(path);
      const file = { uploadId, filename, path, sizeBytes, sha256 };
      return await registerUpload(file, options, { intake: this.intake, signal: new AbortController().signal });
    } catch (error) {
      isKept = this.parts !== null && error instanceof ArchiveError && AWAY.has(error.code);
      return notFoundFault(error);
    } finally {
      await (isKept ? this.discardHere(uploadId) : this.discard(uploadId));
    }
  }

  private async readState(uploadId: string): Promise<ResumableState> {
    if (!isUploadId(uploadId)) throw ERRORS.FILE_NOT_FOUND;
    if (this.parts !== null) {
      const state = await this.parts.state(uploadId);
      if (state === null) throw ERRORS.FILE_NOT_FOUND;
      return this.read(uploadId, state);
    }
    return this.read(uploadId, await readFile(this.stateOf(uploadId), "utf8").catch(notFoundFault));
  }

  private written(uploadId: string, { filename, sizeBytes, options }: ResumableState): string {
    const { password } = options;
    const sealedPassword = password === null ? null : encryptPassword(password, uploadId, this.key());
    const written: WrittenState = { filename, sizeBytes, options: { ...options, password: null }, sealedPassword };
    return JSON.stringify(written);
  }

  /** A state that was not written by a service of this catalog is ignored. */
  private read(uploadId: string, text: string): ResumableState {
    const { filename, sizeBytes, options, sealedPassword } = JSON.parse(text) as WrittenState;
    // Services up to 0.6 did not seal it, and their unfinished uploads continue.
    if ((sealedPassword ?? null) === null) return { filename, sizeBytes, options };
    const password = decryptPassword(sealedPassword!, uploadId, this.key());
    if (password === null) throw ERRORS.FILE_NOT_FOUND;
    return { filename, sizeBytes, options: { ...options, password } };
  }

  private key(): string {
    return this.intake.service.eventKey;
  }

  private partOf(uploadId: string): string {
    return this.intake.service.directory.incomingFile(uploadId);
  }

  private stateOf(uploadId: string): string {
    return this.intake.service.directory.incomingState(uploadId);
  }

  private async discard(uploadId: string): Promise<void> {
    await this.parts?.remove(uploadId);
    await this.discardHere(uploadId);
  }

  private async discardHere(uploadId: string): Promise<void> {
    this.held.delete(uploadId);
    await discardReceived({ path: this.partOf(uploadId) });
    await rm(this.stateOf(uploadId), { force: true });
  }
}

/** @throws ArchiveError UNSUPPORTED_FORMAT if the content does not match the name */
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

/** Protocol data of an upload. Of its metadata only the name, because the rest includes a password. */
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
