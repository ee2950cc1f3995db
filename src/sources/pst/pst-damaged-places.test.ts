import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { keptItemsOf } from "../../../test/kept-items.ts";
import { bytesInMemory } from "../../../test/pst-writer/bytes-in-memory.ts";
import type { StoreFormat } from "../../../test/pst-writer/pst-writer.ts";
import {
  buildStore,
  fuzzStore,
  patternBytes,
  STORE_FORMATS,
  sampleMail,
} from "../../../test/pst-writer/sample-store.ts";
import { readFileHeader } from "../../pst/ndb/file-header.ts";
import { NodeDatabase } from "../../pst/ndb/node-database.ts";
import { type BlockEntry, NODE_ID, NODE_TYPE, type NodeEntry, nodeType } from "../../pst/ndb/node-entry.ts";
import { BLOCK_TREE_PAGE, NODE_TREE_PAGE } from "../../pst/ndb/tree-page.ts";
import type { Remark, SourceItem } from "../reading/source.ts";
import { readUnit } from "../work-units.ts";
import { pst } from "./pst.ts";

/** Breaks one part of a store at a time, and counts what is lost: the minimum possible. */
const MAILS = 12;
const UNICODE: StoreFormat = { layout: "unicode", encoding: "permute" };
const DEFLATED: StoreFormat = { layout: "unicode-4k", encoding: "none" };
const directory = mkdtempSync(join(tmpdir(), "pst-places-"));
const path = join(directory, "store.pst");

afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Outcome {
  readonly subjects: readonly string[];
  readonly codes: readonly string[];
}

async function readDamaged(bytes: Buffer): Promise<Outcome> {
  writeFileSync(path, bytes);
  const opened = await pst.open(path, { password: null, skipProtected: false });
  const items: SourceItem[] = [...opened.notes];
  for (const unit of opened.units()) for (const item of await readUnit(unit)) items.push(item);
  return {
    subjects: items.flatMap((item) => (item.kind === "object" ? [item.message.envelope.subject] : [])),
    codes: items.flatMap((item) => ("code" in item ? [item.code] : [])),
  };
}

const allSubjects = Array.from({ length: MAILS }, (_, number) => `Report ${number}`);

function databaseOf(bytes: Buffer): NodeDatabase {
  const source = bytesInMemory(bytes);
  return new NodeDatabase(source, readFileHeader(source)!);
}

function messageNodes(bytes: Buffer): readonly NodeEntry[] {
  return [...databaseOf(bytes).nodes(null)].filter(({ nid }) => nodeType(nid) === NODE_TYPE.message);
}

function blockOf(bytes: Buffer, bid: number): BlockEntry {
  return databaseOf(bytes).block(bid)!;
}

/** Offsets of the pages of a tree that contain entries. */
function leafPages(bytes: Buffer, type: number, size: 512 | 4096): readonly number[] {
  const [trailer, level] = size === 512 ? [496, 491] : [4072, 4061];
  const found: number[] = [];
  for (let at = 0; at + size <= bytes.length; at += size)
    if (bytes[at + trailer] === type && bytes[at + trailer + 1] === type && bytes[at + level] === 0) found.push(at);
  return found;
}

