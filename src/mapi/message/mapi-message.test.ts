import { describe, expect, it } from "vitest";
import { objectOf, objectWith } from "../../../test/msg-writer/made-object.ts";
import { binary, integer, text, texts, time, type WrittenProperty } from "../../../test/pst-writer/property-writer.ts";
import { mailProperties, type WrittenMessage } from "../../../test/pst-writer/store-writer.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import { fullRange } from "../../properties/byte-range.ts";
import { PROPERTY_SET, type PropertyName } from "../../properties/named-properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { readItemFields } from "../item-fields.ts";
import { displayedAddress } from "../objects/displayed-address.ts";
import { fingerprintOf } from "../objects/fingerprint.ts";
import { type MapiAddress, NO_DIRECTORY, readOneOff, resolveAddress, x500Directory } from "../objects/mapi-address.ts";
import { mediaTypeOfName } from "../objects/media-types.ts";
import { treatmentOf } from "../objects/message-class.ts";
import { messageFlags } from "../objects/message-flags.ts";
import { type MessageObject, recipientOf } from "../objects/message-object.ts";
import { renderMessage } from "../objects/message-rendering.ts";
import { readMapiMessage, transportHeaders } from "./mapi-message.ts";

const SENT = Date.UTC(2021, 4, 14, 12);
const MAIL = mailProperties({ subject: "Plan", body: "Text.\r\n", sentAt: SENT, from: "ann@x.example" });

describe("readMapiMessage", () => {
  it("reads sender, recipients, dates, text and attachments", () => {
    const object = objectOf(() => ({
      properties: MAIL,
      recipients: [
        { type: 1, name: "Bob", email: "bob@x.example" },
        { type: 2, name: "'carl@x.example'", email: "carl@x.example" },
        { type: 3, name: "Dan", email: "/O=X/CN=DAN", addressType: "EX", smtp: "dan@x.example" },
      ],
      attachments: [
        { properties: [text(PID.attachLongFilename, "plan.pdf")], data: Buffer.from("%PDF") },
        { properties: [], message: { properties: MAIL } },
        { properties: [text(PID.displayName, "RE: 1/2")], message: { properties: MAIL } },
      ],
    }));
    const message = readMapiMessage(object, NO_DIRECTORY);
    expect(message.envelope).toMatchObject({
      subject: "Plan",
      sentAt: SENT,
      from: { email: "ann@x.example" },
      to: [{ name: "Bob", email: "bob@x.example" }],
      cc: [{ name: "", email: "carl@x.example" }],
      bcc: [{ name: "Dan", email: "dan@x.example" }],
    });
    expect(message.textBody).toBe("Text.\n");
    expect(message.attachments.map(({ filename, mediaType }) => [filename, mediaType])).toEqual([
      ["plan.pdf", "application/pdf"],
      ["Plan.eml", "message/rfc822"],
      ["RE: 1_2.eml", "message/rfc822"],
    ]);
    expect(Buffer.from(message.attachments[0]!.bytes()).toString()).toBe("%PDF");
    const nested = parseMessage(Buffer.from(message.attachments[1]!.bytes()));
    expect(nested.envelope.subject).toBe("Plan");
  });

  it("reads no other sender if it is the author in capitals", () => {
    const object = objectWith(...MAIL, text(PID.senderEmail, "ANN@x.example"));
    expect(readMapiMessage(object, NO_DIRECTORY).envelope).toMatchObject({
      from: { email: "ann@x.example" },
      sender: null,
    });
  });

  it("joins a subject of several lines, and removes the type before addresses", () => {
    const object = objectWith(
      ...MAIL.filter(({ id }) => id !== PID.subject && id !== PID.senderEmail && id !== PID.sentRepresentingEmail),
      text(PID.subject, "Plan\r\nof\twork\r\n"),
      text(PID.sentRepresentingEmail, "SMTP:ann@x.example"),
    );
    const { envelope } = readMapiMessage(object, NO_DIRECTORY);
    expect([envelope.subject, envelope.from?.email]).toEqual(["Plan of work", "ann@x.example"]);
  });

  it("is written as MIME that reads as the same", () => {
    const object = objectOf(() => ({
      properties: [...MAIL.filter(({ id }) => id !== PID.subject), text(PID.subject, "Grüße")],
      recipients: [{ type: 1, name: 'Bob "B" Ünal', email: "bob@x.example" }],
      attachments: [{ properties: [text(PID.attachLongFilename, "a ü.txt")], data: Buffer.from("x".repeat(200)) }],
    }));
    const message = readMapiMessage(object, NO_DIRECTORY);
    const again = parseMessage(renderMessage(message, { transportHeaders: null, flags: [], invitations: [] }));
    expect(again.envelope).toMatchObject({
      subject: "Grüße",
      sentAt: SENT,
      from: message.envelope.from,
      to: [{ name: 'Bob "B" Ünal', email: "bob@x.example" }],
    });
    expect(again.textBody?.trim()).toBe("Text.");
    expect(again.attachments.map(({ filename }) => filename)).toEqual(["a ü.txt"]);
  });

  it("is written with the pictures that its HTML shows next to the HTML", () => {
    const picture = (id: string) => ({
      properties: [text(PID.attachLongFilename, `${id}.png`), text(PID.attachContentId, id)],
      data: Buffer.from("x"),
    });
    const object = objectOf(() => ({
      properties: [...MAIL, text(PID.html, '<p>Text.<img src="cid:shown"></p>')],
      recipients: [],
      attachments: [picture("shown"), picture("other")],
    }));
    const rendered = renderMessage(readMapiMessage(object, NO_DIRECTORY), {
      transportHeaders: null,
      flags: [],
      invitations: [],
    });
    const types = [...rendered.toString().matchAll(/^Content-Type: ([a-z/]+)/gm)].map(([, type]) => type);
    expect(types).toEqual([
      "multipart/mixed",
      "multipart/alternative",
      "text/plain",
      "multipart/related",
      "text/html",
      "image/png",
      "image/png",
    ]);
    expect(parseMessage(rendered).attachments.map(({ filename, disposition }) => [filename, disposition])).toEqual([
      ["shown.png", "inline"],
      ["other.png", "attachment"],
    ]);
  });

  it("prefers transport headers", () => {
    const headers = "Message-ID: <1@x.example>\r\nIn-Reply-To: <0@x.example>\r\nList-Id: <plans.x.example>\r\n\r\n";
    const object = objectWith(...MAIL, text(PID.transportHeaders, headers));
    const { envelope } = readMapiMessage(object, NO_DIRECTORY);
    expect(envelope).toMatchObject({ messageId: "1@x.example", inReplyTo: ["0@x.example"], messageKind: "list" });
    expect(transportHeaders(objectWith(...MAIL).properties)).toBeNull();
  });
});

