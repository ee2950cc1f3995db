import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ICAL from "ical.js";
import { beforeAll, describe, expect, it } from "vitest";
import { readCalendar } from "../../src/calendar/read-calendar.ts";
import { PROPERTY_SET } from "../../src/properties/named-properties.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { recurrenceBlob, timeZoneDefinition } from "../pst-writer/appointment-blobs.ts";
import { binary, boolean, integer, text, texts, time } from "../pst-writer/property-writer.ts";
import { buildStore } from "../pst-writer/sample-store.ts";
import type { StoreWriter, WrittenMessage } from "../pst-writer/store-writer.ts";
import { archivetool, scratchDirectory } from "./cli.ts";

const scratch = scratchDirectory("outlook-calendar");
const output = join(scratch, "archive");
const HOUR = 3_600_000;
const MAY_6 = Date.UTC(2024, 4, 6);
const MAY_13 = Date.UTC(2024, 4, 13);
const PLAN = Buffer.from("where the ropes lie");

/** An appointment of two hours from 7:00 UTC on. */
function appointment(store: StoreWriter, day: number, subject: string): WrittenMessage["properties"] {
  const lid = (name: number): number => store.named({ set: PROPERTY_SET.appointment, name });
  return [
    text(PID.messageClass, "IPM.Appointment"),
    text(PID.subject, subject),
    text(PID.body, "the series"),
    time(lid(0x820d), day + 7 * HOUR),
    time(lid(0x820e), day + 9 * HOUR),
  ];
}

/** A meeting that the owner of the store accepted, and a weekly series with a plan attached to one occurrence. */
function writeStore(path: string): void {
  const bytes = buildStore({ layout: "unicode", encoding: "permute" }, (store) => {
    const calendar = store.addFolder("Calendar");
    const lid = (name: number): number => store.named({ set: PROPERTY_SET.appointment, name });
    const common = (name: number): number => store.named({ set: PROPERTY_SET.common, name });
    store.addMessage(calendar, {
      properties: [
        ...appointment(store, MAY_6, "Sea trial"),
        integer(lid(0x8205), 3),
        integer(lid(0x8218), 3),
        integer(PID.sensitivity, 2),
        integer(PID.importance, 2),
        boolean(common(0x8503), true),
        integer(common(0x8501), 45),
        texts(store.named({ set: PROPERTY_SET.publicStrings, name: "Keywords" }), ["Harbour", "Ropes, sails"]),
        text(PID.receivedByName, "Ann Lund"),
        text(PID.receivedByAddressType, "SMTP"),
        text(PID.receivedByEmail, "ann@mill.example"),
      ],
      recipients: [
        { type: 1, name: "Greta Halvorsen", email: "greta@mill.example", flags: 3, trackStatus: 0 },
        { type: 1, name: "Ann Lund", email: "Ann@mill.example", flags: 1, trackStatus: 0 },
        { type: 2, name: "Bo Lund", email: "bo@mill.example", flags: 1, trackStatus: 4 },
      ],
    });
    const berlin = {
      year: 1601,
      bias: -60,
      standard: { month: 10, day: 5, weekday: 0, hour: 3 },
      daylight: { month: 3, day: 5, weekday: 0, hour: 2 },
    };
    const start = MAY_13 + 11 * HOUR;
    store.addMessage(calendar, {
      properties: [
        ...appointment(store, MAY_6, "Quay duty"),
        boolean(common(0x8506), true),
        boolean(common(0x8503), true),
        integer(common(0x8501), 0x5ae980e1),
        binary(lid(0x8260), timeZoneDefinition("W. Europe Standard Time", [berlin])),
        binary(
          lid(0x8216),
          recurrenceBlob({
            frequency: "weekly",
            type: 1,
            period: 1,
            specific: [0x02],
            start: MAY_6,
            startMinute: 540,
            endMinute: 660,
            exceptions: [
              { original: MAY_13 + 9 * HOUR, start, end: start + HOUR, reminderMinutes: 120 },
              { original: MAY_13 + 177 * HOUR, start: start + 168 * HOUR, end: start + 169 * HOUR, hasReminder: false },
            ],
          }),
        ),
      ],
      attachments: [
        {
          properties: [],
          message: {
            properties: [
              text(PID.messageClass, "IPM.OLE.CLASS.{00061055-0000-0000-C000-000000000046}"),
              text(PID.body, "Bring the plan"),
              time(lid(0x8228), MAY_13 + 7 * HOUR),
            ],
            attachments: [{ properties: [text(PID.attachLongFilename, "plan.txt")], data: PLAN }],
          },
        },
      ],
    });
  });
  writeFileSync(path, bytes);
}

