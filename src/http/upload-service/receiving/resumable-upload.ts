import type { IncomingMessage } from "node:http";
import { ReadableStream } from "node:stream/web";
import { ERRORS, Server, type Upload } from "@tus/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ArchiveError } from "../../../errors.ts";
import { formatText } from "../../format-value.ts";
import type { Refusal } from "../../refusal.ts";
import { OPTION_FIELDS, uploadOptions } from "../base/upload-form.ts";
import { isUploadId } from "../base/upload-id.ts";
import { uploadFilename, uploadKind } from "../base/upload-kind.ts";
import type { ServiceView } from "../service/service-view.ts";
import { freshUploadId, type Intake } from "./intake.ts";
import { tooLarge } from "./receive-upload.ts";
import { ResumableStore } from "./resumable-store.ts";

/** Path of resumable uploads, followed by the id of each. */
export const RESUMABLE_PATH = "/upload/resumable";

/** Our codes for the statuses of the protocol. */
const CODE_OF_STATUS: ReadonlyMap<number, Refusal["code"]> = new Map([
  [404, "NOT_FOUND"],
  [410, "NOT_FOUND"],
  [413, "UPLOAD_TOO_LARGE"],
  [501, "UNIMPLEMENTED"],
]);
/**
 * The error of the protocol's server if another request of the upload does not end: it responds with 500, for which
 * WebDAV has 423 Locked.
 */
const LOCK_TIMEOUT = ERRORS.ERR_LOCK_TIMEOUT.body;

/**
 * Resumable uploads by the tus protocol 1.0.0 (https://tus.io/protocols/resumable-upload) with its extensions creation,
 * creation-with-upload, expiration and termination. `Upload-Metadata` has `filename`, and the options of an upload. The
 * id of an upload is the last segment of its URL.
 */
export class ResumableUploads {
  private readonly store: ResumableStore;
  private readonly server: Server;
  /** Our own error during a request; errors of the protocol are responses. */
  private readonly faults = new WeakMap<Request, unknown>();
  /** Owners of uploads that are being created. */
  private readonly senders = new WeakMap<Request, ServiceView>();

  constructor(private readonly intake: Intake) {
    this.store = new ResumableStore(intake);
    this.server = new Server({
      path: RESUMABLE_PATH,
      datastore: this.store,
      generateUrl: (_request, { path, id }) => `${intake.basePath}${path}/${id}`,
      maxSize: intake.service.limits.maxUploadBytes,
      disableTerminationForFinishedUploads: true,
      namingFunction: () => freshUploadId(intake),
      getFileIdFromRequest: (_request, segment) => (segment !== undefined && isUploadId(segment) ? segment : undefined),
      onUploadCreate: (request, upload) => this.create(upload, this.senders.get(request)),
      onUploadFinish: async (request, upload) => {
        await this.store.finish(upload.id);
        await this.senders.get(request)?.uploaded(upload.id);
        return { headers: { "Upload-Id": upload.id } };
      },
      onResponseError: (request, error) => {
        if (error instanceof Error && !("status_code" in error)) this.faults.set(request, error);
        return undefined;
      },
    });
  }

  /** Responds to a protocol request, or returns why it is rejected. Throws our own errors. */
  async answer(request: FastifyRequest, reply: FastifyReply, view: ServiceView): Promise<Refusal | null> {
    const uploadId = (request.params as { readonly upload_id?: string }).upload_id;
    if (request.method === "POST") view.requireUploading();
    if (uploadId !== undefined && request.method !== "OPTIONS") await view.requireOwn(uploadId);
    // All bytes arrived before the service ended: queues or rejects them now.
    if (uploadId !== undefined && (await this.store.isWaiting(uploadId))) await this.finishWaiting(uploadId, view);
    const asked = webRequest(request);
    this.senders.set(asked, view);
    const answer = await this.server.handleWeb(asked);
    if (this.faults.has(asked)) throw this.faults.get(asked);
    for (const [name, value] of answer.headers) {
      // The service handles CORS.
      if (!name.startsWith("access-control-")) void reply.header(name, value);
    }
    if (answer.status >= 400) return refusalOfProtocol(answer, uploadId);
    await reply.code(answer.status).send();
    return null;
  }

  /** Removes abandoned uploads. */
  async removeExpired(): Promise<void> {
    await this.store.deleteExpired();
  }

  /** Another request may have finished or rejected it; then the protocol's response reports that. */
  private async finishWaiting(uploadId: string, view: ServiceView): Promise<void> {
    try {
      await this.store.finish(uploadId);
      await view.uploaded(uploadId);
    } catch (error) {
      if (error !== ERRORS.FILE_NOT_FOUND) throw error;
    }
  }

  private async create(
    upload: Upload,
    sender: ServiceView | undefined,
  ): Promise<{ metadata: Record<string, string | null> }> {
    const metadata = upload.metadata ?? {};
    const { maxUploadBytes, discardsOriginals } = this.intake.service.limits;
    if (upload.size === undefined) throw new ArchiveError("INVALID_QUERY", "Upload-Length is required");
    if (upload.size > maxUploadBytes) throw tooLarge(maxUploadBytes);
    if (upload.size === 0) throw new ArchiveError("SOURCE_EMPTY", "the uploaded file is empty");
    // Some clients call it `name`.
    const filename = uploadFilename(metadata["filename"] ?? metadata["name"] ?? "");
    uploadKind(filename);
    const fields = Object.fromEntries(OPTION_FIELDS.map((name) => [name, metadata[name] ?? ""]));
    const options = uploadOptions(fields, discardsOriginals);
    await sender?.own(upload.id);
    await this.store.begin(upload.id, { filename, sizeBytes: upload.size, options });
    return { metadata: { filename } };
  }
}

/** Clients of the protocol go by its status, so it stays; code and message are ours. */
async function refusalOfProtocol(answer: Response, uploadId: string | undefined): Promise<Refusal> {
  const text = (await answer.text()).trim();
  const status = text === LOCK_TIMEOUT ? 423 : answer.status;
  if (status === 500) throw new ArchiveError("INTERNAL_ERROR", `resumable upload: ${text}`);
  const code = CODE_OF_STATUS.get(status) ?? "INVALID_QUERY";
  return {
    status,
    code,
    message: code === "NOT_FOUND" && uploadId !== undefined ? `Upload ${formatText(uploadId)} not found` : text,
  };
}

/** Converts a request to a Fetch request with a streamed body. */
function webRequest({ raw }: FastifyRequest): Request {
  const headers = new Headers();
  for (let at = 0; at + 1 < raw.rawHeaders.length; at += 2)
    headers.append(raw.rawHeaders[at]!, raw.rawHeaders[at + 1]!);
  const hasBody = raw.method !== "GET" && raw.method !== "HEAD";
  const init = { method: raw.method ?? "GET", headers, ...(hasBody ? { body: bodyOf(raw), duplex: "half" } : {}) };
  return new Request(new URL(raw.url ?? "/", "http://service.invalid"), init as RequestInit);
}

/** An unread body must not close the socket: the client must receive the error response. */
function bodyOf(raw: IncomingMessage): ReadableStream {
  return ReadableStream.from(raw.iterator({ destroyOnReturn: false }));
}
