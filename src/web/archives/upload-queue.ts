import { type Signal, signal } from "@preact/signals";
import { Upload } from "tus-js-client";
import { BASE_PATH } from "../shell/addresses.ts";

/** Options sent with the file, by form field. */
export type UploadOptions = Readonly<Record<string, string>>;

type SendingState = "waiting" | "sending" | "paused" | "sent" | "failed" | "given up";

/** A file being uploaded. */
interface Sending {
  readonly name: string;
  readonly size: number;
  readonly state: SendingState;
  readonly sent: number;
  /** Recent bytes per second; 0 if unknown. */
  readonly rate: number;
  readonly fault: string;
}

/** Bytes of one request, which are sent again if the connection breaks. */
const CHUNK_BYTES = 16 * 1024 * 1024;
/** Milliseconds before each retry. */
const RETRY_DELAYS_MS = [0, 1000, 3000, 10_000, 30_000];
/** Permanent error: the disk of the service will not grow. */
const INSUFFICIENT_STORAGE = 507;
/** Share of the newest measurement in the rate. */
const SMOOTHING = 0.3;

/** A file that is sent, paused, and resumed where it stopped, even after a reload. */
export class FileUpload {
  readonly sending: Signal<Sending>;
  private readonly upload: Upload;
  private measuredAt = performance.now();
  private measured = 0;

  constructor(file: File, options: UploadOptions) {
    this.sending = signal<Sending>({ name: file.name, size: file.size, state: "waiting", sent: 0, rate: 0, fault: "" });
    this.upload = new Upload(file, {
      endpoint: `${BASE_PATH}/upload/resumable`,
      metadata: { filename: file.name, ...options },
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_DELAYS_MS,
      // Data stored for resuming includes the metadata, which must not contain a password.
      storeFingerprintForResuming: options["password"] === undefined,
      removeFingerprintOnSuccess: true,
      onShouldRetry: (error) => isPassing(statusOf(error)),
      onProgress: (sent) => this.progress(sent),
      onSuccess: () => this.change({ state: "sent", sent: file.size }),
      onError: (error) => this.change({ state: "failed", fault: reasonOf(error) }),
    });
  }

  /** Upload id, or null before the service assigned one. */
  get uploadId(): string | null {
    return this.upload.url?.split("/").at(-1) ?? null;
  }

  async start(): Promise<void> {
    this.change({ state: "sending", fault: "" });
    const [earlier] = await this.upload.findPreviousUploads();
    // Paused or canceled in the meantime.
    if (this.sending.peek().state !== "sending") return;
    if (earlier !== undefined) this.upload.resumeFromPreviousUpload(earlier);
    this.upload.start();
  }

  async pause(): Promise<void> {
    await this.upload.abort();
    this.change({ state: "paused", rate: 0 });
  }

  resume(): void {
    this.change({ state: "sending", fault: "" });
    this.upload.start();
  }

  /** Cancels it and deletes the sent part. */
  async cancel(): Promise<void> {
    this.change({ state: "given up" });
    // An unreachable server forgets it after some days.
    await this.upload.abort(true).catch(() => undefined);
  }

  private progress(sent: number): void {
    const now = performance.now();
    const { rate } = this.sending.peek();
    const latest = ((sent - this.measured) / Math.max(1, now - this.measuredAt)) * 1000;
    this.change({ sent, rate: rate === 0 ? Math.max(0, latest) : rate + (Math.max(0, latest) - rate) * SMOOTHING });
    this.measured = sent;
    this.measuredAt = now;
  }

  private change(changed: Partial<Sending>): void {
    this.sending.value = { ...this.sending.peek(), ...changed };
  }
}

/** 0 without a response. */
function statusOf(error: Error): number {
  return "originalResponse" in error
    ? ((error.originalResponse as { getStatus(): number } | null)?.getStatus() ?? 0)
    : 0;
}

/** True for errors that a retry may fix: a broken connection, a lock, a temporary fault. */
function isPassing(status: number): boolean {
  return status !== INSUFFICIENT_STORAGE && (status < 400 || status >= 500 || status === 409 || status === 423);
}

/** Error message of the service, if any. */
function reasonOf(error: Error): string {
  const body =
    "originalResponse" in error ? (error.originalResponse as { getBody(): string } | null)?.getBody() : undefined;
  try {
    return (JSON.parse(body ?? "") as { readonly error: { readonly message: string } }).error.message;
  } catch {
    return error.message;
  }
}
