import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { keptItemsOf } from "../../../test/kept-items.ts";
import { bytesInMemory } from "../../../test/pst-writer/bytes-in-memory.ts";
import type { StoreFormat } from "../../../test/pst-writer/pst-writer.ts";
import { buildStore, sampleMail } from "../../../test/pst-writer/sample-store.ts";
import { readFileHeader } from "../../pst/ndb/file-header.ts";
import { NodeDatabase } from "../../pst/ndb/node-database.ts";
import { NODE_TYPE, nodeType } from "../../pst/ndb/node-entry.ts";
import type { Remark } from "../reading/source.ts";
import { pst } from "./pst.ts";

const directory = mkdtempSync(join(tmpdir(), "pst-lost-item-"));
const path = join(directory, "store.pst");

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A store of the sample mails with these numbers; the first `others` are in a folder that is written earlier. */
function storeOf(format: StoreFormat, numbers: readonly number[], others: readonly number[] = []): Buffer {
  return buildStore(format, (writer) => {
    const before = others.length === 0 ? null : writer.addFolder("Before");
    for (const number of others) writer.addMessage(before!, sampleMail(number));
    const inbox = writer.addFolder("Inbox");
    for (const number of numbers) writer.addMessage(inbox, sampleMail(number));
  });
}

/** Offset and length of the data of the n-th message of a store. */
function dataOf(
  store: Buffer,
  place: number,
): { readonly nid: number; readonly start: number; readonly length: number } {
  const source = bytesInMemory(store);
  const database = new NodeDatabase(source, readFileHeader(source)!);
  const node = [...database.nodes(null)].filter(({ nid }) => nodeType(nid) === NODE_TYPE.message)[place]!;
  const { offset, storedSize } = database.block(node.dataBid)!;
  return { nid: node.nid, start: offset, length: storedSize };
}

/** Maximum size of a block trailer, and of the header that identifies properties. */
const TRAILER = 24;
const HEAP_HEADER = 12;

type Loss = "all of its data" | "the head of its data";

/** The report about the n-th message if a part of it is lost. */
async function lost(whole: Buffer, place: number, loss: Loss): Promise<Remark> {
  const { nid, start, length } = dataOf(whole, place);
  const damaged = Buffer.from(whole);
  damaged.fill(0, start, start + (loss === "the head of its data" ? HEAP_HEADER : length + TRAILER));
  writeFileSync(path, damaged);
  const opened = await pst.open(path, { password: null, skipProtected: false });
  const items = (await keptItemsOf(opened.units())).filter(({ kind }) => kind !== "note");
  const remarks = items.filter((item): item is Remark => item.kind === "damaged");
  expect(remarks.map(({ location }) => location)).toEqual([`nid:${nid.toString(16)}`]);
  return remarks[0]!;
}

/** One example of each encoding of data: by a table, by the block number, deflated. */
const FORMATS: readonly StoreFormat[] = [
  { layout: "unicode", encoding: "permute" },
  { layout: "ansi", encoding: "cyclic" },
  { layout: "unicode-4k", encoding: "none" },
];

describe.each(FORMATS)("the fingerprint of a lost item, $layout, $encoding", (format) => {
  it.each(["all of its data", "the head of its data"] as const)("without %s covers its content", async (loss) => {
    const first = storeOf(format, [1, 2, 3]);
    const [one, two] = [await lost(first, 0, loss), await lost(first, 1, loss)];
    expect(one.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(two.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(two.sha256).not.toBe(one.sha256);
    // The same mail elsewhere: with another node, other blocks and another position in its folder.
    const moved = await lost(storeOf(format, [5, 3, 2], [7, 8]), 4, loss);
    expect(moved.location).not.toBe(two.location);
    expect(moved.sha256).toBe(two.sha256);
    // Another mail at the same position, with the same size and neighbors.
    const replaced = await lost(storeOf(format, [1, 6, 3]), 1, loss);
    expect(replaced.location).toBe(two.location);
    expect(replaced.sha256).not.toBe(two.sha256);
  });
});
