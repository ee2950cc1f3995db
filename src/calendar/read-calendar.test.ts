import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, it } from "vitest";
import { realData } from "../../test/real-data.ts";
import { formatInstant } from "../mail/dates/instant.ts";
import { readCalendar } from "./read-calendar.ts";

const INVITATION = `BEGIN:VCALENDAR
PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN
VERSION:2.0
METHOD:REQUEST
BEGIN:VTIMEZONE
TZID:W. Europe Standard Time
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
UID:040000008200E00074C5B7101A82E00800000000
SUMMARY;LANGUAGE=en-us:Plan\\, part 2\\; rooms
DESCRIPTION:First line\\nSecond line\\, and a very long one that is folded
  here
LOCATION:Room 7
DTSTART;TZID=W. Europe Standard Time:20210503T101500
DTEND;TZID="W. Europe Standard Time":20210503T111500
RRULE:FREQ=WEEKLY;COUNT=10;BYDAY=MO
EXDATE;TZID=W. Europe Standard Time:20210510T101500,20210517T101500
ORGANIZER;CN="Example, Ann":MAILTO:ann@example.org
ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=TRUE;CN=Bob Example:mailto:bob@example.org
ATTENDEE;ROLE=OPT-PARTICIPANT;CN='cal@example.org':mailto:cal@example.org
SEQUENCE:3
STATUS:TENTATIVE
CREATED:20210401T080000Z
LAST-MODIFIED:20210402T090000Z
DTSTAMP:20210403T090000Z
TRANSP:OPAQUE
X-MICROSOFT-CDO-BUSYSTATUS:OOF
CLASS:PRIVATE
PRIORITY:5
X-MICROSOFT-CDO-IMPORTANCE:2
CATEGORIES:Harbour,Ropes\\, sails
CATEGORIES:Harbour
BEGIN:VALARM
TRIGGER:-PT15M
DESCRIPTION:REMINDER
END:VALARM
END:VEVENT
END:VCALENDAR
`;

/** A calendar of one event with the given lines. */
function calendar(...lines: readonly string[]): string {
  return ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:1", ...lines, "END:VEVENT", "END:VCALENDAR", ""].join(
    "\r\n",
  );
}

function onlyEvent(text: string, method: string | null = null) {
  const { entries, findings } = readCalendar({ text, method });
  expect(entries).toHaveLength(1);
  return { entry: entries[0]!, codes: findings.map((finding) => finding.code) };
}

it("keeps links of an event that its text lacks", () => {
  const page = "https://meet.example/1";
  const { entry } = onlyEvent(calendar("DESCRIPTION:Bring oars", `URL:${page}`, `X-GOOGLE-CONFERENCE:${page}`));
  expect(entry.description).toBe(`Bring oars\n${page}`);
  const other = onlyEvent(calendar(`LOCATION:${page}`, `CONFERENCE;VALUE=URI:${page}`, "URL:message:1")).entry;
  expect([other.description, other.location]).toEqual(["", page]);
});

/** Start of an event with one DTSTART line, after lines of the calendar. */
function startOf(dtstart: string, ...before: readonly string[]) {
  const { entry } = onlyEvent(
    ["BEGIN:VCALENDAR", ...before, "BEGIN:VEVENT", "UID:1", dtstart, "END:VEVENT", "END:VCALENDAR"].join("\n"),
  );
  return [formatInstant(entry.start), entry.timezone];
}

