import { describe, expect, it } from "vitest";
import { buildMsg, MsgWriter } from "../../../test/msg-writer/msg-writer.ts";
import { itemsOfStore } from "../../../test/pst-writer/items-of-store.ts";
import { integer, text, time, type WrittenProperty } from "../../../test/pst-writer/property-writer.ts";
import { mailProperties, type WrittenAttachment } from "../../../test/pst-writer/store-writer.ts";
import { writeTnef } from "../../../test/tnef-writer.ts";
import { openCompoundFile } from "../../compound/compound-file.ts";
import { writeCompoundFile } from "../../compound/compound-writer.ts";
import type { AttachmentPart } from "../../mail/records/message.ts";
import { openWrappers } from "../../mapi/tnef/opened-wrappers.ts";
import { readTnef } from "../../mapi/tnef/tnef.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import { PROPERTY_SET, type PropertyName } from "../../properties/named-properties.ts";
import { TYPE } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";
import { readMsgItems } from "../msg/msg-items.ts";
import { ITEM_FILES } from "./attached-item.ts";

const SENT = Date.UTC(2021, 4, 14, 12);
const MAIL = mailProperties({ subject: "Plan", body: "Text.", sentAt: SENT, from: "ann@x.example" });
const PLACE = { mailbox: "INBOX", location: "a.msg" };
const DATA = Buffer.from("29 bytes of some short content".slice(0, 29));

function partsOf(bytes: Buffer): readonly AttachmentPart[] {
  const [item] = readMsgItems(bytes, PLACE, []);
  if (item?.kind !== "object") throw new Error(`no message: ${item?.kind}`);
  return item.message.attachments;
}

const summaries = (parts: readonly AttachmentPart[]) =>
  parts.map((part) => [part.filename, part.mediaType, part.linkTarget, part.bytes().length]);
const attached = (...attachments: readonly WrittenAttachment[]) => partsOf(buildMsg({ properties: MAIL, attachments }));

describe("an attachment", () => {
  const name = text(PID.attachLongFilename, "a.txt");
  const link = text(PID.attachLongPathname, "\\\\server\\share\\b.txt");

  it.each([null, 0, 2, 3, 4, 7])("of method %s is kept if its bytes exist", async (method) => {
    const attachment = { properties: [name], data: DATA, method };
    expect(summaries(attached(attachment))).toEqual([["a.txt", "text/plain", null, 29]]);
    const [item] = await itemsOfStore({ layout: "unicode", encoding: "permute" }, () => [
      { properties: MAIL, attachments: [attachment] },
    ]);
    expect(item?.kind === "object" && summaries(item.message.attachments)).toEqual([["a.txt", "text/plain", null, 29]]);
  });

  it("of an empty attached message is kept if its bytes exist", async () => {
    const attachment = { properties: [name], data: DATA, method: 5 };
    expect(summaries(attached(attachment))).toEqual([["a.txt", "text/plain", null, 29]]);
    const [item] = await itemsOfStore({ layout: "unicode", encoding: "permute" }, () => [
      { properties: MAIL, attachments: [attachment] },
    ]);
    expect(item?.kind === "object" && summaries(item.message.attachments)).toEqual([["a.txt", "text/plain", null, 29]]);
  });

  it("that is a link remains a link", () => {
    expect(summaries(attached({ properties: [integer(PID.attachMethod, 2), link] }))).toEqual([
      ["b.txt", "text/plain", "\\\\server\\share\\b.txt", 0],
    ]);
  });

  it("without a method is a message if it contains one", async () => {
    const attachment = { properties: [], message: { properties: MAIL }, method: null };
    expect(attached(attachment)[0]?.mediaType).toBe("message/rfc822");
    const [item] = await itemsOfStore({ layout: "unicode", encoding: "permute" }, () => [
      { properties: MAIL, attachments: [attachment] },
    ]);
    expect(item?.kind === "object" && item.message.attachments[0]?.mediaType).toBe("message/rfc822");
  });

  it("without a name keeps its extension", () => {
    const extension = text(PID.attachExtension, ".pdf");
    expect(summaries(attached({ properties: [extension], data: DATA }))).toEqual([
      ["attachment.pdf", "application/pdf", null, 29],
    ]);
    expect(attached({ properties: [extension, text(PID.displayName, "Plan")], data: DATA })[0]?.filename).toBe(
      "Plan.pdf",
    );
    expect(attached({ properties: [text(PID.attachExtension, "pdf")], data: DATA })[0]?.filename).toBe(
      "attachment.pdf",
    );
    const evil = text(PID.attachExtension, "/../x");
    expect(attached({ properties: [evil, text(PID.displayName, "Plan")], data: DATA })[0]?.filename).toBe("Plan");
  });
});

