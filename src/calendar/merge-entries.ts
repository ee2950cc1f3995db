import type { Instant } from "../mail/dates/instant.ts";
import { type Attendee, type CalendarEntry, UNANSWERED } from "../mail/records/calendar-event.ts";
import type { ItemOrigin } from "../mail/records/item.ts";
import type { MessageOrdinal } from "../mail/records/ordinal.ts";

/** An entry and its location. */
export interface LocatedEntry {
  readonly entry: CalendarEntry;
  /** The message that carried it; null for a calendar item. */
  readonly message: MessageOrdinal | null;
  readonly source: number;
  readonly mailbox: string;
  /** The item with its attachments; null if there are none or its location is unknown. */
  readonly origin: ItemOrigin | null;
  /** The calendar item that is counted; null for a part of a series, or if the entry is not an item. */
  readonly item: ItemOrigin | null;
  /** Items that this one replaces. */
  readonly duplicates: readonly ItemOrigin[];
}

/** An answer of one attendee to one version of the event. */
interface Answer {
  readonly status: string;
  readonly sequence: number;
  readonly at: Instant;
}

interface MergedEvent {
  /** Position in order of first appearance. */
  readonly place: number;
  /** The entry with the current fields. */
  best: LocatedEntry;
  /** The strongest cancellation, or null. */
  cancelledBy: CalendarEntry | null;
  /** The calendar item with the current attachments, or null. */
  withFiles: LocatedEntry | null;
  /** All calendar items that are counted, including those that are replaced. */
  readonly items: ItemOrigin[];
  /** Latest answers by lower-case address. */
  readonly answers: Map<string, Answer>;
}

/** Prefix of a GlobalObjectId in hex ([MS-OXOCAL] 2.2.1.27), and its four bytes with the date of an exception. */
const GLOBAL_OBJECT_ID = "040000008200E00074C5B7101A82E008";
const EXCEPTION_DATE_END = GLOBAL_OBJECT_ID.length + 8;

/**
 * Merges entries of the same event: one event for each UID and RECURRENCE-ID (RFC 5546 section 2.1.5). Precedence:
 * highest SEQUENCE, then a calendar entry over an invitation by mail, then the later update, then the later entry. A
 * CANCEL of that version or a later one cancels the event and changes no other field. A REPLY gives its sender's
 * answer. Events keep the order of their first appearance. Memory: one entry per event, and its answers.
 */
export class EntryMerger {
  private readonly events = new Map<string, MergedEvent>();

  get size(): number {
    return this.events.size;
  }

  /** @returns the position of its event in order of first appearance */
  add(found: LocatedEntry): number {
    const key = eventKey(found.entry);
    const event = this.events.get(key) ?? {
      place: this.size,
      best: found,
      cancelledBy: null,
      withFiles: null,
      items: [],
      answers: new Map<string, Answer>(),
    };
    this.events.set(key, event);
    const { entry, item, duplicates } = found;
    event.items.push(...duplicates, ...(item === null ? [] : [item]));
    if (event.best !== found && overrides(found, event.best)) event.best = found;
    if (entry.method === "CANCEL" && (event.cancelledBy === null || isNewer(entry, event.cancelledBy)))
      event.cancelledBy = entry;
    if (entry.attachments.length > 0 && (event.withFiles === null || overrides(found, event.withFiles)))
      event.withFiles = found;
    recordAnswers(entry, event.answers);
    return event.place;
  }

  /** The merged events, in order of first appearance. */
  *finish(): Generator<LocatedEntry> {
    for (const event of this.events.values()) {
      const duplicates = event.items.filter((item) => item !== event.best.item);
      yield { ...withFiles(event), entry: mergedEntry(event), duplicates };
    }
  }
}

/** Without a UID, entries with equal content are the same event. */
function eventKey(entry: CalendarEntry): string {
  const instance = entry.recurrenceId ?? "";
  if (entry.uid === "") return `\n${entry.start}\n${entry.end}\n${instance}\n${entry.subject}\n${entry.location}`;
  return `${plainUid(entry.uid)}\n${instance}`;
}

/** Exchange writes the same id in either case, and the date of an exception into it. */
export function plainUid(uid: string): string {
  const upper = uid.toUpperCase();
  if (!upper.startsWith(GLOBAL_OBJECT_ID) || upper.length < EXCEPTION_DATE_END) return upper;
  return `${GLOBAL_OBJECT_ID}00000000${upper.slice(EXCEPTION_DATE_END)}`;
}

