import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { EXAMPLE_SEED, exampleCompany } from "../examples/company/company.ts";
import { readCalendar } from "../src/calendar/read-calendar.ts";
import { composeContent } from "../src/extraction/reading/message-content.ts";
import type { Message } from "../src/mail/records/message.ts";
import { PII_TYPES } from "../src/mail/records/provenance.ts";
import { readRtf } from "../src/mapi/rtf/rtf-text.ts";
import { readTnef } from "../src/mapi/tnef/tnef.ts";
import { parseMessage } from "../src/mime/parse-message.ts";
import { parseAddressList } from "../src/mime/syntax/address-list.ts";
import { parseDate } from "../src/mime/syntax/date-time.ts";
import { simpleAddresses } from "../src/mime/syntax/simple-addresses.ts";
import { PID } from "../src/properties/property-ids.ts";
import { redactText } from "../src/redaction/redact-text.ts";
import { parseQuery } from "../src/search/query/query-syntax.ts";
import { mbox } from "../src/sources/mbox/mbox.ts";
import { readMsgItems } from "../src/sources/msg/msg-items.ts";
import { olm } from "../src/sources/olm/olm.ts";
import { pst } from "../src/sources/pst/pst.ts";
import type { SourceFormat } from "../src/sources/reading/source.ts";
import { readUnit } from "../src/sources/work-units.ts";
import { htmlToText } from "../src/text/html/html-to-text.ts";
import { splitBody } from "../src/text/quoting/split-body.ts";
import { inspectArchive } from "../src/unpacking/unpack-archive.ts";
import { UNPACK_LIMITS } from "../src/unpacking/unpack-limits.ts";
import { sampleMsg } from "../test/msg-writer/sample-msg.ts";
import { nestedMessages } from "../test/nested-messages.ts";
import { sampleOlm } from "../test/olm-writer.ts";
import { integer, text } from "../test/pst-writer/property-writer.ts";
import { buildStore, fuzzStore, STORE_FORMATS, sampleMail } from "../test/pst-writer/sample-store.ts";
import { buildTar } from "../test/tar-file.ts";
import { type WrittenTnef, writeTnef } from "../test/tnef-writer.ts";
import { buildZip } from "../test/zip-file.ts";
import { FILE_TARGETS } from "./file-targets.ts";
import type { FuzzTarget } from "./fuzz-target.ts";
import { TEXT_TARGETS } from "./text-targets.ts";

const KIB = 1024;
const ALL_PII = new Set(PII_TYPES);
const SAMPLE_TNEF: WrittenTnef = {
  properties: [text(PID.messageClass, "IPM.Note"), text(PID.subject, "Mooring"), text(PID.body, "The text.")],
  recipients: [[integer(PID.recipientType, 1), text(PID.displayName, "Ann Reed")]],
  attachments: [
    { properties: [text(PID.attachLongFilename, "plan.pdf")], data: Buffer.from("%PDF") },
    { properties: [text(PID.displayName, "Inner")], message: { properties: [text(PID.body, "Inner text.")] } },
  ],
};
const NEVER = new AbortController().signal;

const companyMails = (): readonly Buffer[] => exampleCompany(EXAMPLE_SEED).messages.map(({ raw }) => raw);
const companyMessages = (): readonly Message[] => companyMails().map((bytes) => parseMessage(bytes));

function require(holds: boolean, law: string): void {
  if (!holds) throw new Error(`broken law: ${law}`);
}

