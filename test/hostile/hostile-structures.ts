import { type HostileKind, messageOf, numbered, numberedMessage, repeated } from "./hostile-kind.ts";

const MIXED = "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n";
const TEXT_PART = "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n";
const FILE_PART = "--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nx\r\n";

const PARTS: readonly HostileKind[] = [
  messageOf("parts-of-text", { before: MIXED, piece: TEXT_PART, after: "--b--\r\n" }),
  messageOf("parts-of-files", { before: MIXED, piece: FILE_PART, after: "--b--\r\n" }),
  messageOf("parts-empty", { before: MIXED, piece: "--b\r\n" }),
  messageOf("parts-closed", { before: MIXED, piece: "--b--\r\n" }),
  messageOf("boundary-prefixes", { before: MIXED, piece: "--\r\n" }),
  messageOf("boundary-lookalikes", { before: MIXED, piece: "--bb\r\n" }),
  messageOf("boundary-blanks", { before: MIXED, piece: "--b " }),
  messageOf("boundary-dashes", { before: "Content-Type: multipart/mixed; boundary=-\r\n\r\n", piece: "-" }),
  messageOf("boundary-missing", { before: "Content-Type: multipart/mixed\r\n\r\n", piece: "--x\r\n" }),
  numberedMessage("boundaries-different", {
    before: "Content-Type: multipart/mixed\r\n\r\n",
    piece: (number) => `--x${number}\r\n`,
  }),
  numberedMessage("boundaries-nested", {
    before: "Content-Type: multipart/mixed; boundary=b0\r\n\r\n",
    piece: (number) => `--b${number}\r\nContent-Type: multipart/mixed; boundary=b${number + 1}\r\n\r\n`,
  }),
  messageOf("boundaries-nested-same", {
    before: MIXED,
    piece: "--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n",
  }),
  messageOf("messages-nested", { before: "", piece: "Content-Type: message/rfc822\r\n\r\n" }),
  messageOf("messages-in-digest", {
    before: "Content-Type: multipart/digest; boundary=b\r\n\r\n",
    piece: "--b\r\n\r\nSubject: a\r\n\r\nx\r\n",
  }),
  messageOf("messages-attached", {
    before: MIXED,
    piece: "--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: a\r\n\r\nx\r\n",
  }),
  messageOf("messages-in-base64", {
    before: "Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n",
    piece: "Q29udGVudC1UeXBlOiBtZXNzYWdlL3JmYzgyMgoK",
  }),
  messageOf("part-headers", { before: `${MIXED}--b\r\n`, piece: "A: b\r\n", after: "\r\nx\r\n--b--\r\n" }),
  messageOf("preamble", {
    before: "Content-Type: multipart/mixed; boundary=b\r\n\r\n",
    piece: "x\r\n",
    after: "--b\r\n\r\nx\r\n--b--\r\n",
  }),
  messageOf("epilogue", { before: `${MIXED}--b--\r\n`, piece: "x\r\n" }),
  messageOf("related-pages", {
    before: "Content-Type: multipart/related; boundary=b\r\n\r\n",
    piece: "--b\r\nContent-Type: text/html\r\n\r\n<p>x\r\n",
  }),
  messageOf("alternatives", {
    before: "Content-Type: multipart/alternative; boundary=b\r\n\r\n",
    piece: "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>x\r\n",
  }),
  messageOf("file-large", {
    before: `${MIXED}--b\r\nContent-Disposition: attachment; filename=a.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n`,
    piece: `${"QUJD".repeat(19)}\r\n`,
    after: "--b--\r\n",
  }),
  messageOf("delivery-status", {
    before: "Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n",
    piece: "Final-Recipient: rfc822; a@b\r\n\r\n",
  }),
  messageOf("external-bodies", {
    before: MIXED,
    piece: "--b\r\nContent-Type: message/external-body; access-type=x\r\n\r\n",
  }),
  messageOf("signed-parts", {
    before: "Content-Type: multipart/signed; boundary=b\r\n\r\n",
    piece: "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n",
  }),
];

