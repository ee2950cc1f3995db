import { describe, expect, it } from "vitest";
import { dataViewOf } from "../../properties/byte-range.ts";
import { ANSI, isInternalBid, layoutOfVersion, plainBid, readId, UNICODE, UNICODE_4K } from "./file-layout.ts";
import {
  FOLDER_TABLE,
  isImpossibleNode,
  NODE_ID,
  nodeType,
  readBlockEntry,
  readNodeEntry,
  tableOfFolder,
} from "./node-entry.ts";

describe("layoutOfVersion", () => {
  it.each([
    [14, ANSI],
    [15, ANSI],
    [23, UNICODE],
    [36, UNICODE_4K],
    [37, UNICODE_4K],
    [0, null],
    [16, null],
    [65, null],
  ])("supports version %i", (version, layout) => {
    expect(layoutOfVersion(version)).toBe(layout);
  });
});

describe("ids", () => {
  it("are read in the width of the layout, beyond 32 bits too", () => {
    const data = dataViewOf(Buffer.from("04000000 02000000".replace(" ", ""), "hex"));
    expect(readId(data, 0, 4)).toBe(4);
    expect(readId(data, 0, 8)).toBe(2 * 2 ** 32 + 4);
  });

  it("ignore the reserved bit, and distinguish internal blocks", () => {
    expect([4, 5, 2 ** 40 + 7].map(plainBid)).toEqual([4, 4, 2 ** 40 + 6]);
    expect([4, 6, 2 ** 40 + 6].map(isInternalBid)).toEqual([false, true, true]);
  });

  it("of nodes encode the type, and locate the tables of a folder", () => {
    expect(nodeType(NODE_ID.rootFolder)).toBe(2);
    expect(tableOfFolder(0x8022, FOLDER_TABLE.contents)).toBe(0x802e);
    expect(tableOfFolder(0xffff_ffe2, FOLDER_TABLE.hierarchy)).toBe(0xffff_ffed);
    expect([0x8022, 0x2009, 0x201f, 0x21].map(isImpossibleNode)).toEqual([false, true, false, false]);
  });
});

describe("entries of the trees", () => {
  const entryOf = (...words: readonly number[]): DataView => {
    const bytes = Buffer.alloc(words.length * 4);
    for (const [index, word] of words.entries()) bytes.writeUInt32LE(word, index * 4);
    return dataViewOf(bytes);
  };

  it("of nodes have ids of four bytes in ANSI stores, of eight in others", () => {
    const entry = { nid: 0x2004, dataBid: 8, subnodeBid: 14, parentNid: 0x8022 };
    expect(readNodeEntry(entryOf(0x2004, 9, 14, 0x8022), 0, ANSI)).toEqual(entry);
    expect(readNodeEntry(entryOf(0x2004, 0, 9, 0, 14, 0, 0x8022), 0, UNICODE)).toEqual(entry);
  });

  it("of blocks have the inflated size if the layout deflates", () => {
    const words = [9, 0, 0x4400, 1, 100 + (300 << 16)];
    const entry = { bid: 8, offset: 0x1_0000_4400, storedSize: 100 };
    expect(readBlockEntry(entryOf(...words), 0, UNICODE)).toEqual({ ...entry, size: 100 });
    expect(readBlockEntry(entryOf(...words), 0, UNICODE_4K)).toEqual({ ...entry, size: 300 });
  });
});
