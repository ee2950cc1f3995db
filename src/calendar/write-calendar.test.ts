import fc from "fast-check";
import { expect, it } from "vitest";
import type { CalendarEntry } from "../mail/calendar-event.ts";
import { readCalendar } from "./read-calendar.ts";
import { CalendarWriter } from "./write-calendar.ts";
import { writtenLine } from "./written-lines.ts";
import { ZoneClock } from "./zone-transitions.ts";

const EVENT: CalendarEntry = {
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
  const calendar = new CalendarWriter("archivetool 1.2.3", 0, (text) => pieces.push(text));
  for (const entry of entries) calendar.describeZone(entry);
  for (const entry of entries) calendar.add(entry);
  calendar.end();
  return pieces.join("");
}

/** What is read back of a calendar; the zone of what is written in UTC is not told. */
function readBack(text: string): readonly CalendarEntry[] {
  return readCalendar({ text, method: null }).entries;
}

it("is read back as it was", () => {
  const [read] = readBack(written(EVENT));
  expect(read).toEqual({ ...EVENT, timezone: "UTC" });
});

it("keeps the days of whole days, and the clock of what recurs over a change of it", () => {
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
  // After the clock has gone back the same hour of the day is another hour of Greenwich.
  expect(text).toContain("EXDATE;TZID=Europe/Oslo:20211101T090000\r\n");
  expect(text).toContain("DTSTART:20211031T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\n");
});

it("knows when clocks change", () => {
  const oslo = new ZoneClock("Europe/Oslo");
  expect(oslo.transitions(Date.UTC(2021, 0, 1), Date.UTC(2022, 0, 1))).toEqual([
    { at: Date.UTC(2021, 2, 28, 1), offsetBefore: 60, offset: 120 },
    { at: Date.UTC(2021, 9, 31, 1), offsetBefore: 120, offset: 60 },
  ]);
  expect(() => new ZoneClock("Nowhere/Land")).toThrow(RangeError);
});

it("keeps text whole whatever it is, and no line longer than the standard allows", () => {
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
  const line = writtenLine(`SUMMARY:${"é€".repeat(60)}`);
  expect(line.replaceAll("\r\n ", "").trimEnd()).toBe(`SUMMARY:${"é€".repeat(60)}`);
  expect(Buffer.from(line).toString()).toBe(line);
});
