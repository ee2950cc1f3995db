import { addAbortSignal, Readable } from "node:stream";
import type {
  GetObjectRequest,
  ListMultipartUploadsOutput,
  ListMultipartUploadsRequest,
  ListObjectsV2Output,
  S3Client,
  S3ClientConfig,
} from "@aws-sdk/client-s3";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { type BlobBytes, type BlobEntry, type BlobStore, checkedKey, type NewBlob } from "./blob-store.ts";

/** Objects of a bucket with a key prefix. */
export interface S3Place {
  readonly bucket: string;
  /** "" or ending in `/`. */
  readonly prefix: string;
  /** Client settings besides those of the environment or profile. */
  readonly client: S3ClientConfig;
}

/** Bytes of a part, which is in memory while it is sent; the minimum of S3 is 5 MiB. */
export const PART_BYTES = 8 << 20;
/** S3 allows 10,000 parts; the announced size may be slightly too small. */
const MAX_PARTS = 9000;
/** Attempts to resume a download in a row without receiving a byte. */
const MAX_RESUMPTIONS = 5;
/** Attempts per request: with the SDK's pauses up to 13 s in total, since a client is waiting. */
const MAX_ATTEMPTS = 8;
/** Silence that ends a connection, in milliseconds: servers write a part to disk before they answer. */
const SILENCE_MS = 30_000;
/** Time to connect, in milliseconds. */
const CONNECT_MS = 5_000;
/** Timeout in milliseconds for cleanup requests, which are sent even after the upload was aborted. */
const CLEANUP_MS = 20_000;

const INSTALL =
  "run: npm install -g @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3 (in a project: npm install @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3)";

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** Both packages are optional peers: only services with a bucket need them. Throws DRIVER_MISSING. */
async function loadSdk() {
  try {
    const { default: client } = await import("@aws-sdk/client-s3");
    const { default: storage } = await import("@aws-sdk/lib-storage");
    return { ...client, Upload: storage.Upload };
  } catch (cause) {
    const isMissing = systemErrorCode(cause) === "ERR_MODULE_NOT_FOUND";
    throw new ArchiveError(
      "DRIVER_MISSING",
      "the packages @aws-sdk/client-s3 and @aws-sdk/lib-storage are not installed",
      {
        hint: INSTALL,
        ...(isMissing ? {} : { cause }),
      },
    );
  }
}

/** A failed request. Contains only the code of S3 or the system: messages of the SDK may contain signed data. */
class S3Fault extends Error {
  constructor(
    readonly code: string,
    status: number | null,
  ) {
    super(status === null ? code : `${status} ${code}`);
    this.name = "S3Fault";
  }
}

/** Opens a bucket. Throws DRIVER_MISSING, and INVALID_ARGUMENT without a region. */
export async function openS3Store(place: S3Place): Promise<BlobStore> {
  const sdk = await loadSdk();
  const client = new sdk.S3Client({
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
    ...place.client,
  });
  try {
    await client.config.region();
  } catch (cause) {
    client.destroy();
    throw new ArchiveError("INVALID_ARGUMENT", "no region set for the bucket", {
      hint: "set AWS_REGION, or region in the AWS profile",
      cause,
    });
  }
  return new S3Store(sdk, client, place);
}

/** Blobs in a bucket of a service with the API of Amazon S3. */
class S3Store implements BlobStore {
  readonly name: string;
  private readonly bucket: string;
  private readonly prefix: string;

  constructor(
    private readonly sdk: Sdk,
    private readonly client: S3Client,
    { bucket, prefix }: S3Place,
  ) {
    this.name = `s3://${bucket}/${prefix}`;
    this.bucket = bucket;
    this.prefix = prefix;
  }