describe("a message", () => {
  it("without a subject uses prefix and normalized subject", () => {
    const parts = [text(PID.subjectPrefix, "RE: "), text(PID.normalizedSubject, "Mooring of buoy 4")];
    expect(readMapiMessage(objectWith(...parts), NO_DIRECTORY).envelope.subject).toBe("RE: Mooring of buoy 4");
    expect(readMapiMessage(objectWith(parts[1]!), NO_DIRECTORY).envelope.subject).toBe("Mooring of buoy 4");
  });

  it.each<[string, readonly WrittenProperty[], string]>([
    ["decodes words of programs that import mail", [text(PID.subject, "=?utf-8?B?UGzDpG4=?= 2")], "Plän 2"],
    ["keeps marks of words among other letters", [text(PID.subject, "Plän =?x?=")], "Plän =?x?="],
    ["is that of the reported message", [text(PID.originalSubject, "Plan")], "Plan"],
  ])("has a subject that %s", (_, properties, subject) => {
    expect(readMapiMessage(objectWith(...properties), NO_DIRECTORY).envelope.subject).toBe(subject);
  });

  it("has headers whose lines end in CR", () => {
    const headers = text(PID.transportHeaders, "From: Ann <ann@x.example>\rMessage-ID: <1@x.example>\r");
    expect(readMapiMessage(objectWith(headers), NO_DIRECTORY).envelope.messageId).toBe("1@x.example");
  });

  it("without a date has its delivery time", () => {
    const undated = MAIL.filter(({ id }) => id !== PID.clientSubmitTime && id !== PID.deliveryTime);
    const made = time(PID.creationTime, SENT + 5000);
    const datesOf = (...properties: readonly WrittenProperty[]) => {
      const { sentAt, receivedAt } = readMapiMessage(objectWith(...properties, made), NO_DIRECTORY).envelope;
      return [sentAt, receivedAt];
    };
    expect(datesOf(...undated)).toEqual([null, SENT + 5000]);
    expect(datesOf(...undated, time(PID.clientSubmitTime, SENT))).toEqual([SENT, null]);
  });

  it.each<[string, readonly WrittenProperty[], readonly (number | null)[]]>([
    ["when its server took it", [time(PID.providerSubmitTime, SENT)], [SENT, null]],
    ["when it was reported", [time(PID.reportTime, SENT)], [SENT, null]],
    ["when it was changed", [time(PID.lastModificationTime, SENT)], [null, SENT]],
    [
      "no date from a time that was 0 in another zone",
      [{ ...time(PID.clientSubmitTime, 0), bytes: hours(5) }],
      [null, null],
    ],
  ])("without other dates has %s", (_, properties, dates) => {
    const { sentAt, receivedAt } = readMapiMessage(
      objectWith(text(PID.subject, "Plan"), ...properties),
      NO_DIRECTORY,
    ).envelope;
    expect([sentAt, receivedAt]).toEqual(dates);
  });

  it("that is a report answers what it reports on", () => {
    const original = text(PID.originalMessageId, "<1@x.example>");
    const inReplyTo = (messageClass: string) =>
      readMapiMessage(objectWith(text(PID.messageClass, messageClass), original), NO_DIRECTORY).envelope.inReplyTo;
    expect([inReplyTo("REPORT.IPM.Note.IPNRN"), inReplyTo("IPM.Note")]).toEqual([["1@x.example"], []]);
  });

  it.each([
    ["REPORT.IPM.Note.SMIME.NDR", "non_delivery_report"],
    ["IPM.Schedule.Meeting.Request", "meeting_request"],
    ["IPM.Schedule.Meeting.Notification.Forward", "mail"],
    ["IPM.Note.Fax", "fax"],
  ])("of class %s is parsed", (messageClass, kind) => {
    const object = objectWith(text(PID.messageClass, messageClass));
    expect(readMapiMessage(object, NO_DIRECTORY).envelope.messageKind).toBe(kind);
  });

  it.each<[string, readonly string[], string]>([
    ["by its type", ["", "application/x-microsoft-rpmsg-message"], "rights_protected"],
    ["by its name", ["message_v2.rpmsg", "application/octet-stream"], "rights_protected"],
    ["not by a name with another type", ["message.rpmsg", "text/plain"], "mail"],
  ])("is rights-protected %s", (_, [name, type], kind) => {
    const page = { properties: [text(PID.attachLongFilename, "message.html")], data: Buffer.from("<p>") };
    const named = [text(PID.attachLongFilename, name!), text(PID.attachMimeTag, type!)];
    const object = objectOf(() => ({
      properties: MAIL,
      attachments: [page, { properties: named, data: Buffer.from("v") }],
    }));
    expect(readMapiMessage(object, NO_DIRECTORY).envelope.messageKind).toBe(kind);
  });

  it.each([
    ["no text", []],
    ["a blank text", [text(PID.body, " \r\n")]],
    ["a blank page", [binary(PID.html, Buffer.from("<html><body><p>&nbsp;</p></body></html>"))]],
  ])("with %s has that of its RTF", (_, properties) => {
    const rtf = binary(PID.rtfCompressed, uncompressedRtf("{\\rtf1 the only text}"));
    expect(readMapiMessage(objectWith(...properties, rtf), NO_DIRECTORY).textBody).toBe("the only text");
  });

  const bounce = "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n";
  const status = (action: string): Buffer =>
    Buffer.from(`Reporting-MTA: dns; x.example\r\n\r\nFinal-Recipient: rfc822; a@x.example\r\nAction: ${action}\r\n`);

  it.each<[string, WrittenMessage, string]>([
    [
      "with a status that failed",
      {
        properties: MAIL,
        attachments: [{ properties: [text(PID.attachMimeTag, "message/delivery-status")], data: status("failed") }],
      },
      "non_delivery_report",
    ],
    [
      "with a status of success",
      {
        properties: MAIL,
        attachments: [{ properties: [text(PID.attachMimeTag, "message/delivery-status")], data: status("delivered") }],
      },
      "delivery_report",
    ],
    [
      "with headers of a report and a text that failed",
      {
        properties: [...MAIL, text(PID.transportHeaders, bounce)],
        attachments: [{ properties: [text(PID.attachLongFilename, "details.txt")], data: status("failed") }],
      },
      "non_delivery_report",
    ],
    ["with headers of a report", { properties: [...MAIL, text(PID.transportHeaders, bounce)] }, "delivery_report"],
    [
      "with a text that only quotes a status",
      {
        properties: MAIL,
        attachments: [{ properties: [text(PID.attachLongFilename, "log.txt")], data: status("failed") }],
      },
      "mail",
    ],
  ])("%s is parsed", (_, message, kind) => {
    expect(
      readMapiMessage(
        objectOf(() => message),
        NO_DIRECTORY,
      ).envelope.messageKind,
    ).toBe(kind);
  });
});

