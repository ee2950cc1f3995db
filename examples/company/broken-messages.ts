import { DAY, HOUR, headerDate } from "./dates.ts";

/** A message no program should have sent. Each shows one fault that old archives are full of. */
export interface BrokenMessage {
  readonly fault: string;
  readonly raw: Buffer;
  /** When it was delivered; its own Date field may say nothing. */
  readonly sentAt: number;
}

const FROM = "From: Desmond Pike <desmond.pike@halvorsen-pike.example>";
const TO = "To: Greta Halvorsen <greta.halvorsen@halvorsen-pike.example>";

/** Fault, day of the archive, lines; `{date}` stands for the date of the day. */
const BROKEN: readonly (readonly [fault: string, day: number, lines: readonly string[]])[] = [
  [
    "no Message-ID",
    31,
    [
      FROM,
      TO,
      "Subject: Price list of last year",
      "Date: {date}",
      "",
      "Greta, do you still have the price list of last year? I need the mooring prices.",
      "Desmond",
    ],
  ],
  [
    "unreadable date",
    95,
    [
      FROM,
      TO,
      "Subject: Lunch with the harbour master",
      "Date: yesterday afternoon, after lunch",
      "Message-ID: <lunch.95@pikemarine.example>",
      "",
      "Lars would like to see the workshop. Shall I bring him along?",
    ],
  ],
  [
    "wrong boundary",
    160,
    [
      FROM,
      TO,
      "Subject: Photos of the quay",
      "Date: {date}",
      "Message-ID: <photos.160@pikemarine.example>",
      "MIME-Version: 1.0",
      'Content-Type: multipart/mixed; boundary="right"',
      "",
      "--wrong",
      "Content-Type: text/plain",
      "",
      "Here are the photos of the quay, the crane is on the left.",
      "--wrong--",
    ],
  ],
  [
    "base64 cut short",
    221,
    [
      FROM,
      TO,
      "Subject: Signed contract",
      "Date: {date}",
      "Message-ID: <contract.221@pikemarine.example>",
      "MIME-Version: 1.0",
      'Content-Type: multipart/mixed; boundary="cut"',
      "",
      "--cut",
      "Content-Type: text/plain",
      "",
      "The signed contract is attached.",
      "--cut",
      "Content-Type: application/pdf; name=contract.pdf",
      "Content-Disposition: attachment; filename=contract.pdf",
      "Content-Transfer-Encoding: base64",
      "",
      "JVBERi0xLjQKMSAwIG9iago8PCAvVHlwZSAvQ2F0YWxvZyAvUGFnZXMgMiAwIFIgPj4KZW5kb2Jq",
      "CjIgMCBvYmoKPDwgL1R5cGUgL1BhZ2Vz",
    ],
  ],
  [
    "8-bit header",
    260,
    [
      "From: J\xf6rg Str\xf6m <joerg@homemail.example>",
      TO,
      "Subject: Gr\xfc\xdfe aus dem Hafen",
      "Date: {date}",
      "Message-ID: <gruesse.260@homemail.example>",
      "",
      "Die Boje schwimmt sch\xf6n. Bis bald!",
    ],
  ],
  [
    "unknown charset",
    333,
    [
      FROM,
      TO,
      "Subject: =?x-pike-7?Q?Meeting_notes?=",
      "Date: {date}",
      "Message-ID: <notes.333@pikemarine.example>",
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=x-pike-7",
      "",
      "The notes of the meeting: we build twelve, we deliver six, and we celebrate once.",
    ],
  ],
  [
    "unclosed quote in an address",
    377,
    [
      'From: "Desmond Pike <desmond.pike@halvorsen-pike.example>',
      "To: undisclosed-recipients:;",
      "Subject: Who has the key to the boat house?",
      "Date: {date}",
      "Message-ID: <key.377@pikemarine.example>",
      "",
      "The key to the boat house is missing since Friday.",
    ],
  ],
  ["no header but a body", 401, ["", "This text arrived without any header. The harbour radio is on channel twelve."]],
  [
    "lines that look like separators",
    432,
    [
      FROM,
      TO,
      "Subject: Notes from the quay",
      "Date: {date}",
      "Message-ID: <quay.432@pikemarine.example>",
      "",
      "Greta, my notes from the quay:",
      "",
      "From Monday on the crane is free until noon.",
      ">From the old notes: the gate sticks when it rains.",
      "",
      "From desmond.pike@halvorsen-pike.example Mon Feb  7 10:00:00 2022",
      "Subject: this line stood in a letter and begins no message",
    ],
  ],
  [
    "unclosed multipart",
    466,
    [
      FROM,
      TO,
      "Subject: Draft of the press release",
      "Date: {date}",
      "Message-ID: <press.466@pikemarine.example>",
      "MIME-Version: 1.0",
      "Content-Type: multipart/alternative; boundary=open",
      "",
      "--open",
      "Content-Type: text/plain; charset=utf-8",
      "",
      "The press release says that the Kittiwake measures waves, which is true.",
      "--open",
      "Content-Type: text/html",
      "",
      "<p>The press release says that the Kittiwake measures waves, which is <b>true</b>.",
    ],
  ],
];

export function brokenMessages(firstDay: number): BrokenMessage[] {
  return BROKEN.map(([fault, day, lines]) => {
    const sentAt = firstDay + day * DAY + 11 * HOUR;
    const text = lines.map((line) => `${line.replace("{date}", headerDate(sentAt, 0))}\r\n`).join("");
    return { fault, sentAt, raw: Buffer.from(text, "latin1") };
  });
}
