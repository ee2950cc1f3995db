import { describe, expect, it } from "vitest";
import type { MessageKind } from "../../mail/records/message-kind.ts";
import { parseMessage } from "../parse-message.ts";
import { parseMessageHeader } from "./message-header.ts";

const lines = (...all: readonly string[]): string => all.join("\r\n");
const kindOf = (mail: string): MessageKind | null => parseMessage(Buffer.from(mail)).envelope.messageKind;
const headerKind = (mail: string): MessageKind | null => parseMessageHeader(mail).envelope.messageKind;

/** A header, and its kind if there is no body. */
const HEADERS: readonly (readonly [string, MessageKind])[] = [
  ["Content-Type: text/plain", "mail"],
  ["List-Id: Mill <mill.lists.example>", "list"],
  ["List-Post: <mailto:mill@lists.example>", "list"],
  ["Content-Type: text/calendar; method=REQUEST", "meeting_request"],
  ["Content-Type: text/calendar; method=COUNTER", "meeting_answer"],
  ["Content-Type: text/calendar; method=CANCEL", "meeting_cancellation"],
  ["Content-Type: text/calendar; method=PUBLISH", "mail"],
  ["Content-Type: multipart/report; report-type=disposition-notification; boundary=b", "read_receipt"],
  ["Content-Type: multipart/report; report-type=delivery-status; boundary=b", "delivery_report"],
  ["X-Failed-Recipients: bo@mill.example", "non_delivery_report"],
  ['Content-Type: multipart/signed; protocol="application/pgp-signature"; boundary=b', "signed"],
  ["Content-Type: multipart/encrypted; boundary=b", "encrypted"],
  ["Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", "signed"],
  ["Content-Type: application/x-pkcs7-mime; smime-type=enveloped-data", "encrypted"],
  ["Content-Type: multipart/voice-message; boundary=b", "voicemail"],
  ["Content-Class: fax-ca", "fax"],
  ["Content-Class: urn:content-class:voice", "voicemail"],
  ["Content-Class: rpmsg.message", "rights_protected"],
  ["Content-Class: urn:content-classes:message", "mail"],
];

