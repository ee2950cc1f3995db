import { constants } from "node:fs";
import { copyFile, link, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import { PRIVATE_DIRECTORY, syncDirectoryAsync } from "../../../files/durable-files.ts";
import type { UploadOptions, UploadRecord } from "../../../mail/uploads.ts";
import { withNumber } from "../base/upload-kind.ts";
import { diskFault, type ReceivedFile } from "../storage/received-file.ts";
import type { Intake } from "./intake.ts";
import { requireSafe } from "./register-upload.ts";

interface Addition {
  readonly options: UploadOptions;
  readonly intake: Intake;
  /** Aborted if the client disconnects before the response. */
  readonly signal: AbortSignal;
}

/**
 * Queues a received file as a further source of an upload. On return it is durable; on an error, nothing remains and
 * the upload is unchanged. @throws ArchiveError like `registerUpload`; INVALID_QUERY for options that the archive
 * already has, UPLOAD_BUSY if another source came first
 */
export async function registerSource(
  upload: UploadRecord,
  file: ReceivedFile,
  { options, intake, signal }: Addition,
): Promise<UploadRecord> {
  const { service } = intake;
  const { uploadId } = upload;
  const { uploadId: id, sizeBytes, sha256 } = file;
  let undo = async (): Promise<void> => undefined;
  try {
    requirePasswordOnly(options, intake);
    await requireSafe(file, intake, signal);
    const names = new Set([upload, ...upload.added].map(({ filename }) => filename.toLowerCase()));
    let filename = freeName(file.filename, names);
    if (service.storage === null) {
      filename = await linkSource(file, service.directory.sourceDirectory(uploadId), names);
      undo = () => rm(join(service.directory.sourceDirectory(uploadId), filename), { force: true });
    } else {
      const { storage } = service;
      undo = () => storage.removeSource(uploadId, id).catch(() => undefined);
      await storage.keepSource(uploadId, { ...file, id }, signal);
    }
    const record = await service.catalog.addSource(upload, { id, filename, sizeBytes, sha256 }, options.password);
    if (record === null)
      throw new ArchiveError("UPLOAD_BUSY", `Upload ${uploadId} has changed: add the mail again when it completes`);
    await rm(file.path, { force: true });
    service.queue.wake();
    return record;
  } catch (error) {
    await rm(file.path, { force: true });
    const { adding } = (await service.catalog.get(uploadId)) ?? { adding: null };
    if (adding?.id !== id) await undo();
    throw error;
  }
}

/** Rejects other options: added mail uses those of the first source. */
function requirePasswordOnly({ redact, maxMessages, discardsOriginals }: UploadOptions, { service }: Intake): void {
  const isDiscarding = discardsOriginals && !service.limits.discardsOriginals;
  if (redact.length > 0 || maxMessages !== null || isDiscarding)
    throw new ArchiveError(
      "INVALID_QUERY",
      "only file and password are allowed: mail is added with the options of the upload",
    );
}

/** Adds a number to the name if it is already used. */
function freeName(filename: string, names: ReadonlySet<string>): string {
  let name = filename;
  for (let number = 2; names.has(name.toLowerCase()); number++) name = withNumber(filename, number);
  return name;
}

/** Links a received file under a name that no other source has, even a concurrent one. */
async function linkSource(
  { filename, path }: ReceivedFile,
  directory: string,
  taken: ReadonlySet<string>,
): Promise<string> {
  const names = new Set(taken);
  await mkdir(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  for (;;) {
    const name = freeName(filename, names);
    try {
      await linkOrCopy(path, join(directory, name));
      await syncDirectoryAsync(directory);
      return name;
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST") throw diskFault(error);
      names.add(name.toLowerCase());
    }
  }
}

/** Some file systems do not support links. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
}
