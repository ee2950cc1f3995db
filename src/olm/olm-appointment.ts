import { DAY_MS, type Instant, MINUTE_MS, nearestMidnight } from "../mail/dates/instant.ts";
import { ianaZone } from "../mail/dates/windows-zones.ts";
import type { Address } from "../mail/records/address.ts";
import { type Attendee, BUSY_STATUSES, type CalendarEntry } from "../mail/records/calendar-event.ts";
import { parseAddressList } from "../mime/syntax/address-list.ts";
import { htmlToText } from "../text/html/html-to-text.ts";
import { recurrenceOf } from "./olm-recurrence.ts";
import { categoriesOf, instantOf, isSet, numberOf } from "./olm-values.ts";
import { childOf, fieldOf, type XmlElement } from "./xml-element.ts";

const MINUTE_S = 60;
/** Maximum attendees read of an appointment. */
const MAX_ATTENDEES = 5_000;
/** By `OPFCalendarAttendeeType`. */
const ROLES: readonly string[] = ["req-participant", "req-participant", "opt-participant", "non-participant"];
/** `(UTC+07:00) Bangkok, Hanoi, Jakarta`: the name of a zone, with its offset. */
const ZONE = /^\((?:UTC|GMT)(?:([+-])(\d{2}):(\d{2}))?\)/;

/** Reads a calendar appointment. @param fallbackUid used if it has no UID */
export function readOlmAppointment(event: XmlElement, fallbackUid: string): CalendarEntry {
  const field = (name: string): string => fieldOf(event, `OPFCalendarEvent${name}`);
  const zone = field("CopyStartTimeZone");
  const allDay = isSet(event, "OPFCalendarEventGetIsAllDayEvent");
  const day = (instant: Instant | null): Instant | null =>
    allDay && instant !== null ? nearestMidnight(instant + aheadOf(zone)) : instant;
  const start = day(instantOf(event, "OPFCalendarEventCopyStartTime"));
  const end = day(instantOf(event, "OPFCalendarEventCopyEndTime"));
  const replaced = day(instantOf(event, "OPFCalendarEventCopyRecurrenceId"));
  const busy = numberOf(event, "OPFCalendarEventCopyFreeBusyStatus");
  const plain = childOf(event, "OPFCalendarEventCopyDescriptionPlain")?.text.trim() ?? "";
  return {
    uid: field("CopyUUID") || fallbackUid,
    recurrenceId: replaced,
    seriesAllDay: replaced === null ? null : allDay,
    method: null,
    status: "confirmed",
    sequence: 0,
    subject: field("CopySummary"),
    description: plain === "" ? htmlToText(field("CopyDescription")).trim() : plain,
    location: field("CopyLocation"),
    start,
    // An all-day event whose end is its start lasts one day.
    end: allDay && start !== null && end !== null ? Math.max(end, start + DAY_MS) : end,
    allDay,
    timezone: allDay || zone === "" ? null : ianaZone(zone),
    organizer: organizerOf(field("CopyOrganizer")),
    attendees: attendeesOf(event),
    recurrence: recurrenceOf(childOf(event, "OPFCalendarEventCopyRecurrence"), allDay),
    busyStatus: busy === null ? null : (BUSY_STATUSES[busy] ?? null),
    sensitivity: isSet(event, "OPFCalendarEventGetIsPrivate") ? "private" : null,
    importance: null,
    categories: categoriesOf(event, "OPFCalendarEventCopyCategoryList"),
    attachments: [],
    reminderMinutes: reminderOf(event),
    ownAnswer: null,
    createdAt: null,
    updatedAt: instantOf(event, "OPFCalendarEventCopyModDate"),
  };
}

/** Milliseconds that a zone is ahead of UTC in winter, by its name. */
function aheadOf(zone: string): number {
  const [, sign, hours, minutes] = ZONE.exec(zone) ?? [];
  if (sign === undefined) return 0;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

function organizerOf(written: string): Address | null {
  return parseAddressList(written)[0] ?? null;
}

/** The attendees, without answers, which are undocumented numbers. */
function attendeesOf(event: XmlElement): readonly Attendee[] {
  const list = childOf(event, "OPFCalendarEventCopyAttendeeList")?.children ?? [];
  return list
    .slice(0, MAX_ATTENDEES)
    .map((element) => ({
      name: fieldOf(element, "OPFCalendarAttendeeName"),
      email: fieldOf(element, "OPFCalendarAttendeeAddress"),
      role: ROLES[numberOf(element, "OPFCalendarAttendeeType") ?? 1] ?? "req-participant",
      status: "needs-action",
    }))
    .filter(({ name, email }) => name !== "" || email !== "");
}

/** Outlook counts seconds before the start. */
function reminderOf(event: XmlElement): number | null {
  if (!isSet(event, "OPFCalendarEventGetHasReminder")) return null;
  const seconds = numberOf(event, "OPFCalendarEventCopyReminderDelta");
  return seconds === null ? null : Math.round(seconds / MINUTE_S);
}
