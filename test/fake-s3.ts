import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32 } from "node:zlib";
import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import type { S3Place } from "../src/http/blobs/s3-store.ts";

/** Invented credentials. */
export const FAKE_KEYS = { accessKeyId: "AKHARBOUREXAMPLE", secretAccessKey: "crane/tide+mooring" };
export const FAKE_REGION = "eu-harbour-1";
export const FAKE_BUCKET = "harbour-mail";

/** Minimum part size in S3, except for the last part. */
const MIN_PART_BYTES = 5 << 20;
/** Maximum clock difference of a client, in seconds. */
const MAX_SKEW_S = 15 * 60;
/** Number of attempts per request of test clients. */
export const MAX_ATTEMPTS = 3;
/** Keys per page of a list: few, so that there are several pages. */
const PAGE = 3;

/** Properties of a request that a test sees before it is handled. */
export interface SeenRequest {
  readonly method: string;
  /** "" for the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
}

/**
 * Failure of a request: the connection breaks before or after it is handled, the response is an error, or ends after
 * some bytes; `hidden` is an error with the status 200.
 */
export type Mishap =
  | "lost"
  | "answer lost"
  | { readonly status: number; readonly code: string }
  | { readonly cutAfter: number }
  | { readonly hidden: string };

interface StoredObject {
  readonly bytes: Buffer;
  readonly etag: string;
  /** CRC-32 in base64; that of parts is followed by a number. */
  readonly checksum: string;
  readonly at: number;
}

interface OpenUpload {
  readonly key: string;
  readonly parts: Map<number, StoredObject>;
  readonly at: number;
}

/** An error in the format of S3. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

/**
 * A server with the part of the S3 API that services use, over one bucket in memory. It requires correct signatures and
 * follows the rules for parts.
 */
export class FakeS3 {
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, OpenUpload>();
  readonly seen: SeenRequest[] = [];
  /** Called for each request with a valid signature. */
  mishap: (request: SeenRequest) => Mishap | null = () => null;
  private readonly server: Server;
  private uploadCount = 0;

