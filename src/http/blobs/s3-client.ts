import { createHash } from "node:crypto";
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { systemErrorCode } from "../../errors.ts";
import type { Instant } from "../../mail/instant.ts";
import { elementText } from "./s3-xml.ts";
import { encodedPath, encodedQuery, type S3Credentials, signedHeaders } from "./signature-v4.ts";

/** Where a bucket is, and who asks. */
export interface S3Setting {
  /** Scheme, host and port of the service, without a path. */
  readonly endpoint: URL;
  readonly bucket: string;
  /** The bucket stands in the path, not in the name of the host. */
  readonly isPathStyle: boolean;
  readonly region: string;
  readonly credentials: S3Credentials;
  /** Before a request is sent again; it is sent once more than there are pauses. In milliseconds. */
  readonly retryPausesMs: readonly number[];
  now(): Instant;
}

/** A request of one object, or of the bucket. */
export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Null for the bucket. */
  readonly key: string | null;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
}

/** Bytes that may be sent again. */
export interface S3Body {
  readonly chunks: readonly Uint8Array[];
  readonly sizeBytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** In milliseconds: ten seconds in all, as a client waits for its answer. */
export const RETRY_PAUSES_MS = [100, 300, 1000, 3000, 5000] as const;
/** Silence that ends a connection, in milliseconds: parts are written to disks on the other side before it answers. */
const SILENCE_MS = 30_000;
/** Connections at a time: an upload and a download of each job, and some requests. */
const CONNECTIONS = 16;
/** Bytes of an answer that is read as a whole: a list has 1,000 keys. */
const ANSWER_BYTES = 4 << 20;

const NO_BODY: S3Body = { chunks: [], sizeBytes: 0, sha256: createHash("sha256").digest("hex") };

/** What says that it may do better the next time. */
const PASSING_CODES: ReadonlySet<string> = new Set(["RequestTimeout", "SlowDown", "InternalError", "OperationAborted"]);

/** A request that was refused or not answered. Its code is that of S3 or of the system; it tells nothing else. */
export class S3Fault extends Error {
  readonly code: string;
  /** Null when no answer came. */
  readonly status: number | null;

  constructor(code: string, status: number | null, cause?: unknown) {
    super(`${status ?? "no answer"} ${code}`, cause === undefined ? undefined : { cause });
    this.name = "S3Fault";
    this.code = code;
    this.status = status;
  }

  /** True when the same request may be answered later. */
  get isPassing(): boolean {
    const { status, code } = this;
    return status === null || status >= 500 || status === 429 || PASSING_CODES.has(code);
  }
}

/** Sends signed requests to a bucket, and again while what hinders them may pass. */
export class S3Client {
  private readonly setting: S3Setting;
  private readonly agent: HttpAgent | HttpsAgent;
  private readonly isSecure: boolean;
  private readonly host: string;

  constructor(setting: S3Setting) {
    const { endpoint, bucket, isPathStyle } = setting;
    this.setting = setting;
    this.isSecure = endpoint.protocol === "https:";
    this.host = isPathStyle ? endpoint.host : `${bucket}.${endpoint.host}`;
    const options = { keepAlive: true, maxSockets: CONNECTIONS };
    this.agent = this.isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /** Sends a request and reads its answer. Throws S3Fault for a refusal, and the reason of the signal. */
  ask(request: S3Request, signal: AbortSignal): Promise<S3Answer> {
    return this.retried(signal, async () => {
      const response = await this.answered(request, signal);
      const text = await textOf(response);
      // The parts of an upload are put together when the status was sent already.
      if (text.includes("<Error>")) throw new S3Fault(elementText(text, "Code") ?? "InternalError", 500);
      return { headers: response.headers, text };
    });
  }

  /** The same, whose body the caller reads. */
  open(request: S3Request, signal: AbortSignal): Promise<IncomingMessage> {
    return this.retried(signal, () => this.answered(request, signal));
  }

  close(): void {
    this.agent.destroy();
  }

  /** Does something until it succeeds, or fails for good. */
  private async retried<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await act();
      } catch (error) {
        signal.throwIfAborted();
        const fault = faultOf(error);
        const waitMs = this.setting.retryPausesMs[tries];
        if (!fault.isPassing || waitMs === undefined) throw fault;
        await pause(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  private async answered(request: S3Request, signal: AbortSignal): Promise<IncomingMessage> {
    const response = await this.send(request, signal);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return response;
    const text = await textOf(response);
    throw new S3Fault(elementText(text, "Code") ?? String(status), status);
  }

  /** One try. Resolves when the answer begins. */
  private send({ method, key, query = [], headers = {}, body = NO_BODY }: S3Request, signal: AbortSignal) {
    const { setting, agent, isSecure, host } = this;
    const { bucket, isPathStyle, region, credentials, now } = setting;
    const path = `${isPathStyle ? `/${bucket}` : ""}/${key ?? ""}`;
    const unsigned = { method, path, query, headers: { ...headers, host }, bodySha256: body.sha256 };
    const signed = signedHeaders(unsigned, { credentials, region, at: now() });
    const asked = encodedPath(path) + (query.length === 0 ? "" : `?${encodedQuery(query)}`);
    return new Promise<IncomingMessage>((resolve, reject) => {
      const sent = (isSecure ? httpsRequest : httpRequest)({
        agent,
        method,
        host: this.host.replace(/:\d+$/, ""),
        port: setting.endpoint.port || (isSecure ? 443 : 80),
        path: asked,
        headers: { ...signed, "content-length": String(body.sizeBytes) },
        signal,
        timeout: SILENCE_MS,
      });
      sent.once("response", resolve);
      sent.on("error", reject);
      sent.on("timeout", () => sent.destroy(Object.assign(new Error("silence"), { code: "ETIMEDOUT" })));
      writeBody(sent, body.chunks);
    });
  }
}

/** An answer that was read as a whole. */
export interface S3Answer {
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** Whatever was thrown while a request was sent or its answer read. */
export function faultOf(error: unknown): S3Fault {
  return error instanceof S3Fault ? error : new S3Fault(systemErrorCode(error) ?? "unknown error", null, error);
}

/** The parts lie in memory: there is nothing to be held back. */
function writeBody(request: ClientRequest, chunks: readonly Uint8Array[]): void {
  for (const chunk of chunks) request.write(chunk);
  request.end();
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > ANSWER_BYTES) throw new S3Fault("an answer without end", 200);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
