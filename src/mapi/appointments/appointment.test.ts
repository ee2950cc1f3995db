import { describe, expect, it } from "vitest";
import { objectOf } from "../../../test/msg-writer/made-object.ts";
import { recurrenceBlob, timeZoneDefinition } from "../../../test/pst-writer/appointment-blobs.ts";
import {
  binary,
  boolean,
  integer,
  text,
  time,
  type WrittenProperty,
} from "../../../test/pst-writer/property-writer.ts";
import type { CalendarEntry } from "../../mail/records/calendar-event.ts";
import { PROPERTY_SET } from "../../properties/named-properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { NO_DIRECTORY } from "../objects/mapi-address.ts";
import { readAppointment } from "./appointment.ts";
import { occurrenceDay, uidOfGlobalObjectId } from "./global-object-id.ts";

const START = Date.UTC(2021, 4, 14, 12);
const HOUR = 3_600_000;
const BERLIN = timeZoneDefinition("W. Europe Standard Time", [
  {
    bias: -60,
    standard: { month: 10, day: 5, weekday: 0, hour: 3 },
    daylight: { month: 3, day: 5, weekday: 0, hour: 2 },
  },
]);

/** Numbers of properties of appointments and of meetings, and of those with a name. */
interface Ids {
  readonly word: (name: string) => number;
  readonly appointment: (name: number) => number;
  readonly meeting: (name: number) => number;
}

/** The first entry of an item that starts at `START`. */
function entryOf(made: (ids: Ids) => readonly WrittenProperty[], messageClass = "IPM.Appointment"): CalendarEntry {
  const object = objectOf((named) => {
    const appointment = (name: number): number => named({ set: PROPERTY_SET.appointment, name });
    const meeting = (name: number): number => named({ set: PROPERTY_SET.meeting, name });
    const word = (name: string): number => named({ set: PROPERTY_SET.publicStrings, name });
    return { properties: [time(appointment(0x820d), START), ...made({ appointment, meeting, word })] };
  });
  const [read] = readAppointment(object, {
    messageClass,
    sender: { name: "Ann", email: "ann@x.example" },
    description: "",
    directory: NO_DIRECTORY,
    createdAt: null,
    updatedAt: null,
    fallbackUid: "none",
  });
  return read!.entry;
}

describe("readAppointment", () => {
  it("computes the end by the duration", () => {
    expect(entryOf(({ appointment }) => [integer(appointment(0x8213), 90)]).end).toBe(START + 1.5 * HOUR);
    expect(entryOf(() => []).end).toBeNull();
  });

  it("keeps the page of an online meeting", () => {
    const page = "https://teams.example/1";
    expect(entryOf(({ word }) => [text(word("SkypeTeamsMeetingUrl"), page)]).description).toBe(page);
  });

  it("finds the location of a meeting", () => {
    expect(entryOf(({ meeting }) => [text(meeting(2), "Room 4")]).location).toBe("Room 4");
  });

  it("reads flags that are numbers", () => {
    expect(entryOf(({ appointment }) => [integer(appointment(0x8215), 1)]).allDay).toBe(true);
  });

  it.each<[string, (ids: Ids) => readonly WrittenProperty[]]>([
    [
      "names of attendees",
      ({ appointment }) => [text(appointment(0x823b), "Bob; eve@x.example"), text(appointment(0x823c), "Cy")],
    ],
    ["displayed names", () => [text(PID.displayTo, "Bob; eve@x.example"), text(PID.displayCc, "Cy")]],
  ])("uses %s if the recipient table is lost", (_, made) => {
    expect(entryOf(made).attendees.map(({ name, email, role }) => [name, email, role])).toEqual([
      ["Bob", "", "req-participant"],
      ["", "eve@x.example", "req-participant"],
      ["Cy", "", "opt-participant"],
    ]);
  });

  it("returns the proposed time of a counter proposal", () => {
    const { method, start, end, organizer, attendees } = entryOf(
      ({ appointment }) => [
        boolean(appointment(0x8257), true),
        time(appointment(0x8250), START + 24 * HOUR),
        time(appointment(0x8251), START + 25 * HOUR),
      ],
      "IPM.Schedule.Meeting.Resp.Tent",
    );
    expect([method, start, end, organizer, attendees[0]?.status]).toEqual([
      "COUNTER",
      START + 24 * HOUR,
      START + 25 * HOUR,
      null,
      "tentative",
    ]);
  });
});

const globalId = (...date: readonly number[]): Buffer =>
  Buffer.concat([
    Buffer.from("040000008200e00074c5b7101a82e008", "hex"),
    Buffer.from(date),
    Buffer.alloc(16),
    Buffer.from("0400000001020304", "hex"),
  ]);
const MAY_13 = globalId(2021 >> 8, 2021 & 255, 5, 13);

describe("an occurrence of a series without the time that it replaces", () => {
  const zoned = ({ appointment, meeting }: Ids) => [binary(appointment(0x825e), BERLIN), binary(meeting(3), MAY_13)];

  it.each<[string, (ids: Ids) => readonly WrittenProperty[], number | null]>([
    [
      "had the time of its series",
      (ids) => [...zoned(ids), integer(ids.meeting(0x0e), (15 << 12) | (30 << 6))],
      Date.UTC(2021, 4, 13, 13, 30),
    ],
    ["had its own time of day", zoned, Date.UTC(2021, 4, 13, 12)],
    ["had its own time of day in UTC", ({ meeting }) => [binary(meeting(3), MAY_13)], Date.UTC(2021, 4, 13, 12)],
    ["had its day", (ids) => [...zoned(ids), boolean(ids.appointment(0x8215), true)], Date.UTC(2021, 4, 13)],
    ["is a series if it has a rule", (ids) => [...zoned(ids), binary(ids.appointment(0x8216), daily())], null],
  ])("%s", (_, made, recurrenceId) => {
    expect(entryOf(made, "IPM.Schedule.Meeting.Request").recurrenceId).toBe(recurrenceId);
  });
});

function daily(): Buffer {
  return recurrenceBlob({ frequency: "daily", type: 0, period: 1440, start: START, startMinute: 720, endMinute: 780 });
}

describe("a global object id", () => {
  it("contains the day of an occurrence", () => {
    expect(occurrenceDay(MAY_13)).toBe(Date.UTC(2021, 4, 13));
    const others = [globalId(0, 0, 0, 0), globalId(7, 229, 13, 1), globalId(7, 229, 1, 0), Buffer.alloc(10)];
    expect(others.map(occurrenceDay)).toEqual([null, null, null, null]);
    expect(uidOfGlobalObjectId(MAY_13)).toBe(uidOfGlobalObjectId(globalId(0, 0, 0, 0)));
  });

  it("contains the UID of another program, up to NUL", () => {
    const uid = Buffer.concat([
      globalId(0, 0, 0, 0).subarray(0, 40),
      Buffer.from("vCal-Uid\x01\0\0\0a@x.example\0", "latin1"),
    ]);
    expect(uidOfGlobalObjectId(uid)).toBe("a@x.example");
  });
});
