import { DAY_MS, type Instant, MINUTE_MS, nearestMidnight } from "../../mail/dates/instant.ts";
import { describeRule } from "../../mail/dates/recurrence-text.ts";
import { ZoneClock } from "../../mail/dates/zone-clock.ts";
import { BUSY_STATUSES, type CalendarEntry } from "../../mail/records/calendar-event.ts";
import { PROPERTY_SET } from "../../properties/named-properties.ts";
import type { Properties } from "../../properties/properties.ts";
import type { MessageObject } from "../objects/message-object.ts";
import { type OccurrenceException, type RecurrenceBlob, readRecurrence } from "./recurrence-blob.ts";
import {
  fixedZone,
  instantOfLocal,
  localOfInstant,
  type MapiTimeZone,
  nameOfRules,
  type SeriesClock,
} from "./time-zone-blob.ts";

/** `PidLidAppointmentRecur` ([MS-OXOCAL] 2.2.1.44). */
const RECURRENCE = { set: PROPERTY_SET.appointment, name: 0x8216 } as const;
/** Maximum changed occurrences: Outlook keeps a few hundred at most, and each becomes an entry. */
export const MAX_EXCEPTION_ENTRIES = 1000;

/** The item of a changed occurrence, with its description and attendees. */
export interface ChangedItem extends Pick<CalendarEntry, "description" | "attendees"> {
  readonly object: MessageObject;
  readonly subject: string | null;
  readonly location: string | null;
}

/** An entry, and the object it was made of: that of the series has its changed occurrences attached. */
export interface AppointmentEntry {
  readonly entry: CalendarEntry;
  /** Null for a changed occurrence without an item. */
  readonly object: MessageObject | null;
}

/** Input for the entries of a series. */
export interface Series {
  readonly object: MessageObject;
  readonly entry: CalendarEntry;
  readonly zone: SeriesClock | null;
  /** IANA name of the zone, or null. */
  readonly timezone: string | null;
  /** Items of changed occurrences by the day they replace (`replacedDay`). */
  readonly changedItems: ReadonlyMap<number, ChangedItem>;
}

/**
 * All-day events are dates: midnight UTC of the day, like DATE values in iCalendar. Outlook up to 2003 wrote no zone
 * with them; midnight in Chicago or Berlin is nearest to midnight UTC of the intended day.
 */
export function dateOf(zone: SeriesClock | null, instant: Instant): Instant {
  return nearestMidnight(zone === null ? instant : localOfInstant(zone, instant));
}

/**
 * The day of the occurrence that an item replaces, as a number. A series has at most one occurrence per day, and zone
 * rules are written in several ways: days agree even if times are an hour off.
 */
export function replacedDay(instant: Instant, of: { readonly zone: SeriesClock | null; readonly allDay: boolean }) {
  if (of.allDay) return dayOf(dateOf(of.zone, instant));
  return dayOf(of.zone === null ? instant : localOfInstant(of.zone, instant));
}

function dayOf(local: number): number {
  return Math.floor(local / DAY_MS);
}

/** Clocks differ from Greenwich by at most this, in whole quarters of an hour. */
const MAX_AHEAD_MS = 14 * 3_600_000;
const QUARTER_MS = 15 * 60_000;

/** Zone for an appointment without rules, and its IANA name. */
export interface EffectiveTimeZone {
  readonly zone: SeriesClock | null;
  readonly timezone: string | null;
}

/**
 * The clock of an appointment without rules: that of the named zone, with its changes. The first occurrence of a series
 * is recorded both in local time and in UTC. If the two disagree with the named zone, or no zone is named, their
 * difference is used, as a clock that never changes.
 */
export function clockWithoutRules(
  properties: Properties,
  start: Instant | null,
  named: string | null,
): EffectiveTimeZone {
  const clock = named === null ? null : new ZoneClock(named);
  const local = readBlob(properties)?.startLocal ?? null;
  const ahead = local === null || start === null ? null : local - start;
  const isOffset = ahead !== null && Math.abs(ahead) <= MAX_AHEAD_MS && ahead % QUARTER_MS === 0;
  if (!isOffset || clock?.localAt(start!) === local) return { zone: clock, timezone: named };
  const fixed = fixedZone(ahead / MINUTE_MS);
  return { zone: fixed, timezone: nameOfRules(fixed, { span: { from: start!, to: start! }, text: "" }) };
}