interface Extracted {
  readonly calendar_events: readonly Readonly<Record<string, unknown>>[];
  readonly items: readonly { readonly subject: string; readonly fields: Readonly<Record<string, string>> }[];
  readonly sources: readonly { readonly counts: unknown; readonly calendar_events: number }[];
}

describe("appointments of Outlook", () => {
  let extracted: Extracted;

  beforeAll(() => {
    const store = join(scratch, "ann.pst");
    writeStore(store);
    const run = archivetool("-q", "extract", store, "-o", output, "--json", "--extract-attachments");
    expect(run.exitCode, run.stderr).toBe(0);
    extracted = JSON.parse(readFileSync(join(output, "extraction.json"), "utf8")) as Extracted;
  });

  it("are published with the owner's settings", () => {
    expect(extracted.calendar_events[0]).toMatchObject({
      subject: "Sea trial",
      status: "confirmed",
      busy_status: "out_of_office",
      sensitivity: "private",
      importance: "high",
      categories: ["Harbour", "Ropes, sails"],
      reminder_minutes: 45,
      own_answer: "accepted",
      organizer: { name: "Greta Halvorsen", email: "greta@mill.example" },
      attendees: [
        { name: "Ann Lund", email: "Ann@mill.example", role: "req-participant", status: "accepted" },
        { name: "Bo Lund", email: "bo@mill.example", role: "opt-participant", status: "declined" },
      ],
    });
    const marks = extracted.calendar_events.map(({ sensitivity, reminder_minutes, own_answer }) => [
      sensitivity,
      reminder_minutes,
      own_answer,
    ]);
    expect(marks.slice(1)).toEqual([
      ["private", 15, null],
      ["private", 120, null],
      ["private", null, null],
    ]);
  });

  it("have the attachments of a changed occurrence, and are listed once", () => {
    expect(extracted.calendar_events.map(({ description }) => description)).toEqual([
      "the series",
      "the series",
      "Bring the plan",
      "the series",
    ]);
    const sha256 = createHash("sha256").update(PLAN).digest("hex");
    const path = `wiki/attachments/${extracted.calendar_events[2]!["id"]}/plan.txt`;
    const plan = { filename: "plan.txt", media_type: "text/plain", size_bytes: PLAN.length, sha256, path };
    expect(extracted.calendar_events.map(({ attachments }) => attachments)).toEqual([
      ...[undefined, undefined, [plan], undefined],
    ]);
    expect(extracted.items).toEqual([]);
    expect(readFileSync(join(output, path))).toEqual(PLAN);
    expect(archivetool("search", output, "plan.txt").stdout).toContain(String(extracted.calendar_events[2]!["id"]));
    expect(extracted.sources[0]).toMatchObject({ counts: { seen: 2, kept: 2 } });
  });

  it("have the same meaning in iCalendar, for another program and when read again", () => {
    const path = join(scratch, "calendar.ics");
    expect(archivetool("-q", "export", output, "--format", "ics", "-o", path).exitCode).toBe(0);
    const calendar = readFileSync(path, "utf8");
    const events = new ICAL.Component(ICAL.parse(calendar) as never).getAllSubcomponents("vevent");
    const value = (event: ICAL.Component, name: string): unknown => event.getFirstPropertyValue(name);
    expect(events.map((event) => [value(event, "class"), value(event, "x-microsoft-cdo-busystatus")])).toEqual([
      ["PRIVATE", "OOF"],
      ["PRIVATE", null],
      ["PRIVATE", null],
      ["PRIVATE", null],
    ]);
    const alarm = (event: ICAL.Component): string | undefined =>
      event.getFirstSubcomponent("valarm")?.getFirstPropertyValue("trigger")?.toString();
    expect(events.map(alarm)).toEqual(["-PT45M", "-PT15M", "-PT120M", undefined]);
    expect(events[0]!.getAllProperties("attendee").map((one) => one.getParameter("partstat"))).toEqual([
      "ACCEPTED",
      "DECLINED",
    ]);
    const { entries } = readCalendar({ text: calendar, method: null });
    const expected = extracted.calendar_events.map((event) => [
      event["sensitivity"],
      event["importance"],
      event["categories"] ?? [],
      event["reminder_minutes"],
      event["busy_status"],
      event["attendees"],
    ]);
    expect(
      entries.map((entry) => [
        entry.sensitivity,
        entry.importance,
        entry.categories,
        entry.reminderMinutes,
        entry.busyStatus,
        entry.attendees,
      ]),
    ).toEqual(expected);
  });
});
