import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasCompoundSignature } from "../../src/compound/compound-file.ts";
import { readMsgItems } from "../../src/sources/msg/msg-items.ts";
import type { SourceItem } from "../../src/sources/reading/source.ts";
import { keptItems } from "../kept-items.ts";
import { realData } from "../real-data.ts";

const FOLDERS = [realData("msg"), realData("mime/tika")].filter((folder) => folder !== null);

interface Read {
  readonly name: string;
  readonly bytes: Buffer;
  readonly items: readonly SourceItem[];
}

function readAll(): readonly Read[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".msg"))
      .map((name) => ({ name: basename(name), bytes: readFileSync(join(folder, name)) }))
      .filter(({ bytes }) => hasCompoundSignature(bytes))
      .map(({ name, bytes }) => ({
        name,
        bytes,
        items: keptItems(readMsgItems(bytes, { mailbox: "INBOX", location: name }, [])),
      })),
  );
}

function kindOf(item: SourceItem): string {
  if (item.kind === "note") return item.code;
  return item.kind === "item" ? item.item.kind : item.kind;
}

describe.skipIf(FOLDERS.length < 2)("real .msg files", () => {
  const files = readAll();

  it("are all read, each as one item", () => {
    const kinds = new Map<string, number>();
    for (const { items } of files)
      for (const item of items) kinds.set(kindOf(item), (kinds.get(kindOf(item)) ?? 0) + 1);
    expect(Object.fromEntries(kinds)).toEqual({
      object: 19,
      appointment: 1,
      contact: 3,
      distribution_list: 1,
      note: 3,
      task: 1,
    });
    expect(files).toHaveLength(28);
  });

  it("have a subject, a sender and a text if they are messages", () => {
    for (const { name, items } of files) {
      for (const item of items) {
        if (item.kind !== "object") continue;
        expect([name, item.message.envelope.subject]).not.toEqual([name, ""]);
        expect([name, item.message.envelope.from]).not.toEqual([name, null]);
        expect([name, item.message.textBody ?? item.message.htmlBody]).not.toEqual([name, null]);
      }
    }
  });

  it("return the attachments they contain, by name and size", () => {
    const sizes = (name: string): readonly string[] => {
      const [item] = files.find((file) => file.name === name)!.items;
      return item?.kind === "object"
        ? item.message.attachments.map((part) => `${part.filename} ${part.bytes().length}`)
        : [];
    };
    expect(sizes("RemoveAttachments.msg")).toEqual(["1.jpg 5276", "1.doc 22528", "1.rar 129", "1.pdf 33822"]);
    expect(sizes("testMSG_att_doc.msg")).toEqual(["test-unicode.doc 24064", "pj1.txt 89"]);
    expect(sizes("testMSG_att_msg.msg").map((part) => part.replace(/ \d+$/, ""))).toEqual([
      "Test Attachment.eml",
      "smbprn.00009008.KdcPjl.pdf",
    ]);
  });

  it("never throw if they are truncated or some bytes are changed", () => {
    for (const { name, bytes } of files) {
      for (let round = 1; round <= 12; round++) {
        const damaged = Buffer.from(bytes.subarray(0, Math.floor((bytes.length * round) / 12)));
        for (let at = round * 97; at < damaged.length; at += 1500 + round) damaged[at] = (damaged[at]! + round) & 0xff;
        expect([name, keptItems(readMsgItems(damaged, { mailbox: "INBOX", location: name }, [])).length]).not.toEqual([
          name,
          0,
        ]);
      }
    }
  });
});