describe("the kind of a message", () => {
  it.each(HEADERS)("of the header %s is %s", (field, kind) => {
    expect(headerKind(`From: ann@mill.example\r\n${field}\r\n\r\n`)).toBe(kind);
  });

  it.each([
    ["MAILER-DAEMON@mill.example", "Hi. This is the qmail-send program at mill.example.", "non_delivery_report"],
    [
      "Mail Delivery System <x@mill.example>",
      "This message was created automatically by mail delivery software.",
      "non_delivery_report",
    ],
    ["MAILER-DAEMON@mill.example", "   ----- Transcript of session follows -----", "non_delivery_report"],
    [
      "MAILER-DAEMON@mill.example",
      "** THIS IS A WARNING MESSAGE ONLY **\n ----- Transcript of session follows -----",
      "delivery_report",
    ],
    ["ann@mill.example", "Hi. This is the qmail-send program at mill.example.", "mail"],
    ["MAILER-DAEMON@mill.example", "Thanks for nothing.", "mail"],
  ] as const)("of plain text from %s with %s is %s", (from, text, kind) => {
    expect(kindOf(`From: ${from}\n\n${text}\n`)).toBe(kind);
  });

  it.each([
    ["message/delivery-status\r\nContent-Transfer-Encoding: base64", "QWN0aW9uOiBmYWlsZWQK", "non_delivery_report"],
    ["message/global-delivery-status", "Action: failed", "non_delivery_report"],
    ["message/global-delivery-status", "Action: delayed", "delivery_report"],
    ["message/disposition-notification", "Disposition: manual-action/MDN-sent-manually; displayed", "read_receipt"],
    ["message/global-disposition-notification", "Disposition: x", "read_receipt"],
  ] as const)("of a report without a type is derived from its part %s", (type, text, kind) => {
    const head = lines("Content-Type: multipart/report; boundary=b", "", "--b", "", "Sorry.", "--b");
    expect(kindOf(lines(head, `Content-Type: ${type}`, "", text, "--b--", ""))).toBe(kind);
  });

  it("is not signed if it has only certificates", () => {
    const certificates = "MCMGCSqGSIb3DQEHAqAWMBQCAQExADALBgkqhkiG9w0BBwExAA==";
    const field = "Content-Type: application/pkcs7-mime; smime-type=certs-only; name=smime.p7c";
    expect(kindOf(lines(field, "Content-Transfer-Encoding: base64", "", certificates, ""))).toBe("mail");
  });

  it("comes from the method inside a calendar whose type has none", () => {
    const calendar = (method: string): string =>
      lines("Content-Type: text/calendar", "", "BEGIN:VCALENDAR", method, "BEGIN:VEVENT", "");
    expect([kindOf(calendar("METHOD:CANCEL")), kindOf(calendar("X-METHOD:CANCEL"))]).toEqual([
      "meeting_cancellation",
      "mail",
    ]);
  });

  it("is derived from the parts if the header is not sufficient", () => {
    const invited = lines(
      "Content-Type: multipart/alternative; boundary=b",
      "",
      "--b",
      "",
      "Come",
      "--b",
      "Content-Type: text/calendar; method=REPLY",
      "",
      "BEGIN:VCALENDAR",
      "--b--",
    );
    expect(kindOf(invited)).toBe("meeting_answer");
    const footed = lines(
      "List-Id: <mill.lists.example>",
      "Content-Type: multipart/mixed; boundary=a",
      "",
      "--a",
      "Content-Type: multipart/signed; boundary=b",
      "",
      "--b",
      "",
      "Signed",
      "--b--",
      "--a",
      "",
      "Footer of the list",
      "--a--",
    );
    expect(kindOf(footed)).toBe("signed");
  });

  it("is a non-delivery report if delivery failed, otherwise a delivery report", () => {
    const report = (action: string): string =>
      lines(
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        "",
        "--b",
        "",
        "Sorry",
        "--b",
        "Content-Type: message/delivery-status",
        "",
        "Reporting-MTA: dns; mill.example",
        "",
        `Action: ${action}`,
        "--b--",
      );
    expect(kindOf(report("failed"))).toBe("non_delivery_report");
    expect(kindOf(report("delayed"))).toBe("delivery_report");
  });

  it("is not that of a message inside", () => {
    const forwarded = lines(
      "Content-Type: multipart/mixed; boundary=b",
      "",
      "--b",
      "Content-Type: message/rfc822",
      "",
      "Content-Type: multipart/encrypted; boundary=c",
      "",
      "--c--",
      "--b--",
    );
    expect(kindOf(forwarded)).toBe("mail");
  });

  it("comes from armor at the beginning of the text, not from quoted armor", () => {
    expect(kindOf("From: a@mill.example\r\n\r\n\r\n-----BEGIN PGP MESSAGE-----\r\n\r\nhQEM")).toBe("encrypted");
    expect(kindOf("From: a@mill.example\r\n\r\n-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\nYes")).toBe(
      "signed",
    );
    expect(kindOf("From: a@mill.example\r\n\r\nHe wrote:\r\n-----BEGIN PGP MESSAGE-----\r\n")).toBe("mail");
  });

  it("comes from the bytes of untyped S/MIME", () => {
    const smime = (oid: string): string =>
      lines(
        "Content-Type: application/pkcs7-mime; name=smime.p7m",
        "Content-Transfer-Encoding: base64",
        "",
        Buffer.from(`300b06${(oid.length / 2).toString(16).padStart(2, "0")}${oid}`, "hex").toString("base64"),
      );
    expect(kindOf(smime("2a864886f70d010702"))).toBe("signed");
    expect(kindOf(smime("2a864886f70d010703"))).toBe("encrypted");
    expect(kindOf(smime("2a864886f70d010701"))).toBe("mail");
  });
});