  private constructor() {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  static async start(): Promise<FakeS3> {
    const fake = new FakeS3();
    await new Promise<void>((resolve) => fake.server.listen(0, "127.0.0.1", resolve));
    return fake;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Configuration of a client. @param client settings that differ */
  place(prefix = "", client: S3ClientConfig = {}): S3Place {
    return {
      bucket: FAKE_BUCKET,
      prefix,
      client: {
        endpoint: this.endpoint,
        forcePathStyle: true,
        region: FAKE_REGION,
        credentials: FAKE_KEYS,
        retryStrategy: new ConfiguredRetryStrategy(MAX_ATTEMPTS, () => 10),
        ...client,
      },
    };
  }

  /** Refuses connections until `resume`. */
  async pause(): Promise<() => Promise<void>> {
    const { port } = this.server.address() as AddressInfo;
    await this.close();
    return () => new Promise<void>((resolve) => this.server.listen(port, "127.0.0.1", resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks);
    const url = new URL(request.url!, "http://fake.invalid");
    const [, bucket, ...rest] = url.pathname.split("/").map(decodeURIComponent);
    const { method = "GET", headers } = request;
    const seen = { method, key: rest.join("/"), query: url.searchParams, headers };
    let mishap: Mishap | null = null;
    try {
      requireSignature(request, body);
      if (bucket !== FAKE_BUCKET) throw new Refused(404, "NoSuchBucket");
      this.seen.push(seen);
      mishap = this.mishap(seen);
      if (mishap === "lost") return void request.socket.destroy();
      if (mishap !== null && typeof mishap === "object" && "code" in mishap)
        throw new Refused(mishap.status, mishap.code);
      if (mishap !== null && typeof mishap === "object" && "hidden" in mishap) {
        return void response.end(errorXml(mishap.hidden));
      }
      const done = this.perform(seen, body);
      if (mishap === "answer lost") return void request.socket.destroy();
      const { status = 200, headers: sent = {}, bytes = Buffer.alloc(0) } = done;
      response.writeHead(status, { "content-length": bytes.length, ...sent });
      if (method === "HEAD") return void response.end();
      if (mishap === null) return void response.end(bytes);
      response.write(bytes.subarray(0, (mishap as { cutAfter: number }).cutAfter), () => request.socket.destroy());
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      response.writeHead(error.status, { "content-type": "application/xml" });
      response.end(method === "HEAD" ? "" : errorXml(error.code));
    }
  }

  private perform(seen: SeenRequest, body: Buffer): Performed {
    const { method, key, query } = seen;
    if (key === "") return query.has("uploads") ? this.listUploads(query) : this.listObjects(query);
    if (method === "POST" && query.has("uploads")) return this.begin(key);
    if (body.length > 0 && method === "PUT" && seen.headers["x-amz-checksum-crc32"] !== checksumOf(body))
      throw new Refused(400, "BadDigest");
    const uploadId = query.get("uploadId");
    if (uploadId !== null) return this.performUpload(uploadId, seen, body);
    if (method === "PUT") {
      this.objects.set(key, storedOf(body));
      return {};
    }
    if (method === "DELETE") {
      this.objects.delete(key);
      return { status: 204 };
    }
    return this.read(seen);
  }

  private read({ key, headers }: SeenRequest): Performed {
    const found = this.objects.get(key);
    if (found === undefined) throw new Refused(404, "NoSuchKey");
    const described: Record<string, string> = { etag: found.etag };
    if (headers["x-amz-checksum-mode"] === "ENABLED" && headers.range === undefined)
      described["x-amz-checksum-crc32"] = found.checksum;
    if (headers["if-match"] !== undefined && headers["if-match"] !== found.etag)
      throw new Refused(412, "PreconditionFailed");
    const from = /^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1];
    if (from === undefined) return { headers: described, bytes: found.bytes };
    if (Number(from) >= found.bytes.length) throw new Refused(416, "InvalidRange");
    const range = `bytes ${from}-${found.bytes.length - 1}/${found.bytes.length}`;
    return {
      status: 206,
      headers: { ...described, "content-range": range },
      bytes: found.bytes.subarray(Number(from)),
    };
  }

  private begin(key: string): Performed {
    this.uploadCount++;
    const id = `${this.uploadCount}+/=&`;
    this.uploads.set(id, { key, parts: new Map(), at: Date.now() });
    return xml(`<InitiateMultipartUploadResult><UploadId>${escaped(id)}</UploadId></InitiateMultipartUploadResult>`);
  }

  private performUpload(id: string, { method, key, query }: SeenRequest, body: Buffer): Performed {
    const upload = this.uploads.get(id);
    if (upload === undefined || upload.key !== key) throw new Refused(404, "NoSuchUpload");
    if (method === "DELETE") {
      this.uploads.delete(id);
      return { status: 204 };
    }
    if (method === "PUT") {
      const part = storedOf(body);
      upload.parts.set(Number(query.get("partNumber")), part);
      return { headers: { etag: part.etag, "x-amz-checksum-crc32": part.checksum } };
    }
    const listed = body.toString().split("</Part>").slice(0, -1);
    const parts = listed.map((text, index) => {
      const [number, etag, checksum] = ["PartNumber", "ETag", "ChecksumCRC32"].map((name) => elementOf(text, name));
      const part = upload.parts.get(Number(number));
      if (part === undefined || part.etag !== etag || part.checksum !== checksum || Number(number) !== index + 1)
        throw new Refused(400, "InvalidPart");
      if (index < listed.length - 1 && part.bytes.length < MIN_PART_BYTES) throw new Refused(400, "EntityTooSmall");
      return part.bytes;
    });
    if (parts.length === 0) throw new Refused(400, "MalformedXML");
    const whole = storedOf(Buffer.concat(parts));
    this.objects.set(key, { ...whole, checksum: `${whole.checksum}-${parts.length}` });
    this.uploads.delete(id);
    return xml("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>");
  }

  private listObjects(query: URLSearchParams): Performed {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(query.get("prefix") ?? "")).sort();
    const from = Number(query.get("continuation-token")?.slice("page&".length) ?? 0);
    const contents = keys
      .slice(from, from + PAGE)
      .map(
        (key) => `<Contents><Key>${escaped(key)}</Key>${timeXml("LastModified", this.objects.get(key)!.at)}</Contents>`,
      );
    const next =
      from + PAGE < keys.length ? `<NextContinuationToken>page&amp;${from + PAGE}</NextContinuationToken>` : "";
    return xml(`<ListBucketResult><Prefix></Prefix>${contents.join("")}${next}</ListBucketResult>`);
  }

  private listUploads(query: URLSearchParams): Performed {
    // Ids begin with their number, so removed uploads do not matter.
    const after = Number.parseInt(query.get("upload-id-marker") ?? "0", 10);
    const all = [...this.uploads].filter(
      ([id, { key }]) => key.startsWith(query.get("prefix") ?? "") && Number.parseInt(id, 10) > after,
    );
    const listed = all.slice(0, PAGE);
    const next =
      PAGE < all.length
        ? `<IsTruncated>true</IsTruncated><NextKeyMarker>${listed.at(-1)![1].key}</NextKeyMarker><NextUploadIdMarker>${escaped(listed.at(-1)![0])}</NextUploadIdMarker>`
        : "<IsTruncated>false</IsTruncated>";
    const uploads = listed.map(
      ([id, { key, at }]) =>
        `<Upload><Key>${escaped(key)}</Key><UploadId>${escaped(id)}</UploadId>${timeXml("Initiated", at)}</Upload>`,
    );
    return xml(`<ListMultipartUploadsResult>${next}${uploads.join("")}</ListMultipartUploadsResult>`);
  }
}

interface Performed {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes?: Buffer;
}

function xml(text: string): Performed {
  return { headers: { "content-type": "application/xml" }, bytes: Buffer.from(`<?xml version="1.0"?>\n${text}`) };
}

/** Real servers add a string that was signed, which must never reach a log. */
function errorXml(code: string): string {
  return `<?xml version="1.0"?>\n<Error><Code>${code}</Code><StringToSign>what was signed</StringToSign></Error>`;
}

function timeXml(name: string, at: number): string {
  return `<${name}>${new Date(at).toISOString()}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function elementOf(text: string, name: string): string | undefined {
  return text.split(`<${name}>`)[1]?.split(`</${name}>`)[0]?.replaceAll("&quot;", '"');
}

function checksumOf(bytes: Buffer): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(bytes));
  return checksum.toString("base64");
}

function storedOf(bytes: Buffer): StoredObject {
  const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
  return { bytes, etag, checksum: checksumOf(bytes), at: Date.now() };
}

/** Computed from the request line and headers as received, by the documented steps. */
function requireSignature(request: IncomingMessage, body: Buffer): void {
  const { headers, method, url = "" } = request;
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w{64})$/.exec(
      headers.authorization ?? "",
    );
  if (given === null) throw new Refused(403, "AccessDenied");
  const [, keyId, date, region, names, signature] = given as unknown as string[];
  if (keyId !== FAKE_KEYS.accessKeyId) throw new Refused(403, "InvalidAccessKeyId");
  if (region !== FAKE_REGION) throw new Refused(400, "AuthorizationHeaderMalformed");
  const time = String(headers["x-amz-date"]);
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/
    .exec(time)!
    .map(Number);
  const signedAt = Date.UTC(year!, month! - 1, day, hour, minute, second);
  if (Math.abs(Date.now() - signedAt) > MAX_SKEW_S * 1000) throw new Refused(403, "RequestTimeTooSkewed");
  const bodyHash = createHash("sha256").update(body).digest("hex");
  if (headers["x-amz-content-sha256"] !== bodyHash) throw new Refused(400, "XAmzContentSHA256Mismatch");
  const signed = names!.split(";");
  for (const needed of ["host", "x-amz-date", "x-amz-content-sha256"])
    if (!signed.includes(needed)) throw new Refused(403, "AccessDenied");
  const [path, query = ""] = url.split("?") as [string, string?];
  let canonical = `${method}\n${path}\n${query.split("&").sort().join("&")}\n`;
  for (const name of [...signed].sort()) canonical += `${name}:${String(headers[name]).trim()}\n`;
  canonical += `\n${names}\n${bodyHash}`;
  const hash = createHash("sha256").update(canonical).digest("hex");
  let key: Buffer | string = `AWS4${FAKE_KEYS.secretAccessKey}`;
  for (const word of [date!, region!, "s3", "aws4_request"]) key = createHmac("sha256", key).update(word).digest();
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${date}/${region}/s3/aws4_request\n${hash}`;
  if (createHmac("sha256", key).update(toSign).digest("hex") !== signature)
    throw new Refused(403, "SignatureDoesNotMatch");
}
