import { EntryMerger, type FoundEntry, plainUid } from "../../calendar/merge-entries.ts";
import type { CalendarEvent } from "../../mail/calendar-event.ts";
import { type EventId, eventId, messageId, ordinalOf } from "../../mail/ids.ts";
import type { ItemAttachment } from "../../mail/item.ts";
import { type Identified, supersededOf } from "../ledger/superseded.ts";
import type { StagedAppointment } from "../staging/staged-record.ts";
import type { StagedSegment } from "../staging/staged-segment.ts";
import { itemAttachments, originOf, type StagedFiles, saveFiles } from "./saved-files.ts";

/** What the uid of an appointment begins with that has none of its own: it changes with the appointment. */
const MADE_UP_UID = "sha256:";

/** Events of earlier runs and of this one. Old events keep their numbers: they are entered first, in order. */
export class EventMerge {
  private readonly merger = new EntryMerger();
  private readonly earlier: readonly CalendarEvent[];
  private readonly next: number;
  /** Places of the events that a calendar item of this run is. */
  private readonly met = new Set<number>();
  /** Appointments without an id that were not there in an earlier run, or were another event. */
  private readonly arrived: Identified[] = [];
  /** What is to be saved of this run, by what its events say of it. */
  private readonly files = new Map<readonly ItemAttachment[], StagedFiles>();
  /** Events of earlier runs whose saved attachments are those of an earlier version. */
  readonly outdated: EventId[] = [];
  /** Calendar items of this run that are no event of an earlier one. */
  addedAppointments = 0;

  constructor(earlier: readonly CalendarEvent[], next: number) {
    this.earlier = earlier;
    this.next = next;
    for (const event of earlier) {
      const message = event.messageId === null ? null : ordinalOf("msg", event.messageId);
      const { source, mailbox, origin } = event;
      this.merger.add({ entry: event, message, source, mailbox, origin });
    }
  }

  add(found: FoundEntry): void {
    const place = this.merger.add(found);
    if (found.message !== null) return;
    this.met.add(place);
    if (place >= this.earlier.length) this.addedAppointments++;
    // A changed appointment may be the same event as another one now: it is told by its own time of creation, not by
    // that of the event.
    const earlier = this.earlier[place];
    const appointment = identified(found);
    const isNew =
      earlier === undefined || identified({ entry: earlier, source: earlier.source }).group !== appointment.group;
    if (hasMadeUpUid(found) && isNew) this.arrived.push(appointment);
  }

  addAppointment(appointment: StagedAppointment, segment: StagedSegment): void {
    const { entry, mailbox } = appointment;
    const attachments = itemAttachments(appointment.attachments, []);
    if (appointment.attachments.some(({ staged }) => staged !== null))
      this.files.set(attachments, { attachments: appointment.attachments, segment });
    const origin = originOf(appointment, segment.source);
    this.add({ entry: { ...entry, attachments }, message: null, source: segment.source, mailbox, origin });
  }

  /** All events, the attachments of this run's saved below the output. */
  finish(outputDirectory: string): readonly CalendarEvent[] {
    let next = this.next;
    const merged = [...this.merger.finish()];
    const superseded = this.superseded(merged);
    return merged.flatMap(({ entry, message, source, mailbox, origin }, place): readonly CalendarEvent[] => {
      const earlier = this.earlier[place];
      if (superseded.has(place)) {
        this.outdated.push(earlier!.id);
        return [];
      }
      const id = earlier?.id ?? eventId(next++);
      const attachments = this.savedAttachments({ id, attachments: entry.attachments }, earlier, outputDirectory);
      const found = { messageId: message === null ? null : messageId(message), source, mailbox, origin };
      return [{ ...entry, attachments, id, ...found }];
    });
  }

  /** Where the attachments of an event lie: those that an earlier run saved stay while they are the same. */
  private savedAttachments(
    { id, attachments }: Pick<CalendarEvent, "id" | "attachments">,
    earlier: CalendarEvent | undefined,
    outputDirectory: string,
  ): readonly ItemAttachment[] {
    const files = this.files.get(attachments);
    if (earlier !== undefined) {
      if (areSame(attachments, earlier.attachments) && (files === undefined || areSaved(earlier.attachments)))
        return earlier.attachments;
      this.outdated.push(id);
    }
    if (files === undefined) return attachments;
    const paths = saveFiles(outputDirectory, id, files);
    return attachments.map((attachment, index) => ({ ...attachment, path: paths[index]! }));
  }

  /**
   * Places of events of earlier runs whose calendar item was changed in place, so that it is another event now or none.
   */
  private superseded(merged: readonly FoundEntry[]): ReadonlySet<number> {
    const earlier = this.earlier.length;
    const unmet = [...merged.slice(0, earlier).keys()].filter(
      (place) => merged[place]!.message === null && !this.met.has(place),
    );
    const nameless = unmet.filter((place) => hasMadeUpUid(merged[place]!));
    const found = supersededOf(
      nameless.map((place) => identified(merged[place]!)),
      this.arrived,
    );
    const changed = found.map((index) => nameless[index]!);
    // Occurrences that were changed apart and are so no more: their series is there again, or in another version.
    const series = new Set([...this.met, ...changed].map((place) => seriesOf(merged[place]!)));
    const occurrences = unmet.filter(
      (place) => merged[place]!.entry.recurrenceId !== null && series.has(seriesOf(merged[place]!)),
    );
    return new Set([...changed, ...occurrences]);
  }
}

function areSame(attachments: readonly ItemAttachment[], earlier: readonly ItemAttachment[]): boolean {
  return (
    attachments.length === earlier.length &&
    attachments.every(
      ({ filename, sha256 }, index) => filename === earlier[index]!.filename && sha256 === earlier[index]!.sha256,
    )
  );
}

function areSaved(attachments: readonly ItemAttachment[]): boolean {
  return attachments.every(({ path }) => path !== null);
}

function hasMadeUpUid({ entry }: FoundEntry): boolean {
  return entry.uid.startsWith(MADE_UP_UID);
}

function seriesOf({ entry, source }: FoundEntry): string {
  return `${source} ${plainUid(entry.uid)}`;
}

function identified({ entry, source }: Pick<FoundEntry, "entry" | "source">): Identified {
  const { createdAt, recurrenceId, subject } = entry;
  return { group: `${source} ${createdAt} ${recurrenceId}`, subject, isSure: createdAt !== null };
}
