import { DAY_MS, MINUTE_MS } from "../../mail/dates/instant.ts";
import { monthDayParts, WEEKDAYS } from "../../mail/dates/recurrence-text.ts";
import { ByteReader } from "../../properties/byte-reader.ts";
import { FILETIME_EPOCH_MS } from "../../properties/properties.ts";

/**
 * PidLidAppointmentRecur ([MS-OXOCAL] 2.2.1.44.5). Dates and times in it are local to the time zone of the series; they
 * are given here as milliseconds since 1970 as if they were UTC.
 */
export interface RecurrenceBlob {
  /** RFC 5545 RRULE parts except UNTIL, which needs the time zone. */
  readonly rule: readonly string[];
  /** Local start of the first occurrence; null if the blob has no time of day. */
  readonly startLocal: number | null;
  /** Local start of the last occurrence; null when the series is counted or endless. */
  readonly untilLocal: number | null;
  /** Local start of the last occurrence, also of a counted series; null when it is endless. */
  readonly lastLocal: number | null;
  /** Local starts of occurrences that were deleted. */
  readonly deletedLocal: readonly number[];
  readonly exceptions: readonly OccurrenceException[];
}

/** A changed occurrence; null fields are as in the series. */
export interface OccurrenceException {
  readonly originalLocal: number;
  readonly startLocal: number;
  readonly endLocal: number;
  readonly subject: string | null;
  readonly location: string | null;
  readonly busyStatus: number | null;
  /** Minutes before its start. */
  readonly reminderMinutes: number | null;
  readonly hasReminder: boolean | null;
  readonly isAllDay: boolean | null;
}

const DAY_MINUTES = 1440;
/** Maximum deleted or changed occurrences of one series: Outlook's own limit is 999. */
const MAX_INSTANCES = 10_000;
const FREQUENCY = { daily: 0x200a, weekly: 0x200b, monthly: 0x200c, yearly: 0x200d } as const;
const END = { byDate: 0x2021, byCount: 0x2022 } as const;
/** Which fields an exception carries ([MS-OXOCAL] 2.2.1.44.2, OverrideFlags). */
const OVERRIDE = {
  subject: 1,
  meetingType: 2,
  reminderDelta: 4,
  reminderSet: 8,
  location: 0x10,
  busyStatus: 0x20,
  attachment: 0x40,
  subType: 0x80,
  color: 0x100,
} as const;
/** From this writer version, extended exceptions begin with a change highlight. */
const VERSION_WITH_HIGHLIGHT = 0x3009;

/** Parses the blob; null if it is invalid. @param decodeAnsi decodes its 8-bit texts. */
export function readRecurrence(bytes: Buffer, decodeAnsi: (text: Buffer) => string): RecurrenceBlob | null {
  const reader = new ByteReader(bytes);
  if (reader.uint16() !== 0x3004) return null;
  reader.skip(2);
  const head = readPattern(reader);
  if (head === null || reader.isCut) return null;
  const deletedDates = readDates(reader);
  readDates(reader);
  const startDate = localOf(reader.uint32());
  const endDate = localOf(reader.uint32());
  if (reader.isCut) return withoutDates(head);
  reader.skip(4);
  const writerVersion = reader.uint32();
  const startOffset = reader.uint32() * MINUTE_MS;
  reader.skip(4);
  // Tasks and old writers end here: the series then has no time of day and no exceptions.
  const hasTime = !reader.isCut;
  const timeOfDay = hasTime ? startOffset : 0;
  const exceptions = !hasTime ? [] : readExceptions(reader, writerVersion, decodeAnsi);
  const changed = new Set(exceptions.map((exception) => dayOf(exception.originalLocal)));
  return {
    rule: ruleOf(head, new Date(startDate).getUTCMonth() + 1),
    startLocal: hasTime ? startDate + timeOfDay : null,
    untilLocal: head.endType === END.byDate ? endDate + timeOfDay : null,
    lastLocal:
      head.endType === END.byDate || head.endType === END.byCount
        ? lastDate(head, startDate, endDate) + timeOfDay
        : null,
    // Changed occurrences are listed as deleted too.
    deletedLocal: deletedDates.filter((date) => !changed.has(dayOf(date))).map((date) => date + timeOfDay),
    exceptions,
  };
}

