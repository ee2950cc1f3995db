import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nestedMessages } from "../../test/nested-messages.ts";
import type { Message } from "../mail/records/message.ts";
import { parseMessage } from "./parse-message.ts";

const SAMPLES: readonly string[] = [
  'From: "Doe, Jane" <jane@example.org>\r\nTo: list:a@b.example, =?utf-8?Q?J=C3=B6rg?= <j@c.example>;\r\nDate: Tue, 1 Jul 2003 10:52:37 +0200\r\nSubject: =?iso-2022-jp?B?GyRCRnwbKEI=?=\r\n =?utf-8?B?w7w=?=\r\nReferences: <a@b> <c@d>\r\nContent-Type: multipart/mixed; boundary="=_x"\r\n\r\npreamble\r\n--=_x\r\nContent-Type: text/plain; charset=utf-8; format=flowed\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n> a =\r\nb=C3=BC \r\nc\r\n--=_x\r\nContent-Type: application/pdf; name*0*=utf-8\'\'%C3%BC; name*1=.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nSGVsbG8=\r\nV29ybGQ=\r\n--=_x--\r\n',
  "Content-Type: message/rfc822\n\nSubject: inner\nContent-Type: multipart/alternative; boundary=y\n\n--y\n\nplain\n--y\nContent-Type: text/html; charset=koi8-r\n\n<p>\xf0\xd2\n--y--\n",
  "Subject: files\n\nbefore\nbegin 644 cat.txt\n#0V%T\n`\nend\nbetween\n=ybegin line=128 size=3 name=a.bin\n\x8b\x8c=J\n=yend size=3\nafter\n",
  'Content-Type: text/calendar; method=REQUEST\nX-Gmail-Labels: a,"b,c"\nThread-Index: AcJ2mVv5JbFXFQ2tRG2qOc8E0Bq4UQAAAAAA\nReceived: from a by b; 02 Sep 2023 04:24:06 +0200\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n',
];

/** Strings that often break parsers. */
const TRICKY: readonly string[] = [
  "\n",
  "\r",
  "\r\n\r\n",
  "--",
  "--=_x\r\n",
  "--y--",
  "=?",
  "?=",
  "=?utf-8?q?",
  "\0",
  "\xff\xfe",
  "\x1b$B",
  "<",
  ">",
  '"',
  "(",
  ";",
  ",",
  ":",
  "=",
  "begin 644 x\n",
  "begin-base64 644 x\n",
  "(This file must be converted with BinHex 4.0)\n:",
  "Content-Type: multipart/mixed\n",
  "Content-Type: message/rfc822\n\n",
  "charset=utf-16",
  "%",
];

interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly added: string;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  removed: fc.integer({ min: 0, max: 30 }),
  added: fc.oneof(fc.constantFrom(...TRICKY), fc.string({ unit: "binary", maxLength: 6 })),
});

const mutated = (sample: string, edits: readonly Edit[]): Buffer => {
  let text = sample;
  for (const { at, removed, added } of edits) {
    const start = Math.floor(at * text.length);
    text = text.slice(0, start) + added + text.slice(start + removed);
  }
  return Buffer.from(text, "latin1");
};

function expectWellFormed(message: Message): void {
  const { envelope } = message;
  const people = [envelope.from, envelope.sender, ...envelope.replyTo, ...envelope.to, ...envelope.cc, ...envelope.bcc];
  const texts = [
    envelope.subject,
    envelope.messageId,
    ...envelope.inReplyTo,
    ...envelope.references,
    ...people.flatMap((address) => (address === null ? [] : [address.name, address.email])),
    message.textBody,
    message.htmlBody,
    ...message.labels,
    ...message.attachments.flatMap((part) => [part.filename, part.mediaType, part.contentId]),
    ...message.calendarParts.flatMap((part) => [part.text, part.method]),
  ];
  for (const text of texts)
    expect(text === null || (text.isWellFormed() && !text.includes("\0")), JSON.stringify(text)).toBe(true);
  expect(envelope.sentAt === null || Number.isFinite(envelope.sentAt)).toBe(true);
  for (const part of message.attachments) part.bytes();
}

describe("parseMessage on damaged messages", () => {
  it("never throws, and returns well-formed text", () => {
    fc.assert(
      fc.property(fc.constantFrom(...SAMPLES), fc.array(edit, { maxLength: 8 }), (sample, edits) => {
        const message = parseMessage(mutated(sample, edits));
        expectWellFormed(message);
        for (const nested of nestedMessages(message)) expectWellFormed(nested);
      }),
      { numRuns: 1000, seed: 20261121 },
    );
  });

  it("reads any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expectWellFormed(parseMessage(Buffer.from(bytes)));
      }),
      { numRuns: 500 },
    );
  });
});