describe("readCalendar", () => {
  it("reads an invitation of Outlook", () => {
    const { entry, codes } = onlyEvent(INVITATION);
    expect(codes).toEqual([]);
    expect(entry).toEqual({
      attachments: [],
      uid: "040000008200E00074C5B7101A82E00800000000",
      recurrenceId: null,
      seriesAllDay: null,
      method: "REQUEST",
      status: "tentative",
      sequence: 3,
      subject: "Plan, part 2; rooms",
      description: "First line\nSecond line, and a very long one that is folded here",
      location: "Room 7",
      start: Date.UTC(2021, 4, 3, 8, 15),
      end: Date.UTC(2021, 4, 3, 9, 15),
      allDay: false,
      timezone: "Europe/Berlin",
      organizer: { name: "Example, Ann", email: "ann@example.org" },
      attendees: [
        { name: "Bob Example", email: "bob@example.org", role: "req-participant", status: "accepted" },
        { name: "cal@example.org", email: "cal@example.org", role: "opt-participant", status: "needs-action" },
      ],
      recurrence: {
        rrule: "FREQ=WEEKLY;COUNT=10;BYDAY=MO",
        exdates: [Date.UTC(2021, 4, 10, 8, 15), Date.UTC(2021, 4, 17, 8, 15)],
        text: "every week on Monday, 10 times",
      },
      busyStatus: "out_of_office",
      sensitivity: "private",
      importance: "high",
      categories: ["Harbour", "Ropes, sails"],
      reminderMinutes: 15,
      ownAnswer: null,
      createdAt: Date.UTC(2021, 3, 1, 8),
      updatedAt: Date.UTC(2021, 3, 2, 9),
    });
  });

  it("accepts all line ends", () => {
    const expected = readCalendar({ text: INVITATION, method: null });
    for (const lineEnd of ["\r\n", "\r"])
      expect(readCalendar({ text: INVITATION.replaceAll("\n", lineEnd), method: null })).toEqual(expected);
    expect(readCalendar({ text: `\ufeff${INVITATION}`, method: null })).toEqual(expected);
  });

  it("handles input truncated anywhere", () => {
    for (let length = 0; length < INVITATION.length; length += 7) {
      const { entries } = readCalendar({ text: INVITATION.slice(0, length), method: null });
      expect(entries).toHaveLength(INVITATION.slice(0, length).includes("BEGIN:VEVENT") ? 1 : 0);
    }
    const { entry, codes } = onlyEvent(INVITATION.slice(0, INVITATION.indexOf("RRULE:FREQ=WEEKLY")));
    expect(entry.subject).toBe("Plan, part 2; rooms");
    expect(codes).toContain("calendar-unclosed");
  });

  it("separates events without an END", () => {
    const { entries, findings } = readCalendar({
      text: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nBEGIN:VALARM\nBEGIN:VEVENT\nUID:2\n",
      method: null,
    });
    expect(entries.map((entry) => entry.uid)).toEqual(["1", "2"]);
    expect(findings.map((finding) => finding.code)).toContain("calendar-unclosed");
  });

  it("drops invalid lines", () => {
    const { entry, codes } = onlyEvent(
      calendar("SUMMARY:Plan", "no colon here", ":no name", "X;=;:y", "LOCATION:Here"),
    );
    expect([entry.subject, entry.location]).toEqual(["Plan", "Here"]);
    expect(codes).toContain("calendar-bad-line");
  });

  it.each([
    ["DTSTART:20210503T101500Z", "2021-05-03T10:15:00Z", "UTC"],
    ["DTSTART:20210503T101500", "2021-05-03T10:15:00Z", null],
    ["DTSTART;TZID=America/New_York:20210503T101500", "2021-05-03T14:15:00Z", "America/New_York"],
    ["DTSTART;TZID=America/New_York:20210103T101500", "2021-01-03T15:15:00Z", "America/New_York"],
    ["DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20210503T101500", "2021-05-03T08:15:00Z", "Europe/Berlin"],
    [
      "DTSTART;TZID=America/Argentina/Buenos_Aires:20210503T101500",
      "2021-05-03T13:15:00Z",
      "America/Argentina/Buenos_Aires",
    ],
    ["DTSTART;TZID=Central Standard Time:20010514T113900", "2001-05-14T16:39:00Z", "America/Chicago"],
    ["DTSTART;TZID=India Standard Time:20210503T101500", "2021-05-03T04:45:00Z", "Asia/Kolkata"],
    ["DTSTART;VALUE=DATE:20210503", "2021-05-03T00:00:00Z", null],
    ["DTSTART:20210503", "2021-05-03T00:00:00Z", null],
    ["DTSTART:20210503T101500+0200", "2021-05-03T08:15:00Z", "UTC"],
    ["DTSTART:20210503T101500-03:30", "2021-05-03T13:45:00Z", "UTC"],
    ["DTSTART;TZID=W. Europe:20210503T101500", "2021-05-03T08:15:00Z", "Europe/Berlin"],
    ["DTSTART:2021-05-03T10:15:00Z", "2021-05-03T10:15:00Z", "UTC"],
    ["DTSTART;TZID=Europe/Berlin:20210328T023000", "2021-03-28T01:30:00Z", "Europe/Berlin"],
  ])("reads %s", (line, instant, timezone) => {
    const [start, zone] = startOf(line);
    expect(start).toBe(instant);
    // Runtimes differ in which of two names of one zone they know.
    expect(zone === "Asia/Calcutta" ? "Asia/Kolkata" : zone).toBe(timezone);
  });

  it.each([
    ["in a zone", ";TZID=America/Chicago:20210503T000000", ";TZID=America/Chicago:20210505T000000", "20210510T000000"],
    ["in UTC, west of Greenwich", ":20210503T050000Z", ":20210505T050000Z", "20210510T050000Z"],
    ["in UTC, east of Greenwich", ":20210502T220000Z", ":20210504T220000Z", "20210509T220000Z"],
    ["in UTC, over a change of the clock", ":20210502T220000Z", ":20210504T230000Z", "20210509T230000Z"],
  ])("recognizes all-day events written with hours, %s", (_, start, end, other) => {
    const zone = start.startsWith(";") ? start.slice(0, start.indexOf(":") + 1) : ":";
    const { entry } = onlyEvent(
      calendar(
        `DTSTART${start}`,
        `DTEND${end}`,
        `RECURRENCE-ID${zone}${other}`,
        `EXDATE${zone}${other}`,
        `RRULE:FREQ=WEEKLY;UNTIL=${other.replace(/Z?$/, "Z")};WKST=SU`,
        "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE",
      ),
    );
    expect(entry).toMatchObject({
      start: Date.UTC(2021, 4, 3),
      end: Date.UTC(2021, 4, 5),
      allDay: true,
      timezone: null,
      recurrenceId: Date.UTC(2021, 4, 10),
      seriesAllDay: true,
      recurrence: { rrule: "FREQ=WEEKLY;UNTIL=20210510;WKST=SU", exdates: [Date.UTC(2021, 4, 10)] },
    });
  });

  it.each([
    ["TRIGGER:-P1DT2H", 1560],
    ["TRIGGER:PT5M", -5],
    ["TRIGGER;RELATED=END:-PT15M", -45],
    ["TRIGGER;VALUE=DATE-TIME:20210503T083000Z", 30],
    ["TRIGGER:soon", null],
    ["ACTION:DISPLAY", null],
  ])("reads the reminder of an event from %s", (line, minutes) => {
    const span = ["DTSTART:20210503T090000Z", "DTEND:20210503T100000Z"];
    const { entry } = onlyEvent(calendar(...span, "BEGIN:VALARM", line, "END:VALARM"));
    expect(entry.reminderMinutes).toBe(minutes);
  });

  it("keeps times that are not all-day, and the time of an occurrence that became all-day", () => {
    const mark = "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE";
    const hours = onlyEvent(calendar("DTSTART:20210503T090000Z", "DTEND:20210503T170000Z", mark)).entry;
    expect([hours.allDay, hours.start]).toEqual([false, Date.UTC(2021, 4, 3, 9)]);
    const day = ["DTSTART:20210503T000000", "DTEND:20210504T000000", "RECURRENCE-ID:20210503T090000", mark];
    expect(onlyEvent(calendar(...day)).entry).toMatchObject({
      allDay: true,
      seriesAllDay: false,
      recurrenceId: Date.UTC(2021, 4, 3, 9),
    });
  });

  it("shows UTC times in the calendar's own zone", () => {
    expect(startOf("DTSTART:20210503T101500Z", "X-WR-TIMEZONE:Europe/Paris")).toEqual([
      "2021-05-03T10:15:00Z",
      "Europe/Paris",
    ]);
  });

  it("reads floating times in the calendar's own zone, which Outlook or a VTIMEZONE may name", () => {
    const inZone = (zone: string): unknown => startOf("DTSTART:20210503T101500", `X-WR-TIMEZONE:${zone}`);
    expect(inZone("Europe/Paris")).toEqual(["2021-05-03T08:15:00Z", "Europe/Paris"]);
    expect(inZone("W. Europe Standard Time")).toEqual(["2021-05-03T08:15:00Z", "Europe/Berlin"]);
    expect(inZone("Nowhere")).toEqual(["2021-05-03T10:15:00Z", null]);
    expect(inZone("")).toEqual(["2021-05-03T10:15:00Z", null]);
    expect(startOf("DTSTART:20210503T101500", "TZ:+05:30")[0]).toBe("2021-05-03T04:45:00Z");
    expect(startOf("DTSTART:20210503T101500", "TZ:-04")[0]).toBe("2021-05-03T14:15:00Z");
    const daylight = "TZ:+01\r\nDAYLIGHT:TRUE;+02;20210328T010000Z;20211031T030000;CET;CEST";
    expect(startOf("DTSTART:20210328T030000", daylight)[0]).toBe("2021-03-28T01:00:00Z");
    expect(startOf("DTSTART:20210327T101500", daylight)[0]).toBe("2021-03-27T09:15:00Z");
    expect(startOf("DTSTART:20211101T101500", daylight)[0]).toBe("2021-11-01T09:15:00Z");
    expect(startOf("DTSTART:20210503T101500", "TZ:+01\r\nDAYLIGHT:FALSE")[0]).toBe("2021-05-03T09:15:00Z");
    expect(startOf("DTSTART;VALUE=DATE:20210503", "X-WR-TIMEZONE:Europe/Paris")).toEqual([
      "2021-05-03T00:00:00Z",
      null,
    ]);
  });

  it.each([
    ["CET", "10:00"],
    ["EST5EDT", "16:00"],
    ["europe/berlin", "10:00"],
    ["america/port-au-prince", "16:00"],
    ["US-Eastern", "16:00"],
    ["PST", "12:00"],
  ])("reads times of the zone %s", (zone, time) => {
    expect(startOf(`DTSTART;TZID=${zone}:20220701T120000`)[0]).toBe(`2022-07-01T${time}:00Z`);
  });

  it("finds the rules of a zone under a name in another case", () => {
    const zone = [
      "BEGIN:VTIMEZONE",
      "TZID:Quay Time",
      "BEGIN:STANDARD",
      "DTSTART:20000101T000000",
      "TZOFFSETFROM:+0145",
    ];
    const text = [...zone, "TZOFFSETTO:+0145", "END:STANDARD", "END:VTIMEZONE"];
    expect(startOf("DTSTART;TZID=quay time:20220701T120000", ...text)[0]).toBe("2022-07-01T10:15:00Z");
  });

  it("applies every date that a zone lists for its changes", () => {
    const zone = (offset: string, before: string, ...lines: readonly string[]): readonly string[] => [
      "BEGIN:STANDARD",
      `TZOFFSETTO:${offset}`,
      `TZOFFSETFROM:${before}`,
      ...lines,
      "END:STANDARD",
    ];
    const listed = [
      ...["BEGIN:VTIMEZONE", "TZID:Home"],
      ...zone("+0100", "+0200", "DTSTART:20191027T030000", "RDATE:20201025T030000,20211031T030000"),
      ...zone("+0200", "+0100", "DTSTART:20190331T020000", "RDATE:20200329T020000", "RDATE:20210328T020000"),
      "END:VTIMEZONE",
    ];
    const at = (date: string): string | null => startOf(`DTSTART;TZID=Home:${date}T120000`, ...listed)[0]!;
    expect(["20190701", "20200101", "20200701", "20210701", "20211101"].map(at)).toEqual([
      "2019-07-01T10:00:00Z",
      "2020-01-01T11:00:00Z",
      "2020-07-01T10:00:00Z",
      "2021-07-01T10:00:00Z",
      "2021-11-01T11:00:00Z",
    ]);
  });

  it("truncates a method, which every event contains", () => {
    const text = `BEGIN:VCALENDAR\nMETHOD:${"A".repeat(5000)}\nBEGIN:VEVENT\nDTSTART:20240101T100000Z\nEND:VEVENT\nEND:VCALENDAR`;
    expect(onlyEvent(text).entry.method).toHaveLength(64);
    expect(onlyEvent(text.replace(/METHOD.*\n/, ""), "B".repeat(5000)).entry.method).toHaveLength(64);
  });

  it("keeps the zone and the method of each calendar in a file for its events", () => {
    const calendar = (uid: string, ...lines: readonly string[]): string =>
      [
        "BEGIN:VCALENDAR",
        ...lines,
        "BEGIN:VEVENT",
        `UID:${uid}`,
        "DTSTART:20210503T101500",
        "END:VEVENT",
        "END:VCALENDAR",
      ].join("\r\n");
    const text = [
      calendar("a", "X-WR-TIMEZONE:Europe/Paris", "METHOD:REQUEST"),
      calendar("b", "X-WR-TIMEZONE:Asia/Tokyo"),
      calendar("c", "METHOD:CANCEL"),
    ].join("\r\n");
    const { entries } = readCalendar({ text, method: null });
    expect(entries.map(({ timezone, method }) => [timezone, method])).toEqual([
      ["Europe/Paris", "REQUEST"],
      ["Asia/Tokyo", null],
      [null, "CANCEL"],
    ]);
  });

  const custom = [
    "BEGIN:VTIMEZONE",
    "TZID:Home",
    "BEGIN:STANDARD",
    "DTSTART:20001029T020000",
    "TZOFFSETFROM:-0500",
    "TZOFFSETTO:-0600",
    "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20061029T070000Z",
    "END:STANDARD",
    "BEGIN:STANDARD",
    "DTSTART:20071104T020000",
    "TZOFFSETFROM:-0500",
    "TZOFFSETTO:-0600",
    "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU",
    "END:STANDARD",
    "BEGIN:DAYLIGHT",
    "DTSTART:20000402T020000",
    "TZOFFSETFROM:-0600",
    "TZOFFSETTO:-0500",
    "RRULE:FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=1,2,3,4,5,6,7;BYDAY=SU;UNTIL=20060402T080000Z",
    "END:DAYLIGHT",
    "BEGIN:DAYLIGHT",
    "DTSTART:20070311T020000",
    "TZOFFSETFROM:-0600",
    "TZOFFSETTO:-0500",
    "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU",
    "END:DAYLIGHT",
    "END:VTIMEZONE",
  ];

  it("uses the rules of the calendar if the zone has no known name", () => {
    const isSummer = new Intl.DateTimeFormat("en-US", { timeZone: "America/Chicago", timeZoneName: "short" });
    // 7 months apart: each month of the year, before and after the rules changed.
    for (let month = 0; month < 12 * 20; month += 7) {
      const local = Date.UTC(2001, month, 15, 12);
      const offset = isSummer.format(local).endsWith("CDT") ? 5 : 6;
      const written = new Date(local).toISOString().replaceAll(/[-:]|\.000Z/g, "");
      expect(startOf(`DTSTART;TZID=Home:${written}`, ...custom)).toEqual([
        formatInstant(local + offset * 3_600_000),
        "America/Chicago",
      ]);
    }
    expect(startOf("DTSTART;TZID=Home:19700101T000000", ...custom)[0]).toBe("1970-01-01T06:00:00Z");
  });

  it.each([
    ["Customized Time Zone", "+0800", "+0800", "Etc/GMT-8"],
    ["tzone-Microsoft-Custom", "+0545", "+0545", "Asia/Katmandu"],
    ["Zürich", "+0200", "+0100", "Europe/Berlin"],
    ["Home", "+0433", "+0333", "<+0333>-3:33<+0433>-4:33,M3.5.0/2,M10.5.0/3"],
  ])("finds the zone %s by its rules", (name, daylight, standard, zone) => {
    const observance = (kind: string, month: number, hour: number, offsets: readonly string[]): readonly string[] => [
      `BEGIN:${kind}`,
      `DTSTART:16010101T0${hour}0000`,
      `TZOFFSETFROM:${offsets[0]}`,
      `TZOFFSETTO:${offsets[1]}`,
      ...(offsets[0] === offsets[1] ? [] : [`RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=${month}`]),
      `END:${kind}`,
    ];
    const described = [
      "BEGIN:VTIMEZONE",
      `TZID:${name}`,
      ...observance("STANDARD", 10, 3, [daylight, standard]),
      ...(daylight === standard ? [] : observance("DAYLIGHT", 3, 2, [standard, daylight])),
      "END:VTIMEZONE",
    ];
    const found = startOf(`DTSTART;TZID=${name}:20180605T070000`, ...described)[1];
    // Runtimes differ in which of two names of one zone they know.
    expect(found === "Asia/Kathmandu" ? "Asia/Katmandu" : found).toBe(zone);
  });

  it("reads an unknown zone as UTC and notes that", () => {
    const { entry, codes } = onlyEvent(calendar("DTSTART;TZID=Middle Earth:20210503T101500"));
    expect([formatInstant(entry.start), entry.timezone]).toEqual(["2021-05-03T10:15:00Z", null]);
    expect(codes).toEqual(["calendar-unknown-timezone"]);
  });

  it.each([
    [["DTSTART:20210503T100000Z", "DURATION:PT1H30M"], "2021-05-03T11:30:00Z"],
    [["DTSTART:20210503T100000Z", "DURATION:P1W"], "2021-05-10T10:00:00Z"],
    [["DTSTART;TZID=Europe/Berlin:20240330T230000", "DURATION:P1D"], "2024-03-31T21:00:00Z"],
    [["DTSTART;TZID=Europe/Berlin:20240330T230000", "DURATION:PT24H"], "2024-03-31T22:00:00Z"],
    [["DTSTART:20210503T100000Z"], "2021-05-03T10:00:00Z"],
    [["DTSTART;VALUE=DATE:20210503"], "2021-05-04T00:00:00Z"],
    [["DTSTART;VALUE=DATE:20210503", "DTEND;VALUE=DATE:20210506"], "2021-05-06T00:00:00Z"],
    [["DTSTART:20210503T100000Z", "DTEND:20210502T100000Z"], "2021-05-03T10:00:00Z"],
    [["DTSTART:20210503T100000Z", "DURATION:-PT1H"], "2021-05-03T10:00:00Z"],
  ])("ends %s", (lines, end) => {
    expect(formatInstant(onlyEvent(calendar(...lines)).entry.end)).toBe(end);
  });

  it.each(["nonsense", "20211301T000000Z", "20210503T990000Z", "20230229", "20210431T100000Z", "", "99999999999999"])(
    "does not read `%s` as a date",
    (value) => {
      const { entry, codes } = onlyEvent(calendar(`DTSTART:${value}`));
      expect([entry.start, entry.end]).toEqual([null, null]);
      expect(codes).toEqual(expect.arrayContaining(["calendar-bad-date", "calendar-missing-start"]));
    },
  );

  it("prefers the calendar's own method and falls back to the content type's", () => {
    expect(onlyEvent(INVITATION, "CANCEL").entry.method).toBe("REQUEST");
    const { entry } = onlyEvent(calendar("DTSTART:20210503T100000Z", "STATUS:CONFIRMED"), "CANCEL");
    expect([entry.method, entry.status]).toEqual(["CANCEL", "cancelled"]);
  });

  it("reads all-day events, exceptions and free time", () => {
    const { entry } = onlyEvent(
      calendar("DTSTART;VALUE=DATE:20210503", "RECURRENCE-ID;VALUE=DATE:20210503", "TRANSP:TRANSPARENT"),
    );
    expect([entry.allDay, entry.recurrenceId, entry.busyStatus]).toEqual([true, Date.UTC(2021, 4, 3), "free"]);
  });

  it("reads vCalendar 1.0 with quoted-printable text", () => {
    const { entry } = onlyEvent(
      calendar("DTSTART:20210503T100000Z", "SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Caf=C3=A9 =", "um zehn"),
    );
    expect(entry.subject).toBe("Café um zehn");
  });

  it("uses the text of an HTML description if DESCRIPTION is empty", () => {
    const { entry } = onlyEvent(
      calendar("DESCRIPTION:\\n", "X-ALT-DESC;FMTTYPE=text/html:<p>Dear <b>all</b></p><p>Room\\, 7</p>"),
    );
    expect(entry.description).toBe("Dear all\n\nRoom, 7");
  });

  it("keeps attendees without an address, and drops empty ones", () => {
    const { entry } = onlyEvent(
      calendar(
        "ATTENDEE;CN=Room 7:invalid:nomail",
        "ATTENDEE:",
        "ATTENDEE;PARTSTAT=:mailto:ann@example.org",
        "ATTENDEE;CN=\"Ann ^'A^' Example\";EMAIL=a@example.org:urn:uuid:1",
      ),
    );
    expect(entry.attendees.map(({ name, email, status }) => [name, email, status])).toEqual([
      ["Room 7", "", "needs-action"],
      ["", "ann@example.org", "needs-action"],
      ['Ann "A" Example', "a@example.org", "needs-action"],
    ]);
  });

  it("agrees with ical.js on well-formed input", () => {
    const text = (max: number) =>
      fc.string({ unit: fc.constantFrom(..."abcÄß €,;:\\\n\"'^="), maxLength: max }).map((value) => value.trim());
    const instant = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000);
    fc.assert(
      fc.property(text(40), text(200), instant, instant, (summary, description, start, stamp) => {
        const event = new ICAL.Component("vevent");
        event.addPropertyWithValue("uid", "x@example.org");
        event.addPropertyWithValue("summary", summary);
        event.addPropertyWithValue("description", description);
        event.addPropertyWithValue("dtstart", ICAL.Time.fromJSDate(new Date(start), true));
        event.addPropertyWithValue("dtstamp", ICAL.Time.fromJSDate(new Date(stamp), true));
        const root = new ICAL.Component("vcalendar");
        root.addSubcomponent(event);
        const { entry } = onlyEvent(root.toString());
        expect([entry.uid, entry.start, entry.updatedAt]).toEqual(["x@example.org", start, stamp]);
        expect([entry.subject, entry.description]).toEqual([summary, description]);
      }),
    );
  });

  it("never throws", () => {
    const line = fc.constantFrom(
      "BEGIN:VCALENDAR",
      "BEGIN:VEVENT",
      "END:VEVENT",
      "BEGIN:VTIMEZONE",
      "TZID:X",
      "BEGIN:STANDARD",
      "TZOFFSETTO:+0100",
      "DTSTART:16010101T020000",
      "RRULE:FREQ=YEARLY;BYDAY=9SU;BYMONTH=99",
      "END:STANDARD",
      "END:VTIMEZONE",
      "DTSTART;TZID=X:20210101T000000",
      "DTSTART;TZID=X:99991231T235959",
      'ATTENDEE;CN="a:b',
      "EXDATE:,,;",
      "UID:1",
      " folded",
      "DURATION:P",
      "=\n=",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) =>
        Array.isArray(readCalendar({ text: lines.join("\n"), method: null }).entries),
      ),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) =>
        Array.isArray(readCalendar({ text: `BEGIN:VEVENT\n${text}`, method: null }).entries),
      ),
    );
  });

  it("reads long hostile calendars in one pass", () => {
    for (const piece of [
      "BEGIN:VEVENT\n",
      "BEGIN:X\n",
      "END:VEVENT\n",
      ";a",
      'A;B="',
      " \n ",
      "EXDATE:2021,",
      "A:=\n",
      "ATTENDEE;A=1:mailto:a@b\n",
    ]) {
      const { entries } = readCalendar({ text: `BEGIN:VEVENT\nUID:1\n${piece.repeat(50_000)}`, method: null });
      expect(entries.length).toBeGreaterThan(0);
    }
  });
});

