import type { Instant } from "../../../mail/dates/instant.ts";
import type { LoggedEvent, UploadRecord } from "../../../mail/uploads.ts";
import type { UploadCatalog } from "../../../store/contract/upload-catalog.ts";
import { type DeletedUploadWire, type JobPhase, phaseEventWire, uploadWire } from "../base/wire-uploads.ts";

/** Events read from the catalog at a time. */
const READ_EVENTS = 500;

export type EventListener = (event: LoggedEvent) => void;

/**
 * Passes the events of the catalog to listeners: each once, in sequence order, whichever process wrote them. Events
 * are stored before listeners see them, so missed ones can be read again.
 */
export class EventLog {
  private readonly listeners = new Set<EventListener>();
  /** Null until the log has started. */
  private delivered: number | null = null;
  private delivery: Promise<void> = Promise.resolve();
  /** A delivery that has not started: it covers everything written before it starts. */
  private waiting: Promise<void> | null = null;

  constructor(private readonly catalog: UploadCatalog) {}

  /** Delivers events written from now on. Must be awaited before any other call. */
  async start(): Promise<void> {
    this.delivered = await this.catalog.lastSequence();
  }

  /** Writes the progress of a job. The catalog itself writes changes of status. */
  async appendPhase(uploadId: string, phase: JobPhase, at: Instant): Promise<void> {
    await this.catalog.appendPhase(uploadId, phase.phase, JSON.stringify(phaseEventWire(uploadId, phase, at)));
    await this.deliver();
  }

  /** Delivers events written since the last call. Call after every status change. */
  deliver(): Promise<void> {
    if (this.waiting !== null) return this.waiting;
    const turn = this.delivery.then(() => {
      this.waiting = null;
      return this.deliverNew();
    });
    this.waiting = turn;
    this.delivery = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Calls the listener with each event delivered from now on. Returns a function that stops this. The listener must not
   * throw.
   */
  subscribe(listener: EventListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /**
   * The state of every upload and the last phase of each running one, in event order. Each has the sequence of its
   * event, so a client that disconnects midway resumes there; 0 if that event is no longer stored.
   */
  async currentState(uploadId: string | null): Promise<readonly LoggedEvent[]> {
    await this.deliver();
    const { uploads, phases } = await this.catalog.state(uploadId);
    const events: LoggedEvent[] = [...phases];
    for (const upload of uploads) {
      const sequence = await this.catalog.statusSequence(upload.uploadId);
      events.push({ sequence, uploadId: upload.uploadId, event: "upload", data: uploadEventData(upload) });
    }
    return events.sort((left, right) => left.sequence - right.sequence);
  }

  private async deliverNew(): Promise<void> {
    if (this.delivered === null) throw new Error("the event log has not been started");
    for (;;) {
      const events = await this.catalog.eventsAfter(this.delivered, READ_EVENTS, null);
      for (const event of events) {
        this.delivered = event.sequence;
        for (const listener of [...this.listeners]) listener(event);
      }
      if (events.length < READ_EVENTS) return;
    }
  }
}

/** Log entry for a new status of an upload; of a deleted one only the id and status. */
export function uploadEventData(upload: UploadRecord): string {
  if (upload.status === "cancelled") {
    const deleted: DeletedUploadWire = { upload_id: upload.uploadId, status: "cancelled" };
    return JSON.stringify(deleted);
  }
  return JSON.stringify(uploadWire(upload));
}
