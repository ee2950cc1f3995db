import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { hashSource } from "../../src/extraction/reading/hash-source.ts";
import { formatInstant } from "../../src/mail/dates/instant.ts";
import type { CalendarEntry } from "../../src/mail/records/calendar-event.ts";
import { parseMessage } from "../../src/mime/parse-message.ts";
import { MailboxPaths } from "../../src/outputs/export/mailbox-path.ts";
import { PROPERTY_SET } from "../../src/properties/named-properties.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { inspectInput, unpackMail } from "../../src/sources/finding/resolve-input.ts";
import { openSource } from "../../src/sources/formats/detect-format.ts";
import { ATTACHMENT_PATH, listed, olmFile, olmMail } from "../olm-writer.ts";
import { recurrenceBlob, timeZoneDefinition, timeZoneStruct, type ZoneRule } from "../pst-writer/appointment-blobs.ts";
import { itemsOfStore } from "../pst-writer/items-of-store.ts";
import { binary, boolean, integer, text, time, type WrittenProperty } from "../pst-writer/property-writer.ts";
import { buildStore, sampleMail } from "../pst-writer/sample-store.ts";
import type { WrittenMessage } from "../pst-writer/store-writer.ts";
import { buildZip } from "../zip-file.ts";
import {
  type Case,
  type CaseRow,
  DATA,
  type Given,
  inMsg,
  inStore,
  itemsOf,
  MAIL,
  type Mail,
  name,
  SENT,
  saved,
  UNICODE,
  without,
} from "./outlook-report-inputs.ts";

/** Envelope of a message read from a store and from a .msg file. */
function ofEnvelope(message: WrittenMessage, read: (mail: Mail) => unknown, matcher?: unknown): Case {
  return async (given) => {
    const mails = [await inStore(message), await inMsg(given, () => message)];
    const expected = matcher ?? given.expected;
    return { result: mails.map(read), matcher: [expected, expected] };
  };
}

const sender = ({ message }: Mail): string | undefined => message.envelope.from?.email;
const kindOf = ({ message }: Mail): string | null => message.envelope.messageKind;
const subjectOf = ({ message }: Mail): string | null => message.envelope.subject;

const X500 = "/O=X/OU=EXCHANGE/CN=RECIPIENTS/CN=DSI";
const EXCHANGE: readonly WrittenProperty[] = [
  text(PID.messageClass, "IPM.Note"),
  text(PID.subject, "Sent"),
  text(PID.senderName, "DSI"),
  text(PID.senderAddressType, "EX"),
  text(PID.senderEmail, X500),
  text(PID.sentRepresentingName, "DSI"),
  text(PID.sentRepresentingEmail, X500),
  integer(PID.messageFlags, 1),
];

