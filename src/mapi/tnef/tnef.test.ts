import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { realData } from "../../../test/real-data.ts";
import { PROPERTY_SET } from "../../properties/named-properties.ts";
import { TYPE } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";
import { readTnef } from "./tnef.ts";

const SUBJECT = 0x0001_8004;
const BODY = 0x0002_800c;
const RENDERING = 0x0006_9002;
const TRANSPORT_NAME = 0x0006_9001;
const TITLE = 0x0001_8010;
const DATA = 0x0006_800f;
const MESSAGE_PROPERTIES = 0x0006_9003;
const ATTACHMENT = 0x0006_9005;
const CODE_PAGE = 0x0006_9007;

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function attribute(id: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([1]), uint32(id), uint32(data.length), data, Buffer.alloc(2)]);
}

function stream(...attributes: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from("789f3e220100", "hex"), ...attributes]);
}

function property(id: number, type: number, value: Buffer): Buffer {
  const padding = Buffer.alloc((4 - (value.length % 4)) % 4);
  return Buffer.concat([uint32(id * 0x1_0000 + type), uint32(1), uint32(value.length), value, padding]);
}

function properties(...written: readonly Buffer[]): Buffer {
  return Buffer.concat([uint32(written.length), ...written]);
}

const utf16 = (text: string): Buffer => Buffer.from(`${text}\0`, "utf16le");

describe("readTnef", () => {
  it("reads attachments without a start attribute", () => {
    const file = (name: string): readonly Buffer[] => [
      attribute(TITLE, Buffer.from(`${name}\0`)),
      attribute(DATA, Buffer.from(name)),
    ];
    const { attachments } = readTnef(stream(...file("a.txt"), ...file("bb.txt")))!;
    expect(attachments.map((part) => [part.filename, part.bytes().length])).toEqual([
      ["a.txt", 5],
      ["bb.txt", 6],
    ]);
  });

  it("reads subject, body and attachments of the old attributes", () => {
    const tnef = readTnef(
      stream(
        attribute(CODE_PAGE, Buffer.from("e304000000000000", "hex")),
        attribute(SUBJECT, Buffer.from("Pr\xefvet\0", "latin1")),
        attribute(BODY, Buffer.from("body\0")),
        attribute(RENDERING, Buffer.alloc(14)),
        attribute(TITLE, Buffer.from("a.txt\0")),
        attribute(DATA, Buffer.from("first")),
        attribute(RENDERING, Buffer.alloc(14)),
        attribute(TITLE, Buffer.from("b.txt\0")),
        attribute(DATA, Buffer.from("second")),
      ),
    )!;
    expect([tnef.subject, tnef.textBody, tnef.htmlBody]).toEqual(["Prпvet", "body", null]);
    expect(tnef.attachments.map((part) => [part.filename, Buffer.from(part.bytes()).toString()])).toEqual([
      ["a.txt", "first"],
      ["b.txt", "second"],
    ]);
  });

  it("prefers the properties, and finds named ones", () => {
    const named = Buffer.concat([
      uint32(0x8001_001f),
      Buffer.from("0820060000000000c000000000000046", "hex"),
      uint32(0),
      uint32(0x8510),
      uint32(1),
      uint32(4),
      utf16("n"),
    ]);
    const message = properties(
      property(PID.subject, TYPE.string, utf16("Größe")),
      property(PID.html, TYPE.binary, Buffer.from("<p>hi</p>")),
      named,
    );
    const attached = properties(
      property(PID.attachLongFilename, TYPE.string, utf16("long name.pdf")),
      property(PID.attachMimeTag, TYPE.string, utf16("Application/PDF")),
      property(PID.attachContentId, TYPE.string, utf16("cid1")),
    );
    const tnef = readTnef(
      stream(
        attribute(MESSAGE_PROPERTIES, message),
        attribute(RENDERING, Buffer.alloc(14)),
        attribute(DATA, Buffer.from("%PDF")),
        attribute(ATTACHMENT, attached),
      ),
    )!;
    expect([tnef.subject, tnef.htmlBody]).toEqual(["Größe", "<p>hi</p>"]);
    expect(tnef.properties!.text(tnef.properties!.named({ set: PROPERTY_SET.common, name: 0x8510 }))).toBe("n");
    const [part] = tnef.attachments;
    expect([part!.filename, part!.mediaType, part!.disposition, part!.contentId]).toEqual([
      "long name.pdf",
      "application/pdf",
      "inline",
      "cid1",
    ]);
  });

  it("reads files in MacBinary format, and names of transport", () => {
    const rendering = Buffer.alloc(14);
    rendering.writeUInt32LE(1, 10);
    const file = Buffer.alloc(256, "x");
    file.fill(0, 0, 128);
    file[1] = 8;
    file.writeUInt32BE(29, 83);
    const { attachments } = readTnef(
      stream(
        attribute(RENDERING, rendering),
        attribute(TRANSPORT_NAME, Buffer.from("plan.pdf\0")),
        attribute(DATA, file),
      ),
    )!;
    expect(attachments.map((part) => [part.filename, part.bytes().length])).toEqual([["plan.pdf", 29]]);
  });

  it("is null for other bytes, and returns the part before a truncation", () => {
    expect(readTnef(Buffer.from("no tnef"))).toBeNull();
    const whole = stream(
      attribute(SUBJECT, Buffer.from("kept\0")),
      attribute(RENDERING, Buffer.alloc(14)),
      attribute(DATA, Buffer.alloc(100, 7)),
    );
    const cut = readTnef(whole.subarray(0, whole.length - 50))!;
    expect(cut.subject).toBe("kept");
    expect(cut.attachments[0]!.bytes()).toHaveLength(52);
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        (noise) => readTnef(stream(Buffer.from(noise)))!.attachments.length >= 0,
      ),
    );
  });

  const winmail = realData("mime/tika");
  it.skipIf(winmail === null)("reads a winmail.dat of Outlook", () => {
    const tnef = readTnef(readFileSync(join(winmail!, "microsoft", "testWINMAIL.dat")))!;
    expect(tnef.attachments.length).toBeGreaterThan(0);
    for (const part of tnef.attachments) expect([part.filename === "", part.bytes().length > 0]).toEqual([false, true]);
  });
});
