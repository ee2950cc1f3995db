import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectoryAsync } from "../../files/durable-files.ts";
import type { UploadOptions, UploadRecord } from "../../mail/uploads.ts";
import { inspectArchive } from "../../unpacking/unpack-archive.ts";
import { requireSpace } from "./disk-space.ts";
import type { Intake } from "./intake.ts";
import type { ReceivedFile } from "./receive-upload.ts";
import { uploadKind } from "./upload-kind.ts";

const DIRECTORY_MODE = 0o700;

/**
 * Makes a received file an upload: looks through it when it is an archive, moves it to its place, and queues it. When
 * this returns the upload survives a power cut; when it throws, nothing of it is left.
 * @param signal aborted when the client leaves before it was answered
 * @throws ArchiveError UNSAFE_ARCHIVE, UNSUPPORTED_FORMAT, DAMAGED_SOURCE, SOURCE_EMPTY, DISK_FULL; the reason of the
 * signal
 */
export async function registerUpload(
  file: ReceivedFile,
  options: UploadOptions,
  { intake, signal }: { readonly intake: Intake; readonly signal: AbortSignal },
): Promise<UploadRecord> {
  const { service } = intake;
  try {
    await requireSafe(file, intake, signal);
    await moveToSource(file, intake);
    const { uploadId, filename, sizeBytes, sha256 } = file;
    const record = service.catalogue.add({
      uploadId,
      filename,
      sizeBytes,
      sha256,
      createdAt: intake.now(),
      options,
      sourcePath: null,
    });
    service.queue.wake();
    return record;
  } catch (error) {
    await rm(file.path, { force: true });
    if (service.catalogue.get(file.uploadId) === null) {
      await rm(service.directory.uploadDirectory(file.uploadId), { recursive: true, force: true });
    }
    throw error;
  }
}

/** An archive must be one that can be unpacked, and there must be room for what is in it. */
async function requireSafe(
  file: ReceivedFile,
  { service, inspections, unpackLimits, freeBytes }: Intake,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (uploadKind(file.filename).archive === null) return;
  const { expandedBytes } = await inspections.pass(() => inspectArchive(file.path, unpackLimits, signal));
  await requireSpace(freeBytes(file.path), expandedBytes, service.limits.diskMarginBytes);
}

/** The bytes are on disk; each name on the way to them is made so before the catalogue knows the upload. */
async function moveToSource(
  { uploadId, filename, path }: ReceivedFile,
  { service: { directory } }: Intake,
): Promise<void> {
  const source = directory.sourceDirectory(uploadId);
  await mkdir(source, { recursive: true, mode: DIRECTORY_MODE });
  await rename(path, join(source, filename));
  for (const changed of [source, directory.uploadDirectory(uploadId), directory.uploads])
    await syncDirectoryAsync(changed);
}