/** A FILETIME of some hours after 1601. */
function hours(count: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(count) * 36_000_000_000n);
  return bytes;
}

/** [MS-OXRTFCP] 2.1.3.1.5: uncompressed RTF. */
function uncompressedRtf(rtf: string): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32LE(rtf.length + 12, 0);
  header.writeUInt32LE(rtf.length, 4);
  header.write("MELA", 8, "latin1");
  return Buffer.concat([header, Buffer.from(rtf, "latin1")]);
}

describe("treatmentOf", () => {
  it.each([
    ["IPM.Note", "mail"],
    ["IPM.Note.SMIME", "mail"],
    ["IPM.Schedule.Meeting.Request", "meeting"],
    ["IPM.Schedule.Meeting.Notification.Forward", "mail"],
    ["IPM.Appointment", "appointment"],
    ["IPM.OLE.CLASS.{00061055-0000-0000-C000-000000000046}", "appointment"],
    ["IPM.AbchPerson", "contact"],
    ["IPM.DistList", "distribution_list"],
    ["IPM.TaskRequest", "mail"],
    ["IPM.Task", "task"],
    ["REPORT.IPM.Note.NDR", "mail"],
    ["IPM.Microsoft.FolderDesign", "other"],
    ["IPM.AddIn", "other"],
  ])("of %s is %s", (messageClass, treatment) => {
    expect(treatmentOf(objectWith(text(PID.messageClass, messageClass)))).toBe(treatment);
  });

  it("treats classes of add-ins as mail if they have a sender", () => {
    expect(treatmentOf(objectWith(text(PID.messageClass, "IPM.AddIn"), text(PID.senderName, "Ann")))).toBe("mail");
  });

  it("infers the class of a damaged item from properties that only its kind has", () => {
    const withName = (name: PropertyName): MessageObject =>
      objectOf((named) => ({ properties: [integer(named(name), 1)] }));
    expect(treatmentOf(withName({ set: PROPERTY_SET.appointment, name: 0x820d }))).toBe("appointment");
    expect(treatmentOf(withName({ set: PROPERTY_SET.task, name: 0x8101 }))).toBe("task");
    expect(treatmentOf(objectWith())).toBe("mail");
  });
});

