import fc from "fast-check";
import ICAL from "ical.js";
import { expect, it } from "vitest";
import { ZoneClock } from "../mail/dates/zone-clock.ts";
import { type CalendarEntry, INTERNAL_ENTRY_DEFAULTS, PARTICIPATION_STATUSES } from "../mail/records/calendar-event.ts";
import { foldLine } from "./escape-content.ts";
import { readCalendar } from "./read-calendar.ts";
import { CalendarWriter } from "./write-calendar.ts";

const EVENT: CalendarEntry = {
  ...INTERNAL_ENTRY_DEFAULTS,
  uid: "one@site.example",
  recurrenceId: null,
  method: null,
  status: "confirmed",
  sequence: 2,
  subject: "Sea trial; bring ropes, please",
  description: "First line\nsecond \\ line",
  location: "Berth 4",
  start: Date.UTC(2021, 9, 4, 7, 0),
  end: Date.UTC(2021, 9, 4, 8, 30),
  allDay: false,
  timezone: "Europe/Oslo",
  organizer: { name: 'Greta "G" Halvorsen', email: "greta@site.example" },
  attendees: [{ name: "Tomás Reyes", email: "tomas@site.example", role: "req-participant", status: "accepted" }],
  recurrence: null,
  busyStatus: "busy",
  createdAt: Date.UTC(2021, 8, 1),
  updatedAt: Date.UTC(2021, 8, 2),
};

function written(...entries: readonly CalendarEntry[]): string {
  const pieces: string[] = [];
  const calendar = new CalendarWriter({ producer: "archivetool 1.2.3", madeAt: 0, method: null }, (text) =>
    pieces.push(text),
  );
  for (const entry of entries) calendar.describeZone(entry);
  for (const entry of entries) calendar.add(entry);
  calendar.end();
  return pieces.join("");
}

/** The fields of a calendar that survive a round trip; the zone of times written in UTC is lost. */
function readBack(text: string): readonly CalendarEntry[] {
  return readCalendar({ text, method: null }).entries;
}

it("survives a round trip", () => {
  const [read] = readBack(written(EVENT));
  expect(read).toEqual({ ...EVENT, timezone: "UTC" });
});

it("keeps the days of all-day events, and the local time of recurring events across clock changes", () => {
  const wholeDay = {
    ...EVENT,
    uid: "day",
    allDay: true,
    timezone: null,
    start: Date.UTC(2003, 6, 14),
    end: Date.UTC(2003, 6, 15),
  };
  const recurrence = { rrule: "FREQ=WEEKLY;COUNT=10", exdates: [Date.UTC(2021, 10, 1, 8, 0)], text: "" };
  const weekly = { ...EVENT, uid: "weekly", recurrence };
  const [day, week] = readBack(written(wholeDay, weekly));
  expect([day!.start, day!.end, day!.allDay]).toEqual([wholeDay.start, wholeDay.end, true]);
  expect([week!.start, week!.timezone, week!.recurrence!.rrule, week!.recurrence!.exdates]).toEqual([
    EVENT.start,
    "Europe/Oslo",
    recurrence.rrule,
    recurrence.exdates,
  ]);
  const text = written(weekly);
  expect(text).toContain("DTSTART;TZID=Europe/Oslo:20211004T090000\r\n");
  // After daylight saving time ends, the same local time is another hour in UTC.
  expect(text).toContain("EXDATE;TZID=Europe/Oslo:20211101T090000\r\n");
  expect(text).toContain("DTSTART:20211031T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\n");
});

it("identifies an occurrence like its series after any change", () => {
  const day = { ...EVENT, uid: "days", timezone: null, seriesAllDay: true, recurrenceId: Date.UTC(2021, 9, 4) };
  const hour = { ...EVENT, uid: "hours", seriesAllDay: false, recurrenceId: Date.UTC(2021, 9, 4, 7) };
  const start = Date.UTC(2021, 9, 4);
  const entries = [
    // First all-day times that become timed, then timed ones that become all-day.
    { ...day, allDay: false },
    { ...hour, allDay: true, timezone: null, start, end: start + 86_400_000 },
  ];
  const text = written(...entries);
  expect(text.match(/^(?:RECURRENCE-ID|DTSTART).*$/gm)).toEqual([
    "RECURRENCE-ID;VALUE=DATE:20211004",
    "DTSTART:20211004T070000Z",
    "RECURRENCE-ID:20211004T070000Z",
    "DTSTART;VALUE=DATE:20211004",
  ]);
  const summary = ({ recurrenceId, seriesAllDay, start, end, allDay }: CalendarEntry) => [
    recurrenceId,
    seriesAllDay,
    start,
    end,
    allDay,
  ];
  expect(readBack(text).map(summary)).toEqual(entries.map(summary));
});