describe("a damaged place of a store", () => {
  it("in a deflated block costs characters, not the message", async () => {
    const whole = fuzzStore(DEFLATED, MAILS);
    const deflated = messageNodes(whole)
      .map(({ dataBid }) => blockOf(whole, dataBid))
      .find(({ size, storedSize }) => size > storedSize)!;
    // The last byte belongs to the checksum of the stream: the data is intact.
    const damaged = Buffer.from(whole);
    damaged[deflated.offset + deflated.storedSize - 1]! ^= 1;
    const outcome = await readDamaged(damaged);
    expect(outcome.subjects).toEqual(allSubjects);
    expect(new Set(outcome.codes)).toEqual(new Set(["block-damaged"]));
  });

  it.each([UNICODE, DEFLATED])("that loses an item keeps its fields in the folder table, $layout", async (format) => {
    const whole = fuzzStore(format, MAILS);
    const node = messageNodes(whole)[3]!;
    const block = blockOf(whole, node.dataBid);
    const lost = async (bytes: Buffer): Promise<Remark> => {
      writeFileSync(path, bytes);
      const opened = await pst.open(path, { password: null, skipProtected: false });
      const items = await keptItemsOf(opened.units());
      return items.find((item) => item.kind === "damaged") as Remark;
    };
    const damaged = Buffer.from(whole);
    damaged.fill(0, block.offset, block.offset + block.storedSize + 16);
    const item = await lost(damaged);
    expect(item).toMatchObject({ kind: "damaged", code: "item-damaged", location: `nid:${node.nid.toString(16)}` });
    expect(item.message).toMatch(/; its folder lists it as "Report \d+" of 20\d\d-\d\d-\d\dT/);
    expect(item.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect((await lost(damaged)).sha256).toBe(item.sha256);
  });

  it("in the key of a node loses only that node", async () => {
    const whole = fuzzStore(DEFLATED, MAILS);
    const [page = 0] = leafPages(whole, NODE_TREE_PAGE, 4096);
    const messages = messageNodes(whole);
    const damaged = Buffer.from(whole);
    // The fifth message now seems to follow all others.
    const entry = page + [...databaseOf(whole).nodes(null)].findIndex(({ nid }) => nid === messages[4]!.nid) * 32;
    damaged[entry + 3] = 0x6c;
    const outcome = await readDamaged(damaged);
    expect([...outcome.subjects].sort()).toEqual([...allSubjects].sort());
    expect(outcome.codes).toEqual(["page-damaged", "tree-rebuilt", "item-missing"]);
    // Now it has a type that no node has.
    damaged[entry + 3] = whole[entry + 3]!;
    damaged[entry] = 0x3c;
    const untyped = await readDamaged(damaged);
    expect([...untyped.subjects].sort()).toEqual([...allSubjects].sort());
    expect(untyped.codes).toEqual(["page-damaged", "tree-rebuilt", "items-without-node"]);
  });

  it("that belongs to another item loses nothing", async () => {
    for (const format of STORE_FORMATS) {
      const whole = fuzzStore(format, MAILS);
      // Both have the same size, including trailers.
      const length = 512;
      const [left, right] = [1, 2].map((number) => blockOf(whole, messageNodes(whole)[number]!.dataBid).offset);
      const damaged = Buffer.from(whole);
      whole.copy(damaged, left, right!, right! + length);
      whole.copy(damaged, right, left!, left! + length);
      const outcome = await readDamaged(damaged);
      expect(outcome.subjects, format.layout).toEqual(allSubjects);
      expect(new Set(outcome.codes)).toEqual(new Set(["block-damaged"]));
    }
  });

  it("in unused bytes and marks of a page loses nothing", async () => {
    for (const type of [BLOCK_TREE_PAGE, NODE_TREE_PAGE]) {
      const whole = fuzzStore(UNICODE, MAILS);
      const damaged = Buffer.from(whole);
      for (const page of leafPages(whole, type, 512)) {
        // After the entries, where only the CRC covers it.
        damaged[page + 487]! ^= 0x10;
        damaged[page + 496]! ^= 0x10;
      }
      const outcome = await readDamaged(damaged);
      expect([...outcome.subjects].sort()).toEqual([...allSubjects].sort());
      expect(new Set(outcome.codes)).toEqual(new Set(["page-damaged", "tree-rebuilt"]));
      // Without the signature of its page it could be anything: messages found without it lose their folder.
      for (const page of leafPages(whole, type, 512)) damaged[page + 498]! ^= 0x10;
      const unsigned = await readDamaged(damaged);
      if (type === NODE_TREE_PAGE) expect(unsigned.codes).toContain("items-without-node");
    }
  });

  it("in the entry of a block loses nothing if the trailer of the block is intact", async () => {
    for (const format of STORE_FORMATS) {
      const whole = fuzzStore(format, MAILS);
      const { dataBid } = messageNodes(whole)[11]!;
      const { offset, storedSize } = blockOf(whole, dataBid);
      const idSize = format.layout === "ansi" ? 4 : 8;
      const key = Buffer.alloc(2 * idSize);
      key.writeUInt32LE(dataBid, 0);
      key.writeUInt32LE(offset, idSize);
      const entry = whole.lastIndexOf(key);
      expect(whole.readUInt16LE(entry + 2 * idSize)).toBe(storedSize);
      const damaged = Buffer.from(whole);
      damaged.writeUInt16LE(storedSize >> 1, entry + 2 * idSize);
      expect((await readDamaged(damaged)).subjects, JSON.stringify(format)).toEqual(allSubjects);
    }
  });

  it("in one size of a block that is not deflated does not deflate it", async () => {
    const format = { layout: "unicode-4k", encoding: "cyclic" } as const;
    const whole = fuzzStore(format, MAILS);
    const { dataBid } = messageNodes(whole)[3]!;
    const { offset, size, storedSize } = blockOf(whole, dataBid);
    expect(size).toBe(storedSize);
    const key = Buffer.alloc(16);
    key.writeUInt32LE(dataBid, 0);
    key.writeUInt32LE(offset, 8);
    const damaged = Buffer.from(whole);
    damaged[whole.lastIndexOf(key) + 16]! ^= 2;
    // The data is damaged too: no CRC shows which of the two sizes is correct.
    damaged[offset + storedSize - 60]! ^= 1;
    expect((await readDamaged(damaged)).subjects).toEqual(allSubjects);
  });

  it("in data, CRC and id of a block loses only that block if the signature is intact", async () => {
    const whole = fuzzStore(UNICODE, MAILS);
    const { offset, storedSize } = blockOf(whole, messageNodes(whole)[11]!.dataBid);
    const trailer = offset + Math.ceil((storedSize + 16) / 64) * 64 - 16;
    const damaged = Buffer.from(whole);
    damaged[trailer + 4]! ^= 0x40;
    damaged[trailer + 8]! ^= 0x40;
    const outcome = await readDamaged(damaged);
    expect(outcome.subjects).toEqual(allSubjects);
    // A block that another one overwrote matches nothing.
    damaged.writeUInt16LE(damaged.readUInt16LE(trailer + 2) ^ 0x1111, trailer + 2);
    expect((await readDamaged(damaged)).codes).toContain("item-damaged");
  });

  it("that was zeroed is reported, although zeros match a CRC of zero", async () => {
    for (const format of STORE_FORMATS) {
      const data = patternBytes(5000, 3);
      const whole = buildStore(format, (writer) =>
        writer.addMessage(writer.addFolder("Inbox"), { ...sampleMail(1), attachments: [{ properties: [], data }] }),
      );
      const database = databaseOf(whole);
      const blocks = [...database.recover().blocks()].map(({ bid }) => database.block(bid)!);
      const block = blocks.find(({ size }) => size === data.length)!;
      const damaged = Buffer.from(whole);
      damaged.fill(0, block.offset, block.offset + database.lengthInFile(block));
      writeFileSync(path, damaged);
      const opened = await pst.open(path, { password: null, skipProtected: false });
      const items = await keptItemsOf(opened.units());
      expect(
        items.flatMap((item) => (item.kind === "object" ? item.message.findings.map(({ code }) => code) : [])),
        JSON.stringify(format),
      ).toEqual(["block-damaged"]);
    }
  });

  it("in the encoding byte loses nothing", async () => {
    for (const format of STORE_FORMATS) {
      const whole = fuzzStore(format, MAILS);
      for (const value of [0, 1, 2, 77]) {
        const damaged = Buffer.from(whole);
        damaged[format.layout === "ansi" ? 461 : 513] = value;
        expect((await readDamaged(damaged)).subjects, `${JSON.stringify(format)} as ${value}`).toEqual(allSubjects);
      }
    }
  });

  it("in the password property neither adds nor removes a password", async () => {
    const open = fuzzStore(UNICODE, MAILS);
    const { offset } = blockOf(open, databaseOf(open).node(NODE_ID.store)!.dataBid);
    const damaged = Buffer.from(open);
    const storeProperties = Buffer.from(damaged.subarray(offset, offset + 400));
    // Each byte of the store's own properties in turn; some are the CRC of the password.
    const notes = new Set<string>();
    for (let at = 12; at < 200; at++) {
      storeProperties.copy(damaged, offset);
      damaged[offset + at]! ^= 0x55;
      const outcome = await readDamaged(damaged);
      expect(outcome.subjects.length, `byte ${at}`).toBe(MAILS);
      for (const code of outcome.codes) notes.add(code);
    }
    expect(notes).toContain("password-unclear");
    const closed = buildStore(UNICODE, (writer) => writer.addMessage(writer.addFolder("Inbox"), sampleMail(1)), {
      password: "secret",
    });
    await expect(readDamaged(closed)).rejects.toMatchObject({ code: "PASSWORD_REQUIRED" });
    // Damage elsewhere keeps it protected.
    const [page = 0] = leafPages(closed, BLOCK_TREE_PAGE, 512);
    closed[page + 480]! ^= 1;
    await expect(readDamaged(closed)).rejects.toMatchObject({ code: "PASSWORD_REQUIRED" });
  });
});
