import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { ArchiveError } from "../../../errors.ts";
import { syncHandle } from "../../../files/durable-files.ts";
import { readFullyAsync, writeFullyAsync } from "../../../files/read-fully.ts";
import { SNIFF_BYTES } from "../../../sources/reading/header-line.ts";
import { requireSpace } from "../base/disk-space.ts";
import { requireContent } from "../base/upload-kind.ts";
import { diskFault, type ReceivedFile } from "../storage/received-file.ts";
import type { Intake } from "./intake.ts";

/** Bytes between checks of the free space, so that a filling disk is noticed well before its margin is used. */
const SPACE_CHECK_BYTES = 64 * 2 ** 20;
/** Creates a new file that only the service's user can read; does not follow links. */
const OPEN_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const FILE_MODE = 0o600;

/** Properties of a file before it is received. */
interface AnnouncedFile {
  readonly uploadId: string;
  /** From `uploadFilename`. */
  readonly filename: string;
}

/**
 * Writes a file as its bytes arrive, at the speed of the disk, and hashes it. Rejects it as soon as it is too large
 * for the limit or the disk, or does not match its name. On an error or disconnect, removes it. @throws ArchiveError
 * UPLOAD_TOO_LARGE, DISK_FULL, UNSUPPORTED_FORMAT, SOURCE_EMPTY
 */
export async function receiveUpload(
  chunks: AsyncIterable<Buffer>,
  file: AnnouncedFile,
  intake: Intake,
): Promise<ReceivedFile> {
  const path = intake.service.directory.incomingFile(file.uploadId);
  const handle = await open(path, OPEN_FLAGS, FILE_MODE);
  try {
    const { sizeBytes, sha256 } = await writeChunks(chunks, { handle, path, filename: file.filename }, intake);
    await syncHandle(handle);
    await handle.close();
    return { ...file, path, sizeBytes, sha256 };
  } catch (error) {
    await handle.close();
    await rm(path, { force: true });
    throw diskFault(error);
  }
}

/** Removes a file that does not become an upload. */
export async function discardReceived({ path }: { readonly path: string }): Promise<void> {
  await rm(path, { force: true });
}

interface OpenFile {
  readonly handle: FileHandle;
  readonly path: string;
  readonly filename: string;
}

async function writeChunks(
  chunks: AsyncIterable<Buffer>,
  { handle, path, filename }: OpenFile,
  { service: { limits }, freeBytes }: Intake,
): Promise<{ readonly sizeBytes: number; readonly sha256: string }> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  let isSniffed = false;
  let nextCheck = 0;
  for await (const chunk of chunks) {
    if (sizeBytes + chunk.length > limits.maxUploadBytes) throw tooLarge(limits.maxUploadBytes);
    if (sizeBytes + chunk.length > nextCheck) {
      await requireSpace(freeBytes(path), chunk.length, limits.diskMarginBytes);
      nextCheck = sizeBytes + SPACE_CHECK_BYTES;
    }
    hash.update(chunk);
    await writeFullyAsync(handle, chunk, sizeBytes);
    sizeBytes += chunk.length;
    if (!isSniffed && sizeBytes >= SNIFF_BYTES) {
      requireContent(await receivedHead(handle), filename);
      isSniffed = true;
    }
  }
  if (!isSniffed) requireContent(await receivedHead(handle), filename);
  return { sizeBytes, sha256: hash.digest("hex") };
}

/** The first bytes of an open file, whatever the write position. */
export async function receivedHead(handle: FileHandle): Promise<Buffer> {
  const head = Buffer.alloc(SNIFF_BYTES);
  return head.subarray(0, await readFullyAsync(handle, head, 0));
}

export function tooLarge(maxUploadBytes: number): ArchiveError {
  return new ArchiveError("UPLOAD_TOO_LARGE", `an upload must not be larger than ${maxUploadBytes} bytes`);
}