it("describes a zone without a name so that all readers compute the same times", () => {
  const zone = "<+0333>-3:33<+0433>-4:33,M3.5.0/2,M10.5.0/3";
  const rrule = "FREQ=WEEKLY;BYDAY=TU;COUNT=30";
  const start = Date.UTC(2021, 9, 5, 3, 27);
  const entry = {
    ...EVENT,
    timezone: zone,
    start,
    end: start + 3_600_000,
    recurrence: { rrule, exdates: [], text: "" },
  };
  const text = written(entry);
  expect(readBack(text)).toMatchObject([{ start, timezone: zone }]);
  const calendar = new ICAL.Component(ICAL.parse(text));
  const series = new ICAL.Event(calendar.getFirstSubcomponent("vevent")!);
  const occurrences = series.iterator();
  const hours = Array.from({ length: 30 }, () => {
    const next = occurrences.next()!;
    return [next.hour, next.dayOfWeek(), next.toJSDate().getTime()];
  });
  expect(new Set(hours.map(([hour, day]) => `${hour} ${day}`))).toEqual(new Set(["8 3"]));
  expect(hours[0]![2]).toBe(start);
});

it("computes when clocks change", () => {
  const oslo = new ZoneClock("Europe/Oslo");
  expect(oslo.transitions(Date.UTC(2021, 0, 1), Date.UTC(2022, 0, 1))).toEqual([
    { at: Date.UTC(2021, 2, 28, 1), offsetBefore: 60, offset: 120 },
    { at: Date.UTC(2021, 9, 31, 1), offsetBefore: 120, offset: 60 },
  ]);
  expect(() => new ZoneClock("Nowhere/Land")).toThrow(RangeError);
});

it("preserves any text, and writes no line longer than the standard allows", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 200 }),
    fc.constantFrom("BEGIN:VEVENT\nEND:VCALENDAR", "a\\nb", ";,:", "ü".repeat(200)),
  );
  fc.assert(
    fc.property(text, text, (subject, description) => {
      const calendar = written({ ...EVENT, subject, description });
      for (const line of calendar.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      const read = readBack(calendar);
      expect(read).toHaveLength(1);
      const plain = (value: string): string =>
        value
          .replace(/\r\n?/g, "\n")
          .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "")
          .trim();
      expect(plain(read[0]!.description)).toBe(plain(description));
      expect(plain(read[0]!.subject)).toBe(plain(subject));
    }),
    { numRuns: 200 },
  );
});

it("folds lines between characters", () => {
  const line = foldLine(`SUMMARY:${"é€".repeat(60)}`);
  expect(line.replaceAll("\r\n ", "").trimEnd()).toBe(`SUMMARY:${"é€".repeat(60)}`);
  expect(Buffer.from(line).toString()).toBe(line);
});

/** Text without characters that iCalendar cannot represent: control characters other than line ends, and CR. */
const writableText = fc
  .string({ unit: "grapheme", maxLength: 60 })
  .map((text) => text.replaceAll(/[\x00-\x09\x0b-\x1f\x7f]/g, ""));
const second = fc.integer({ min: 0, max: 2_000_000_000 }).map((seconds) => seconds * 1000);
const parameter = writableText.map((text) => text.replaceAll(/\s+/g, " ").trim());
const person = fc.record({
  name: parameter,
  email: fc.constantFrom("ann@site.example", "bo@site.example", "Cy Roe/Quay/Mill%20@Mill"),
});

