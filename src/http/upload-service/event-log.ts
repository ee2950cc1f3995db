import type { Instant } from "../../mail/instant.ts";
import type { LoggedEvent, UploadRecord } from "../../mail/uploads.ts";
import type { UploadCatalogue } from "../../store/upload-catalogue.ts";
import { type DeletedUploadWire, type JobPhase, phaseEventWire, uploadWire } from "./wire-uploads.ts";

/** Events read from the catalogue at a time. */
const READ_EVENTS = 500;

export type EventListener = (event: LoggedEvent) => void;

/**
 * The events of the catalogue, told to who listens: each once, in the order of their sequences, whichever process wrote
 * them. An event is on file before anybody hears of it, so what was missed can be read back.
 */
export class EventLog {
  private readonly catalogue: UploadCatalogue;
  private readonly listeners = new Set<EventListener>();
  private delivered: number;

  constructor(catalogue: UploadCatalogue) {
    this.catalogue = catalogue;
    this.delivered = catalogue.lastSequence();
  }

  /** Writes how far a job has come. Changes of a status are written by the catalogue itself. */
  appendPhase(uploadId: string, phase: JobPhase, at: Instant): void {
    this.catalogue.appendPhase(uploadId, phase.phase, JSON.stringify(phaseEventWire(uploadId, phase, at)));
    this.deliver();
  }

  /** Tells what was written since the last call. To be called after every change of a status. */
  deliver(): void {
    for (;;) {
      const events = this.catalogue.eventsAfter(this.delivered, READ_EVENTS, null);
      for (const event of events) {
        this.delivered = event.sequence;
        for (const listener of [...this.listeners]) listener(event);
      }
      if (events.length < READ_EVENTS) return;
    }
  }

  /** Listens to events from now on. Gives what ends it. A listener must not throw. */
  subscribe(listener: EventListener): () => void {
    // What is on file already is for those who listened before.
    this.deliver();
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /**
   * Every upload as it is, each running one with its last phase, in the order in which they came to be so. Each has the
   * sequence of the event that told it, so whoever loses the connection in the middle resumes there and is told the
   * rest; 0 when that event is no longer kept.
   */
  currentState(uploadId: string | null): readonly LoggedEvent[] {
    this.deliver();
    const { uploads, phases } = this.catalogue.state(uploadId);
    const records = uploads.map((upload): LoggedEvent => {
      const sequence = this.catalogue.statusSequence(upload.uploadId);
      return { sequence, uploadId: upload.uploadId, event: "upload", data: uploadEventData(upload) };
    });
    return [...records, ...phases].sort((left, right) => left.sequence - right.sequence);
  }
}

/** What the log keeps of an upload whose status has changed; of one that is deleted, nothing but that. */
export function uploadEventData(upload: UploadRecord): string {
  if (upload.status === "cancelled") {
    const deleted: DeletedUploadWire = { upload_id: upload.uploadId, status: "cancelled" };
    return JSON.stringify(deleted);
  }
  return JSON.stringify(uploadWire(upload));
}