const CALENDAR = "Content-Type: text/calendar; charset=utf-8; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\n";
const EVENT = "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20010514T163900Z\r\n";
const END = "END:VEVENT\r\nEND:VCALENDAR\r\n";

const CALENDARS: readonly HostileKind[] = [
  messageOf("calendar-line-feeds", { before: CALENDAR, piece: "\n" }),
  messageOf("calendar-begins", { before: CALENDAR, piece: "BEGIN:VEVENT\r\n" }),
  messageOf("calendar-ends", { before: CALENDAR, piece: "END:VEVENT\r\n" }),
  messageOf("calendar-folds", { before: `${CALENDAR}${EVENT}SUMMARY:x`, piece: "\r\n y", after: `\r\n${END}` }),
  messageOf("calendar-properties", { before: `${CALENDAR}${EVENT}`, piece: "X-A:b\r\n", after: END }),
  numberedMessage("calendar-attendees", {
    before: `${CALENDAR}${EVENT}`,
    piece: (number) => `ATTENDEE;CN=A ${number}:mailto:a${number}@hostile.example\r\n`,
    after: END,
  }),
  numberedMessage("calendar-events", {
    before: CALENDAR,
    piece: (number) => `BEGIN:VEVENT\r\nUID:u${number}\r\nDTSTART:20010514\r\nEND:VEVENT\r\n`,
  }),
  messageOf("calendar-events-same", { before: CALENDAR, piece: `${EVENT}END:VEVENT\r\n` }),
  messageOf("calendar-exceptions", {
    before: `${CALENDAR}${EVENT}RRULE:FREQ=DAILY\r\nEXDATE:20010514`,
    piece: ",20010515",
    after: `\r\n${END}`,
  }),
  messageOf("calendar-rules", {
    before: `${CALENDAR}${EVENT}`,
    piece: "RRULE:FREQ=DAILY;COUNT=999999999\r\n",
    after: END,
  }),
  messageOf("calendar-rule-parts", {
    before: `${CALENDAR}${EVENT}RRULE:FREQ=DAILY`,
    piece: ";BYDAY=MO",
    after: `\r\n${END}`,
  }),
  messageOf("calendar-time-zones", { before: CALENDAR, piece: "BEGIN:VTIMEZONE\r\nTZID:a\r\nEND:VTIMEZONE\r\n" }),
  messageOf("calendar-parameters", { before: `${CALENDAR}${EVENT}SUMMARY`, piece: ";A=b", after: `:x\r\n${END}` }),
  messageOf("calendar-quotes", { before: `${CALENDAR}${EVENT}SUMMARY;A=`, piece: '"', after: `:x\r\n${END}` }),
  messageOf("calendar-summary", { before: `${CALENDAR}${EVENT}SUMMARY:`, piece: "x", after: `\r\n${END}` }),
  messageOf("calendar-summary-escapes", { before: `${CALENDAR}${EVENT}SUMMARY:`, piece: "\\n", after: `\r\n${END}` }),
  messageOf("calendar-uid", {
    before: `${CALENDAR}BEGIN:VEVENT\r\nDTSTART:20010514\r\nUID:`,
    piece: "x",
    after: `\r\n${END}`,
  }),
  messageOf("calendar-description", { before: `${CALENDAR}${EVENT}DESCRIPTION:`, piece: "a ", after: `\r\n${END}` }),
  messageOf("calendar-parts", {
    before: "Content-Type: multipart/mixed; boundary=b\r\n\r\n",
    piece: `--b\r\n${CALENDAR}${EVENT}${END}`,
    after: "--b--\r\n",
  }),
];

const TNEF = Buffer.from("789f3e220100", "hex");

/** One attribute of a TNEF stream: level, id, length, data, checksum ([MS-OXTNEF] 2.1.3). */
function attribute(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt8(1, 0);
  head.writeUInt32LE(id, 1);
  head.writeUInt32LE(data.length, 5);
  return Buffer.concat([head, data, Buffer.alloc(2)]);
}

