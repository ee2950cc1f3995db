import { fixedSizeOf, MULTIPLE, TYPE } from "../../src/properties/property-bytes.ts";
import { HeapWriter, uint32 } from "./heap-writer.ts";
import type { PstWriter, WrittenSubnode } from "./pst-writer.ts";

/** A property to write: id, type, and stored value. */
export interface WrittenProperty {
  readonly id: number;
  readonly type: number;
  readonly bytes: Buffer;
  /** Data already written as blocks, for values too large for memory. */
  readonly dataBid?: number;
}

export function text(id: number, value: string): WrittenProperty {
  return { id, type: TYPE.string, bytes: Buffer.from(value, "utf16le") };
}

/** An encoded 8-bit string. */
export function string8(id: number, bytes: Buffer): WrittenProperty {
  return { id, type: TYPE.string8, bytes };
}

export function texts(id: number, values: readonly string[]): WrittenProperty {
  const items = values.map((value) => Buffer.from(value, "utf16le"));
  const offsets: Buffer[] = [uint32(items.length)];
  let at = 4 + 4 * items.length;
  for (const item of items) {
    offsets.push(uint32(at));
    at += item.length;
  }
  return { id, type: TYPE.string | MULTIPLE, bytes: Buffer.concat([...offsets, ...items]) };
}

export function integer(id: number, value: number): WrittenProperty {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value | 0);
  return { id, type: TYPE.integer32, bytes };
}

export function boolean(id: number, value: boolean): WrittenProperty {
  return { id, type: TYPE.boolean, bytes: Buffer.from([value ? 1 : 0]) };
}

export function binary(id: number, bytes: Buffer): WrittenProperty {
  return { id, type: TYPE.binary, bytes };
}

/** @param instant milliseconds since 1970. */
export function time(id: number, instant: number): WrittenProperty {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE((BigInt(instant) + 11_644_473_600_000n) * 10_000n);
  return { id, type: TYPE.time, bytes };
}

/**
 * Writes a property context ([MS-PST] 2.3.3). `subnodes` are further subnodes of the node: tables, attachments,
 * messages.
 */
export function writeProperties(
  writer: PstWriter,
  properties: readonly WrittenProperty[],
  subnodes: readonly WrittenSubnode[] = [],
): { readonly dataBid: number; readonly subnodeBid: number } {
  const heap = new HeapWriter(writer);
  for (const subnode of subnodes) heap.addSubnode(subnode);
  const sorted = [...properties].sort((a, b) => a.id - b.id);
  const records = sorted.map((property) => {
    const record = Buffer.alloc(8);
    record.writeUInt16LE(property.id, 0);
    record.writeUInt16LE(property.type, 2);
    const fixed = fixedSizeOf(property.type);
    if (fixed !== null && fixed <= 4) property.bytes.copy(record, 4);
    else if (property.dataBid !== undefined) record.writeUInt32LE(heap.placeSubnode(property.dataBid), 4);
    else record.writeUInt32LE(heap.place(property.bytes), 4);
    return record;
  });
  return heap.finish(0xbc, heap.tree(records, 2));
}

export interface TableColumn {
  readonly id: number;
  readonly type: number;
}

export interface TableRowValues {
  readonly id: number;
  readonly values: ReadonlyMap<number, Buffer>;
}

const ROW_ID: TableColumn = { id: 0x67f2, type: TYPE.integer32 };
const ROW_VERSION: TableColumn = { id: 0x67f3, type: TYPE.integer32 };

/** Bytes of a cell in the row: values without a fixed size, and those above 8 bytes, are ids. */
function cellWidth(type: number): number {
  const fixed = fixedSizeOf(type) ?? 4;
  return fixed > 8 ? 4 : fixed;
}