describe("an OLE object of a .msg file", () => {
  const shown = text(PID.displayName, "Package");
  const sized = (bytes: Buffer): Buffer => Buffer.concat([uint32(bytes.length), bytes]);
  const packager = sized(
    Buffer.concat([
      Buffer.from("\x02\0plan.pdf\0C:\\x\\plan.pdf\0\0\0\x03\0", "latin1"),
      sized(Buffer.from("C:\\temp\\plan.pdf\0")),
      sized(DATA),
    ]),
  );

  it.each<[string, ReadonlyMap<string, Buffer>, readonly unknown[]]>([
    ["of the Packager", new Map([["\x01Ole10Native", packager]]), ["plan.pdf", "application/pdf", null, 29]],
    ["of OLE 1.0", new Map([["\x01Ole10Native", sized(DATA)]]), ["Package", "application/octet-stream", null, 29]],
    ["of contents", new Map([["CONTENTS", DATA]]), ["Package", "application/octet-stream", null, 29]],
    ["of a package", new Map([["Package", DATA]]), ["Package", "application/octet-stream", null, 29]],
    [
      "that is cut",
      new Map([["\x01Ole10Native", packager.subarray(0, 30)]]),
      ["Package", "application/octet-stream", null, 26],
    ],
  ])("%s returns the embedded file", async (_, streams, expected) => {
    expect(summaries(attached({ properties: [shown], streams }))).toEqual([expected]);
    const ole = writeCompoundFile({ streams, storages: new Map() });
    const [item] = await itemsOfStore({ layout: "unicode", encoding: "permute" }, () => [
      { properties: MAIL, attachments: [{ properties: [shown], ole }] },
    ]);
    expect(item?.kind === "object" && summaries(item.message.attachments)).toEqual([expected]);
    const object = { id: PID.attachData, type: TYPE.object, bytes: Buffer.concat([Buffer.alloc(16), ole]) };
    const properties = [shown, integer(PID.attachMethod, 6), object];
    const winmail = readTnef(writeTnef({ properties: MAIL, attachments: [{ properties }] }))!;
    expect(summaries(winmail.attachments)).toEqual([expected]);
  });

  it("of another program is a compound file", () => {
    const streams = new Map([
      ["WordDocument", DATA],
      ["\x01CompObj", Buffer.alloc(5000, "x")],
    ]);
    const [part] = attached({ properties: [shown], streams });
    expect([part?.filename, part?.mediaType]).toEqual(["Package", "application/x-ole-storage"]);
    const { root, faults } = openCompoundFile(Buffer.from(part!.bytes()))!;
    const found = Array.from(root.streams.values(), (stream) => [stream.name, stream.bytes()] as const);
    expect([new Map(found), [...faults]]).toEqual([streams, []]);
  });
});