export const ENVELOPE_CASES: readonly CaseRow[] = [
  [
    "n01",
    (given) =>
      ofEnvelope({ properties: [...EXCHANGE, text(PID.creatorSmtp, given.expected)] }, sender, given.expected)(given),
  ],
  [
    "n04",
    ofEnvelope(
      { properties: MAIL, recipients: [{ type: 1, name: "doesnotexist@doesnt.com", email: "" }] },
      ({ message }) => message.envelope.to,
      [{ name: "", email: "doesnotexist@doesnt.com" }],
    ),
  ],
  [
    "n05",
    ofEnvelope({ properties: [...MAIL, text(PID.displayTo, "Hal; Ida Moss (ida@site.example)")] }, ({ message }) =>
      message.envelope.to.map(({ email }) => email).at(-1),
    ),
  ],
  [
    "n07",
    ofEnvelope({ properties: [text(PID.messageClass, "IPM.Note"), text(PID.senderName, "erik@site.example")] }, sender),
  ],
  [
    "n10",
    ofEnvelope({ properties: [...MAIL, text(PID.replyRecipientNames, "Frank Desk")] }, ({ message }) =>
      message.envelope.replyTo.map((address) => address.name).join(),
    ),
  ],
  ["n12", (given) => ofEnvelope({ properties: [...EXCHANGE, text(PID.senderSmtp, given.expected)] }, sender)(given)],
  [
    "k01",
    ofEnvelope(
      {
        properties: MAIL,
        attachments: [
          {
            properties: [text(PID.attachMimeTag, "message/delivery-status")],
            data: Buffer.from(
              "Reporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; a@x.example\r\nAction: failed\r\n",
            ),
          },
        ],
      },
      kindOf,
    ),
  ],
  [
    "k02",
    ofEnvelope(
      {
        properties: [
          ...without(MAIL, PID.subject),
          text(PID.subjectPrefix, "RE: "),
          text(PID.normalizedSubject, "Mooring of buoy 4"),
        ],
      },
      subjectOf,
    ),
  ],
  [
    "k03",
    ofEnvelope(
      { properties: [...without(MAIL, PID.subject), text(PID.subject, "subj \ud83d tail")] },
      subjectOf,
      "subj \ufffd tail",
    ),
  ],
  [
    "k04",
    ofEnvelope(
      {
        properties: [
          ...without(MAIL, PID.clientSubmitTime, PID.deliveryTime, PID.messageFlags),
          integer(PID.messageFlags, 9),
          time(PID.creationTime, SENT),
          time(PID.lastModificationTime, SENT),
        ],
      },
      ({
        message: {
          envelope: { sentAt, receivedAt },
        },
      }) => sentAt ?? receivedAt,
      SENT,
    ),
  ],
  [
    "x01",
    async (given) => {
      const { rendered } = await inMsg(given, (named) => ({
        properties: [
          ...without(MAIL, PID.messageClass),
          text(PID.messageClass, "IPM.Schedule.Meeting.Request"),
          time(named({ set: PROPERTY_SET.appointment, name: 0x820d }), SENT),
          time(named({ set: PROPERTY_SET.appointment, name: 0x820e }), SENT + 3_600_000),
        ],
      }));
      const parts = parseMessage(rendered()).calendarParts;
      return { result: parts.map((part) => part.text), matcher: [expect.stringContaining("DTSTART:20210514T120000Z")] };
    },
  ],
  [
    "x03",
    () => {
      const paths = new MailboxPaths("/", Number.POSITIVE_INFINITY);
      const years = ["2020/Invoices", "2021/Invoices"];
      return { result: years.map((year) => paths.of(year).join("/")), matcher: years };
    },
  ],
  [
    "x04",
    async (given) => {
      const filename = "plan [v1] (2).txt";
      const message = { properties: MAIL, attachments: [{ properties: [name(filename)], data: DATA }] };
      const { rendered } = await inMsg(given, () => message);
      return { result: parseMessage(rendered()).attachments.map((part) => part.filename), matcher: [filename] };
    },
  ],
];

/** Items in a directory with one .msg file. */
async function directoryOfMsg(given: Given) {
  await inMsg(given, () => ({ properties: MAIL }));
  return openSource(given.directory, { password: null, skipProtected: false });
}

export const FILE_CASES: readonly CaseRow[] = [
  [
    "f01",
    async (given) => {
      await inMsg(given, () => ({ properties: MAIL }));
      const template = saved(given, "made.oft", readFileSync(join(given.directory, "made.msg")));
      return { result: (await itemsOf(template)).map(({ kind }) => kind), matcher: ["object"] };
    },
  ],
  [
    "f02",
    async (given) => ({
      result: await hashSource(await directoryOfMsg(given)),
      matcher: expect.not.stringMatching(/^e3b0c442/),
    }),
  ],
  [
    "f04",
    async (given) => {
      const store = buildStore(UNICODE, (writer) => writer.addMessage(writer.addFolder("Inbox"), sampleMail(1)));
      const path = saved(given, "packed.pst", buildZip([{ name: "mail.pst", content: store }]));
      const [packed] = inspectInput(path).packed;
      const unpacked = await unpackMail(packed!, join(given.directory, "unpacked"), new AbortController().signal);
      const items = await Promise.all(unpacked.places.map(({ path: inside }) => itemsOf(inside)));
      return { result: items.flat().map(({ kind }) => kind), matcher: ["object"] };
    },
  ],
];

interface Series {
  /** Offset from UTC in hours at its start, June 5, 2018. */
  readonly ahead: number;
  readonly hour: number;
  readonly minutes: number;
  /** Bits of weekdays. */
  readonly days: number;
  readonly deleted?: readonly number[];
  zone(lid: (name: number) => number): readonly WrittenProperty[];
}

const START_DAY = Date.UTC(2018, 5, 5);
const HOUR = 3_600_000;

async function seriesEntry({ ahead, hour, minutes, days, deleted = [], zone }: Series): Promise<CalendarEntry> {
  const start = START_DAY + (hour - ahead) * HOUR;
  const [item] = await itemsOfStore(UNICODE, (store) => {
    const lid = (number: number): number => store.named({ set: PROPERTY_SET.appointment, name: number });
    const pattern = { frequency: "weekly", type: 1, period: 1, specific: [days], end: { count: 8 }, deleted } as const;
    const times = { startMinute: hour * 60, endMinute: hour * 60 + minutes };
    const properties = [
      text(PID.messageClass, "IPM.Appointment"),
      text(PID.subject, "Watch"),
      time(lid(0x820d), start),
      time(lid(0x820e), start + minutes * 60_000),
      boolean(lid(0x8215), minutes === 1440),
      binary(lid(0x8216), recurrenceBlob({ ...pattern, start: START_DAY, ...times })),
      ...zone(lid),
    ];
    return [{ properties }];
  });
  if (item?.kind !== "appointment") throw new Error(`no appointment: ${item?.kind}`);
  return item.entry;
}

