import { type Signal, signal } from "@preact/signals";
import type { PhaseEventWire, UploadWire } from "../../http/upload-service/base/wire-uploads.ts";
import type { PermissionsWire } from "../../http/upload-service/service/wire-access.ts";
import { BASE_PATH } from "../shell/addresses.ts";
import type { Answers } from "../shell/answers.ts";
import { advancePhase, type PhaseProgress } from "./phase-pace.ts";

/** Milliseconds between polls without events. */
const POLL_MS = 5000;

/** Live list of uploads and their status. */
export class UploadList {
  readonly uploads: Signal<readonly UploadWire[] | null> = signal(null);
  /** Permissions of the user; null if unknown. */
  readonly permissions: Signal<PermissionsWire | null> = signal(null);
  readonly phases: Signal<ReadonlyMap<string, PhaseProgress>> = signal(new Map());
  private events: EventSource | null = null;
  private timer: ReturnType<typeof setInterval> | null = null;
  /** Number of the last request, and whether an event has arrived since. */
  private looks = 0;
  private isOvertaken = false;

  constructor(private readonly answers: Answers) {}

  /** Fetches the list, and listens until it is closed. */
  open(): () => void {
    void this.look();
    const events = new EventSource(`${BASE_PATH}/agent-stream`);
    this.events = events;
    events.addEventListener("upload", ({ data }: MessageEvent<string>) => this.take(JSON.parse(data) as UploadWire));
    events.addEventListener("phase", ({ data }: MessageEvent<string>) => {
      const phase = JSON.parse(data) as PhaseEventWire;
      const known = this.phases.peek();
      const advanced = advancePhase(known.get(phase.upload_id), phase, performance.now());
      this.phases.value = new Map(known).set(phase.upload_id, advanced);
    });
    // The browser reconnects by itself, except after an error response. Fetch the list to catch changes between the two
    // connections.
    events.onerror = () => void this.look();
    events.onopen = () => void this.look();
    this.timer = setInterval(() => {
      if (this.events?.readyState !== EventSource.OPEN) void this.look();
    }, POLL_MS);
    return () => {
      events.close();
      if (this.timer !== null) clearInterval(this.timer);
    };
  }

  /** Fetches all uploads. Ignores an answer older than an event or a later answer. */
  async look(): Promise<void> {
    const own = ++this.looks;
    this.isOvertaken = false;
    try {
      const [uploads, permissions] = await Promise.all([
        this.answers.send<readonly UploadWire[]>(`${BASE_PATH}/uploads`, {}),
        this.answers.send<PermissionsWire>(`${BASE_PATH}/session`, {}),
      ]);
      if (own !== this.looks) return;
      if (this.isOvertaken) {
        await this.look();
        return;
      }
      this.permissions.value = permissions;
      this.uploads.value = uploads;
    } catch {
      // Errors are shown by the bar above or the sign-in form.
    }
  }

  async remove(uploadId: string): Promise<void> {
    await this.answers.send(`${BASE_PATH}/uploads/${uploadId}`, { method: "DELETE" });
    this.uploads.value = (this.uploads.peek() ?? []).filter(({ upload_id }) => upload_id !== uploadId);
  }

  private take(upload: UploadWire): void {
    this.isOvertaken = true;
    // Cached responses are outdated after mail was added.
    this.answers.forget(`${BASE_PATH}/uploads/${upload.upload_id}`);
    const known = this.uploads.peek();
    if (known === null) return;
    // Last event of a removed upload.
    if (upload.status === "cancelled") {
      this.uploads.value = known.filter(({ upload_id }) => upload_id !== upload.upload_id);
      return;
    }
    const at = known.findIndex(({ upload_id }) => upload_id === upload.upload_id);
    this.uploads.value = at < 0 ? [upload, ...known] : known.with(at, upload);
    // The uploader may delete it, which only the service knows.
    if (at < 0 && this.permissions.peek()?.may_delete !== "all") void this.look();
  }
}