describe("an attached item", () => {
  const address = (name: number): PropertyName => ({ set: PROPERTY_SET.address, name });
  const task = (name: number): PropertyName => ({ set: PROPERTY_SET.task, name });
  const appointment = (name: number): PropertyName => ({ set: PROPERTY_SET.appointment, name });

  function attachedTo(made: (named: (name: PropertyName) => number) => readonly WrittenProperty[]) {
    const writer = new MsgWriter();
    const properties = made((name) => writer.named(name));
    const inside = [{ properties: [text(PID.attachLongFilename, "photo.jpg")], data: DATA }];
    const attachments = [{ properties: [], message: { properties, attachments: inside } }];
    return partsOf(writer.write({ properties: MAIL, attachments }));
  }

  it("becomes a vCard with its attachments", () => {
    const parts = attachedTo((named) => [
      text(PID.messageClass, "IPM.Contact"),
      text(PID.subject, "Ada Moss"),
      text(PID.displayName, "Ada Moss"),
      text(0x3a08, "+44 20 7946 0000"),
      text(named(address(0x8083)), "ada@x.example"),
    ]);
    expect(summaries(parts).map(([name, type]) => [name, type])).toEqual([
      ["Ada Moss.vcf", "text/vcard"],
      ["photo.jpg", "image/jpeg"],
    ]);
    const card = Buffer.from(parts[0]!.bytes()).toString();
    expect(card).toContain("FN:Ada Moss");
    expect(card).toContain("EMAIL;PREF=1:ada@x.example");
    expect(card).toContain("+44 20 7946 0000");
  });

  it("is iCalendar of an appointment", () => {
    const [part] = attachedTo((named) => [
      text(PID.messageClass, "IPM.Appointment"),
      text(PID.subject, "Lunch"),
      time(named(appointment(0x820d)), SENT),
      time(named(appointment(0x820e)), SENT + 3_600_000),
    ]);
    expect([part?.filename, part?.mediaType]).toEqual(["Lunch.ics", "text/calendar"]);
    expect(Buffer.from(part!.bytes()).toString()).toContain("DTSTART:20210514T120000Z");
  });

  it("is text of a task", () => {
    const [part] = attachedTo((named) => [
      text(PID.messageClass, "IPM.Task"),
      text(PID.subject, "Paint"),
      text(PID.body, "two coats"),
      time(named(task(0x8105)), Date.UTC(2021, 6, 1)),
    ]);
    expect([part?.filename, part?.mediaType]).toEqual(["Paint.txt", "text/plain"]);
    const words = Buffer.from(part!.bytes()).toString();
    expect(words).toContain("due_date: 2021-07-01");
    expect(words).toContain("body: two coats");
  });
});

describe("winmail.dat", () => {
  const wrapper = (bytes: Buffer): AttachmentPart => ({
    filename: "winmail.dat",
    mediaType: "application/ms-tnef",
    disposition: "attachment",
    contentId: null,
    linkTarget: null,
    bytes: () => bytes,
  });
  const ann = { name: "Ann", email: "ann@x.example" };
  const opened = (bytes: Buffer) => openWrappers([wrapper(bytes)], "See below.", { sender: ann, files: ITEM_FILES });

  it("returns the attached message and its attachments", () => {
    const figures = { properties: [text(PID.attachLongFilename, "plan.pdf")], data: DATA };
    const inner = { properties: MAIL, attachments: [figures] };
    const { attachments } = opened(writeTnef({ properties: [], attachments: [{ properties: [], message: inner }] }));
    expect(attachments.map(({ filename, mediaType }) => [filename, mediaType])).toEqual([
      ["Plan.eml", "message/rfc822"],
    ]);
    const message = parseMessage(Buffer.from(attachments[0]!.bytes()));
    expect([message.envelope.subject, message.envelope.from?.email, message.textBody?.trim()]).toEqual([
      "Plan",
      "ann@x.example",
      "Text.",
    ]);
    expect(summaries(message.attachments)).toEqual([["plan.pdf", "application/pdf", null, 29]]);
  });

  it("returns an attached contact as a vCard", () => {
    const contact = { properties: [text(PID.messageClass, "IPM.Contact"), text(PID.displayName, "Ada Moss")] };
    const { attachments } = opened(writeTnef({ properties: [], attachments: [{ properties: [], message: contact }] }));
    expect(attachments.map(({ mediaType }) => mediaType)).toEqual(["text/vcard"]);
  });

  it("of an invitation returns the meeting", () => {
    const start = 0x8001;
    const end = 0x8002;
    const names = new Map([
      [start, { set: PROPERTY_SET.appointment, name: 0x820d }],
      [end, { set: PROPERTY_SET.appointment, name: 0x820e }],
    ]);
    const properties = [
      text(PID.messageClass, "IPM.Schedule.Meeting.Request"),
      text(PID.subject, "Review"),
      time(start, SENT),
      time(end, SENT + 3_600_000),
    ];
    const { calendar, messageKind } = opened(writeTnef({ properties, names }));
    expect(messageKind).toBe("meeting_request");
    expect(calendar).toMatchObject([
      { method: "REQUEST", subject: "Review", start: SENT, end: SENT + 3_600_000, organizer: ann },
    ]);
    const plain = opened(
      writeTnef({ properties: [...properties.slice(0, 2), time(PID.startDate, SENT), time(PID.endDate, SENT)] }),
    );
    expect(plain.calendar).toMatchObject([{ start: SENT }]);
  });
});

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