describe("invalid time zones", () => {
  const zone = (tzid: string): string =>
    `BEGIN:VTIMEZONE\nTZID:${tzid}\nBEGIN:STANDARD\nTZOFFSETFROM:+0530\nTZOFFSETTO:+0530\nDTSTART:19700101T000000\nEND:STANDARD\nEND:VTIMEZONE\n`;
  it.each([
    ["GMT+05:30", "TZID=GMT+05:30:20240715T133000"],
    ["tzone://Microsoft/Custom", "TZID=tzone://Microsoft/Custom:20240715T133000"],
    ["(UTC+05:30) Chennai\\, Kolkata", 'TZID="(UTC+05:30) Chennai, Kolkata":20240715T133000'],
    ["(UTC+05:30) Chennai\\, Kolkata", "TZID=(UTC+05:30) Chennai\\, Kolkata:20240715T133000"],
    ["(UTC+05:30) Chennai, Kolkata", "TZID=(UTC+05:30) Chennai, Kolkata;VALUE=DATE-TIME:2024-07-15T13:30:00"],
    ["other", "TZID=GMT+05:30:20240715T133000"],
    ["other", "TZID=UTC+5:30:20240715T133000"],
  ])("VTIMEZONE %s, %s", (tzid, parameter) => {
    const text = `BEGIN:VCALENDAR\n${zone(tzid)}BEGIN:VEVENT\nUID:z\nDTSTART;${parameter}\nEND:VEVENT\nEND:VCALENDAR\n`;
    const { entries } = readCalendar({ text, method: null });
    expect(formatInstant(entries[0]!.start!)).toBe("2024-07-15T08:00:00Z");
  });

  it.each([
    ["GMT+05:30", "<+0530>-5:30"],
    ["UTC-3", "Etc/GMT+3"],
    ["tzone://Microsoft/Utc", "UTC"],
  ])("offset %s is the zone %s", (tzid, timezone) => {
    const text = `BEGIN:VEVENT\nUID:z\nDTSTART;TZID=${tzid}:20240715T133000\nRRULE:FREQ=DAILY\nEND:VEVENT\n`;
    const { entries, findings } = readCalendar({ text, method: null });
    expect([entries[0]?.timezone, findings]).toEqual([timezone, []]);
  });
});

const tika = realData("mime/tika/integration");

describe.skipIf(tika === null)("calendars of another project (Tika)", () => {
  const files = tika === null ? [] : readdirSync(tika).filter((name) => name.endsWith(".ics"));

  it("contains two", () => {
    expect(files).toHaveLength(2);
  });

  it.each(files)("%s", (name) => {
    const text = readFileSync(join(tika ?? "", name), "utf8");
    const { entry, codes } = onlyEvent(text);
    const oracle = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent")!);
    expect(codes).toEqual([]);
    expect([entry.uid, entry.subject, entry.start, entry.end]).toEqual([
      oracle.uid,
      oracle.summary,
      oracle.startDate.toJSDate().getTime(),
      oracle.endDate.toJSDate().getTime(),
    ]);
    expect(entry.description).toBe(oracle.description.trim());
  });
});