/** Writes a table ([MS-PST] 2.3.4). Rows may come as a stream: the matrix is written block by block. */
export function writeTable(
  writer: PstWriter,
  columns: readonly TableColumn[],
  rows: Iterable<TableRowValues>,
): { readonly dataBid: number; readonly subnodeBid: number } {
  const heap = new HeapWriter(writer);
  // 8 and 4 byte cells first, then 2, then 1, then the existence bits.
  const wide = [ROW_ID, ROW_VERSION, ...columns].map((column, bit) => ({
    ...column,
    bit,
    width: cellWidth(column.type),
    offset: 0,
  }));
  let end = 0;
  const ends: number[] = [];
  for (const widths of [[8, 4], [2], [1]]) {
    for (const column of wide) {
      if (!widths.includes(column.width)) continue;
      column.offset = end;
      end += column.width;
    }
    ends.push(end);
  }
  const rowWidth = end + Math.ceil(wide.length / 8);
  const perBlock = Math.floor(writer.blockCapacity / rowWidth);
  const written: { id: number; row: Buffer }[] = [];
  for (const row of rows) {
    const bytes = Buffer.alloc(rowWidth);
    const values = new Map(row.values).set(ROW_ID.id, uint32(row.id)).set(ROW_VERSION.id, uint32(1));
    for (const column of wide) {
      const value = values.get(column.id);
      if (value === undefined) continue;
      const isInline = fixedSizeOf(column.type) !== null && column.width === value.length;
      (isInline ? value : uint32(heap.place(value))).copy(bytes, column.offset);
      const at = end + (column.bit >> 3);
      bytes[at] = bytes[at]! | (0x80 >> (column.bit & 7));
    }
    written.push({ id: row.id, row: bytes });
  }
  const index = written.map(({ id }, position) => {
    const record = Buffer.alloc(writer.layout.idSize === 8 ? 8 : 6);
    record.writeUInt32LE(id, 0);
    if (writer.layout.idSize === 8) record.writeUInt32LE(position, 4);
    else record.writeUInt16LE(position & 0xffff, 4);
    return record;
  });
  index.sort((a, b) => a.readUInt32LE(0) - b.readUInt32LE(0));
  const rowIndex = heap.tree(index, 4);
  const matrix = placeMatrix(writer, heap, { rows: written.map(({ row }) => row), perBlock });
  const info = Buffer.alloc(22 + 8 * wide.length);
  info[0] = 0x7c;
  info[1] = wide.length;
  for (const [slot, value] of [...ends, rowWidth].entries()) info.writeUInt16LE(value, 2 + 2 * slot);
  info.writeUInt32LE(rowIndex, 10);
  info.writeUInt32LE(matrix, 14);
  const byTag = [...wide].sort((a, b) => a.id - b.id);
  for (const [slot, column] of byTag.entries()) {
    const at = 22 + 8 * slot;
    info.writeUInt16LE(column.type, at);
    info.writeUInt16LE(column.id, at + 2);
    info.writeUInt16LE(column.offset, at + 4);
    info[at + 6] = column.width;
    info[at + 7] = column.bit;
  }
  return heap.finish(0x7c, heap.allocate(info));
}

/** A few rows are in the heap; more are in a subnode whose blocks contain whole rows. */
function placeMatrix(
  writer: PstWriter,
  heap: HeapWriter,
  matrix: { readonly rows: readonly Buffer[]; readonly perBlock: number },
): number {
  const { rows, perBlock } = matrix;
  if (rows.length === 0) return 0;
  const total = rows.length * rows[0]!.length;
  if (total <= 3000) return heap.allocate(Buffer.concat(rows));
  const bids: number[] = [];
  let size = 0;
  for (let at = 0; at < rows.length; at += perBlock) {
    const isLast = at + perBlock >= rows.length;
    const data = Buffer.concat(rows.slice(at, at + perBlock));
    // All blocks except the last are full: readers that count bytes instead of blocks rely on it.
    const block = isLast ? data : Buffer.concat([data, Buffer.alloc(writer.blockCapacity - data.length)]);
    size += block.length;
    bids.push(writer.addBlock(block));
  }
  return heap.placeSubnode(writer.addBlockList(bids, size));
}
