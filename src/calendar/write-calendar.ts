import type { Instant } from "../mail/dates/instant.ts";
import { WEEKDAYS } from "../mail/dates/recurrence-text.ts";
import { RuleClock, readPosixZone, type YearlyRule } from "../mail/dates/yearly-rule.ts";
import { type Clock, ZoneClock } from "../mail/dates/zone-clock.ts";
import type { Address } from "../mail/records/address.ts";
import type { CalendarEntry, Importance, Sensitivity } from "../mail/records/calendar-event.ts";
import { escapeText, foldLine, oneLine } from "./escape-content.ts";
import { OWN_ANSWER_LINE } from "./event-component.ts";

/**
 * Years of zone rules to describe, from the first event: recurring events continue, and clients know the zones of later
 * years.
 */
const ZONE_YEARS = 15;
const YEAR_MS = 366 * 86_400_000;
/** The last weekday of a month. */
const LAST = 5;

const BUSY: Readonly<Record<string, readonly string[]>> = {
  free: ["TRANSP:TRANSPARENT", "X-MICROSOFT-CDO-BUSYSTATUS:FREE"],
  tentative: ["X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE"],
  busy: ["X-MICROSOFT-CDO-BUSYSTATUS:BUSY"],
  out_of_office: ["X-MICROSOFT-CDO-BUSYSTATUS:OOF"],
  working_elsewhere: ["X-MICROSOFT-CDO-BUSYSTATUS:WORKINGELSEWHERE"],
};

/** "Personal" is Outlook's own ([MS-OXCICAL] 2.1.3.1.1.20.4). */
const CLASSES: Readonly<Record<Sensitivity, string>> = {
  normal: "PUBLIC",
  personal: "X-PERSONAL",
  private: "PRIVATE",
  confidential: "CONFIDENTIAL",
};

const PRIORITIES: Readonly<Record<Importance, number>> = { high: 1, normal: 5, low: 9 };

interface CalendarHead {
  readonly producer: string;
  /** Required DTSTAMP of every event. */
  readonly madeAt: Instant;
  /** iTIP method (RFC 5546); null for a calendar that is not sent. */
  readonly method: string | null;
}

/** Writes a calendar (RFC 5545) event by event. Add zones before the events that name them. */
export class CalendarWriter {
  private readonly clocks = new Map<string, Clock | null>();
  private readonly stamp: string;

  constructor(
    { producer, madeAt, method }: CalendarHead,
    private readonly write: (text: string) => void,
  ) {
    this.stamp = utcTime(madeAt);
    write(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" +
        foldLine(`PRODID:-//${escapeText(producer)}//EN`) +
        "CALSCALE:GREGORIAN\r\n" +
        (method === null ? "" : foldLine(`METHOD:${token(method)}`)),
    );
  }

  /** Describes the zone of a recurring event; empty for others, whose times are in UTC. */
  describeZone(entry: CalendarEntry): void {
    const zone = entry.timezone;
    if (!isZoned(entry) || zone === null || this.clocks.has(zone)) return;
    const clock = clockOf(zone);
    this.clocks.set(zone, clock);
    if (clock !== null) this.write(zoneText(zone, clock, entry.start ?? 0));
  }

  add(entry: CalendarEntry): void {
    const lines = ["BEGIN:VEVENT", `UID:${oneLine(entry.uid)}`, `DTSTAMP:${this.stamp}`];
    const zone = isZoned(entry) ? entry.timezone : null;
    const clock = zone === null ? null : (this.clocks.get(zone) ?? null);
    const time = (name: string, instant: Instant | null, isDate = entry.allDay): void => {
      if (instant !== null) lines.push(name + writtenTime(instant, isDate, zone, clock));
    };
    // A date if the series has dates, whatever the form of this occurrence (RFC 5545 section 3.8.4.4).
    time("RECURRENCE-ID", entry.recurrenceId, entry.seriesAllDay ?? entry.allDay);
    time("DTSTART", entry.start);
    time("DTEND", entry.end);
    lines.push(
      `SEQUENCE:${entry.sequence}`,
      `STATUS:${entry.status.toUpperCase()}`,
      `SUMMARY:${escapeText(entry.subject)}`,
    );
    if (entry.location !== "") lines.push(`LOCATION:${escapeText(entry.location)}`);
    if (entry.description !== "") lines.push(`DESCRIPTION:${escapeText(entry.description)}`);
    if (entry.organizer !== null)
      lines.push(`ORGANIZER${personParameters(entry.organizer)}:${calendarAddress(entry.organizer)}`);
    for (const attendee of entry.attendees) {
      const role = `;ROLE=${token(attendee.role)};PARTSTAT=${token(attendee.status)}`;
      lines.push(`ATTENDEE${personParameters(attendee)}${role}:${calendarAddress(attendee)}`);
    }
    if (entry.recurrence !== null) {
      lines.push(`RRULE:${oneLine(entry.recurrence.rrule)}`);
      for (const exdate of entry.recurrence.exdates) time("EXDATE", exdate);
    }
    if (entry.createdAt !== null) lines.push(`CREATED:${utcTime(entry.createdAt)}`);
    if (entry.updatedAt !== null) lines.push(`LAST-MODIFIED:${utcTime(entry.updatedAt)}`);
    lines.push(...markLines(entry), ...alarmLines(entry), "END:VEVENT");
    this.write(lines.map(foldLine).join(""));
  }

  end(): void {
    this.write("END:VCALENDAR\r\n");
  }
}