  async put(key: string, { sizeBytes, bytes }: NewBlob, signal: AbortSignal): Promise<void> {
    const object = this.objectOf(key);
    let sentBytes = 0;
    let sourceError: unknown = null;
    async function* counted(): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of bytes) {
          signal.throwIfAborted();
          sentBytes += chunk.length;
          yield chunk;
        }
      } catch (error) {
        sourceError = error;
        throw error;
      }
    }
    const upload = new this.sdk.Upload({
      client: this.stoppable(signal),
      params: { ...object, Body: Readable.from(counted(), { objectMode: false }) },
      partSize: Math.max(PART_BYTES, Math.ceil(sizeBytes / MAX_PARTS)),
      queueSize: 1,
    });
    try {
      await unlessAborted(signal, upload.done());
    } catch (error) {
      signal.throwIfAborted();
      if (error === sourceError) throw error;
      const fault = faultOf(error);
      // If the response to the last request was lost, the repeated request finds no upload.
      if (fault.code === "NoSuchUpload" && (await this.sizeOf(object, signal)) === sentBytes) return;
      throw this.unreachable(fault);
    }
  }

  async get(key: string, signal: AbortSignal): Promise<BlobBytes | null> {
    const object = this.objectOf(key);
    const { GetObjectCommand } = this.sdk;
    const first = await this.client
      .send(new GetObjectCommand(object), { abortSignal: signal })
      .catch((error: unknown) => {
        signal.throwIfAborted();
        const fault = faultOf(error);
        if (fault.code === "NoSuchKey") return null;
        throw this.unreachable(fault);
      });
    if (first === null) return null;
    const sizeBytes = first.ContentLength ?? 0;
    return {
      sizeBytes,
      bytes: this.read(object, { body: first.Body as Readable, etag: first.ETag, sizeBytes }, signal),
    };
  }

  async remove(key: string): Promise<void> {
    const { DeleteObjectCommand } = this.sdk;
    const object = this.objectOf(key);
    await this.ask(() => this.client.send(new DeleteObjectCommand(object), cleanup()));
  }

  async *list(prefix: string): AsyncGenerator<BlobEntry> {
    const { ListObjectsV2Command } = this.sdk;
    let next: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.bucket,
        Prefix: this.prefix + prefix,
        ContinuationToken: next,
      });
      const page: ListObjectsV2Output = await this.ask(() => this.client.send(command));
      for (const { Key = "", LastModified } of page.Contents ?? [])
        yield { key: Key.slice(this.prefix.length), putAt: LastModified?.getTime() ?? Number.NaN };
      next = page.NextContinuationToken;
    } while (next !== undefined);
  }

  async sweep(before: Instant): Promise<void> {
    const { ListMultipartUploadsCommand, AbortMultipartUploadCommand } = this.sdk;
    let markers: Pick<ListMultipartUploadsRequest, "KeyMarker" | "UploadIdMarker"> | null = {};
    while (markers !== null) {
      const command = new ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix: this.prefix, ...markers });
      const page: ListMultipartUploadsOutput = await this.ask(() => this.client.send(command));
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (Initiated === undefined || Initiated.getTime() >= before) continue;
        const abort = new AbortMultipartUploadCommand({ Bucket: this.bucket, Key, UploadId });
        await this.client.send(abort, cleanup()).catch((error: unknown) => {
          const fault = faultOf(error);
          if (fault.code !== "NoSuchUpload") throw this.unreachable(fault);
        });
      }
      const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page;
      markers = IsTruncated === true ? { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker } : null;
    }
  }

  close(): void {
    this.client.destroy();
  }

  private objectOf(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.bucket, Key: this.prefix + checkedKey(key) };
  }

  /** A client whose requests abort with a signal, except those that remove parts: `Upload` does not pass signals on. */
  private stoppable(signal: AbortSignal): S3Client {
    const { client, sdk } = this;
    const send: S3Client["send"] = (command: Parameters<S3Client["send"]>[0]) =>
      client.send(command, command instanceof sdk.AbortMultipartUploadCommand ? cleanup() : { abortSignal: signal });
    return Object.create(client, { send: { value: send } }) as S3Client;
  }

  private async sizeOf(object: { readonly Bucket: string; readonly Key: string }, signal: AbortSignal) {
    const { HeadObjectCommand } = this.sdk;
    const found = await this.client
      .send(new HeadObjectCommand(object), { abortSignal: signal })
      .catch((error: unknown) => {
        const fault = faultOf(error);
        if (fault.code === "NotFound") return null;
        throw this.unreachable(fault);
      });
    return found?.ContentLength ?? null;
  }

  /** The bytes of an object. If a connection is lost, another one resumes after the last byte received. */
  private async *read(
    object: { readonly Bucket: string; readonly Key: string },
    {
      body,
      etag,
      sizeBytes,
    }: { readonly body: Readable; readonly etag: string | undefined; readonly sizeBytes: number },
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    let [current, at, failures] = [body, 0, 0];
    for (;;) {
      const { receivedBytes, fault } = yield* drain(addAbortSignal(signal, current));
      at += receivedBytes;
      if (fault === null && at === sizeBytes) return;
      signal.throwIfAborted();
      failures = receivedBytes > 0 ? 1 : failures + 1;
      // If all bytes arrived, their checksum is wrong.
      if (failures > MAX_RESUMPTIONS || at >= sizeBytes)
        throw this.unreachable(fault ?? new S3Fault("wrong size", null));
      current = await this.bodyFrom(at, { ...object, IfMatch: etag }, signal);
    }
  }

  private async bodyFrom(at: number, object: GetObjectRequest, signal: AbortSignal): Promise<Readable> {
    const command = new this.sdk.GetObjectCommand({ ...object, Range: `bytes=${at}-` });
    const { Body, ContentRange } = await this.ask(() => this.client.send(command, { abortSignal: signal }), signal);
    if (at > 0 && ContentRange === undefined) throw this.unreachable(new S3Fault("no range", null));
    return Body as Readable;
  }

  /** Sends a request. Throws BLOBS_UNREACHABLE, and the reason of the signal. */
  private async ask<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await send();
    } catch (error) {
      signal?.throwIfAborted();
      throw this.unreachable(faultOf(error));
    }
  }

  /** Clients of the service do not see names of buckets or hosts; the hint is for the operator. */
  private unreachable(fault: S3Fault): ArchiveError {
    const hint =
      HINTS.get(fault.code) ?? "check that it is running and that the bucket, region and credentials are correct";
    return new ArchiveError("BLOBS_UNREACHABLE", "cannot reach the blob store of the service", {
      cause: fault,
      hint: `${this.name}: ${fault.message}; ${hint}`,
    });
  }
}

