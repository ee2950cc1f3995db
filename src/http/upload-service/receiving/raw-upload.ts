import type { FastifyRequest } from "fastify";
import { ArchiveError } from "../../../errors.ts";
import type { UploadOptions } from "../../../mail/uploads.ts";
import { type OptionFields, uploadOptions } from "../base/upload-form.ts";
import { uploadFilename, uploadKind } from "../base/upload-kind.ts";
import type { ReceivedFile } from "../storage/received-file.ts";
import { freshUploadId, type Intake } from "./intake.ts";
import { receiveUpload } from "./receive-upload.ts";

/** A received file and its options. */
export interface ReceivedUpload {
  readonly file: ReceivedFile;
  readonly options: UploadOptions;
}

/** Header of the password: query strings appear in histories and proxy logs. */
const PASSWORD_HEADER = "x-archive-password";
const QUERY_PARAMETERS = ["filename", "redact", "max_messages", "discard_originals"] as const;

/** Receives the body of a request as one file; `?filename=` names it. Throws as `receiveUpload`, and INVALID_QUERY. */
export async function receiveRaw(request: FastifyRequest, intake: Intake): Promise<ReceivedUpload> {
  const query = checkedQuery(request.query as Readonly<Record<string, unknown>>);
  const filename = uploadFilename(query.filename ?? "");
  uploadKind(filename);
  const options = uploadOptions({ ...query, ...passwordField(request) }, intake.service.limits.discardsOriginals);
  // Leaving the loop must not close the socket: the client must receive the error response.
  const chunks = request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  return { file: await receiveUpload(chunks, { uploadId: await freshUploadId(intake), filename }, intake), options };
}

function checkedQuery(query: Readonly<Record<string, unknown>>): OptionFields & { readonly filename?: string } {
  if (Object.hasOwn(query, "password")) {
    throw new ArchiveError(
      "INVALID_QUERY",
      `password is not allowed in the query string: send it in the header ${PASSWORD_HEADER}`,
    );
  }
  const given: Partial<Record<(typeof QUERY_PARAMETERS)[number], string>> = {};
  for (const name of QUERY_PARAMETERS) {
    const value = Object.hasOwn(query, name) ? query[name] : undefined;
    if (Array.isArray(value))
      throw new ArchiveError("INVALID_QUERY", `${name} must be given once, not ${value.length} times`);
    if (typeof value === "string") given[name] = value;
  }
  if (given.filename === undefined) {
    throw new ArchiveError(
      "INVALID_QUERY",
      "send multipart/form-data with a file, or a file as the body with ?filename=",
    );
  }
  return given;
}

/** Header bytes arrive as Latin-1; a valid UTF-8 password is decoded. */
function passwordField({ headers }: FastifyRequest): OptionFields {
  const value = headers[PASSWORD_HEADER];
  if (value === undefined) return {};
  const bytes = Buffer.from(String(value), "latin1");
  const text = bytes.toString("utf8");
  return { password: text.includes("\ufffd") ? String(value) : text };
}
