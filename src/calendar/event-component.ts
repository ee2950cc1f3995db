import { DAY_MS, formatInstant, type Instant, MINUTE_MS, nearestMidnight } from "../mail/dates/instant.ts";
import { describeRule } from "../mail/dates/recurrence-text.ts";
import type { Address } from "../mail/records/address.ts";
import {
  type Attendee,
  type BusyStatus,
  type CalendarEntry,
  type EventStatus,
  IMPORTANCES,
  type Importance,
  PARTICIPATION_STATUSES,
  type ParticipationStatus,
  type Recurrence,
  type Sensitivity,
  withLinks,
} from "../mail/records/calendar-event.ts";
import { wellFormed } from "../mail/words/unicode.ts";
import { rowOfWord } from "../mail/words/word-table.ts";
import { htmlToText } from "../text/html/html-to-text.ts";
import { type ContentLine, readText, splitTexts } from "./content-lines.ts";
import {
  asDate,
  countDays,
  type EventTime,
  isSameHour,
  readDuration,
  readEnd,
  readExdates,
  readLocalTime,
  readTime,
  type TimeContext,
} from "./event-times.ts";

/** Maximum characters of a description; some tools attach whole documents. */
const MAX_DESCRIPTION_LENGTH = 256 * 1024;

/** Characters of a subject, location, name or address. */
const MAX_FIELD_LENGTH = 4_096;

/** Maximum attendees. */
const MAX_ATTENDEES = 5_000;

const STATUSES: ReadonlyMap<string, EventStatus> = rowOfWord({
  tentative: "TENTATIVE",
  confirmed: "CONFIRMED",
  cancelled: "CANCELLED CANCELED",
});

/** [MS-OXCICAL] 2.1.3.1.1.20.31, and TRANSP of RFC 5545 for other calendars. */
const BUSY_STATUSES: ReadonlyMap<string, BusyStatus> = rowOfWord({
  free: "FREE TRANSPARENT",
  tentative: "TENTATIVE",
  busy: "BUSY OPAQUE",
  out_of_office: "OOF",
  working_elsewhere: "WORKINGELSEWHERE",
});

/** Maximum categories of an event. */
const MAX_CATEGORIES = 100;

/** CLASS of RFC 5545, and what Outlook writes for "personal" ([MS-OXCICAL] 2.1.3.1.1.20.4). */
const CLASSES: ReadonlyMap<string, Sensitivity> = rowOfWord({
  normal: "PUBLIC",
  personal: "X-PERSONAL",
  private: "PRIVATE",
  confidential: "CONFIDENTIAL",
});

/** How the owner of an exported calendar answered: a line of ours (RFC 5545 section 3.8.8.2). */
export const OWN_ANSWER_LINE = "X-ARCHIVETOOL-OWN-ANSWER";

/** Name under which an event stores the trigger times of its alarms, which iCalendar keeps in a VALARM component. */
export const ALARM_TRIGGER = "VALARM TRIGGER";

/** Properties with the page of an event or of its online meeting (iCalendar, Outlook, Google). */
const LINKS = ["URL", "CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL", "X-GOOGLE-CONFERENCE"] as const;

const UNTIL_TIME = /UNTIL=\d{8}T\d{6}Z?/i;

export interface EventContext extends TimeContext {
  readonly method: string | null;
}