const event: fc.Arbitrary<CalendarEntry> = fc
  .record({
    uid: fc.uuid(),
    recurrenceId: fc.constant(null),
    seriesAllDay: fc.constant(null),
    method: fc.constant(null),
    status: fc.constantFrom("confirmed", "tentative", "cancelled"),
    sequence: fc.nat(99),
    subject: writableText,
    description: writableText,
    location: writableText,
    start: second,
    end: second,
    allDay: fc.constant(false),
    timezone: fc.constantFrom("Europe/Oslo", "UTC", null),
    organizer: person,
    attendees: fc.array(
      person.map((one) => ({ ...one, role: "req-participant", status: "accepted" })),
      { maxLength: 3 },
    ),
    recurrence: fc.constant(null),
    busyStatus: fc.constantFrom(null, "free", "tentative", "busy", "out_of_office", "working_elsewhere"),
    sensitivity: fc.constantFrom(null, "normal", "personal", "private", "confidential"),
    importance: fc.constantFrom(null, "low", "normal", "high"),
    categories: fc.uniqueArray(
      parameter.filter((category) => category !== ""),
      { maxLength: 3 },
    ),
    attachments: fc.constant([]),
    reminderMinutes: fc.option(fc.integer({ min: -100_000, max: 100_000 })),
    ownAnswer: fc.constantFrom(null, ...PARTICIPATION_STATUSES),
    createdAt: second,
    updatedAt: second,
  })
  .map((one) => ({ ...one, end: Math.max(one.start, one.end) })) as fc.Arbitrary<CalendarEntry>;

it("has the same meaning for another program that reads calendars", () => {
  fc.assert(
    fc.property(event, (entry) => {
      const calendar = new ICAL.Component(ICAL.parse(written(entry)) as never);
      const component = calendar.getFirstSubcomponent("vevent")!;
      const read = new ICAL.Event(component);
      expect([read.uid, read.sequence, read.summary]).toEqual([entry.uid, entry.sequence, entry.subject]);
      expect([read.location ?? "", read.description ?? ""]).toEqual([entry.location, entry.description]);
      expect(read.startDate.toJSDate().getTime()).toBe(entry.start);
      expect((component.getFirstPropertyValue("dtend") as ICAL.Time).toJSDate().getTime()).toBe(entry.end);
      expect(component.getFirstPropertyValue("status")).toBe(entry.status.toUpperCase());
      const classes = { normal: "PUBLIC", personal: "X-PERSONAL", private: "PRIVATE", confidential: "CONFIDENTIAL" };
      const propertyOf = (name: string): unknown => component.getFirstPropertyValue(name);
      expect(propertyOf("class")).toBe(entry.sensitivity === null ? null : classes[entry.sensitivity]);
      expect(propertyOf("priority")).toBe(
        entry.importance === null ? null : { high: 1, normal: 5, low: 9 }[entry.importance],
      );
      expect(component.getFirstProperty("categories")?.getValues() ?? []).toEqual(entry.categories);
      const trigger = component.getFirstSubcomponent("valarm")?.getFirstPropertyValue("trigger") as ICAL.Duration;
      expect(trigger === undefined ? null : 0 - trigger.toSeconds() / 60).toEqual(entry.reminderMinutes);
      const [back] = readBack(written(entry));
      // Without surrounding text; times written in UTC name no zone.
      const texts = { subject: entry.subject.trim(), description: entry.description.trim() };
      expect(back).toEqual({ ...entry, ...texts, location: entry.location.trim(), timezone: "UTC" });
      const people = [component.getFirstProperty("organizer")!, ...component.getAllProperties("attendee")];
      expect(people.map((one) => [one.getParameter("cn") ?? "", String(one.getFirstValue())])).toEqual(
        [entry.organizer!, ...entry.attendees].map(({ name, email }) => [
          name,
          `mailto:${email.replaceAll("%", "%25").replaceAll(" ", "%20")}`,
        ]),
      );
    }),
  );
});

it("recurs for another program if it recurs here", () => {
  const recurrence = { rrule: "FREQ=WEEKLY;COUNT=10", exdates: [Date.UTC(2021, 9, 11, 7)], text: "" };
  const calendar = new ICAL.Component(ICAL.parse(written({ ...EVENT, recurrence })) as never);
  for (const zone of calendar.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone);
  const series = new ICAL.Event(calendar.getFirstSubcomponent("vevent")!).iterator();
  const starts = Array.from({ length: 10 }, () => series.next()?.toJSDate().toISOString());
  ICAL.TimezoneService.reset();
  // Nine in the morning in Oslo before and after the clock goes back, without the excluded day.
  expect([starts[0], starts[1], starts[2], starts[3]]).toEqual([
    "2021-10-04T07:00:00.000Z",
    "2021-10-18T07:00:00.000Z",
    "2021-10-25T07:00:00.000Z",
    "2021-11-01T08:00:00.000Z",
  ]);
  expect(starts[9]).toBeUndefined();
});