/** For a series without end, the first year counts: rules change later, but Outlook's do not. */
const ENDLESS_MS = 366 * DAY_MS;

/**
 * The name of a zone that an appointment defines by rules; null if it does not recur, because its times are instants.
 */
export function zoneByRules(
  properties: Properties,
  carried: { readonly zone: MapiTimeZone; readonly start: Instant | null; readonly text: string },
): string | null {
  const { zone, start, text } = carried;
  const blob = start === null ? null : readBlob(properties);
  if (blob === null || start === null) return null;
  const to = blob.lastLocal === null ? start + ENDLESS_MS : instantOfLocal(zone, blob.lastLocal);
  return nameOfRules(zone, { span: { from: start, to }, text });
}

function readBlob(properties: Properties): RecurrenceBlob | null {
  const bytes = properties.binary(properties.named(RECURRENCE));
  return bytes === null ? null : readRecurrence(bytes, (text) => properties.decodeAnsi(text));
}

/** The series itself, then an entry for each changed occurrence; a single entry if it does not recur. */
export function seriesEntries(series: Series): readonly AppointmentEntry[] {
  const { object, entry, changedItems } = series;
  const blob = readBlob(object.properties);
  if (blob === null) return [{ entry, object }];
  const changed = blob.exceptions.slice(0, MAX_EXCEPTION_ENTRIES);
  return [
    { entry: withRule(series, blob), object },
    ...changed.map((exception) => withItem(series, exception, changedItems.get(dayOf(exception.originalLocal)))),
  ];
}

function withRule({ entry, zone }: Series, blob: RecurrenceBlob): CalendarEntry {
  const { allDay } = entry;
  const until =
    blob.untilLocal === null ? [] : [`UNTIL=${formatUntil(placeOf(zone, blob.untilLocal, allDay), allDay)}`];
  const rrule = [...blob.rule, ...until].join(";");
  const exdates = blob.deletedLocal.map((local) => placeOf(zone, local, allDay));
  return { ...entry, recurrence: { rrule, exdates, text: describeRule(rrule) } };
}

/** Dates are stored as dates; local times are read as UTC if the zone is unknown. */
function placeOf(zone: SeriesClock | null, local: number, isDate: boolean): Instant {
  return isDate || zone === null ? local : instantOfLocal(zone, local);
}

/** Merges an occurrence with its item, which repeats its changes; missing fields are those of the series. */
function withItem(series: Series, exception: OccurrenceException, item: ChangedItem | undefined): AppointmentEntry {
  const occurrence = occurrenceOf(series, exception);
  if (item === undefined) return { entry: occurrence, object: null };
  const entry = {
    ...occurrence,
    subject: exception.subject ?? item.subject ?? occurrence.subject,
    location: exception.location ?? item.location ?? occurrence.location,
    description: item.description === "" ? occurrence.description : item.description,
    attendees: item.attendees.length === 0 ? occurrence.attendees : item.attendees,
  };
  return { entry, object: item.object };
}

function reminderOf(exception: OccurrenceException, series: number | null): number | null {
  return exception.hasReminder === false ? null : (exception.reminderMinutes ?? series);
}

/** All-day and timed occurrences may have been exchanged; the occurrence is identified in the form of its series. */
function occurrenceOf({ entry, zone, timezone }: Series, exception: OccurrenceException): CalendarEntry {
  const allDay = exception.isAllDay ?? entry.allDay;
  return {
    ...entry,
    recurrenceId: placeOf(zone, exception.originalLocal, entry.allDay),
    seriesAllDay: entry.allDay,
    start: placeOf(zone, exception.startLocal, allDay),
    end: placeOf(zone, exception.endLocal, allDay),
    subject: exception.subject ?? entry.subject,
    location: exception.location ?? entry.location,
    busyStatus: exception.busyStatus === null ? entry.busyStatus : (BUSY_STATUSES[exception.busyStatus] ?? null),
    reminderMinutes: reminderOf(exception, entry.reminderMinutes),
    allDay,
    timezone: allDay ? null : timezone,
  };
}

/** RFC 5545 3.3.10: a date for all-day series, else a time in UTC. */
function formatUntil(instant: Instant, isDate: boolean): string {
  if (Number.isNaN(new Date(instant).getTime())) return "99991231";
  const compact = new Date(instant).toISOString().replace(/[-:]/g, "");
  return isDate ? compact.slice(0, 8) : `${compact.slice(0, 15)}Z`;
}
