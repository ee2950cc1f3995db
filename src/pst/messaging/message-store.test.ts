import { describe, expect, it } from "vitest";
import { bytesInMemory } from "../../../test/pst-writer/bytes-in-memory.ts";
import { binary, integer, text } from "../../../test/pst-writer/property-writer.ts";
import { buildStore, patternBytes, STORE_FORMATS, sampleMail } from "../../../test/pst-writer/sample-store.ts";
import { Properties } from "../../properties/properties.ts";
import { bytesOf } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";
import { PropertyContext } from "../ltp/property-context.ts";
import { TableContext } from "../ltp/table-context.ts";
import { DataStream } from "../ndb/data-stream.ts";
import { FOLDER_TABLE, NODE_ID, NODE_TYPE, tableOfFolder } from "../ndb/node-entry.ts";
import { readSubnodes } from "../ndb/subnode-tree.ts";
import { readFolders } from "./folder-tree.ts";
import { type MessageStore, openMessageStore, passwordFits } from "./message-store.ts";

const PERMUTED = { layout: "unicode", encoding: "permute" } as const;
/** Values of one block, of a block list, and of a list of lists: 8,176 bytes per block, 1,021 blocks per list. */
const SIZES = [5_000, 100_000, 9_000_000];

function open(bytes: Buffer): MessageStore {
  return openMessageStore(bytesInMemory(bytes))!;
}

function contextOf(store: MessageStore, nid: number): PropertyContext {
  return PropertyContext.open(store.database, store.database.node(nid)!)!;
}

function propertiesOf(store: MessageStore, nid: number): Properties {
  return new Properties(contextOf(store, nid), store.context);
}

function rowsOf(table: TableContext): readonly Properties[] {
  const rows = table.rows();
  const found: Properties[] = [];
  for (let row = rows.next(); row !== null; row = rows.next())
    found.push(new Properties(row, { charsets: [], names: { idOf: () => null } }));
  return found;
}

function messageNids(store: MessageStore): readonly number[] {
  const nids: number[] = [];
  store.database.eachNode(NODE_TYPE.message, (nid) => nids.push(nid));
  return nids;
}

describe.each(STORE_FORMATS)("a store with $layout layout and $encoding encoding", (format) => {
  const nids: number[] = [];
  const bytes = buildStore(format, (store) => {
    const inbox = store.addFolder("Inbox");
    const sub = store.addFolder("Reports", inbox);
    for (let number = 0; number < 60; number++) nids.push(store.addMessage(sub, sampleMail(number)));
  });
  const store = open(bytes);

  it("has folders with complete paths", () => {
    const folders = readFolders(store);
    expect(folders.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["Top of Personal Folders", "Inbox", "Inbox/Reports"]),
    );
    expect(folders.every(({ isListed }) => isListed)).toBe(true);
    expect(store.ipmSubtreeNid).toBe(folders.find(({ path }) => path === "Top of Personal Folders")!.nid);
  });

  it("lists the messages of a folder with the columns of its table", () => {
    const { nid } = readFolders(store).find(({ path }) => path === "Inbox/Reports")!;
    const node = store.database.node(tableOfFolder(nid, FOLDER_TABLE.contents))!;
    const table = TableContext.open(store.database, node)!;
    const ids: number[] = [];
    table.eachRowId((id) => ids.push(id));
    expect(ids).toEqual(nids);
    expect(rowsOf(table).map((row) => row.text(PID.subject))).toEqual(nids.map((_, number) => `Report ${number}`));
  });

  it("reads the properties and recipients of each message", () => {
    expect(messageNids(store)).toEqual(nids);
    for (const [number, nid] of nids.entries()) {
      const properties = propertiesOf(store, nid);
      expect(properties.text(PID.subject)).toBe(`Report ${number}`);
      expect(properties.text(PID.body)).toBe(`Line of report ${number}.\r\n`.repeat(1 + (number % 50)));
      expect(properties.time(PID.clientSubmitTime)).toBe(Date.UTC(2021, 0, 1 + number, 12));
      const subnodes = readSubnodes(store.database, store.database.node(nid)!.subnodeBid);
      const recipients = TableContext.open(store.database, subnodes.get(NODE_ID.recipientTable)!)!;
      expect(rowsOf(recipients).map((row) => row.text(PID.emailAddress))).toEqual([
        "ann@example.org",
        "bob@example.org",
      ]);
    }
    expect(store.database.log.drain()).toEqual([]);
  });

  it("finds the blocks of all messages when the pages of the node tree are lost", () => {
    const damaged = Buffer.from(bytes);
    const { page } = store.header.layout;
    // Pages of the node tree have the type 0x81 twice in their trailer.
    for (let at = 0; at + page.size <= damaged.length; at += 512)
      if (damaged[at + page.trailer] === 0x81 && damaged[at + page.trailer + 1] === 0x81)
        damaged.fill(0, at, at + page.size);
    const lost = open(damaged);
    expect(lost.database.node(nids[0]!)).toBeNull();
    const found = new Set(Array.from(lost.database.recover().blocks(), ({ bid }) => bid));
    expect(nids.filter((nid) => !found.has(store.database.node(nid)!.dataBid))).toEqual([]);
  });
});

