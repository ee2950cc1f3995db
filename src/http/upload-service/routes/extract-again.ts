import { constants, existsSync } from "node:fs";
import { copyFile, link } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import * as z from "zod";
import { jsonLine } from "../../../document/json-line.ts";
import { ArchiveError } from "../../../errors.ts";
import { type Provenance, protectedSources } from "../../../mail/records/provenance.ts";
import type { UploadOptions, UploadRecord } from "../../../mail/uploads.ts";
import { checkedValue, jsonBody } from "../../checked-request.ts";
import { requireSpace } from "../base/disk-space.ts";
import { MAX_PASSWORD_BYTES } from "../base/upload-form.ts";
import { uploadWire } from "../base/wire-uploads.ts";
import { freshUploadId, type Intake } from "../receiving/intake.ts";
import { discardReceived } from "../receiving/receive-upload.ts";
import { registerUpload } from "../receiving/register-upload.ts";
import type { ViewSource } from "../service/service-view.ts";
import { diskFault, type ReceivedFile } from "../storage/received-file.ts";
import { registerOwner } from "./upload-routes.ts";

/** Path for passwords of protected sources that were skipped. */
export const PASSWORDS_PATH = "/uploads/{upload_id}/passwords";

const passwordsBody = z.strictObject({
  passwords: z.array(z.string().min(1)).min(1).describe("each password is tried on every protected source"),
});

/**
 * Adds the extraction of skipped protected sources. It creates a new upload of the same bytes, so that the archive
 * and its notebook stay until they are deleted.
 */
export function addPasswords(app: FastifyInstance, intake: Intake, views: ViewSource): void {
  app.post<{ Params: { upload_id: string } }>("/uploads/:upload_id/passwords", async (request, reply) => {
    const view = views.of(request);
    const { upload } = await view.files(request.params.upload_id);
    view.requireUploading();
    const body = jsonBody(request.body, request.headers["content-type"]);
    const password = checkedPasswords(checkedValue(passwordsBody, body, "body").passwords);
    await view.lend(upload.uploadId, async (archive) => requireProtected(await archive.provenance()));
    const job = (await intake.service.catalog.jobsOf("completed")).find(
      ({ upload: { uploadId } }) => uploadId === upload.uploadId,
    );
    if (job === undefined) throw new ArchiveError("NOT_FOUND", `Upload ${upload.uploadId} not found`);
    const uploadId = await freshUploadId(intake);
    const added = await registerOwner(view, uploadId, () =>
      addAgain(upload, { uploadId, options: { ...job.options, password }, intake }),
    );
    return reply
      .code(202)
      .header("location", `/uploads/${added.upload_id}`)
      .header("cache-control", "no-store")
      .type("application/json; charset=utf-8")
      .send(jsonLine(added));
  });
}

/** Otherwise the new upload would be a copy of the earlier one. Throws INVALID_QUERY. */
function requireProtected({ warnings, warningsTruncated }: Provenance): void {
  if (warningsTruncated === 0 && protectedSources(warnings).size === 0)
    throw new ArchiveError("INVALID_QUERY", "this upload has no protected files that were skipped");
}

/** One per line, as in an extraction. */
function checkedPasswords(passwords: readonly string[]): string {
  const lines = passwords.join("\n");
  if (Buffer.byteLength(lines) > MAX_PASSWORD_BYTES)
    throw new ArchiveError("INVALID_QUERY", `passwords must not be longer than ${MAX_PASSWORD_BYTES} bytes together`);
  return lines;
}

interface Again {
  readonly uploadId: string;
  readonly options: UploadOptions;
  readonly intake: Intake;
}

async function addAgain(upload: UploadRecord, { uploadId, options, intake }: Again) {
  const { service, now } = intake;
  if (upload.sourcePath === null) {
    const file = await sourceAgain(upload, uploadId, intake);
    return uploadWire(await registerUpload(file, options, { intake, signal: new AbortController().signal }));
  }
  const { filename, sizeBytes, sha256, sourcePath } = upload;
  const added = { uploadId, filename, sizeBytes, sha256, sourcePath, createdAt: now(), options };
  const record = await service.catalog.add(added);
  service.queue.wake();
  return uploadWire(record);
}

/** An upload's bytes as a received file: a hard link if supported. */
async function sourceAgain(upload: UploadRecord, uploadId: string, intake: Intake): Promise<ReceivedFile> {
  const { service, freeBytes } = intake;
  const { directory, storage, limits } = service;
  const { filename, sizeBytes, sha256 } = upload;
  const isKept =
    !upload.discardsOriginals &&
    (storage === null || (await storage.bringSources(upload, new AbortController().signal)));
  const source = directory.sourceDirectory(upload.uploadId);
  if (!isKept || !existsSync(join(source, filename)))
    throw new ArchiveError("ORIGINAL_MOVED", `${filename} was not stored: upload it again with its passwords`);
  const path = directory.incomingFile(uploadId);
  try {
    await link(join(source, filename), path);
  } catch {
    await requireSpace(freeBytes(path), sizeBytes, limits.diskMarginBytes);
    await copyFile(join(source, filename), path, constants.COPYFILE_FICLONE).catch(async (error: unknown) => {
      await discardReceived({ path });
      throw diskFault(error);
    });
  }
  return { uploadId, filename, path, sizeBytes, sha256 };
}