/** Only recurring events need the zone. */
function isZoned({ recurrence, recurrenceId, allDay, timezone }: CalendarEntry): boolean {
  return !allDay && timezone !== null && timezone !== "UTC" && (recurrence !== null || recurrenceId !== null);
}

/** The owner's settings of an event. */
function markLines(entry: CalendarEntry): readonly string[] {
  const { busyStatus, sensitivity, importance, categories, ownAnswer } = entry;
  const lines = busyStatus === null ? [] : [...(BUSY[busyStatus] ?? [])];
  // PARTSTAT is the answer of an attendee; no standard says which attendee owns the calendar.
  if (ownAnswer !== null) lines.push(`${OWN_ANSWER_LINE}:${ownAnswer.toUpperCase()}`);
  if (sensitivity !== null) lines.push(`CLASS:${CLASSES[sensitivity]}`);
  if (importance !== null) lines.push(`PRIORITY:${PRIORITIES[importance]}`);
  if (categories.length > 0) lines.push(`CATEGORIES:${categories.map(escapeText).join(",")}`);
  return lines;
}

function alarmLines({ reminderMinutes, subject }: CalendarEntry): readonly string[] {
  if (reminderMinutes === null) return [];
  const trigger = `TRIGGER:${reminderMinutes > 0 ? "-" : ""}PT${Math.abs(reminderMinutes)}M`;
  const description = `DESCRIPTION:${escapeText(subject) || "Reminder"}`;
  return ["BEGIN:VALARM", "ACTION:DISPLAY", trigger, description, "END:VALARM"];
}

function clockOf(zone: string): Clock | null {
  const rule = readPosixZone(zone);
  if (rule !== null) return new RuleClock(rule);
  try {
    return new ZoneClock(zone);
  } catch {
    return null;
  }
}

function writtenTime(instant: Instant, isDate: boolean, zone: string | null, clock: Clock | null): string {
  if (isDate) return `;VALUE=DATE:${basic(instant).slice(0, 8)}`;
  if (zone === null || clock === null) return `:${utcTime(instant)}`;
  return `;TZID=${zoneId(zone)}:${basic(clock.localAt(instant))}`;
}

/** A zone without a name is named by its rules, without characters that need escaping. */
function zoneId(zone: string): string {
  return /^[\w/+-]+$/.test(zone) ? zone : `Rules ${zone.replace(/[^\w+-]+/g, " ").trim()}`;
}

function zoneText(zone: string, clock: Clock, first: Instant): string {
  const rule = readPosixZone(zone);
  if (rule !== null && rule.standardStart !== null) return component(zone, yearlyObservances(rule, clock));
  const from = first - YEAR_MS;
  const initial = clock.offsetAt(from);
  const observances = [
    observance("STANDARD", clock.localAt(from), initial, initial),
    ...clock
      .transitions(from, first + ZONE_YEARS * YEAR_MS)
      .map(({ at, offsetBefore, offset }) =>
        observance(offset > offsetBefore ? "DAYLIGHT" : "STANDARD", at + offsetBefore * 60_000, offsetBefore, offset),
      ),
  ];
  return component(zone, observances.flat());
}

function component(zone: string, observances: readonly string[]): string {
  return ["BEGIN:VTIMEZONE", `TZID:${zoneId(zone)}`, ...observances, "END:VTIMEZONE"].map(foldLine).join("");
}

/** A rule for every year, starting with the first year of computer clocks. */
function yearlyObservances(rule: YearlyRule, clock: Clock): readonly string[] {
  return clock.transitions(0, YEAR_MS).flatMap(({ at, offsetBefore, offset }) => {
    const isDaylight = offset > offsetBefore;
    const moment = (isDaylight ? rule.daylightStart : rule.standardStart)!;
    const day = `${moment.day === LAST ? -1 : moment.day}${WEEKDAYS[moment.weekday]}`;
    const kind = isDaylight ? "DAYLIGHT" : "STANDARD";
    const lines = observance(kind, at + offsetBefore * 60_000, offsetBefore, offset);
    return [...lines.slice(0, -1), `RRULE:FREQ=YEARLY;BYMONTH=${moment.month};BYDAY=${day}`, lines.at(-1)!];
  });
}

function observance(kind: string, start: number, offsetBefore: number, offset: number): readonly string[] {
  return [
    `BEGIN:${kind}`,
    `DTSTART:${basic(start)}`,
    `TZOFFSETFROM:${writtenOffset(offsetBefore)}`,
    `TZOFFSETTO:${writtenOffset(offset)}`,
    `END:${kind}`,
  ];
}

function writtenOffset(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${String(Math.floor(size / 60)).padStart(2, "0")}${String(size % 60).padStart(2, "0")}`;
}

function utcTime(instant: Instant): string {
  return `${basic(instant)}Z`;
}

/** `20010514T163900` from wall-clock milliseconds. */
function basic(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace(/[-:]/g, "");
}

function calendarAddress({ email }: Address): string {
  // RFC 6068 section 2: addresses of Lotus Notes contain blanks, and those of gateways percent signs.
  const plain = oneLine(email).replaceAll("%", "%25").replaceAll(" ", "%20");
  return plain === "" ? "invalid:nomail" : `mailto:${plain}`;
}

function personParameters({ name }: Address): string {
  // RFC 6868: a quoted parameter cannot contain these characters otherwise.
  const plain = oneLine(name).replaceAll("^", "^^").replaceAll('"', "^'");
  return plain === "" ? "" : `;CN="${plain}"`;
}

function token(text: string): string {
  const plain = text.toUpperCase().replace(/[^A-Z0-9-]/g, "");
  return plain === "" ? "X-UNKNOWN" : plain;
}