/** Reads the properties of one VEVENT; missing or unreadable ones are null or empty. */
export function readEvent(lines: readonly ContentLine[], context: EventContext): CalendarEntry {
  const find = (name: string): ContentLine | undefined => lines.find((line) => line.name === name);
  const text = (name: string): string => readField(find(name), MAX_FIELD_LENGTH);
  const span = readSpan(lines, context);
  const { start } = span;
  const uid = text("UID");
  if (uid === "") context.findings.add("calendar-missing-uid", "calendar event without UID");
  if (start === null) context.findings.add("calendar-missing-start", "calendar event without a readable start");
  return {
    uid,
    ...readReplaced(readTime(find("RECURRENCE-ID"), context), span),
    method: context.method,
    status: context.method === "CANCEL" ? "cancelled" : (STATUSES.get(text("STATUS").toUpperCase()) ?? "confirmed"),
    sequence: readSequence(text("SEQUENCE")),
    subject: text("SUMMARY"),
    description: withLinks(readDescription(find("DESCRIPTION"), find("X-ALT-DESC")), {
      location: text("LOCATION"),
      links: LINKS.map(text),
    }),
    location: text("LOCATION"),
    start: start?.instant ?? null,
    end: span.end,
    allDay: start?.isDate === true,
    timezone: start?.timezone ?? null,
    organizer: readOrganizer(find("ORGANIZER")),
    attendees: readAttendees(lines),
    recurrence: readRecurrence(lines, span, context),
    busyStatus:
      BUSY_STATUSES.get(text("X-MICROSOFT-CDO-BUSYSTATUS").toUpperCase()) ??
      BUSY_STATUSES.get(text("X-MICROSOFT-MSNCALENDAR-BUSYSTATUS").toUpperCase()) ??
      BUSY_STATUSES.get(text("TRANSP").toUpperCase()) ??
      null,
    sensitivity: CLASSES.get(text("CLASS").toUpperCase()) ?? null,
    importance: readImportance(text("X-MICROSOFT-CDO-IMPORTANCE"), text("PRIORITY")),
    categories: readCategories(lines),
    attachments: [],
    reminderMinutes: readReminder(find(ALARM_TRIGGER), span, context),
    // Only stored calendars have it: calendars sent to others reveal nothing about their reader.
    ownAnswer: context.method === null ? readOwnAnswer(text(OWN_ANSWER_LINE)) : null,
    createdAt: readTime(find("CREATED"), context)?.instant ?? null,
    updatedAt: (readTime(find("LAST-MODIFIED"), context) ?? readTime(find("DTSTAMP"), context))?.instant ?? null,
  };
}

/** Start and end of an event. */
interface EventSpan {
  readonly start: EventTime | null;
  readonly end: Instant | null;
  /** Original start with hours, if the occurrence is marked as all-day; else null. */
  readonly marked: EventTime | null;
}

/** Outlook may write whole days with their hours, midnight to midnight, and a mark ([MS-OXCICAL] 2.1.3.1.1.20.28). */
function readSpan(lines: readonly ContentLine[], context: TimeContext): EventSpan {
  const find = (name: string): ContentLine | undefined => lines.find((line) => line.name === name);
  const start = readTime(find("DTSTART"), context);
  const end = readEnd(find("DTEND"), find("DURATION"), start, context);
  const mark = readField(find("X-MICROSOFT-CDO-ALLDAYEVENT"), MAX_FIELD_LENGTH).toUpperCase() === "TRUE";
  const days = start === null || end === null || start.isDate || !mark ? 0 : countDays(start.instant, end);
  if (days === 0) return { start, end, marked: null };
  const day = asDate(start!);
  return { start: day, end: day.instant + days * DAY_MS, marked: start };
}

/** An all-day occurrence replaces a day, unless its original start had hours: then its series has hours. */
function readReplaced(
  replaced: EventTime | null,
  { marked }: EventSpan,
): Pick<CalendarEntry, "recurrenceId" | "seriesAllDay"> {
  if (replaced === null) return { recurrenceId: null, seriesAllDay: null };
  const isDay = replaced.isDate || (marked !== null && isSameHour(replaced.instant, marked.instant));
  return { recurrenceId: (isDay ? asDate(replaced) : replaced).instant, seriesAllDay: isDay };
}

function readField(line: ContentLine | undefined, limit: number): string {
  if (line === undefined) return "";
  return wellFormed(readText(line).slice(0, limit)).trim();
}

/** Outlook sends an empty DESCRIPTION along with the HTML one. */
function readDescription(plain: ContentLine | undefined, html: ContentLine | undefined): string {
  const text = readField(plain, MAX_DESCRIPTION_LENGTH);
  if (text !== "" || html === undefined || html.parameters.get("FMTTYPE")?.toLowerCase() !== "text/html") return text;
  return htmlToText(readField(html, MAX_DESCRIPTION_LENGTH)).trim();
}

/** [MS-OXCICAL] 2.1.3.1.1.20.27 counts from 0; of PRIORITY 1 is the highest and 9 the lowest (RFC 5545 3.8.1.9). */
function readImportance(outlook: string, priority: string): Importance | null {
  if (/^[0-2]$/u.test(outlook)) return IMPORTANCES[Number(outlook)]!;
  if (!/^[1-9]$/u.test(priority)) return null;
  const number = Number(priority);
  return number < 5 ? "high" : number === 5 ? "normal" : "low";
}