/** Runs a reader over a file that holds the input; the file is gone afterwards. */
async function onFile(name: string, input: Buffer, read: (path: string) => Promise<number>): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "archivetool-fuzz-"));
  try {
    const path = join(directory, name);
    writeFileSync(path, input);
    return await read(path);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Reads every item of a source, with its attachments, as extraction does. @returns the size of everything that was
 * read.
 */
async function readSource(format: SourceFormat, path: string): Promise<number> {
  const opened = await format.open(path, { password: null, skipProtected: false });
  let size = 0;
  for (const unit of opened.units()) {
    for (const item of await readUnit(unit)) {
      if (item.kind === "rfc5322") size += item.bytes.length;
      else if (item.kind === "object") size += sizeOfMessage(item.message);
      else require(!("code" in item) || item.code !== "reader-fault", "a reader has no fault of its own");
    }
  }
  return size;
}

function sizeOfParts(parts: Message["attachments"]): number {
  return parts.reduce((sum, part) => sum + part.bytes().length, 0);
}

function sizeOfMessage(message: Message): number {
  const content = composeContent(message);
  require(content.body.isWellFormed(), "text is valid Unicode");
  require(message.envelope.subject.isWellFormed(), "subjects are valid Unicode");
  let size = content.body.length + message.envelope.subject.length;
  for (const part of content.attachments) size += part.bytes().length;
  return size;
}

/** Every parser that reads what strangers wrote. */
export const FUZZ_TARGETS: Readonly<Record<string, FuzzTarget>> = {
  ...TEXT_TARGETS,
  ...FILE_TARGETS,
  mime: {
    seeds: companyMails,
    words: [
      "Content-Type: multipart/mixed; boundary=b\r\n",
      "Content-Type: message/rfc822\r\n\r\n",
      "Content-Transfer-Encoding: quoted-printable\r\n",
      "Content-Transfer-Encoding: base64\r\n",
      "\r\n\r\n",
      "--b\r\n",
      "--b--\r\n",
      "=?utf-8?B?",
      "=?iso-2022-jp?Q?",
      "?=",
      "charset=utf-16",
      "format=flowed; delsp=yes",
      "name*0*=utf-8''",
      "begin 644 a\n",
      "=ybegin line=128 size=1 name=a\n",
      "begin-base64 644 a\n",
      "\n====\n",
      "(This file must be converted with BinHex 4.0)\n:\"@%ZG(Kd!&4&@&4dG(Kd!*!%!6B!N!4m+80KG%0KG%0KG*!!3C$r3C!Y'28!!!:\n",
      "\r\n ",
      "(",
      '"',
      "<",
      ":;",
      "Received: from a; ",
      "X-From: ",
    ],
    bytesMax: 64 * KIB,
    run(input) {
      const message = parseMessage(input);
      let size = sizeOfMessage(message);
      for (const nested of nestedMessages(message)) size += sizeOfMessage(nested);
      return size;
    },
  },
  date: {
    seeds: () =>
      [
        "Tue, 15 Nov 2022 08:12:31 -0500 (EST)",
        "mar. 15 août 2023 à 09:30",
        "7/1/2003 3:04:05 p.m.",
        "2003-07-01T10:11:12.5Z",
        "2023年8月15日 下午3:04",
        "Thu\r\n Feb 13 (a) 1969 23 : 32 -0330",
      ].map((text) => Buffer.from(text)),
    words: [
      "mar. ",
      "Wed, ",
      " PM",
      " a.m.",
      "--0700",
      "+02:00",
      "(((",
      "=?utf-8?Q?",
      "?=",
      "19990131t101500z",
      "0102",
      " de ",
    ],
    bytesMax: KIB,
    run(input) {
      const read = parseDate(input.toString("utf8"));
      require(read === null || Number.isInteger(read), "a date is a whole number of milliseconds");
      return read === null ? 0 : 1;
    },
  },
  addresses: {
    seeds: () =>
      [
        'Ann Reed <ann@mill.example>, "Quay, Ben" <ben@mill.example> (office), Team: cat@mill.example, dan@mill.example;',
        "=?utf-8?Q?Ann_=3Cann=40mill.example=3E?= , <@relay.example:eve@mill.example>, /O=MILL/OU=X/CN=RECIPIENTS/CN=FAY",
      ].map((text) => Buffer.from(text)),
    words: ['"', "\\", "(", ")", "<", ">", "@", ":", ";", ",", "=?utf-8?B?", "?=", "[mailto:", " at ", "'"],
    bytesMax: 16 * KIB,
    run(input) {
      const text = input.toString("utf8");
      let size = 0;
      for (const { name, email } of [...parseAddressList(text), ...(simpleAddresses(text, 0, text.length) ?? [])]) {
        require(name.isWellFormed() && email.isWellFormed(), "addresses are valid Unicode");
        size += name.length + email.length;
      }
      return size;
    },
  },
  html: {
    seeds: () => companyMessages().flatMap(({ htmlBody }) => (htmlBody === null ? [] : [Buffer.from(htmlBody)])),
    words: [
      "<table><tr><td>",
      "<blockquote>",
      "</",
      "<!--",
      "-->",
      "<![CDATA[",
      "<script>",
      "<style>",
      "&amp;",
      "&#x10ffff;",
      "&#0;",
      "<pre>",
      "<a href=",
      "<ol><li>",
      "<br>",
      "'",
      '"',
    ],
    bytesMax: 64 * KIB,
    run: (input) => htmlToText(input.toString("utf8")).length,
  },
  rtf: {
    seeds: () =>
      [
        "{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 {\\fonttbl{\\f0\\fcharset204 Arial;}}{\\*\\htmltag64 <p>}\\f0 Hello\\par\\'e4\\u228?{\\*\\htmltag72 </p>}}",
        "{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Times;}}\\uc1 Plain \\b text\\b0\\tab and\\line more\\~\\_\\-\\{\\}}",
        "{\\rtf1\\fromtext\\bin5 abcde\\*\\unknown {\\pict\\bin3 xyz}after}",
      ].map((text) => Buffer.from(text)),
    words: [
      "{\\*\\htmltag64 ",
      "\\'e4",
      "\\u-1?",
      "\\uc9",
      "\\bin99999",
      "{",
      "}",
      "\\fonttbl",
      "\\fcharset128",
      "\\htmlrtf",
      "\\par\n",
      "\\f999",
    ],
    bytesMax: 64 * KIB,
    run: (input) => readRtf(input).content.length,
  },
  ics: {
    seeds: () => companyMessages().flatMap(({ calendarParts }) => calendarParts.map(({ text }) => Buffer.from(text))),
    words: [
      "BEGIN:VEVENT\r\n",
      "END:VEVENT\r\n",
      "RRULE:FREQ=DAILY;COUNT=99999999\r\n",
      "EXDATE;TZID=X:20010101T000000\r\n",
      "DTSTART;VALUE=DATE:20010101\r\n",
      "DURATION:P9999999D\r\n",
      "ATTENDEE;CN=:mailto:a@b.example\r\n",
      "BEGIN:VTIMEZONE\r\nTZID:X\r\n",
      "\r\n ",
      ";ENCODING=QUOTED-PRINTABLE:=\r\n",
    ],
    bytesMax: 64 * KIB,
    run(input) {
      const read = readCalendar({ text: input.toString("utf8"), method: null });
      return JSON.stringify(read).length;
    },
  },
  tnef: {
    seeds: () => [Buffer.from("789f3e220100069007000400000000000000", "hex"), writeTnef(SAMPLE_TNEF)],
    words: ["\x78\x9f\x3e\x22", "\x01\x06\x90\x08\0", "\x02\x05\x90\x06\0", "\x02\x02\x90\x06\0"],
    bytesMax: 64 * KIB,
    run(input) {
      const content = readTnef(input);
      if (content === null) return 0;
      return (content.textBody?.length ?? 0) + (content.htmlBody?.length ?? 0) + sizeOfParts(content.attachments);
    },
  },
  mbox: {
    seeds() {
      const mails = companyMails().slice(0, 6);
      const line = Buffer.from("From ada@halvorsen-pike.example Mon Jan  1 00:00:00 2001\n");
      return [Buffer.concat(mails.flatMap((raw) => [line, raw, Buffer.from("\n")])), Buffer.concat([line, mails[0]!])];
    },
    words: [
      "\nFrom a@b.example Mon Jan  1 00:00:00 2001\n",
      "\n>From ",
      "Content-Length: 10\n",
      "\n\n",
      "\r\n",
      "From MAILER-DAEMON ",
    ],
    bytesMax: 128 * KIB,
    run: (input) => onFile("fuzz.mbox", input, (path) => readSource(mbox, path)),
  },
  pst: {
    seeds: () => [
      ...STORE_FORMATS.map((format) => fuzzStore(format, 2)),
      buildStore({ layout: "unicode", encoding: "none" }, (writer) =>
        writer.addMessage(writer.addFolder("Inbox"), sampleMail(1)),
      ),
    ],
    words: [],
    bytesMax: 512 * KIB,
    run: (input) => onFile("fuzz.pst", input, (path) => readSource(pst, path)),
  },
  msg: {
    seeds: () => [sampleMsg(3), sampleMsg(4)],
    words: ["__properties_version1.0", "\xfe\xff\xff\xff", "\xff\xff\xff\xff", "\0\0\0\0"],
    bytesMax: 128 * KIB,
    run(input) {
      const items = readMsgItems(input, { mailbox: "INBOX", location: "fuzz.msg" }, []);
      return items.reduce((sum, item) => sum + (item.kind === "object" ? sizeOfParts(item.message.attachments) : 1), 0);
    },
  },
  olm: {
    seeds: () => [sampleOlm()],
    words: ["PK\x03\x04", "PK\x01\x02", "PK\x05\x06", "\xff\xff\xff\xff", "<email", "</email>", "<![CDATA["],
    bytesMax: 128 * KIB,
    run: (input) => onFile("fuzz.olm", input, (path) => readSource(olm, path)),
  },
  zip: {
    seeds() {
      const parts = ["a.eml", "cur/1:2,S", "Grüße/日本.mbox"].map((name) => ({
        name,
        content: "Subject: figures\n\nHello\n",
      }));
      const tar = buildTar(parts);
      return [buildZip(parts), buildZip(parts.map((part) => ({ ...part, isZip64: true }))), tar, gzipSync(tar)];
    },
    words: [
      "PK\x01\x02",
      "PK\x03\x04",
      "PK\x05\x06",
      "PK\x06\x06",
      "PK\x06\x07",
      "ustar",
      "../",
      "/etc/",
      "20 path=../a\n",
      "\x1f\x8b\x08",
    ],
    bytesMax: 64 * KIB,
    run: (input) =>
      onFile("fuzz.zip", input, async (path) => {
        await inspectArchive(path, UNPACK_LIMITS, NEVER);
        return 0;
      }),
  },
  text: {
    seeds: () => companyMessages().map((message) => Buffer.from(composeContent(message).body)),
    words: [
      "\n> ",
      "\n-- \n",
      "-----Original Message-----\n",
      "On Monday Ada wrote:\n",
      "From: ",
      "Sent: ",
      "+1 555 0100 ",
      "4111 1111 1111 1111",
      "078-05-1120",
      "192.0.2.1",
      "a@b.example",
      "[REDACTED:email]",
      "ssn ",
      "card ",
    ],
    bytesMax: 64 * KIB,
    run(input) {
      const body = input.toString("utf8");
      const parts = splitBody(body);
      let end = 0;
      for (const part of parts) {
        require(part.start === end && part.end >= part.start, "the parts of a body follow one another");
        end = part.end;
      }
      require(end === body.length, "the parts of a body are all of it");
      const once = redactText(body, ALL_PII).text;
      require(redactText(once, ALL_PII).text === once, "redacting twice changes nothing");
      return once.length;
    },
  },
  query: {
    seeds: () =>
      [
        'mooring "sea trial" -rubber +buoy cord* from:ada@halvorsen-pike.example before:2001-01-01 has:attachment in:"Sent Items"',
      ].map((text) => Buffer.from(text)),
    words: ["from:", "subject:", '"', "-", "+", "*", "before:", "after:", "(", ")", "OR", ":", "\\"],
    bytesMax: 8 * KIB,
    run: (input) => JSON.stringify(parseQuery(input.toString("utf8"), "all")).length,
  },
};
