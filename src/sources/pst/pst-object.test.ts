import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesInMemory } from "../../../test/pst-writer/bytes-in-memory.ts";
import { binary, integer, string8, text } from "../../../test/pst-writer/property-writer.ts";
import { buildStore, patternBytes, STORE_FORMATS, sampleMail } from "../../../test/pst-writer/sample-store.ts";
import { mailProperties, type StoreWriter } from "../../../test/pst-writer/store-writer.ts";
import type { MessageObject } from "../../mapi/objects/message-object.ts";
import { PID } from "../../properties/property-ids.ts";
import { listedNodes, readFolders } from "../../pst/messaging/folder-tree.ts";
import { type MessageStore, openMessageStore, passwordFits } from "../../pst/messaging/message-store.ts";
import { NODE_TYPE } from "../../pst/ndb/node-entry.ts";
import { readPstObject } from "./pst-object.ts";

const UNICODE = { layout: "unicode", encoding: "permute" } as const;

function opened(bytes: Buffer): MessageStore {
  const store = openMessageStore(bytesInMemory(bytes));
  if (store === null) throw new Error("no store");
  return store;
}

function messagesOf(store: MessageStore): { readonly path: string; readonly message: MessageObject }[] {
  return readFolders(store).flatMap((folder) =>
    [...listedNodes(store, folder.nid)].map((nid) => {
      const message = readPstObject(store, store.database.node(nid)!);
      if (message === null) throw new Error(`message ${nid} is lost`);
      return { path: folder.path, message };
    }),
  );
}

function only(store: MessageStore): MessageObject {
  const [first, ...rest] = messagesOf(store);
  expect(rest).toEqual([]);
  return first!.message;
}

function inbox(fill: (store: StoreWriter, folder: number) => void): (store: StoreWriter) => void {
  return (store) => fill(store, store.addFolder("Inbox"));
}

describe.each(STORE_FORMATS)("a $layout store, encoding $encoding", (format) => {
  it("returns folders, messages, recipients and attachments", () => {
    const data = patternBytes(300_000, 7);
    const ole = patternBytes(20_000, 8);
    const store = opened(
      buildStore(format, (writer) => {
        const folder = writer.addFolder("Inbox");
        const below = writer.addFolder("Under/it", folder);
        for (let number = 0; number < 40; number++)
          writer.addMessage(number % 2 === 0 ? folder : below, sampleMail(number));
        const inner = {
          properties: mailProperties({ subject: "Inner", body: "inner text", sentAt: 0, from: "x@example.org" }),
        };
        writer.addMessage(below, {
          ...sampleMail(40),
          attachments: [
            { properties: [text(PID.attachLongFilename, "data.bin")], data },
            { properties: [], ole },
            { properties: [], message: { ...inner, attachments: [{ properties: [], message: inner }] } },
          ],
        });
      }),
    );
    const messages = messagesOf(store);
    expect(messages.map(({ path }) => path).sort()).toEqual([
      ...Array(20).fill("Inbox"),
      ...Array(21).fill("Inbox/Under_it"),
    ]);
    const subjects = messages.map(({ message }) => message.properties.subject());
    expect(new Set(subjects)).toEqual(new Set(Array.from({ length: 41 }, (_, number) => `Report ${number}`)));
    for (const { message } of messages) {
      const number = Number(message.properties.subject()!.slice(7));
      expect(message.properties.text(PID.body)).toBe(`Line of report ${number}.\r\n`.repeat(1 + (number % 50)));
      expect(message.properties.time(PID.clientSubmitTime)).toBe(Date.UTC(2021, 0, 1 + (number % 365), 12));
      expect(message.recipients.map(({ role, mailbox }) => [role, mailbox.email])).toEqual([
        ["to", "ann@example.org"],
        ["cc", "bob@example.org"],
      ]);
    }
    const { attachments } = messages.find(({ message }) => message.attachments.length > 0)!.message;
    expect(attachments.map(({ method }) => method)).toEqual(["value", "ole", "embedded"]);
    expect(attachments[0]!.bytes().equals(data)).toBe(true);
    expect(attachments[1]!.bytes().equals(ole)).toBe(true);
    const inner = attachments[2]!.message()!;
    expect(inner.properties.text(PID.body)).toBe("inner text");
    const innermost = inner.attachments[0]!.message()!;
    expect([innermost.depth, innermost.properties.subject()]).toEqual([2, "Inner"]);
    expect(store.database.log.drain()).toEqual([]);
    expect(store.database.isDamaged).toBe(false);
  });
});

