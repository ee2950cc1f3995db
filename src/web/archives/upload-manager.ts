import { type Signal, signal } from "@preact/signals";
import { BASE_PATH } from "../shell/addresses.ts";
import type { Answers } from "../shell/answers.ts";
import type { ShellIntake } from "../shell/shell-data.ts";
import { type Bundling, type ChosenFile, refusalOf, uploadsOf } from "./chosen-files.ts";
import type { FileUpload, UploadOptions } from "./upload-queue.ts";

/** Selected files of an upload, and the uploads it replaces. */
interface Chosen {
  readonly files: readonly ChosenFile[];
  /** Failed uploads that are retried; removed when the new one arrives. */
  readonly replaced: readonly string[];
}

const NOTHING: Chosen = { files: [], replaced: [] };

/** Selected files, and those being uploaded. */
export class UploadManager {
  readonly chosen: Signal<Chosen> = signal(NOTHING);
  readonly sending: Signal<readonly FileUpload[]> = signal([]);
  /** Free disk space of the service in bytes; null while unknown. */
  readonly freeBytes: Signal<number | null> = signal(null);
  /** Files sent from this page by upload id, so that they need not be selected again if the extraction fails. */
  private readonly sent = new Map<string, File>();

  constructor(private readonly answers: Answers) {}

  choose(files: readonly ChosenFile[], replaced: readonly string[] = []): void {
    const { files: earlier, replaced: before } = this.chosen.peek();
    this.chosen.value = { files: [...earlier, ...files], replaced: [...before, ...replaced] };
    void this.lookAtDisk();
  }

  forget(): void {
    this.chosen.value = NOTHING;
  }

  /** Retries a failed upload. False if its file must be chosen again. */
  again(uploadId: string): boolean {
    const file = this.sent.get(uploadId);
    if (file !== undefined) this.choose([{ path: file.name, file }], [uploadId]);
    return file !== undefined;
  }

  /** Sends selected files one at a time: two would only halve the bandwidth for each. */
  async start(bundling: Bundling, options: UploadOptions, intake: ShellIntake): Promise<readonly string[]> {
    const { files: chosen, replaced } = this.chosen.peek();
    const files = uploadsOf(chosen, bundling).filter((file) => refusalOf(file, intake, this.freeBytes.peek()) === null);
    this.forget();
    const { FileUpload: Sender } = await import("./upload-queue.ts");
    const uploads = files.map((file) => new Sender(file, options));
    this.sending.value = [...this.sending.peek(), ...uploads];
    for (const [at, upload] of uploads.entries()) {
      // Pending while others are sent.
      if (upload.sending.peek().state === "given up") continue;
      const isDone = ended(upload);
      void upload.start();
      await isDone;
      // A token may have expired during the upload, which the uploader does not report.
      if (upload.sending.peek().state === "failed")
        void this.answers.send(`${BASE_PATH}/session`, {}).catch(() => undefined);
      const { uploadId } = upload;
      if (uploadId !== null) this.sent.set(uploadId, files[at]!);
    }
    return uploads.every(({ sending }) => sending.peek().state === "sent") ? replaced : [];
  }

  drop(upload: FileUpload): void {
    this.sending.value = this.sending.peek().filter((other) => other !== upload);
  }

  private async lookAtDisk(): Promise<void> {
    try {
      const { disk_free_bytes } = await this.answers.send<{ readonly disk_free_bytes?: number }>(
        `${BASE_PATH}/health`,
        {},
      );
      // Announced to users who see all uploads.
      this.freeBytes.value = disk_free_bytes ?? null;
    } catch {
      // The service checks again before it accepts the first byte.
    }
  }
}

/** Resolves when an upload has ended, successfully or not. */
function ended({ sending }: FileUpload): Promise<void> {
  return new Promise((resolve) => {
    const stop = sending.subscribe(({ state }) => {
      if (state === "waiting" || state === "sending") return;
      queueMicrotask(() => stop());
      resolve();
    });
  });
}
