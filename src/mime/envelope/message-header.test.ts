import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMessage } from "../parse-message.ts";
import { parseMessageHeader } from "./message-header.ts";

const line = fc.oneof(
  fc.constantFrom(
    "From: Ann Å <ann@x.example>",
    "To: a@x.example,\r\n b@x.example",
    "Cc: =?utf-8?q?B=C3=B6?= <bo@x.example>",
    "Date: Tue, 1 Jul 2003 10:52:37 +0200",
    "From: Mill List <mill@lists.example>",
    "From: Ann via Mill <mill@lists.example>",
    "Reply-To: Ann <ann@x.example>",
    "List-Post: <mailto:mill@lists.example>",
    "Received: from a by b; Tue, 1 Jul 2003 10:52:38 +0200",
    "Message-ID: <1@x.example>",
    "References: <a@x.example> <b@x.example>",
    "Subject: Zürich",
    "Auto-Submitted: auto-replied",
    "X-GM-THRID: 17",
    "Content-Type: multipart/mixed; boundary=b",
  ),
  fc.string({ maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, "")),
);

describe("parseMessageHeader", () => {
  it("agrees with the message reader", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (lines) => {
        const text = `Subject: first\r\n${lines.join("\r\n")}`;
        const { envelope, listAddress } = parseMessage(Buffer.from(`${text}\r\n\r\n`));
        expect(parseMessageHeader(text)).toEqual({ envelope, listAddress, findings: expect.anything() });
      }),
      { numRuns: 500 },
    );
  });
});
