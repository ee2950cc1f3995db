import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ArchiveError } from "../../errors.ts";
import type { Instant } from "../../mail/instant.ts";
import { type BlobBytes, type BlobEntry, type BlobStore, checkedKey, type NewBlob } from "./blob-store.ts";
import { faultOf, type S3Answer, type S3Body, S3Client, S3Fault, type S3Request, type S3Setting } from "./s3-client.ts";
import { elementsOf, elementText } from "./s3-xml.ts";

/** Blobs as objects of a bucket whose keys begin with a prefix. */
export interface S3Place extends S3Setting {
  /** "" or ending in `/`. */
  readonly prefix: string;
}

/** Bytes of a part, which lie in memory while it is sent: S3 wants 5 MiB at least. */
export const PART_BYTES = 8 << 20;
/** S3 takes 10,000 parts; what is told of a size may be a little too small. */
const PARTS_AT_MOST = 9000;
/** Times in a row that a download is taken up again without having got further. */
const RESUMPTIONS = 5;
/** A request that must go out although what it belongs to was stopped has this long, in milliseconds. */
const CLEANING_MS = 20_000;

/** The status of a range (RFC 9110 section 15.3.7). */
const PARTIAL_CONTENT = 206;
const XML = { "content-type": "application/xml" } as const;

/** Blobs in a bucket of a service that speaks the API of Amazon S3. */
export class S3Store implements BlobStore {
  readonly name: string;
  private readonly client: S3Client;
  private readonly prefix: string;

  constructor(place: S3Place) {
    this.name = `s3://${place.bucket}/${place.prefix} at ${place.endpoint.host}`;
    this.prefix = place.prefix;
    this.client = new S3Client(place);
  }

  async put(key: string, { sizeBytes, bytes }: NewBlob, signal: AbortSignal): Promise<void> {
    const object = this.keyOf(key);
    const sent: SentPart[] = [];
    let upload: string | null = null;
    try {
      for await (const { isLast, ...body } of partsOf(bytes, partBytesFor(sizeBytes))) {
        if (isLast && upload === null) {
          await this.ask({ method: "PUT", key: object, body }, signal);
          return;
        }
        upload ??= await this.begin(object, signal);
        const etag = await this.putPart({ object, upload, number: sent.length + 1 }, body, signal);
        sent.push({ etag, sizeBytes: body.sizeBytes });
      }
      if (upload !== null) await this.complete({ object, upload }, sent, signal);
    } catch (error) {
      // What went wrong before is what is told; what stays there is swept later.
      if (upload !== null) await this.abort(object, upload).catch(() => undefined);
      throw error;
    }
  }

  async get(key: string, signal: AbortSignal): Promise<BlobBytes | null> {
    const request = { method: "GET", key: this.keyOf(key) } as const;
    const first = await this.client.open(request, signal).catch((error: unknown) => {
      if (error instanceof S3Fault && error.code === "NoSuchKey") return null;
      throw this.told(error);
    });
    if (first === null) return null;
    const sizeBytes = Number(first.headers["content-length"]);
    return { sizeBytes, bytes: this.read(request, { first, sizeBytes }, signal) };
  }

  async remove(key: string): Promise<void> {
    await this.ask({ method: "DELETE", key: this.keyOf(key) }, AbortSignal.timeout(CLEANING_MS));
  }

  async *list(prefix: string): AsyncGenerator<BlobEntry> {
    let next: string | null = null;
    do {
      const query: [string, string][] = [
        ["list-type", "2"],
        ["prefix", this.prefix + prefix],
        ...(next === null ? [] : [["continuation-token", next] satisfies [string, string]]),
      ];
      const { text }: S3Answer = await this.ask({ method: "GET", key: null, query }, new AbortController().signal);
      for (const contents of elementsOf(text, "Contents")) {
        const key = elementText(contents, "Key") ?? "";
        const putAt = Date.parse(elementText(contents, "LastModified") ?? "");
        yield { key: key.slice(this.prefix.length), putAt };
      }
      next = elementText(text, "NextContinuationToken");
    } while (next !== null);
  }

  async sweep(before: Instant): Promise<void> {
    let marker: [string, string][] | null = [];
    while (marker !== null) {
      const query: [string, string][] = [["uploads", ""], ["prefix", this.prefix], ...marker];
      const { text }: S3Answer = await this.ask({ method: "GET", key: null, query }, new AbortController().signal);
      for (const upload of elementsOf(text, "Upload")) {
        if (Date.parse(elementText(upload, "Initiated") ?? "") >= before) continue;
        await this.abort(elementText(upload, "Key") ?? "", elementText(upload, "UploadId") ?? "");
      }
      const [key, id] = [elementText(text, "NextKeyMarker"), elementText(text, "NextUploadIdMarker")];
      marker =
        elementText(text, "IsTruncated") === "true" && key !== null
          ? [
              ["key-marker", key],
              ["upload-id-marker", id ?? ""],
            ]
          : null;
    }
  }

  close(): void {
    this.client.close();
  }

  private keyOf(key: string): string {
    return this.prefix + checkedKey(key);
  }

  private async begin(object: string, signal: AbortSignal): Promise<string> {
    const { text } = await this.ask({ method: "POST", key: object, query: [["uploads", ""]] }, signal);
    const upload = elementText(text, "UploadId");
    if (upload === null) throw this.told(new S3Fault("no UploadId", 200));
    return upload;
  }