describe("a large value", () => {
  it.each(SIZES)("of %d bytes is read in one piece", (size) => {
    const value = patternBytes(size, 3);
    const store = open(
      buildStore(PERMUTED, (writer) =>
        writer.addMessage(writer.addFolder("Inbox"), { properties: [binary(PID.attachData, value)] }),
      ),
    );
    const context = contextOf(store, messageNids(store)[0]!);
    expect(bytesOf(context, PID.attachData)!.equals(value)).toBe(true);
  });

  it("has zeros in place of a lost block", () => {
    const value = patternBytes(60_000, 5);
    const bytes = buildStore({ layout: "unicode", encoding: "none" }, (writer) =>
      writer.addMessage(writer.addFolder("Inbox"), { properties: [binary(PID.attachData, value)] }),
    );
    const third = value.subarray(2 * 8176, 3 * 8176);
    // The block and its trailer, which is invalid without an id.
    bytes.fill(0, bytes.indexOf(third), bytes.indexOf(third) + 8192);
    const store = open(bytes);
    const read = bytesOf(contextOf(store, messageNids(store)[0]!), PID.attachData)!;
    expect(read).toHaveLength(value.length);
    expect(read.subarray(0, 2 * 8176).equals(value.subarray(0, 2 * 8176))).toBe(true);
    expect(read.subarray(3 * 8176).equals(value.subarray(3 * 8176))).toBe(true);
    expect(store.database.log.drain()).not.toEqual([]);
  });
});

describe("openMessageStore", () => {
  it("opens neither other files nor one that ends within its header", () => {
    const bytes = buildStore(PERMUTED, () => undefined);
    expect(openMessageStore(bytesInMemory(Buffer.from("From ann@x.example")))).toBeNull();
    expect(openMessageStore(bytesInMemory(bytes.subarray(0, 400)))).toBeNull();
  });

  it("detects the encoding if the header is wrong", () => {
    const bytes = buildStore({ layout: "unicode", encoding: "cyclic" }, (writer) =>
      writer.addMessage(writer.addFolder("Inbox"), { properties: [text(PID.subject, "Kept")] }),
    );
    // `bCryptMethod` of a Unicode store, outside of its first CRC.
    bytes[513] = 1;
    const store = open(bytes);
    expect(propertiesOf(store, messageNids(store)[0]!).text(PID.subject)).toBe("Kept");
  });

  it("detects the matching password in any of its encodings", () => {
    const store = open(buildStore(PERMUTED, () => undefined, { password: "schlüssel" }));
    expect(["schlüssel", "schlussel", null].map((password) => passwordFits(store, password))).toEqual([
      true,
      false,
      false,
    ]);
    const free = open(buildStore(PERMUTED, () => undefined));
    expect(passwordFits(free, null)).toBe(true);
    expect(["anchor\nschlüssel", "anchor\nbollard"].map((passwords) => passwordFits(store, passwords))).toEqual([
      true,
      false,
    ]);
  });

  it("reads the code page of the store and its named properties", () => {
    const name = { set: "00062008-0000-0000-c000-000000000046", name: 0x8580 };
    let id = 0;
    const store = open(
      buildStore(
        PERMUTED,
        (writer) => {
          id = writer.named(name);
        },
        { properties: [integer(PID.messageCodePage, 1251)] },
      ),
    );
    expect(store.context.charsets).toEqual(["windows-1251"]);
    expect(store.context.names.idOf(name)).toBe(id);
    expect(store.context.names.idOf({ ...name, name: 0x8581 })).toBeNull();
  });
});

it("returns an empty stream for a node without data", () => {
  const store = open(buildStore(PERMUTED, () => undefined));
  const stream = new DataStream(store.database, 0);
  expect([stream.blockCount, stream.block(0), stream.bytes().length]).toEqual([0, null, 0]);
});
