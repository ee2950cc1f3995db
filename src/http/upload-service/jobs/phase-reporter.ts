import type { ExtractionEvent } from "../../../extraction/extraction-event.ts";
import type { JobPhase } from "../base/wire-uploads.ts";

/** Minimum milliseconds between two progress events: four per second. */
export const PROGRESS_INTERVAL_MS = 250;

/** Converts events of an extraction to phases: each start and end, and progress at a readable rate. */
export class PhaseReporter {
  private progressAt = Number.NEGATIVE_INFINITY;
  /** The phase that started last. */
  private current: JobPhase["phase"] | null = null;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly report: (phase: JobPhase) => void,
    private readonly now: () => number,
  ) {}

  /** Omits the reader's location, which names contents of the mail. */
  show(event: ExtractionEvent): void {
    if (event.kind === "reading") this.read(event.messages, event.bytes, event.totalBytes);
    if (event.kind !== "phase") return;
    const { phase, state } = event;
    if (state === "started") this.begin(phase);
    else if (state === "completed")
      this.report({ phase, state, done: event.done, total: event.done, isSkipped: event.skipped });
    else if (this.isTime()) this.report({ phase, state, done: event.done, total: event.total, isSkipped: false });
  }

  /** The number of messages is unknown until the last byte is read. */
  private read(done: number, bytes: number, totalBytes: number): void {
    if (!this.isTime()) return;
    const read = { done: bytes, total: totalBytes };
    this.report({ phase: "parsing", state: "progress", done, total: null, isSkipped: false, bytes: read });
  }

  /** A phase that started early, such as by unpacking, is not started again. */
  private begin(phase: JobPhase["phase"]): void {
    if (phase === this.current) return;
    this.current = phase;
    this.report({ phase, state: "started", done: 0, total: null, isSkipped: false });
  }

  private isTime(): boolean {
    const now = this.now();
    if (now - this.progressAt < PROGRESS_INTERVAL_MS) return false;
    this.progressAt = now;
    return true;
  }
}
