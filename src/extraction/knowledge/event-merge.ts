import { EntryMerger, type LocatedEntry, plainUid } from "../../calendar/merge-entries.ts";
import type { CalendarEvent } from "../../mail/records/calendar-event.ts";
import { type EventId, eventId, messageId, ordinalOf } from "../../mail/records/ids.ts";
import type { ItemAttachment, ItemOrigin } from "../../mail/records/item.ts";
import { type Identified, supersededOf } from "../ledger/superseded.ts";
import type { StagedAppointment } from "../staging/staged-record.ts";
import type { StagedSegment } from "../staging/staged-segment.ts";
import { itemAttachments, originOf, type StagedFiles, saveFiles } from "./saved-files.ts";

/** Prefix of the generated uid of an appointment without one, which changes with the appointment. */
const MADE_UP_UID = "sha256:";

/** Counts of calendar items after merging. */
export interface EventCounts {
  /** Items counted as kept that another one has replaced: they become duplicates. */
  readonly replaced: readonly ItemOrigin[];
  /** Events that got their first calendar item, and further items of events. */
  readonly addedKept: number;
  readonly addedDuplicates: number;
}

/** Events of earlier runs and of this one. Old events keep their numbers: they are entered first, in order. */
export class EventMerge {
  private readonly merger = new EntryMerger();
  /** Indexes of events with a calendar item in this run. */
  private readonly met = new Set<number>();
  /** Appointments without an id that are new, or were another event, compared with earlier runs. */
  private readonly arrived: Identified[] = [];
  /** Attachments of this run to save, according to its events. */
  private readonly files = new Map<readonly ItemAttachment[], StagedFiles>();
  /** Earlier events whose saved attachments are outdated. */
  readonly outdated: EventId[] = [];

  /** @param read numbers of the sources that this run reads */
  constructor(
    private readonly earlier: readonly CalendarEvent[],
    private readonly next: number,
    /** Sources that this run reads: their calendar items are counted again. */
    private readonly read: ReadonlySet<number>,
  ) {
    for (const event of earlier) {
      const message = event.messageId === null ? null : ordinalOf("msg", event.messageId);
      const { source, mailbox, origin } = event;
      const item = this.staying(event.item === null ? [] : [event.item])[0] ?? null;
      const duplicates = this.staying(event.duplicates);
      this.merger.add({ entry: event, message, source, mailbox, origin, item, duplicates });
    }
  }

  /** Calendar items of earlier runs in sources that are not read again. */
  private staying(items: readonly ItemOrigin[]): readonly ItemOrigin[] {
    return items.filter(({ source }) => !this.read.has(source));
  }

  add(found: LocatedEntry): void {
    const place = this.merger.add(found);
    if (found.message !== null) return;
    this.met.add(place);
    // A changed appointment may now be the same event as another one, so it is identified by its own creation time, not
    // that of the event.
    const earlier = this.earlier[place];
    const appointment = identified(found);
    const isNew =
      earlier === undefined || identified({ entry: earlier, source: earlier.source }).group !== appointment.group;
    if (hasMadeUpUid(found) && isNew) this.arrived.push(appointment);
  }

  addAppointment(appointment: StagedAppointment, segment: StagedSegment): void {
    const { entry, mailbox, location, sha256, isPart } = appointment;
    const { source } = segment;
    const attachments = itemAttachments(appointment.attachments, []);
    if (appointment.attachments.some(({ staged }) => staged !== null))
      this.files.set(attachments, { attachments: appointment.attachments, segment });
    const origin = originOf(appointment, source);
    const item = isPart ? null : { source, mailbox, location, sha256 };
    this.add({ entry: { ...entry, attachments }, message: null, source, mailbox, origin, item, duplicates: [] });
  }

  /** All events; attachments of this run are saved below the output directory. */
  finish(outputDirectory: string): readonly CalendarEvent[] {
    let next = this.next;
    const merged = [...this.merger.finish()];
    const superseded = this.superseded(merged);
    return merged.flatMap(({ entry, message, ...found }, place): readonly CalendarEvent[] => {
      const earlier = this.earlier[place];
      if (superseded.has(place)) {
        this.outdated.push(earlier!.id);
        return [];
      }
      const id = earlier?.id ?? eventId(next++);
      const attachments = this.savedAttachments({ id, attachments: entry.attachments }, earlier, outputDirectory);
      return [{ ...entry, ...found, attachments, id, messageId: message === null ? null : messageId(message) }];
    });
  }

  /** @param events from `finish` */
  counts(events: readonly CalendarEvent[]): EventCounts {
    const earlierById = new Map(this.earlier.map((event) => [event.id, event]));
    const replaced: ItemOrigin[] = [];
    let addedKept = 0;
    let addedDuplicates = 0;
    for (const { id, item, duplicates } of events) {
      const before = earlierById.get(id);
      const isNew = item !== null && (before === undefined || before.item === null);
      const further = itemCount({ item, duplicates }) - (before === undefined ? 0 : itemCount(before));
      if (isNew) addedKept++;
      addedDuplicates += Math.max(0, isNew ? further - 1 : further);
      replaced.push(...duplicates.filter((one) => this.read.has(one.source) || one === before?.item));
    }
    return { replaced, addedKept, addedDuplicates };
  }

  /** Paths of the attachments of an event: files saved by an earlier run stay if unchanged. */
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

  /** Earlier events whose calendar item was changed in place and is now another event or none. */
  private superseded(merged: readonly LocatedEntry[]): ReadonlySet<number> {
    const earlier = this.earlier.length;
    const unmet = [...merged.slice(0, earlier).keys()].filter(
      (place) => merged[place]!.message === null && merged[place]!.duplicates.length === 0 && !this.met.has(place),
    );
    const nameless = unmet.filter((place) => hasMadeUpUid(merged[place]!));
    const found = supersededOf(
      nameless.map((place) => identified(merged[place]!)),
      this.arrived,
    );
    const changed = found.map((index) => nameless[index]!);
    // Occurrences that are no longer changed separately, because their series is back or has another version.
    const series = new Set([...this.met, ...changed].map((place) => seriesOf(merged[place]!)));
    const occurrences = unmet.filter(
      (place) => merged[place]!.entry.recurrenceId !== null && series.has(seriesOf(merged[place]!)),
    );
    return new Set([...changed, ...occurrences]);
  }
}

function itemCount({ item, duplicates }: Pick<CalendarEvent, "item" | "duplicates">): number {
  return duplicates.length + (item === null ? 0 : 1);
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

function hasMadeUpUid({ entry }: LocatedEntry): boolean {
  return entry.uid.startsWith(MADE_UP_UID);
}

function seriesOf({ entry, source }: LocatedEntry): string {
  return `${source} ${plainUid(entry.uid)}`;
}

function identified({ entry, source }: Pick<LocatedEntry, "entry" | "source">): Identified {
  const { createdAt, recurrenceId, subject } = entry;
  return { group: `${source} ${createdAt} ${recurrenceId}`, subject, isSure: createdAt !== null };
}
