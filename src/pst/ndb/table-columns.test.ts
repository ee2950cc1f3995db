import { expect, it } from "vitest";
import { fullRange } from "../../properties/byte-range.ts";
import { TYPE } from "../../properties/property-bytes.ts";
import { TableColumnLists } from "./table-columns.ts";

const column = (type: number, id: number, offset: number, width: number, bit: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(type, 0);
  bytes.writeUInt16LE(id, 2);
  bytes.writeUInt16LE(offset, 4);
  bytes.writeUInt8(width, 6);
  bytes.writeUInt8(bit, 7);
  return bytes;
};
const BYTES = Buffer.concat([
  column(TYPE.integer32, 0x0c15, 0, 4, 0),
  column(TYPE.string, 0x3001, 4, 4, 1),
  column(TYPE.guid, 0x0fff, 8, 4, 2),
]);

it("distinguishes values in their cells from references", () => {
  const columns = new TableColumnLists().columnsOf(fullRange(BYTES), 3);
  expect([...columns.values()].map(({ id, offset, bit, fixed }) => [id, offset, bit, fixed])).toEqual([
    [0x0c15, 0, 0, 4],
    [0x3001, 4, 1, null],
    [0x0fff, 8, 2, null],
  ]);
});

it("reads columns once for all tables that have the same", () => {
  const lists = new TableColumnLists();
  const first = lists.columnsOf(fullRange(BYTES), 3);
  const inFile = Buffer.concat([Buffer.alloc(5), BYTES]);
  expect(lists.columnsOf({ ...fullRange(inFile), start: 5 }, 3)).toBe(first);
  expect(lists.columnsOf(fullRange(BYTES), 2).size).toBe(2);
});

it("reads complete columns of a truncated list", () => {
  expect(new TableColumnLists().columnsOf(fullRange(BYTES.subarray(0, 20)), 3).size).toBe(2);
});
