import { PROPERTY_SET, type PropertyName } from "../../src/properties/named-properties.ts";
import { TYPE } from "../../src/properties/property-bytes.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { recurrenceBlob, type SeriesPattern, timeZoneDefinition } from "../../test/pst-writer/appointment-blobs.ts";
import { binary, boolean, integer, text, time, type WrittenProperty } from "../../test/pst-writer/property-writer.ts";
import type { StoreWriter, WrittenMessage } from "../../test/pst-writer/store-writer.ts";
import { FIRST_DAY } from "./conversations.ts";
import { DAY, HOUR, MINUTE } from "./dates.ts";
import { type Person, personOf } from "./people.ts";

/** What the office keeps in Outlook beside its mail, by folder. */
export interface OutlookFolder {
  readonly name: string;
  readonly items: readonly ((store: StoreWriter) => WrittenMessage)[];
}

const appointment = (name: number): PropertyName => ({ set: PROPERTY_SET.appointment, name });
const address = (name: number): PropertyName => ({ set: PROPERTY_SET.address, name });
const task = (name: number): PropertyName => ({ set: PROPERTY_SET.task, name });

/** The clock of Oslo under the name Windows has for it. */
const OSLO = {
  year: 1601,
  bias: -60,
  standard: { month: 10, day: 5, weekday: 0, hour: 3 },
  daylight: { month: 3, day: 5, weekday: 0, hour: 2 },
} as const;

export interface OutlookEvent {
  readonly uid: string;
  readonly location: string;
  readonly start: number;
  readonly end: number;
  readonly isAllDay: boolean;
  readonly sequence: number;
}

/** The properties of an event that is or comes with an item ([MS-OXOCAL] 2.2.1). */
export function eventProperties(store: StoreWriter, event: OutlookEvent): readonly WrittenProperty[] {
  const zone = binary(store.named(appointment(0x8260)), timeZoneDefinition("W. Europe Standard Time", [OSLO]));
  return [
    time(store.named(appointment(0x820d)), event.start),
    time(store.named(appointment(0x820e)), event.end),
    boolean(store.named(appointment(0x8215)), event.isAllDay),
    text(store.named(appointment(0x8208)), event.location),
    integer(store.named(appointment(0x8205)), 2),
    integer(store.named(appointment(0x8201)), event.sequence),
    binary(store.named({ set: PROPERTY_SET.meeting, name: 3 }), globalObjectId(event.uid)),
    // The days of an all-day event are days everywhere.
    ...(event.isAllDay ? [] : [zone]),
  ];
}

/** A UID of another calendar inside a global object id ([MS-OXCICAL] 2.1.3.1.1.20.26). */
function globalObjectId(uid: string): Buffer {
  const data = Buffer.from(`vCal-Uid\x01\0\0\0${uid}`, "latin1");
  const head = Buffer.alloc(40);
  head.write("040000008200e00074c5b7101a82e008", 0, "hex");
  head.writeUInt32LE(data.length, 36);
  return Buffer.concat([head, data]);
}

export const OUTLOOK_FOLDERS: readonly OutlookFolder[] = [
  { name: "Calendar", items: [weeklyRound, payrollRun] },
  { name: "Contacts", items: [contact("lars"), contact("bettina")] },
  { name: "Tasks", items: [cranePermit] },
  { name: "Notes", items: [alarmNote] },
];

function officeEvent(
  store: StoreWriter,
  of: { readonly subject: string; readonly body: string; readonly event: OutlookEvent; readonly series: SeriesPattern },
): WrittenMessage {
  const { first, last, email } = personOf("office");
  const properties = [
    ...itemProperties("IPM.Appointment", of.subject, of.body),
    text(PID.sentRepresentingName, `${first} ${last}`),
    text(PID.sentRepresentingAddressType, "SMTP"),
    text(PID.sentRepresentingEmail, email),
    ...eventProperties(store, of.event),
    binary(store.named(appointment(0x8216)), recurrenceBlob(of.series)),
  ];
  return { properties };
}

