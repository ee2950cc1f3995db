/** Writers of the structures inside appointment properties ([MS-OXOCAL]), for tests and example data. */

interface YearlyChange {
  readonly month: number;
  /** 1 to 4, or 5 for the last. */
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
}

export interface ZoneRule {
  readonly year?: number;
  /** Minutes to add to local standard time to get UTC; daylight time is an hour ahead. */
  readonly bias: number;
  readonly standard?: YearlyChange;
  readonly daylight?: YearlyChange;
}

function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2);
  return bytes;
}

function int32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value | 0, index * 4);
  return bytes;
}

function systemTime(change: YearlyChange | undefined): Buffer {
  return change === undefined
    ? Buffer.alloc(16)
    : uint16(0, change.month, change.weekday, change.day, change.hour, 0, 0, 0);
}

/** PidLidTimeZoneStruct. */
export function timeZoneStruct(rule: ZoneRule): Buffer {
  return Buffer.concat([
    int32(rule.bias, 0, -60),
    uint16(0),
    systemTime(rule.standard),
    uint16(0),
    systemTime(rule.daylight),
  ]);
}

/** PidLidAppointmentTimeZoneDefinitionRecur and similar properties. */
export function timeZoneDefinition(name: string, rules: readonly ZoneRule[]): Buffer {
  const key = Buffer.from(name, "utf16le");
  const header = Buffer.concat([uint16(2, name.length), key, uint16(rules.length)]);
  const written = rules.map((rule) =>
    Buffer.concat([
      Buffer.from([2, 1]),
      uint16(0x3e, 0, rule.year ?? 0),
      Buffer.alloc(14),
      int32(rule.bias, 0, -60),
      systemTime(rule.standard),
      systemTime(rule.daylight),
    ]),
  );
  return Buffer.concat([Buffer.from([2, 1]), uint16(header.length), header, ...written]);
}

export interface SeriesPattern {
  readonly frequency: "daily" | "weekly" | "monthly" | "yearly";
  /** 0 day, 1 week, 2 month, 3 nth weekday, 4 month end; plus 8 for the Hijri calendar. */
  readonly type: number;
  /** Minutes, weeks or months. */
  readonly period: number;
  /** Depends on the type: weekday bits, day of the month, or weekday bits and nth. */
  readonly specific?: readonly number[];
  readonly end?: { readonly count: number } | { readonly until: number };
  readonly firstWeekday?: number;
  /** Local dates, as UTC milliseconds. */
  readonly deleted?: readonly number[];
  readonly start: number;
  /** Minutes after midnight. */
  readonly startMinute: number;
  readonly endMinute: number;
  readonly exceptions?: readonly ChangedOccurrence[];
}

export interface ChangedOccurrence {
  readonly original: number;
  readonly start: number;
  readonly end: number;
  readonly subject?: string;
  readonly location?: string;
  readonly busyStatus?: number;
  readonly reminderMinutes?: number;
  readonly hasReminder?: boolean;
  readonly isAllDay?: boolean;
}

const FREQUENCIES = { daily: 0x200a, weekly: 0x200b, monthly: 0x200c, yearly: 0x200d } as const;

function minutes(local: number): number {
  return (local + 11_644_473_600_000) / 60_000;
}

/** PidLidAppointmentRecur. */
export function recurrenceBlob(pattern: SeriesPattern): Buffer {
  const { end, exceptions = [] } = pattern;
  const endType = end === undefined ? 0x2023 : "count" in end ? 0x2022 : 0x2021;
  const count = end !== undefined && "count" in end ? end.count : 10;
  const endDate = end !== undefined && "until" in end ? minutes(end.until) : 0x5ae980df;
  const day = (local: number): number => minutes(local) - (minutes(local) % 1440);
  const deleted = [...(pattern.deleted ?? []).map(minutes), ...exceptions.map(({ original }) => day(original))];
  return Buffer.concat([
    uint16(0x3004, 0x3004, FREQUENCIES[pattern.frequency], pattern.type, 0),
    int32(0, pattern.period, 0, ...(pattern.specific ?? []), endType, count, pattern.firstWeekday ?? 0),
    int32(deleted.length, ...deleted, exceptions.length, ...exceptions.map(({ start }) => day(start))),
    int32(minutes(pattern.start), endDate),
    int32(0x3006, 0x3009, pattern.startMinute, pattern.endMinute),
    uint16(exceptions.length),
    ...exceptions.map(exceptionInfo),
    int32(0),
    ...exceptions.map(extendedException),
    int32(0),
  ]);
}

function exceptionInfo(exception: ChangedOccurrence): Buffer {
  const flags =
    (exception.subject === undefined ? 0 : 1) |
    (exception.reminderMinutes === undefined ? 0 : 4) |
    (exception.hasReminder === undefined ? 0 : 8) |
    (exception.location === undefined ? 0 : 0x10) |
    (exception.busyStatus === undefined ? 0 : 0x20) |
    (exception.isAllDay === undefined ? 0 : 0x80);
  const ansi = (text: string): Buffer =>
    Buffer.concat([uint16(text.length + 1, text.length), Buffer.from(text.replace(/[^\x20-\x7e]/g, "?"), "latin1")]);
  return Buffer.concat([
    int32(minutes(exception.start), minutes(exception.end), minutes(exception.original)),
    uint16(flags),
    ...(exception.subject === undefined ? [] : [ansi(exception.subject)]),
    ...(exception.reminderMinutes === undefined ? [] : [int32(exception.reminderMinutes)]),
    ...(exception.hasReminder === undefined ? [] : [int32(exception.hasReminder ? 1 : 0)]),
    ...(exception.location === undefined ? [] : [ansi(exception.location)]),
    ...(exception.busyStatus === undefined ? [] : [int32(exception.busyStatus)]),
    ...(exception.isAllDay === undefined ? [] : [int32(exception.isAllDay ? 1 : 0)]),
  ]);
}

function extendedException(exception: ChangedOccurrence): Buffer {
  const head = Buffer.concat([int32(4, 0), int32(0)]);
  if (exception.subject === undefined && exception.location === undefined) return head;
  const wide = (text: string | undefined): Buffer =>
    text === undefined ? Buffer.alloc(0) : Buffer.concat([uint16(text.length), Buffer.from(text, "utf16le")]);
  const times = int32(minutes(exception.start), minutes(exception.end), minutes(exception.original));
  return Buffer.concat([head, times, wide(exception.subject), wide(exception.location), int32(0)]);
}
