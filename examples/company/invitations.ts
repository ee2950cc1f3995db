import { DAY, HOUR, icalTime } from "./dates.ts";
import { type Draft, draftOf, type Identity } from "./draft.ts";
import { personOf } from "./people.ts";

/** One VEVENT as it is sent; the times are on the wall clock of Oslo. */
interface Invitation {
  readonly uid: string;
  readonly method: "REQUEST" | "CANCEL" | "REPLY";
  readonly sequence: number;
  readonly summary: string;
  readonly location: string;
  readonly start: number;
  readonly hours: number;
  readonly rules: readonly string[];
  readonly organizer: string;
  readonly attendees: readonly string[];
  readonly status: string;
}

/** Winter and summer time of Oslo, as Outlook sends it along. */
const OSLO = [
  "BEGIN:VTIMEZONE",
  "TZID:Europe/Oslo",
  "BEGIN:STANDARD",
  "DTSTART:19701025T030000",
  "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
  "TZOFFSETFROM:+0200",
  "TZOFFSETTO:+0100",
  "END:STANDARD",
  "BEGIN:DAYLIGHT",
  "DTSTART:19700329T020000",
  "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
  "TZOFFSETFROM:+0100",
  "TZOFFSETTO:+0200",
  "END:DAYLIGHT",
  "END:VTIMEZONE",
] as const;

/**
 * An event at a weekly meeting that was moved, a review that was moved and then called off, the fair, and an answer.
 */
export function invitationDrafts(firstDay: number): Draft[] {
  const monday = firstDay + 14 * DAY;
  const { weekly, review, fair } = firstInvitations(firstDay, monday);
  const invitations: readonly (readonly [days: number, invitation: Invitation])[] = [
    [10, weekly],
    [
      60,
      {
        ...weekly,
        sequence: 1,
        start: monday + 10 * HOUR,
        location: "Meeting room Petrel",
        rules: ["RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=40"],
      },
    ],
    [110, review],
    [112, { ...review, sequence: 1, start: review.start + DAY }],
    [
      113,
      { ...review, method: "REPLY", sequence: 1, start: review.start + DAY, organizer: "greta", attendees: ["pike"] },
    ],
    [118, { ...review, method: "CANCEL", sequence: 2, start: review.start + DAY, status: "CANCELLED" }],
    [400, fair],
  ];
  return invitations.map(([days, invitation]) =>
    invitationDraft(firstDay + days * DAY + 8 * HOUR + invitation.sequence * 61_000, invitation),
  );
}

function firstInvitations(
  firstDay: number,
  monday: number,
): Readonly<Record<"weekly" | "review" | "fair", Invitation>> {
  const weekly: Invitation = {
    uid: "weekly-engineering@halvorsen-pike.example",
    method: "REQUEST",
    sequence: 0,
    summary: "Weekly engineering meeting",
    location: "Meeting room Gannet",
    start: monday + 9 * HOUR,
    hours: 1,
    rules: ["RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=40", `EXDATE;TZID=Europe/Oslo:${icalTime(monday + 21 * DAY + 9 * HOUR)}`],
    organizer: "tomas",
    attendees: ["priya", "jonas", "aiko", "greta"],
    status: "CONFIRMED",
  };
  const review: Invitation = {
    uid: "contract-review-1@halvorsen-pike.example",
    method: "REQUEST",
    sequence: 0,
    summary: "Contract review Port of Aldmere",
    location: "Call",
    start: firstDay + 120 * DAY + 13 * HOUR,
    hours: 2,
    rules: [],
    organizer: "greta",
    attendees: ["pike", "ruth", "office"],
    status: "CONFIRMED",
  };
  const fair: Invitation = {
    uid: "oceantech-fair@halvorsen-pike.example",
    method: "REQUEST",
    sequence: 0,
    summary: "OceanTech fair, booth 4.117",
    location: "Fairground, hall 4",
    start: firstDay + 430 * DAY,
    hours: 0,
    rules: [],
    organizer: "office",
    attendees: ["pike", "aiko", "elena", "greta"],
    status: "CONFIRMED",
  };
  return { weekly, review, fair };
}

const SUBJECT_PREFIX: Readonly<Record<Invitation["method"], string>> = {
  REQUEST: "",
  CANCEL: "Canceled: ",
  REPLY: "Accepted: ",
};

function invitationDraft(sentAt: number, invitation: Invitation): Draft {
  const { method, organizer, attendees } = invitation;
  const writer = method === "REPLY" ? attendees[0]! : organizer;
  const readers = method === "REPLY" ? [organizer] : attendees;
  const prefix = method === "REQUEST" && invitation.sequence > 0 ? "Updated: " : SUBJECT_PREFIX[method];
  return draftOf({
    from: identity(writer),
    to: readers.map(identity),
    subject: `${prefix}${invitation.summary}`,
    sentAt,
    paragraphs: [
      method === "CANCEL" ? "The meeting does not take place." : `${invitation.summary}, ${invitation.location}.`,
    ],
    program: "outlook",
    calendar: { method, text: calendarText(sentAt, invitation) },
    project: "calendar",
  });
}

function identity(key: string): Identity {
  const { first, last, email } = personOf(key);
  return { name: `${first} ${last}`, email };
}

function calendarText(stamp: number, invitation: Invitation): string {
  const { start, hours } = invitation;
  const times =
    hours === 0
      ? [
          `DTSTART;VALUE=DATE:${icalTime(start).slice(0, 8)}`,
          `DTEND;VALUE=DATE:${icalTime(start + 3 * DAY).slice(0, 8)}`,
        ]
      : [`DTSTART;TZID=Europe/Oslo:${icalTime(start)}`, `DTEND;TZID=Europe/Oslo:${icalTime(start + hours * HOUR)}`];
  const organizer = identity(invitation.organizer);
  const partstat = invitation.method === "REPLY" ? "ACCEPTED" : "NEEDS-ACTION";
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Halvorsen & Pike//Examples//EN",
    `METHOD:${invitation.method}`,
    ...(hours === 0 ? [] : OSLO),
    "BEGIN:VEVENT",
    `UID:${invitation.uid}`,
    `SEQUENCE:${invitation.sequence}`,
    `DTSTAMP:${icalTime(stamp)}Z`,
    ...times,
    ...invitation.rules,
    `SUMMARY:${invitation.summary.replaceAll(",", "\\,")}`,
    `LOCATION:${invitation.location.replaceAll(",", "\\,")}`,
    `STATUS:${invitation.status}`,
    `ORGANIZER;CN=${organizer.name}:mailto:${organizer.email}`,
    ...invitation.attendees.map(
      (key) =>
        `ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=${partstat};CN=${identity(key).name}:mailto:${identity(key).email}`,
    ),
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return `${lines.map(foldLine).join("\r\n")}\r\n`;
}

/** RFC 5545 section 3.1: at most 75 octets a line. Cut by characters, which are at most 3 octets here. */
function foldLine(line: string): string {
  return line.replace(/(.{60})(?=.)/gu, "$1\r\n ");
}