/** Every Monday at half past eight; not on Easter Monday, and a day later in the week of Constitution Day. */
function weeklyRound(store: StoreWriter): WrittenMessage {
  const start = FIRST_DAY + 7 * DAY;
  const constitutionDay = Date.UTC(2021, 4, 17);
  const event = {
    uid: "office-round@halvorsen-pike.example",
    location: "Front office",
    // Winter time of Oslo.
    start: start + 7 * HOUR + 30 * MINUTE,
    end: start + 8 * HOUR,
    isAllDay: false,
    sequence: 1,
  };
  const series: SeriesPattern = {
    frequency: "weekly",
    type: 1,
    period: 1,
    specific: [0x02],
    end: { count: 20 },
    start,
    startMinute: 510,
    endMinute: 540,
    deleted: [Date.UTC(2021, 3, 5)],
    exceptions: [
      {
        original: constitutionDay + 8 * HOUR + 30 * MINUTE,
        start: constitutionDay + DAY + 9 * HOUR,
        end: constitutionDay + DAY + 10 * HOUR,
        subject: "Office round, a day late",
      },
    ],
  };
  return officeEvent(store, { subject: "Office round", body: "Post, keys, visitors of the week.", event, series });
}

/** On the 25th of every month until the end of the year after. */
function payrollRun(store: StoreWriter): WrittenMessage {
  const start = Date.UTC(2021, 2, 25);
  const event = {
    uid: "payroll@halvorsen-pike.example",
    location: "",
    start: start + 13 * HOUR,
    end: start + 15 * HOUR,
    isAllDay: false,
    sequence: 0,
  };
  const series: SeriesPattern = {
    frequency: "monthly",
    type: 2,
    period: 1,
    specific: [25],
    end: { until: Date.UTC(2022, 11, 25) },
    start,
    startMinute: 840,
    endMinute: 960,
  };
  return officeEvent(store, { subject: "Payroll run", body: "Wendy signs off before noon.", event, series });
}

function contact(key: string): (store: StoreWriter) => WrittenMessage {
  return (store) => contactItem(store, personOf(key));
}

function contactItem(store: StoreWriter, { first, last, email, company, role, phone }: Person): WrittenMessage {
  const name = `${first} ${last}`;
  const properties = [
    ...itemProperties("IPM.Contact", name, ""),
    text(PID.displayName, name),
    text(0x3a06, first),
    text(0x3a11, last),
    text(0x3a16, company),
    text(0x3a17, role),
    text(0x3a08, phone),
    text(store.named(address(0x8005)), `${last}, ${first}`),
    text(store.named(address(0x8082)), "SMTP"),
    text(store.named(address(0x8083)), email),
    text(store.named(address(0x8080)), `${name} (${email})`),
  ];
  return { properties };
}

function cranePermit(store: StoreWriter): WrittenMessage {
  const half = Buffer.alloc(8);
  half.writeDoubleLE(0.5);
  const properties = [
    ...itemProperties(
      "IPM.Task",
      "Renew the permit of the quay crane",
      "The form is in the blue folder. Lars stamps it.",
    ),
    integer(store.named(task(0x8101)), 1),
    { id: store.named(task(0x8102)), type: TYPE.floating64, bytes: half },
    time(store.named(task(0x8105)), FIRST_DAY + 90 * DAY),
    boolean(store.named(task(0x811c)), false),
  ];
  return { properties };
}

function alarmNote(store: StoreWriter): WrittenMessage {
  const words = "The alarm of the boat house wants its battery changed every spring.";
  return {
    properties: [
      ...itemProperties("IPM.StickyNote", words, words),
      integer(store.named({ set: PROPERTY_SET.note, name: 0x8b00 }), 3),
    ],
  };
}

function itemProperties(messageClass: string, subject: string, body: string): readonly WrittenProperty[] {
  return [
    text(PID.messageClass, messageClass),
    text(PID.subject, subject),
    text(PID.body, body),
    time(PID.creationTime, FIRST_DAY),
    integer(PID.messageFlags, 1),
  ];
}