describe("messageFlags", () => {
  it("returns states and requests to the reader", () => {
    const object = objectOf((named) => ({
      properties: [
        integer(PID.messageFlags, 1 | 8),
        integer(PID.lastVerbExecuted, 102),
        integer(PID.flagStatus, 2),
        integer(PID.importance, 2),
        integer(PID.sensitivity, 3),
        time(PID.expiryTime, SENT),
        text(named({ set: PROPERTY_SET.common, name: 0x8530 }), "Call  back"),
        time(named({ set: PROPERTY_SET.task, name: 0x8105 }), Date.UTC(2021, 4, 14, 2)),
        texts(named({ set: PROPERTY_SET.publicStrings, name: "Keywords" }), ["Red", "Blue"]),
      ],
    }));
    expect(messageFlags(object.properties)).toEqual([
      "seen",
      "replied",
      "flagged",
      "draft",
      "importance:high",
      "sensitivity:confidential",
      "follow-up:Call back",
      "due:2021-05-14",
      "expires:2021-05-14T12:00:00Z",
      "label:Red",
      "label:Blue",
    ]);
  });

  it("uses the icon of mail whose last action is not recorded", () => {
    const flags = (icon: number) => messageFlags(objectWith(integer(PID.iconIndex, icon)).properties);
    expect([flags(0x105), flags(0x106), flags(0x100)]).toEqual([["replied"], ["forwarded"], []]);
  });

  it("omits default values", () => {
    expect(messageFlags(objectWith(integer(PID.importance, 1), integer(PID.sensitivity, 0)).properties)).toEqual([]);
  });
});

