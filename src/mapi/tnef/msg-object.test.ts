import { describe, expect, it } from "vitest";
import { MsgWriter } from "../../../test/msg-writer/msg-writer.ts";
import { string8, text, texts, time } from "../../../test/pst-writer/property-writer.ts";
import type { WrittenMessage } from "../../../test/pst-writer/store-writer.ts";
import { type CompoundStorage, openCompoundFile } from "../../compound/compound-file.ts";
import { type WrittenStorage, writeCompoundFile } from "../../compound/compound-writer.ts";
import { PROPERTY_SET } from "../../properties/named-properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { categoriesOf } from "../objects/categories.ts";
import { openMsg } from "./msg-object.ts";

const SENT = Date.UTC(2021, 4, 14, 12);
const MAIL = [text(PID.subject, "Plän"), time(PID.clientSubmitTime, SENT)];
const LIST = "__properties_version1.0";
const SUBJECT = { wide: "__substg1.0_0037001F", narrow: "__substg1.0_0037001E" } as const;

interface Storage extends WrittenStorage {
  readonly streams: Map<string, Buffer>;
  readonly storages: Map<string, Storage>;
}

/** A storage that can be changed and written again. */
function copyOf(storage: CompoundStorage): Storage {
  return {
    streams: new Map(Array.from(storage.streams.values(), (stream) => [stream.name, stream.bytes()] as const)),
    storages: new Map(Array.from(storage.storages.values(), (inner) => [inner.name, copyOf(inner)] as const)),
  };
}

/** The message of a file after a change. */
function changed(message: WrittenMessage, change: (root: Storage) => void, writer = new MsgWriter()) {
  const root = copyOf(openCompoundFile(writer.write(message))!.root);
  change(root);
  return openMsg(writeCompoundFile(root))!.object;
}

function resizeHeader({ streams }: Storage, from: number, to: number): void {
  streams.set(LIST, Buffer.concat([Buffer.alloc(to), streams.get(LIST)!.subarray(from)]));
}

describe("a .msg file", () => {
  it("may have the header of an attached message", () => {
    const { properties } = changed({ properties: MAIL }, (root) => resizeHeader(root, 32, 24));
    expect([properties.subject(), properties.time(PID.clientSubmitTime)]).toEqual(["Plän", SENT]);
  });

  it("may have attached messages with the header of a file", () => {
    const { attachments } = changed(
      { properties: MAIL, attachments: [{ properties: [], message: { properties: MAIL } }] },
      (root) =>
        resizeHeader(root.storages.get("__attach_version1.0_#00000000")!.storages.get("__substg1.0_3701000D")!, 24, 32),
    );
    expect(attachments[0]!.message()!.properties.time(PID.clientSubmitTime)).toBe(SENT);
  });

  it("may have attached messages without a list of properties and without a class", () => {
    const { attachments } = changed(
      { properties: MAIL, attachments: [{ properties: [], message: { properties: MAIL } }] },
      ({ storages }) =>
        storages.get("__attach_version1.0_#00000000")!.storages.get("__substg1.0_3701000D")!.streams.delete(LIST),
    );
    expect(attachments[0]!.message()!.properties.subject()).toBe("Plän");
  });

  it.each<[string, WrittenMessage, (root: Storage) => void, string]>([
    [
      "8-bit text listed as Unicode",
      { properties: MAIL },
      ({ streams }) => {
        streams.delete(SUBJECT.wide);
        streams.set(SUBJECT.narrow, Buffer.from("Plan"));
      },
      "Plan",
    ],
    [
      "both forms of a text",
      { properties: [string8(PID.subject, Buffer.from("Pl?n"))] },
      ({ streams }) => streams.set(SUBJECT.wide, Buffer.from("Plän", "utf16le")),
      "Plän",
    ],
    ["no list", { properties: MAIL }, ({ streams }) => streams.set(LIST, Buffer.alloc(0)), "Plän"],
  ])("may have %s", (_, message, change, subject) => {
    expect(changed(message, change).properties.subject()).toBe(subject);
  });

  it("may have several values without their lengths", () => {
    const writer = new MsgWriter();
    const keywords = writer.named({ set: PROPERTY_SET.publicStrings, name: "Keywords" });
    const { properties } = changed(
      { properties: [...MAIL, texts(keywords, ["Red", "Blue"])] },
      ({ streams }) =>
        streams.set(
          `__substg1.0_${keywords.toString(16)}101F`.toUpperCase().replace("SUBSTG", "substg"),
          Buffer.alloc(0),
        ),
      writer,
    );
    expect(categoriesOf(properties)).toEqual(["Red", "Blue"]);
  });

  it.each([
    ["one text", (id: number) => text(id, "Red; Blue"), ["Red", "Blue"]],
    ["repeated and blank values", (id: number) => texts(id, ["Red", " ", "Red"]), ["Red"]],
  ])("may have categories as %s", (_, written, categories) => {
    const writer = new MsgWriter();
    const keywords = writer.named({ set: PROPERTY_SET.publicStrings, name: "Keywords" });
    const file = openMsg(writer.write({ properties: [...MAIL, written(keywords)] }))!;
    expect(categoriesOf(file.object.properties)).toEqual(categories);
  });
});