const RENDERING = attribute(0x0006_9002, Buffer.alloc(14));
const TITLE = attribute(0x0001_8010, Buffer.from("a.txt\0"));
const DATA = attribute(0x0006_800f, Buffer.from("x"));
const WINMAIL = "Content-Type: application/ms-tnef; name=winmail.dat\r\n\r\n";
const ENTRY = Buffer.from("00000000010000000400000000000000", "hex");

const WRAPPERS: readonly HostileKind[] = [
  messageOf("tnef-attachments", {
    before: `${WINMAIL}${TNEF.toString("latin1")}`,
    piece: Buffer.concat([RENDERING, TITLE, DATA]),
  }),
  messageOf("tnef-renderings", { before: `${WINMAIL}${TNEF.toString("latin1")}`, piece: RENDERING }),
  messageOf("tnef-attributes-empty", {
    before: `${WINMAIL}${TNEF.toString("latin1")}`,
    piece: attribute(0x0001_8004, Buffer.alloc(0)),
  }),
  messageOf("tnef-body", {
    before: `${WINMAIL}${Buffer.concat([TNEF, Buffer.from([1, 0x0c, 0x80, 2, 0]), Buffer.from([0xff, 0xff, 0xff, 0x0f])]).toString("latin1")}`,
    piece: "x\n",
  }),
  messageOf("tnef-properties", {
    before: `${WINMAIL}${Buffer.concat([TNEF, Buffer.from([1, 3, 0x90, 6, 0]), Buffer.from("ffffff0fffffff0f", "hex")]).toString("latin1")}`,
    piece: ENTRY,
  }),
  messageOf("tnef-zeros", { before: `${WINMAIL}${TNEF.toString("latin1")}`, piece: "\0" }),
];

const FROM_LINE = "From ann@hostile.example Mon May 14 16:39:00 2001\n";
const MESSAGE = "From: Ann <ann@hostile.example>\nSubject: a\n\nx\n\n";

/** Mailboxes that are hostile as a whole. */
const MAILBOXES: readonly HostileKind[] = [
  numbered(
    "mbox-messages",
    {
      piece: (number) =>
        `${FROM_LINE}From: Ann <ann@hostile.example>\nMessage-ID: <m${number}@hostile.example>\n\nx\n\n`,
    },
    "mbox",
  ),
  repeated("mbox-messages-same", { piece: FROM_LINE + MESSAGE }, "mbox"),
  repeated("mbox-separators-only", { piece: FROM_LINE }, "mbox"),
  repeated("mbox-separators-rejected", { before: FROM_LINE + MESSAGE, piece: "From nobody\n" }, "mbox"),
  repeated("mbox-separators-quoted", { before: FROM_LINE + MESSAGE, piece: ">>From x\n" }, "mbox"),
  repeated("mbox-line-feeds", { before: FROM_LINE + MESSAGE, piece: "\n" }, "mbox"),
  repeated(
    "mbox-content-lengths",
    { before: `${FROM_LINE}From: Ann <ann@hostile.example>\n`, piece: "Content-Length: 999999999\n" },
    "mbox",
  ),
  numbered(
    "mbox-threads-of-one",
    {
      piece: (number) =>
        `${FROM_LINE}From: Ann <ann@hostile.example>\nMessage-ID: <m${number}@a>\nIn-Reply-To: <m${number - 1}@a>\nSubject: Re: a\n\nx\n\n`,
    },
    "mbox",
  ),
  numbered(
    "mbox-many-labels",
    {
      piece: (number) =>
        `${FROM_LINE}From: Ann <a${number}@hostile.example>\nMessage-ID: <m${number}@a>\nX-Gmail-Labels: l${number}\n\nx\n\n`,
    },
    "mbox",
  ),
];

export const HOSTILE_STRUCTURES: readonly HostileKind[] = [...PARTS, ...CALENDARS, ...WRAPPERS, ...MAILBOXES];
