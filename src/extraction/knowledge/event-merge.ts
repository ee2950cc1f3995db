import { EntryMerger, type FoundEntry, plainUid } from "../../calendar/merge-entries.ts";
import type { CalendarEvent } from "../../mail/calendar-event.ts";
import { eventId, messageId, ordinalOf } from "../../mail/ids.ts";
import { type Identified, supersededOf } from "../ledger/superseded.ts";

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
  /** Calendar items of this run that are no event of an earlier one. */
  addedAppointments = 0;

  constructor(earlier: readonly CalendarEvent[], next: number) {
    this.earlier = earlier;
    this.next = next;
    for (const event of earlier) {
      const message = event.messageId === null ? null : ordinalOf("msg", event.messageId);
      this.merger.add({ entry: event, message, source: event.source, mailbox: event.mailbox });
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

  finish(): readonly CalendarEvent[] {
    let next = this.next;
    const merged = [...this.merger.finish()];
    const superseded = this.superseded(merged);
    return merged.flatMap(({ entry, message, source, mailbox }, place): readonly CalendarEvent[] => {
      if (superseded.has(place)) return [];
      const id = this.earlier[place]?.id ?? eventId(next++);
      return [{ ...entry, id, messageId: message === null ? null : messageId(message), source, mailbox }];
    });
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