/** First weekday and hour of a series, in the time zone that is read for it. */
function firstHour(series: Series): Case {
  return async () => {
    const { start, timezone, recurrence } = await seriesEntry(series);
    const clock = { timeZone: timezone ?? "UTC", weekday: "short", hour: "2-digit", hourCycle: "h23" } as const;
    return {
      result: [new Intl.DateTimeFormat("en", clock).format(start!), recurrence?.rrule],
      matcher: [`Tue, ${String(series.hour).padStart(2, "0")}`, expect.stringContaining("BYDAY=TU,FR")],
    };
  };
}

const timezoneOf =
  (series: Series): Case =>
  async () => ({ result: (await seriesEntry(series)).timezone });

type Change = readonly [month: number, nth: number, hour: number];

/** A rule whose clock changes on Sundays. */
const rule = (bias: number, standard: Change, daylight: Change): ZoneRule => ({
  bias,
  standard: { month: standard[0], day: standard[1], weekday: 0, hour: standard[2] },
  daylight: { month: daylight[0], day: daylight[1], weekday: 0, hour: daylight[2] },
});

const definition =
  (zoneName: string, ...rules: readonly ZoneRule[]): Series["zone"] =>
  (lid) => [binary(lid(0x8260), timeZoneDefinition(zoneName, rules))];

const WEEKLY = { hour: 7, minutes: 60, days: 0x24 } as const;
const CHINA: ZoneRule = { bias: -480 };

export const SERIES_CASES: readonly CaseRow[] = [
  ["c01", timezoneOf({ ...WEEKLY, ahead: 8, zone: definition("China Standard Time", CHINA) })],
  ["c10", firstHour({ ...WEEKLY, ahead: 8, zone: definition("Customized Time Zone", CHINA) })],
  [
    "c12",
    firstHour({
      ...WEEKLY,
      ahead: -7,
      hour: 20,
      zone: definition("tzone://Microsoft/Custom", rule(480, [11, 1, 2], [3, 2, 2])),
    }),
  ],
  [
    "c14",
    firstHour({
      ...WEEKLY,
      ahead: 2,
      zone: (lid) => [binary(lid(0x8233), timeZoneStruct(rule(-60, [10, 5, 3], [3, 5, 2])))],
    }),
  ],
  ["c20", timezoneOf({ ...WEEKLY, ahead: 8, zone: () => [] })],
  [
    "c22",
    async ({ expected }) => {
      const friday = Date.UTC(2018, 5, 15);
      const allDay = { hour: 0, minutes: 1440, days: 0x20, ahead: 0, deleted: [friday] };
      const { recurrence } = await seriesEntry({ ...allDay, zone: () => [] });
      return {
        result: expected.replace("2024-04-05", formatInstant(recurrence!.exdates[0]!).slice(0, 10)),
        matcher: "exdate 2018-06-15",
      };
    },
  ],
];

/** A mail of Outlook for Mac whose attachment is given as a URL. */
const macAttachment =
  (url: string | null, path: string | null, size: number): Case =>
  async (given) => {
    const attachment = {
      OPFAttachmentContentType: "image/png",
      OPFAttachmentName: "chart.png",
      ...(url === null ? {} : { OPFAttachmentURL: url }),
    };
    const mail = olmMail({ OPFMessageCopyAttachmentList: listed("messageAttachment", attachment) });
    const archive = buildZip([
      { name: "Local/com.microsoft.__Messages/Inbox/message_00001.xml", content: olmFile("emails", [["email", mail]]) },
      ...(path === null ? [] : [{ name: path, content: Buffer.from("chart bytes") }]),
    ]);
    const [item] = await itemsOf(saved(given, "mail.olm", archive));
    const parts = item?.kind === "object" ? item.message.attachments : [];
    return { result: parts.map((part) => part.bytes().length), matcher: [size] };
  };

const MAC_FOLDER = "Local/com.microsoft.__Messages/Inbox/com.microsoft.__Attachments";

export const MAC_CASES: readonly CaseRow[] = [
  ["o00", macAttachment(ATTACHMENT_PATH, ATTACHMENT_PATH, 11)],
  ["o02", macAttachment(`/${ATTACHMENT_PATH}`, ATTACHMENT_PATH, 11)],
  ["o03", macAttachment(null, `${MAC_FOLDER}/chart.png`, 11)],
];