describe("addresses", () => {
  const mailbox: MapiAddress = { name: null, email: null, smtp: null, entryId: null };
  const oneOff = (...parts: readonly string[]): Buffer =>
    Buffer.concat([
      Buffer.from("00000000812b1fa4bea310199d6e00dd010f540200000180", "hex"),
      Buffer.from(parts.map((part) => `${part}\0`).join(""), "utf16le"),
    ]);

  it("are SMTP addresses if available", () => {
    const resolved = (
      parts: Partial<typeof mailbox & { email: string; name: string; smtp: string; entryId: Buffer }>,
    ) =>
      resolveAddress(
        { ...mailbox, ...parts },
        { get: (name) => (name === "/o=x/cn=ann" ? "ann@x.example" : undefined) },
      );
    expect(resolved({ name: "Ann", email: "/O=X/CN=ANN" })).toEqual({ name: "Ann", email: "ann@x.example" });
    expect(resolved({ name: "Ann", email: "/O=X/CN=BOB", smtp: "b@x.example" })?.email).toBe("b@x.example");
    expect(resolved({ name: "Ann", email: "/O=X/CN=BOB" })?.email).toBe("/O=X/CN=BOB");
    expect(resolved({ name: '"Moss, Ann"', email: "a@x.example" })).toEqual({
      name: "Moss, Ann",
      email: "a@x.example",
    });
    expect(resolved({ name: "Ann", email: "Ann" })).toEqual({ name: "Ann", email: "" });
    expect(resolved({ entryId: oneOff("Ann", "SMTP", "a@x.example") })).toEqual({ name: "Ann", email: "a@x.example" });
    expect(resolved({})).toBeNull();
  });

  it.each([
    ["erik@site.example", { name: "", email: "erik@site.example" }],
    ["'erik@site.example'", { name: "", email: "erik@site.example" }],
    ["Ida Moss (ida@site.example)", { name: "Ida Moss", email: "ida@site.example" }],
    ["Kim <kim@site.example>", { name: "Kim", email: "kim@site.example" }],
    ["'Kim' [mailto:kim@site.example]", { name: "Kim", email: "kim@site.example" }],
    ["ida@site.example (ida@site.example)", { name: "", email: "ida@site.example" }],
    ['"Moss, Ida" <ida@site.example>', { name: "Moss, Ida", email: "ida@site.example" }],
    ["Team @ Work", { name: "Team @ Work", email: "" }],
    ["Hal (office)", { name: "Hal (office)", email: "" }],
  ])("are detected by the name %s", (name, address) => {
    expect(displayedAddress(name)).toEqual(address);
    expect(resolveAddress({ ...mailbox, name }, NO_DIRECTORY)).toEqual(address);
    if (address.email !== "") expect(resolveAddress({ ...mailbox, name, email: name }, NO_DIRECTORY)).toEqual(address);
  });

  it("of recipients have the names of the table where the headers have none", () => {
    const headers = "From: ann@x.example\r\nTo: BOB@x.example, Cy <cy@x.example>, dan@x.example\r\n";
    const { envelope } = readMapiMessage(
      objectOf(() => ({
        properties: [...MAIL, text(PID.transportHeaders, headers)],
        recipients: [
          { type: 1, name: "Bob Moss", email: "bob@x.example" },
          { type: 1, name: "Cyril", email: "cy@x.example" },
          { type: 1, name: "dan@x.example", email: "dan@x.example" },
        ],
      })),
      NO_DIRECTORY,
    );
    expect(envelope.to).toEqual([
      { name: "Bob Moss", email: "BOB@x.example" },
      { name: "Cy", email: "cy@x.example" },
      { name: "", email: "dan@x.example" },
    ]);
  });

  it("come from display fields if the recipients table is lost", () => {
    const { envelope } = readMapiMessage(
      objectWith(...MAIL, text(PID.displayTo, "Hal; Ida Moss (ida@site.example); Kim <kim@site.example>")),
      NO_DIRECTORY,
    );
    expect(envelope.to).toEqual([
      { name: "Hal", email: "" },
      { name: "Ida Moss", email: "ida@site.example" },
      { name: "Kim", email: "kim@site.example" },
    ]);
  });

  it("come from display fields if all rows of a role are lost", () => {
    const shown = [text(PID.displayTo, "Bob"), text(PID.displayCc, "Cy Moss; dan@x.example")];
    const { envelope } = readMapiMessage(
      objectOf(() => ({
        properties: [...MAIL, ...shown],
        recipients: [{ type: 1, name: "Bob", email: "bob@x.example" }],
      })),
      NO_DIRECTORY,
    );
    expect([envelope.to, envelope.cc]).toEqual([
      [{ name: "Bob", email: "bob@x.example" }],
      [
        { name: "Cy Moss", email: "" },
        { name: "", email: "dan@x.example" },
      ],
    ]);
  });

  it.each<[string, readonly WrittenProperty[], string]>([
    [
      "the search key of the sender",
      [binary(PID.senderSearchKey, Buffer.from("SMTP:ANN@X.EXAMPLE\0"))],
      "ann@x.example",
    ],
    ["that of the author", [binary(PID.sentRepresentingSearchKey, Buffer.from("smtp:ann@x.example"))], "ann@x.example"],
    ["no key with another type", [binary(PID.senderSearchKey, Buffer.from("EX:/O=X/CN=A@B\0"))], ""],
    ["no fax number", [text(PID.senderEmail, "Ann@+44 20 7946 0000")], ""],
  ])("without a mailbox come from %s", (_, properties, email) => {
    const names = [text(PID.senderName, "Ann"), text(PID.sentRepresentingName, "Ann")];
    expect(readMapiMessage(objectWith(...names, ...properties), NO_DIRECTORY).envelope.from).toEqual({
      name: "Ann",
      email,
    });
  });

  it("of recipients come from their proxy addresses", () => {
    const { mailbox: found } = recipientOf(
      objectWith(
        text(PID.emailAddress, "/o=X/cn=bob"),
        texts(PID.proxyAddresses, ["smtp:old@x.example", "SMTP:bob@x.example"]),
      ).properties,
    );
    expect(resolveAddress(found, NO_DIRECTORY)?.email).toBe("bob@x.example");
  });

  it("in entry ids are decoded by the code page of their message", () => {
    const entryId = Buffer.concat([
      Buffer.from("00000000812b1fa4bea310199d6e00dd010f540200000100", "hex"),
      Buffer.from("P\xf8\xedlis\0SMTP\0p@x.example\0", "latin1"),
    ]);
    const size = Buffer.alloc(12);
    size.writeUInt32LE(1, 0);
    size.writeUInt32LE(entryId.length + 4, 4);
    size.writeUInt32LE(entryId.length, 8);
    const replyTo = binary(PID.replyRecipientEntries, Buffer.concat([size, entryId]));
    const { envelope } = readMapiMessage(objectWith(integer(PID.messageCodePage, 1250), replyTo), NO_DIRECTORY);
    expect(envelope.replyTo).toEqual([{ name: "Přílis", email: "p@x.example" }]);
  });

  const EXCHANGE = [
    text(PID.subject, "Sent"),
    text(PID.senderName, "Dan"),
    text(PID.senderAddressType, "EX"),
    text(PID.senderEmail, "/O=X/CN=DAN"),
    text(PID.sentRepresentingName, "Dan"),
    text(PID.sentRepresentingEmail, "/O=X/CN=DAN"),
  ];

  it.each<[string, string | undefined, readonly WrittenProperty[]]>([
    ["is its creator", "dan@x.example", [text(PID.creatorSmtp, "dan@x.example")]],
    [
      "is its account",
      "dan@x.example",
      [text(PID.primarySendAccount, "00000002\x01dan@x.example\x01dan@x.example"), integer(PID.messageFlags, 0x21)],
    ],
    [
      "is not who made it, when that is somebody else",
      "/O=X/CN=DAN",
      [text(PID.creatorSmtp, "eva@x.example"), text(PID.creatorName, "Eva")],
    ],
    [
      "is not the account that received it",
      "/O=X/CN=DAN",
      [text(PID.primarySendAccount, "2\x01eva@x.example"), text(PID.receivedByName, "Eva")],
    ],
  ])("of a sender with an X.500 name: %s", (_, email, properties) => {
    const { envelope } = readMapiMessage(objectWith(...EXCHANGE, ...properties), NO_DIRECTORY);
    expect(envelope.from?.email).toBe(email);
  });

  it("to reply to come from names if entry ids have none", () => {
    const unknown = Buffer.concat([Buffer.alloc(4), Buffer.alloc(16, 0xfe), Buffer.alloc(8)]);
    const header = Buffer.alloc(8);
    header.writeUInt32LE(1, 0);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(unknown.length);
    const entries = binary(PID.replyRecipientEntries, Buffer.concat([header, length, unknown]));
    const replyTo = (...properties: readonly WrittenProperty[]) =>
      readMapiMessage(objectWith(...MAIL, ...properties), NO_DIRECTORY).envelope.replyTo;
    expect(replyTo(entries, text(PID.replyRecipientNames, "Frank Desk"))).toEqual([{ name: "Frank Desk", email: "" }]);
    expect(replyTo(text(PID.replyRecipientNames, "Frank Desk; Kim (kim@x.example)"))).toEqual([
      { name: "Frank Desk", email: "" },
      { name: "Kim", email: "kim@x.example" },
    ]);
  });

  it("of one-off entry ids are read, and other ids are ignored", () => {
    expect(readOneOff(oneOff("Ann", "SMTP", "a@x.example"))).toMatchObject({ name: "Ann", email: "a@x.example" });
    expect(readOneOff(oneOff("Ann"))).toMatchObject({ name: "Ann", email: null });
    expect(readOneOff(Buffer.alloc(40))).toBeNull();
  });

  it("resolve X.500 names", () => {
    const known = { ...mailbox, email: "/O=X/CN=ANN", smtp: "ann@x.example" };
    expect([...x500Directory([known, mailbox])]).toEqual([["/o=x/cn=ann", "ann@x.example"]]);
  });
});