function readOwnAnswer(word: string): ParticipationStatus | null {
  return PARTICIPATION_STATUSES.find((answer) => answer === word.toLowerCase()) ?? null;
}

function readCategories(lines: readonly ContentLine[]): readonly string[] {
  const found = new Set<string>();
  for (const line of lines) {
    if (line.name !== "CATEGORIES") continue;
    for (const value of splitTexts(line.value)) {
      const category = readField({ ...line, value }, MAX_FIELD_LENGTH);
      if (category !== "" && found.size < MAX_CATEGORIES) found.add(category);
    }
  }
  return [...found];
}

/** Minutes from the alarm to the start. A trigger is relative to the start or the end, or absolute. */
function readReminder(line: ContentLine | undefined, { start, end }: EventSpan, context: EventContext): number | null {
  if (line === undefined || start === null) return null;
  if (line.parameters.get("VALUE")?.toUpperCase() === "DATE-TIME") {
    const at = readTime(line, context);
    return at === null ? null : Math.round((start.instant - at.instant) / MINUTE_MS);
  }
  const after = readDuration(line.value);
  if (after === null) return null;
  const from = line.parameters.get("RELATED")?.toUpperCase() === "END" ? (end ?? start.instant) : start.instant;
  return Math.round((start.instant - from - after) / MINUTE_MS);
}

function readSequence(value: string): number {
  return /^\d{1,9}$/u.test(value) ? Number(value) : 0;
}

function readOrganizer(line: ContentLine | undefined): Address | null {
  if (line === undefined) return null;
  const address = readAddress(line);
  return address.name === "" && address.email === "" ? null : address;
}

/** CAL-ADDRESS of RFC 5545 section 3.3.3; Exchange writes `invalid:nomail` for people without an address. */
function readAddress(line: ContentLine): Address {
  const value = wellFormed(line.value.trim()).slice(0, MAX_FIELD_LENGTH);
  const scheme = value.slice(0, 7).toLowerCase();
  const named = line.parameters.get("EMAIL") ?? "";
  const email =
    scheme === "mailto:"
      ? value.slice(7).trim().replaceAll("%20", " ").replaceAll("%25", "%")
      : value.includes("@")
        ? value
        : named;
  return { name: unquote(wellFormed((line.parameters.get("CN") ?? "").slice(0, MAX_FIELD_LENGTH)).trim()), email };
}

/** Outlook puts single quotes around names that are addresses. */
function unquote(name: string): string {
  return name.length > 1 && name.startsWith("'") && name.endsWith("'") ? name.slice(1, -1) : name;
}

function readAttendees(lines: readonly ContentLine[]): readonly Attendee[] {
  const attendees: Attendee[] = [];
  for (const line of lines) {
    if (line.name !== "ATTENDEE" || attendees.length >= MAX_ATTENDEES) continue;
    const address = readAddress(line);
    if (address.name === "" && address.email === "") continue;
    attendees.push({
      ...address,
      role: readWord(line, "ROLE", "req-participant"),
      status: readWord(line, "PARTSTAT", "needs-action"),
    });
  }
  return attendees;
}

/** An enumerated parameter in lower case; the default of RFC 5545 if it is missing or invalid. */
function readWord(line: ContentLine, parameter: string, fallback: string): string {
  const word = line.parameters.get(parameter)?.trim().toLowerCase() ?? "";
  return /^[a-z0-9-]{1,40}$/u.test(word) ? word : fallback;
}

/** Only the first RRULE counts (RFC 5545 section 3.8.5.3 allows no second). */
function readRecurrence(
  lines: readonly ContentLine[],
  { marked }: EventSpan,
  context: EventContext,
): Recurrence | null {
  const rule = lines.find((line) => line.name === "RRULE");
  const written = readField(rule, MAX_FIELD_LENGTH);
  if (written === "") return null;
  // The end of a series of days is a day (RFC 5545 section 3.3.10).
  const rrule = marked !== null ? written.replace(UNTIL_TIME, untilDate) : written;
  const exdates = readExdates(
    lines.filter((line) => line.name === "EXDATE"),
    marked !== null,
    context,
  );
  return { rrule, exdates, text: describeRule(rrule) };
}

function untilDate(part: string): string {
  const last = readLocalTime(part.slice("UNTIL=".length));
  return last === null ? part : `UNTIL=${formatInstant(nearestMidnight(last.local)).slice(0, 10).replaceAll("-", "")}`;
}