/** Bytes received of a response, and the error that ended it. */
interface Drained {
  readonly receivedBytes: number;
  readonly fault: S3Fault | null;
}

async function* drain(body: Readable): AsyncGenerator<Uint8Array, Drained> {
  let receivedBytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      receivedBytes += chunk.length;
      yield chunk;
    }
    return { receivedBytes, fault: null };
  } catch (error) {
    return { receivedBytes, fault: faultOf(error) };
  }
}

/** Hints for errors with a known cause. */
const HINTS: ReadonlyMap<string, string> = new Map([
  [
    "CredentialsProviderError",
    "set credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or a machine role",
  ],
  ["AccessDenied", "grant the credentials the permissions listed in docs/guides/scaling-out.md"],
  ["NoSuchBucket", "create the bucket or correct its name"],
  ["ExpiredToken", "renew the credentials"],
]);

/** Options of a request that is sent although its operation was stopped. */
function cleanup(): { readonly abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(CLEANUP_MS) };
}

/** Anything that the SDK throws. */
function faultOf(error: unknown): S3Fault {
  if (error instanceof S3Fault) return error;
  if (!(error instanceof Error)) return new S3Fault("unknown error", null);
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return new S3Fault(systemErrorCode(error) ?? error.name, $metadata?.httpStatusCode ?? null);
}

/** Settles like the promise, or rejects at once with the reason of the signal. */
async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const settled = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true, signal: settled.signal });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    settled.abort();
  }
}
