import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { jsonLine } from "../../../document/json-line.ts";
import { ArchiveError } from "../../../errors.ts";
import type { UploadRecord } from "../../../mail/uploads.ts";
import { pathOf } from "../../http-server.ts";
import { errorEnvelope } from "../../query-api/query-api.ts";
import { type Refusal, refusalOf } from "../../refusal.ts";
import { requireSpace } from "../base/disk-space.ts";
import { uploadWire } from "../base/wire-uploads.ts";
import type { Intake } from "../receiving/intake.ts";
import { MULTIPART_LIMITS, receiveForm } from "../receiving/multipart-upload.ts";
import { type ReceivedUpload, receiveRaw } from "../receiving/raw-upload.ts";
import { tooLarge } from "../receiving/receive-upload.ts";
import { registerSource } from "../receiving/register-source.ts";
import { registerUpload } from "../receiving/register-upload.ts";
import { sendEarly } from "../receiving/reject-upload.ts";
import { RESUMABLE_PATH, ResumableUploads } from "../receiving/resumable-upload.ts";
import type { ServiceView, ViewSource } from "../service/service-view.ts";

/** Interval in milliseconds for removing abandoned resumable uploads. */
const EXPIRY_CHECK_MS = 60 * 60 * 1000;
/** Bytes that a form may add to its file: fields, and the boundaries between them. */
const FORM_BYTES = 64 * 1024;

/** Path for adding mail to an upload. */
const SOURCES_PATH = "/uploads/{upload_id}/sources";

/** The routes of the intake. */
export const INTAKE_ROUTES = [
  { method: "POST", path: "/upload" },
  { method: "POST", path: SOURCES_PATH },
  { method: "OPTIONS", path: RESUMABLE_PATH },
  { method: "POST", path: RESUMABLE_PATH },
  { method: "OPTIONS", path: `${RESUMABLE_PATH}/{upload_id}` },
  { method: "HEAD", path: `${RESUMABLE_PATH}/{upload_id}` },
  { method: "PATCH", path: `${RESUMABLE_PATH}/{upload_id}` },
  { method: "DELETE", path: `${RESUMABLE_PATH}/{upload_id}` },
] as const;

/** Adds the routes that receive uploads in their own scope: bodies are streamed, without the limits of other routes. */
export async function addUploadIntake(scope: FastifyInstance, intake: Intake, views: ViewSource): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
  await scope.register(multipart, { limits: MULTIPART_LIMITS, throwFileSizeLimit: false });
  scope.setErrorHandler((error, request, reply) => sendRefusedUpload(refusalOf(error), error, { request, reply }));
  const accept = async (take: TakeFile, exchange: Exchange): Promise<FastifyReply> => {
    const upload = uploadWire(await take(exchange, intake, views));
    return exchange.reply
      .code(202)
      .header("location", `${intake.basePath}/uploads/${upload.upload_id}`)
      .header("cache-control", "no-store")
      .type("application/json; charset=utf-8")
      .send(jsonLine(upload));
  };
  scope.post("/upload", { compress: false }, (request, reply) => accept(takeUpload, { request, reply }));
  scope.post(SOURCES_PATH.replace("{upload_id}", ":upload_id"), { compress: false }, (request, reply) =>
    accept(takeSource, { request, reply }),
  );
  await addResumable(scope, intake, views);
}

async function addResumable(scope: FastifyInstance, intake: Intake, views: ViewSource): Promise<void> {
  const resumable = new ResumableUploads(intake);
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    allowSilence(request);
    const refusal = await resumable.answer(request, reply, views.of(request));
    return refusal === null ? reply : sendRefusedUpload(refusal, null, { request, reply });
  };
  scope.route({ method: ["POST", "OPTIONS"], url: RESUMABLE_PATH, compress: false, handler: answer });
  scope.route({
    method: ["HEAD", "PATCH", "DELETE", "OPTIONS"],
    url: `${RESUMABLE_PATH}/:upload_id`,
    compress: false,
    handler: answer,
  });
  const expiry = setInterval(
    () => void resumable.removeExpired().catch((error: unknown) => scope.log.error({ err: error }, "expiry")),
    EXPIRY_CHECK_MS,
  );
  expiry.unref();
  scope.addHook("onClose", async () => clearInterval(expiry));
}

/** A request and its response. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type TakeFile = (exchange: Exchange, intake: Intake, views: ViewSource) => Promise<UploadRecord>;

async function takeUpload(exchange: Exchange, intake: Intake, views: ViewSource): Promise<UploadRecord> {
  const view = views.of(exchange.request);
  view.requireUploading();
  return receive(exchange, intake, ({ file, options }, signal) =>
    registerOwner(view, file.uploadId, () => registerUpload(file, options, { intake, signal })),
  );
}

async function takeSource(exchange: Exchange, intake: Intake, views: ViewSource): Promise<UploadRecord> {
  const view = views.of(exchange.request);
  const upload = await view.extended((exchange.request.params as { readonly upload_id: string }).upload_id);
  return receive(exchange, intake, async ({ file, options }, signal) => {
    const record = await registerSource(upload, file, { options, intake, signal });
    await view.uploaded(upload.uploadId);
    return record;
  });
}

/** Receives the file of a request and registers it. @param register must end when the signal aborts */
async function receive(
  { request, reply }: Exchange,
  intake: Intake,
  register: (received: ReceivedUpload, signal: AbortSignal) => Promise<UploadRecord>,
): Promise<UploadRecord> {
  const { limits, directory } = intake.service;
  const isForm = request.isMultipart();
  const announcedBytes = Number(request.headers["content-length"] ?? 0);
  if (announcedBytes > limits.maxUploadBytes + (isForm ? FORM_BYTES : 0)) throw tooLarge(limits.maxUploadBytes);
  await requireSpace(intake.freeBytes(directory.incoming), announcedBytes, limits.diskMarginBytes);
  allowSilence(request);
  const left = new AbortController();
  reply.raw.once("close", () => left.abort(cutOff()));
  try {
    return await register(await (isForm ? receiveForm(request, intake) : receiveRaw(request, intake)), left.signal);
  } catch (error) {
    throw request.raw.readableAborted ? cutOff(error) : error;
  }
}

/** Makes the sender the owner of an upload before it is announced; a rejected one has no owner. */
export async function registerOwner<T>(view: ServiceView, uploadId: string, register: () => Promise<T>): Promise<T> {
  await view.own(uploadId);
  try {
    const registered = await register();
    await view.uploaded(uploadId);
    return registered;
  } catch (error) {
    await view.disown(uploadId);
    throw error;
  }
}

/** The client has disconnected; only the log shows this. */
function cutOff(cause?: unknown): ArchiveError {
  return new ArchiveError("INVALID_QUERY", "the connection was closed before the upload was complete", { cause });
}

/** Inspecting a large archive takes longer than the idle timeout; the timeout applies until everything is received. */
function allowSilence({ raw }: FastifyRequest): void {
  raw.once("end", () => raw.socket.setTimeout(0));
}

function sendRefusedUpload(refusal: Refusal, cause: unknown, { request, reply }: Exchange): FastifyReply {
  if (refusal.code === "INTERNAL_ERROR")
    request.log.error({ err: cause, method: request.method, path: pathOf(request) }, "fault");
  if (cause instanceof ArchiveError && cause.retryAfterSeconds !== null)
    reply.header("retry-after", String(cause.retryAfterSeconds));
  return sendEarly(request, reply.code(refusal.status), errorEnvelope(refusal));
}