  private async putPart({ object, upload, number }: Part, body: S3Body, signal: AbortSignal): Promise<string> {
    const query = [
      ["partNumber", String(number)],
      ["uploadId", upload],
    ] as const;
    const { headers } = await this.ask({ method: "PUT", key: object, query, body }, signal);
    if (headers.etag === undefined) throw this.told(new S3Fault("no ETag", 200));
    return headers.etag;
  }

  /** From here on the blob is there. */
  private async complete(
    { object, upload }: Omit<Part, "number">,
    sent: readonly SentPart[],
    signal: AbortSignal,
  ): Promise<void> {
    const parts = sent.map(
      ({ etag }, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
    );
    const body = bodyOf(Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`));
    const sizeBytes = sent.reduce((sum, part) => sum + part.sizeBytes, 0);
    try {
      const query = [["uploadId", upload]] as const;
      await this.client.ask({ method: "POST", key: object, query, headers: XML, body }, signal);
    } catch (error) {
      signal.throwIfAborted();
      // An answer that was lost: what is complete is no upload any more when it is asked again.
      if (
        error instanceof S3Fault &&
        error.code === "NoSuchUpload" &&
        (await this.sizeOf(object, signal)) === sizeBytes
      )
        return;
      throw this.told(error);
    }
  }

  private async sizeOf(object: string, signal: AbortSignal): Promise<number> {
    const { headers } = await this.ask({ method: "HEAD", key: object }, signal);
    return Number(headers["content-length"]);
  }

  private async abort(object: string, upload: string): Promise<void> {
    const query = [["uploadId", upload]] as const;
    await this.client
      .ask({ method: "DELETE", key: object, query }, AbortSignal.timeout(CLEANING_MS))
      .catch((error: unknown) => {
        if (!(error instanceof S3Fault) || error.code !== "NoSuchUpload") throw this.told(error);
      });
  }

  /** The bytes of an object; where a connection is lost, another one goes on behind the last byte. */
  private async *read(
    request: S3Request,
    { first, sizeBytes }: { readonly first: IncomingMessage; readonly sizeBytes: number },
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const etag = first.headers.etag;
    let [body, at, failures] = [first, 0, 0];
    for (;;) {
      const { sizeBytes: got, fault } = yield* drain(body);
      at += got;
      if (at >= sizeBytes) return;
      signal.throwIfAborted();
      failures = got > 0 ? 1 : failures + 1;
      if (failures > RESUMPTIONS) throw this.told(fault);
      const headers = { range: `bytes=${at}-`, ...(etag === undefined ? {} : { "if-match": etag }) };
      body = await this.client
        .open({ ...request, headers }, signal)
        .catch((error: unknown) => this.fail(error, signal));
      if (at > 0 && body.statusCode !== PARTIAL_CONTENT) throw this.told(new S3Fault("no range", 200));
    }
  }

  private ask(request: S3Request, signal: AbortSignal): Promise<S3Answer> {
    return this.client.ask(request, signal).catch((error: unknown) => this.fail(error, signal));
  }

  private fail(error: unknown, signal: AbortSignal): never {
    signal.throwIfAborted();
    throw this.told(error);
  }

  /** Clients of the service are told no host. */
  private told(error: unknown): ArchiveError {
    const fault = faultOf(error);
    return new ArchiveError("BLOBS_UNREACHABLE", "the blob store of the service cannot be reached", {
      cause: fault,
      hint: `${this.name}: ${fault.message}; see that it runs, and that bucket, region and credentials are right`,
    });
  }
}

/** What of an answer came, and why no more of it. */
interface Drained {
  readonly sizeBytes: number;
  readonly fault: S3Fault;
}

async function* drain(body: IncomingMessage): AsyncGenerator<Uint8Array, Drained> {
  let sizeBytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      yield chunk;
    }
    return { sizeBytes, fault: new S3Fault("ends early", null) };
  } catch (error) {
    return { sizeBytes, fault: faultOf(error) };
  }
}

interface Part {
  readonly object: string;
  readonly upload: string;
  readonly number: number;
}

interface SentPart {
  readonly etag: string;
  readonly sizeBytes: number;
}

interface CutPart extends S3Body {
  readonly isLast: boolean;
}

/** Bytes of each part of so many. */
function partBytesFor(sizeBytes: number): number {
  return Math.max(PART_BYTES, Math.ceil(sizeBytes / PARTS_AT_MOST));
}

/** Bytes cut into parts as they come; one that is empty when there are none. One part is in memory at a time. */
async function* partsOf(bytes: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<CutPart> {
  let part = new PartBuilder();
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      if (part.sizeBytes === partBytes) {
        yield part.finish(false);
        part = new PartBuilder();
      }
      const end = Math.min(chunk.length, at + partBytes - part.sizeBytes);
      part.add(chunk.subarray(at, end));
      at = end;
    }
  }
  yield part.finish(true);
}

class PartBuilder {
  sizeBytes = 0;
  private readonly chunks: Uint8Array[] = [];
  private readonly hash = createHash("sha256");

  add(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.hash.update(chunk);
    this.sizeBytes += chunk.length;
  }

  finish(isLast: boolean): CutPart {
    return { chunks: this.chunks, sizeBytes: this.sizeBytes, sha256: this.hash.digest("hex"), isLast };
  }
}

function bodyOf(bytes: Buffer): S3Body {
  return { chunks: [bytes], sizeBytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}