/** A series whose dates are damaged. Its count replaces its end date; a yearly rule needs the month of its start. */
function withoutDates(head: Pattern): RecurrenceBlob | null {
  if (head.frequency === FREQUENCY.yearly) return null;
  const counted = head.endType === END.byDate ? { ...head, endType: END.byCount } : head;
  return {
    rule: ruleOf(counted, 1),
    startLocal: null,
    untilLocal: null,
    lastLocal: null,
    deletedLocal: [],
    exceptions: [],
  };
}

/** [MS-OXOCAL] 2.2.1.44.1: the end date of a series without end. Writers also use it together with a count. */
const NO_END_DATE = localOf(0x5ae980df);

/** Last date of a series; for one with only a count, an upper bound. */
function lastDate({ type, period, days, count }: Pattern, startDate: number, endDate: number): number {
  if (endDate < NO_END_DATE) return endDate;
  const kind = type % 8;
  const unit = kind === 0 ? MINUTE_MS : kind === 1 ? 7 * DAY_MS : 31 * DAY_MS;
  const daysOfWeek = kind === 1 ? Math.max(1, days.toString(2).replaceAll("0", "").length) : 1;
  return startDate + Math.ceil(count / daysOfWeek) * period * unit;
}

interface Pattern {
  readonly frequency: number;
  readonly type: number;
  readonly period: number;
  readonly days: number;
  readonly day: number;
  readonly nth: number;
  readonly endType: number;
  readonly count: number;
  readonly firstWeekday: number;
}

/**
 * The pattern up to its end condition ([MS-OXOCAL] 2.2.1.44.1). The low four bits of its type say which fields it has.
 */
function readPattern(reader: ByteReader): Pattern | null {
  const frequency = reader.uint16();
  const type = reader.uint16();
  reader.skip(6);
  const period = reader.uint32();
  reader.skip(4);
  const kind = type % 8;
  if (![0, 1, 2, 3, 4].includes(kind)) return null;
  const days = kind === 1 || kind === 3 ? reader.uint32() : 0;
  const day = kind === 2 || kind === 4 ? reader.uint32() : 0;
  const nth = kind === 3 ? reader.uint32() : 0;
  return {
    frequency,
    type,
    period,
    days,
    day,
    nth,
    endType: reader.uint32(),
    count: reader.uint32(),
    firstWeekday: reader.uint32(),
  };
}

function readDates(reader: ByteReader): readonly number[] {
  const count = Math.min(reader.uint32(), Math.floor(reader.left / 4), MAX_INSTANCES);
  return Array.from({ length: count }, () => localOf(reader.uint32()));
}

function localOf(minutes: number): number {
  return minutes * MINUTE_MS - FILETIME_EPOCH_MS;
}

function dayOf(local: number): number {
  return Math.floor(local / (DAY_MINUTES * MINUTE_MS));
}

function ruleOf(pattern: Pattern, month: number): readonly string[] {
  const parts = [...frequencyParts(pattern), ...dayParts(pattern, month)];
  if (pattern.endType === END.byCount && pattern.count > 0) parts.push(`COUNT=${pattern.count}`);
  if (parts[0] === "FREQ=WEEKLY" && pattern.firstWeekday !== 1 && WEEKDAYS[pattern.firstWeekday] !== undefined)
    parts.push(`WKST=${WEEKDAYS[pattern.firstWeekday]}`);
  // Types from 8 on count in the Hijri calendar (RFC 7529).
  return pattern.type >= 8 ? ["RSCALE=HIJRI", ...parts] : parts;
}

/** The period is stored in minutes, weeks or months for every frequency. */
function frequencyParts(pattern: Pattern): readonly string[] {
  const { frequency, period, type } = pattern;
  // Users see "every working day" as daily, but its pattern is weekly.
  if (type === 1) return interval("WEEKLY", frequency === FREQUENCY.daily ? 1 : period);
  if (frequency === FREQUENCY.daily) return interval("DAILY", Math.round(period / DAY_MINUTES));
  if (frequency === FREQUENCY.yearly && period % 12 === 0) return interval("YEARLY", period / 12);
  return interval("MONTHLY", period);
}