describe("a store", () => {
  it("is rejected without its signature, or if the file ends in the header", () => {
    expect(openMessageStore(bytesInMemory(Buffer.alloc(10_000)))).toBeNull();
    const bytes = buildStore(UNICODE, () => undefined);
    expect(openMessageStore(bytesInMemory(bytes.subarray(0, 400)))).toBeNull();
    expect(openMessageStore(bytesInMemory(bytes.subarray(0, 0)))).toBeNull();
  });

  it("checks the password by its CRC", () => {
    const store = opened(buildStore(UNICODE, () => undefined, { password: "secrét" }));
    expect([passwordFits(store, null), passwordFits(store, "wrong"), passwordFits(store, "secrét")]).toEqual([
      false,
      false,
      true,
    ]);
    expect(passwordFits(opened(buildStore(UNICODE, () => undefined)), null)).toBe(true);
  });

  it("reads 1,000 properties through a tree of several levels", () => {
    const bytes = buildStore(
      UNICODE,
      inbox((writer, folder) => {
        const many = Array.from({ length: 1000 }, (_, index) => text(0x9000 + index, `value ${index}`));
        writer.addMessage(folder, { properties: [...sampleMail(1).properties, ...many] });
      }),
    );
    const { properties } = only(opened(bytes));
    for (let index = 0; index < 1000; index++) expect(properties.text(0x9000 + index)).toBe(`value ${index}`);
    expect([...properties.source.ids()]).toHaveLength(1012);
  });

  it("lists every row of a large folder, and finds orphans only in the node tree", () => {
    const bytes = buildStore(
      UNICODE,
      inbox((writer, folder) => {
        const properties = [text(PID.subject, "row")];
        for (let number = 0; number < 3000; number++) writer.addMessage(folder, { properties }, number !== 1234);
      }),
    );
    const store = opened(bytes);
    const folder = readFolders(store).find(({ path }) => path === "Inbox")!;
    const listed = new Set(listedNodes(store, folder.nid));
    const all = [...store.database.nodes(NODE_TYPE.message)];
    expect(listed.size).toBe(2999);
    expect(all.filter(({ nid }) => !listed.has(nid)).map(({ parentNid }) => parentNid)).toEqual([folder.nid]);
  });

  it.each([
    ["the message", [integer(PID.messageCodePage, 932)], []],
    ["the store", [], [integer(PID.messageCodePage, 932)]],
    ["the code page it was sent in", [integer(PID.internetCodePage, 50220)], []],
    ["the bytes themselves", [], []],
  ])("reads a Shift-JIS subject by %s", (_, ofMessage, ofStore) => {
    const subject = Buffer.from("8365835883678a7997", "hex");
    const shiftJis = subject.subarray(0, 8);
    const bytes = buildStore(
      { layout: "ansi", encoding: "permute" },
      inbox((writer, folder) =>
        writer.addMessage(folder, {
          properties: [string8(PID.subject, Buffer.concat([shiftJis, Buffer.from([0])])), ...ofMessage],
        }),
      ),
      { properties: ofStore },
    );
    expect(only(opened(bytes)).properties.subject()).toBe("テスト楽");
  });

  it("does not detect windows-1252 as Shift-JIS", () => {
    const subject = Buffer.from("It\x92s na\xefve \x96 \x93caf\xe9\x94", "latin1");
    const bytes = buildStore(
      { layout: "ansi", encoding: "permute" },
      inbox((writer, folder) => writer.addMessage(folder, { properties: [string8(PID.subject, subject)] })),
    );
    expect(only(opened(bytes)).properties.subject()).toBe("It’s naïve – “café”");
  });

  it("separates the named properties of two open stores", () => {
    const set = "00062008-0000-0000-c000-000000000046";
    const other = "11111111-2222-3333-4444-555555555555";
    const build = (names: readonly { readonly set: string; readonly name: string | number }[]): MessageStore =>
      opened(
        buildStore(
          UNICODE,
          inbox((writer, folder) =>
            writer.addMessage(folder, {
              properties: names.map((name) => text(writer.named(name), `${name.set} ${name.name}`)),
            }),
          ),
        ),
      );
    const names = [
      { set, name: 0x1234 },
      { set: other, name: 0x1234 },
      { set: other, name: "Über" },
    ];
    const first = build(names);
    const second = build([...names].reverse());
    for (const store of [first, second, first]) {
      const { properties } = only(store);
      for (const name of names) expect(properties.text(properties.named(name))).toBe(`${name.set} ${name.name}`);
      expect(properties.text(properties.named({ set, name: "Über" }))).toBeNull();
    }
  });

  it("drops the mark before a subject prefix and the NULs after a text", () => {
    const bytes = buildStore(
      UNICODE,
      inbox((writer, folder) =>
        writer.addMessage(folder, {
          properties: [text(PID.subject, "\u0001\u0005RE: hi"), text(PID.body, "text\0\0")],
        }),
      ),
    );
    const { properties } = only(opened(bytes));
    expect([properties.subject(), properties.text(PID.body)]).toEqual(["RE: hi", "text"]);
  });

  it("returns values of any size", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STORE_FORMATS),
        fc.array(fc.integer({ min: 1, max: 40_000 }), { maxLength: 6 }),
        (format, sizes) => {
          const values = sizes.map((size, index) => patternBytes(size, index));
          const bytes = buildStore(
            format,
            inbox((writer, folder) =>
              writer.addMessage(folder, { properties: values.map((value, index) => binary(0x9000 + index, value)) }),
            ),
          );
          const store = opened(bytes);
          const { properties } = only(store);
          for (const [index, value] of values.entries())
            expect(properties.binary(0x9000 + index)!.equals(value)).toBe(true);
          expect(store.database.log.drain()).toEqual([]);
        },
      ),
      { numRuns: 25, seed: 3 },
    );
  });
});
