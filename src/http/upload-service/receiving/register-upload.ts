import { rm } from "node:fs/promises";
import type { UploadOptions, UploadRecord } from "../../../mail/uploads.ts";
import { inspectArchive } from "../../../unpacking/unpack-archive.ts";
import { requireSpace } from "../base/disk-space.ts";
import { uploadKind } from "../base/upload-kind.ts";
import type { ReceivedFile } from "../storage/received-file.ts";
import { moveSource } from "../storage/upload-storage.ts";
import type { Intake } from "./intake.ts";

/**
 * Queues a received file: inspects it if it is an archive, stores it, and queues it. On return it is durable; on an
 * error, nothing remains. @param signal aborted when the client disconnects @throws ArchiveError UNSAFE_ARCHIVE,
 * UNSUPPORTED_FORMAT, DAMAGED_SOURCE, SOURCE_EMPTY, DISK_FULL, BLOBS_UNREACHABLE; the reason of the signal
 */
export async function registerUpload(
  file: ReceivedFile,
  options: UploadOptions,
  { intake, signal }: { readonly intake: Intake; readonly signal: AbortSignal },
): Promise<UploadRecord> {
  const { service } = intake;
  const { storage } = service;
  try {
    await requireSafe(file, intake, signal);
    if (storage === null) await moveSource(service.directory, file);
    else await storage.keepSource(file.uploadId, { ...file, id: null }, signal);
    const { uploadId, filename, sizeBytes, sha256 } = file;
    const record = await service.catalog.add({
      uploadId,
      filename,
      sizeBytes,
      sha256,
      createdAt: intake.now(),
      options,
      sourcePath: null,
    });
    // Only if it was copied, not moved.
    await rm(file.path, { force: true });
    service.queue.wake();
    return record;
  } catch (error) {
    await rm(file.path, { force: true });
    if ((await service.catalog.get(file.uploadId)) === null) {
      // If removing fails, the next start of a service tries again.
      await storage?.remove(file.uploadId).catch(() => undefined);
      await rm(service.directory.uploadDirectory(file.uploadId), { recursive: true, force: true });
    }
    throw error;
  }
}

/** An archive must be safe, and its content must fit on the disk. It may be damaged or incomplete. */
export async function requireSafe(
  file: ReceivedFile,
  { service, inspections, unpackLimits, freeBytes }: Intake,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (uploadKind(file.filename).archive === null) return;
  const { expandedBytes } = await inspections.pass(() => inspectArchive(file.path, unpackLimits, signal, "skipped"));
  await requireSpace(freeBytes(file.path), expandedBytes, service.limits.diskMarginBytes);
}