function interval(name: string, every: number): readonly string[] {
  return every > 1 ? [`FREQ=${name}`, `INTERVAL=${every}`] : [`FREQ=${name}`];
}

function dayParts(pattern: Pattern, month: number): readonly string[] {
  const isYearly = pattern.frequency === FREQUENCY.yearly && pattern.period % 12 === 0;
  const inYear = isYearly ? [`BYMONTH=${month}`] : [];
  const kind = pattern.type % 8;
  if (kind === 0) return [];
  if (kind === 4) return [...inYear, "BYMONTHDAY=-1"];
  if (kind === 2 && pattern.day === 0) return inYear;
  if (kind === 2) return [...inYear, ...monthDayParts(pattern.day, isYearly ? month : null)];
  const names = WEEKDAYS.filter((_, index) => (pattern.days & (1 << index)) !== 0);
  if (names.length === 0) return inYear;
  if (kind === 1) return [`BYDAY=${names.join(",")}`];
  const nth = pattern.nth >= 5 ? -1 : pattern.nth;
  if (names.length === 1) return [...inYear, `BYDAY=${nth}${names[0]}`];
  return [...inYear, `BYDAY=${names.join(",")}`, `BYSETPOS=${nth}`];
}

interface ReadException extends OccurrenceException {
  readonly flags: number;
}

function readExceptions(
  reader: ByteReader,
  writerVersion: number,
  decodeAnsi: (text: Buffer) => string,
): readonly OccurrenceException[] {
  const count = Math.min(reader.uint16(), MAX_INSTANCES);
  const exceptions: ReadException[] = [];
  for (let index = 0; index < count; index++) {
    const exception = readException(reader, decodeAnsi);
    if (reader.isCut) return exceptions;
    exceptions.push(exception);
  }
  reader.skip(reader.uint32());
  return exceptions.map((exception) => withWideTexts(reader, exception, writerVersion));
}

function readException(reader: ByteReader, decodeAnsi: (text: Buffer) => string): ReadException {
  const startLocal = localOf(reader.uint32());
  const endLocal = localOf(reader.uint32());
  const originalLocal = localOf(reader.uint32());
  const flags = reader.uint16();
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const ansi = (): string => {
    reader.skip(2);
    return decodeAnsi(reader.view(reader.uint16()));
  };
  const subject = has(OVERRIDE.subject) ? ansi() : null;
  if (has(OVERRIDE.meetingType)) reader.skip(4);
  const reminderMinutes = has(OVERRIDE.reminderDelta) ? reader.int32() : null;
  const hasReminder = has(OVERRIDE.reminderSet) ? reader.uint32() !== 0 : null;
  const location = has(OVERRIDE.location) ? ansi() : null;
  const busyStatus = has(OVERRIDE.busyStatus) ? reader.uint32() : null;
  if (has(OVERRIDE.attachment)) reader.skip(4);
  const isAllDay = has(OVERRIDE.subType) ? reader.uint32() !== 0 : null;
  if (has(OVERRIDE.color)) reader.skip(4);
  return {
    originalLocal,
    startLocal,
    endLocal,
    subject,
    location,
    busyStatus,
    reminderMinutes,
    hasReminder,
    isAllDay,
    flags,
  };
}

/** The same texts once more in Unicode ([MS-OXOCAL] 2.2.1.44.4); without them the 8-bit ones stay. */
function withWideTexts(reader: ByteReader, exception: ReadException, writerVersion: number): OccurrenceException {
  const { flags, ...read } = exception;
  if (writerVersion >= VERSION_WITH_HIGHLIGHT) reader.skip(reader.uint32());
  reader.skip(reader.uint32());
  const hasSubject = (flags & OVERRIDE.subject) !== 0;
  const hasLocation = (flags & OVERRIDE.location) !== 0;
  if (!hasSubject && !hasLocation) return read;
  reader.skip(12);
  const subject = hasSubject ? reader.view(reader.uint16() * 2).toString("utf16le") : null;
  const location = hasLocation ? reader.view(reader.uint16() * 2).toString("utf16le") : null;
  reader.skip(reader.uint32());
  return reader.isCut ? read : { ...read, subject: subject ?? read.subject, location: location ?? read.location };
}
