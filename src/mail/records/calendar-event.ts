import type { Instant } from "../dates/instant.ts";
import type { Address } from "./address.ts";
import type { EventId, MessageId } from "./ids.ts";
import type { ItemAttachment, ItemOrigin } from "./item.ts";

export type EventStatus = "tentative" | "confirmed" | "cancelled";
export const SENSITIVITIES = ["normal", "personal", "private", "confidential"] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];
export const IMPORTANCES = ["low", "normal", "high"] as const;
export type Importance = (typeof IMPORTANCES)[number];
/** The response of a calendar's owner; `organizer` if the owner organized the meeting. */
export const PARTICIPATION_STATUSES = ["organizer", "accepted", "tentative", "declined", "needs-action"] as const;
export type ParticipationStatus = (typeof PARTICIPATION_STATUSES)[number];
/** Busy status of an event, in Exchange's order ([MS-OXOCAL] 2.2.1.2). */
export const BUSY_STATUSES = ["free", "tentative", "busy", "out_of_office", "working_elsewhere"] as const;
export type BusyStatus = (typeof BUSY_STATUSES)[number];
/** State of an attendee without an answer. */
export const UNANSWERED = "needs-action";

export interface Attendee extends Address {
  /** RFC 5545 ROLE in lower case: `chair`, `req-participant`, `opt-participant`, `non-participant`. */
  readonly role: string;
  /** RFC 5545 PARTSTAT in lower case: `needs-action`, `accepted`, `declined`, `tentative`, … */
  readonly status: string;
}

export interface Recurrence {
  /** RFC 5545 RRULE value without the `RRULE:`. */
  readonly rrule: string;
  readonly exdates: readonly Instant[];
  /** The rule in plain English. */
  readonly text: string;
}

/** One VEVENT or MAPI appointment as read; several with one uid (and recurrence id) become one CalendarEvent. */
export interface CalendarEntry {
  /** UID of RFC 5545; for MAPI the GlobalObjectId as hex or the UID it carries ([MS-OXOCAL] 2.2.1.27). */
  readonly uid: string;
  readonly recurrenceId: Instant | null;
  /**
   * For a changed occurrence of an all-day series true, and `recurrenceId` is a date (midnight in UTC). Null for all
   * others.
   */
  readonly seriesAllDay: boolean | null;
  /** iTIP method, upper case (`REQUEST`, `CANCEL`, `REPLY`, `PUBLISH`); null when unknown. */
  readonly method: string | null;
  readonly status: EventStatus;
  readonly sequence: number;
  readonly subject: string;
  readonly description: string;
  readonly location: string;
  readonly start: Instant | null;
  readonly end: Instant | null;
  readonly allDay: boolean;
  /** IANA name; null when floating or unknown. */
  readonly timezone: string | null;
  readonly organizer: Address | null;
  readonly attendees: readonly Attendee[];
  readonly recurrence: Recurrence | null;
  readonly busyStatus: BusyStatus | null;
  /** Null if not specified. */
  readonly sensitivity: Sensitivity | null;
  readonly importance: Importance | null;
  readonly categories: readonly string[];
  /** Minutes before the start for the reminder; negative if after it, null for none. */
  readonly reminderMinutes: number | null;
  /** Only for Outlook items: calendars in mail do not contain it. */
  readonly ownAnswer: ParticipationStatus | null;
  /** Attachments of an Outlook appointment; those of mail about an event stay with the message. */
  readonly attachments: readonly ItemAttachment[];
  readonly createdAt: Instant | null;
  readonly updatedAt: Instant | null;
}

/** Values of these fields for entries of archives written before the fields existed. */
export const INTERNAL_ENTRY_DEFAULTS = {
  seriesAllDay: null,
  sensitivity: null,
  importance: null,
  categories: [],
  reminderMinutes: null,
  ownAnswer: null,
  attachments: [],
} as const satisfies Partial<CalendarEntry>;

/** The same for events. */
export const INTERNAL_EVENT_DEFAULTS = {
  ...INTERNAL_ENTRY_DEFAULTS,
  origin: null,
  item: null,
  duplicates: [],
} as const satisfies Partial<CalendarEvent>;

export interface CalendarEvent extends CalendarEntry {
  readonly id: EventId;
  /** The message that carried it, or null for a calendar item. */
  readonly messageId: MessageId | null;
  readonly source: number;
  readonly mailbox: string;
  /**
   * The calendar item with its attachments, possibly another one than the event's own. Null without attachments, or
   * if the location is unknown: archives of earlier versions, documents.
   */
  readonly origin: ItemOrigin | null;
  /**
   * The calendar item with this state that counts as kept. Null for an event of a message, a changed occurrence of a
   * series, and an item that its source no longer contains.
   */
  readonly item: ItemOrigin | null;
  /** Calendar items with another state of this event, which are counted as duplicates. */
  readonly duplicates: readonly ItemOrigin[];
}

/** An address of a page, without blanks. */
const WEB_LINK = /^https?:\/\/\S+$/i;

/** A description with the links that neither it nor the location contains, one per line. */
export function withLinks(
  description: string,
  of: { readonly location: string; readonly links: readonly string[] },
): string {
  const shown = `${description}\n${of.location}`;
  const missing = new Set(of.links.filter((link) => WEB_LINK.test(link) && !shown.includes(link)));
  return missing.size === 0 ? description : [description, ...missing].join("\n").trim();
}