/**
 * A UID as {@link plainUid} reads it, in characters if Exchange stores the UID of another program as hexadecimal digits
 * ([MS-OXOCAL] 2.2.1.27).
 */
export function readableUid(uid: string): string {
  const plain = plainUid(uid);
  const isHex = plain.startsWith(GLOBAL_OBJECT_ID) && /^(?:[0-9A-F]{2})+$/.test(plain);
  return isHex ? Buffer.from(plain, "hex").toString("latin1").toUpperCase() : plain;
}

/** Ranks entries by completeness: a REPLY repeats what its sender received, a CANCEL may omit fields. */
function rank(entry: CalendarEntry): number {
  if (entry.method === "REPLY" || entry.method === "COUNTER" || entry.method === "REFRESH") return 0;
  return entry.method === "CANCEL" ? 1 : 2;
}

function overrides(found: LocatedEntry, best: LocatedEntry): boolean {
  const [ours, theirs] = [rank(found.entry), rank(best.entry)];
  if (ours !== theirs) return ours > theirs;
  // The appointment in the calendar has the results of the request: the answers of the owner and of others.
  const [isStored, isBestStored] = [found.message === null, best.message === null];
  if (isStored !== isBestStored && found.entry.sequence === best.entry.sequence) return isStored;
  return isNewer(found.entry, best.entry);
}

/** True for the later version, and for the same version seen later. */
function isNewer(entry: CalendarEntry, other: CalendarEntry): boolean {
  if (entry.sequence !== other.sequence) return entry.sequence > other.sequence;
  return updateTime(entry) >= updateTime(other);
}

function updateTime(entry: CalendarEntry): number {
  return entry.updatedAt ?? Number.NEGATIVE_INFINITY;
}

function recordAnswers(entry: CalendarEntry, answers: Map<string, Answer>): void {
  for (const attendee of entry.attendees) {
    if (attendee.status === UNANSWERED || attendee.email === "") continue;
    const key = attendee.email.toLowerCase();
    const answer = { status: attendee.status, sequence: entry.sequence, at: updateTime(entry) };
    const known = answers.get(key);
    if (known === undefined || isLaterAnswer(answer, known)) answers.set(key, answer);
  }
}

/** Breaks ties of time by method, so that the reading order does not matter. */
function isLaterAnswer(answer: Answer, known: Answer): boolean {
  if (answer.sequence !== known.sequence) return answer.sequence > known.sequence;
  return answer.at === known.at ? answer.status > known.status : answer.at > known.at;
}

function mergedEntry(event: MergedEvent): CalendarEntry {
  const { entry } = withFiles(event);
  const attendees = entry.attendees.map((attendee) => withAnswer(attendee, entry, event.answers));
  const cancel = event.cancelledBy;
  if (
    cancel === null ||
    cancel.sequence < entry.sequence ||
    (cancel.sequence === entry.sequence && isOutdated(cancel, entry))
  ) {
    return { ...entry, attendees };
  }
  return {
    ...entry,
    attendees,
    status: "cancelled",
    sequence: cancel.sequence,
    updatedAt: cancel.updatedAt ?? entry.updatedAt,
  };
}

/** Attachments of mail about an event belong to the mail; the event keeps those of its calendar item. */
function withFiles({ best, withFiles: holder }: MergedEvent): LocatedEntry {
  if (best.message === null || holder === null) return best;
  const { entry, origin } = holder;
  return { ...best, entry: { ...best.entry, attachments: entry.attachments }, origin };
}

/** True when both are dated and the event was changed after it was canceled. */
function isOutdated(cancel: CalendarEntry, entry: CalendarEntry): boolean {
  return cancel.updatedAt !== null && entry.updatedAt !== null && cancel.updatedAt < entry.updatedAt;
}

/** An answer is valid only for its version; a new date needs a new answer (RFC 5546 section 3.2.2.1). */
function withAnswer(attendee: Attendee, entry: CalendarEntry, answers: ReadonlyMap<string, Answer>): Attendee {
  const answer = answers.get(attendee.email.toLowerCase());
  if (answer === undefined || answer.sequence !== entry.sequence) return attendee;
  return answer.status === attendee.status ? attendee : { ...attendee, status: answer.status };
}