describe("readItemFields", () => {
  it("writes values by their types", () => {
    const object = objectOf((named) => ({
      properties: [
        text(PID.messageClass, "IPM.Task"),
        text(PID.subject, "Water the plants"),
        { id: named({ set: PROPERTY_SET.task, name: 0x8102 }), type: 0x0005, bytes: doubleOf(0.5) },
        { id: named({ set: PROPERTY_SET.task, name: 0x811c }), type: 0x000b, bytes: Buffer.from([0]) },
        time(named({ set: PROPERTY_SET.task, name: 0x8105 }), Date.UTC(2021, 4, 13, 22)),
      ],
    }));
    const { subject, fields } = readItemFields(object.properties, "task", null);
    expect(subject).toBe("Water the plants");
    expect(fields).toMatchObject({ percent_complete: "50%", due_date: "2021-05-14" });
    expect(Object.values(fields)).toContain("no");
  });
});

function doubleOf(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

it("fingerprints the content of an item, not its location", () => {
  const scratch = fullRange(Buffer.alloc(1 << 16));
  const hashOf = (body: string): unknown =>
    fingerprintOf(
      objectWith(text(PID.subject, "Plan"), text(PID.body, body), binary(0x3001, Buffer.alloc(4))),
      scratch,
    );
  expect(hashOf("a")).toEqual(hashOf("a"));
  expect(hashOf("a")).not.toEqual(hashOf("b"));
});

it("maps extensions to media types", () => {
  expect(["a.PDF", "b.jpeg", "c.unknown", "none"].map(mediaTypeOfName)).toEqual([
    "application/pdf",
    "image/jpeg",
    "application/octet-stream",
    "application/octet-stream",
  ]);
});
