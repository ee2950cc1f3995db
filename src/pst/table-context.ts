import { DataStream } from "./data-stream.ts";
import { Heap, isHeapId } from "./heap.ts";
import { readHeapTree } from "./heap-tree.ts";
import { uint32At } from "./little-endian.ts";
import type { NodeDatabase } from "./node-database.ts";
import type { PropertyBytes } from "./property-bytes.ts";
import type { NodeData } from "./property-context.ts";
import { readSubnodes, type Subnode } from "./subnode-tree.ts";
import type { TableColumn, TableColumns } from "./table-columns.ts";

const TABLE_CONTEXT = 0x7c;
/** `TCINFO` before its columns ([MS-PST] 2.3.4.1). */
const HEADER_SIZE = 22;

/** A table of rows: recipients and attachments of a message, contents of a folder ([MS-PST] 2.3.4). */
export class TableContext {
  private readonly database: NodeDatabase;
  private readonly heap: Heap;
  private readonly subnodeBid: number;
  private subnodeMap: ReadonlyMap<number, Subnode> | null = null;
  private readonly info: Buffer;
  private readonly columns: TableColumns;

  private constructor(database: NodeDatabase, heap: Heap, place: { readonly info: Buffer; readonly subnodeBid: number }) {
    this.database = database;
    this.heap = heap;
    this.info = place.info;
    this.subnodeBid = place.subnodeBid;
    this.columns = database.tables.columnsOf(place.info.subarray(HEADER_SIZE), place.info[1]!);
  }

  /** Null when the node holds no table. */
  static open(database: NodeDatabase, node: NodeData): TableContext | null {
    const heap = Heap.open(database, new DataStream(database, node.dataBid));
    if (heap === null) return null;
    const info = heap.clientSignature === TABLE_CONTEXT ? heap.item(heap.userRoot) : null;
    if (info === null || info.length < HEADER_SIZE || info[0] !== TABLE_CONTEXT) {
      database.log.note("structure-damaged", "a heap that holds no table");
      return null;
    }
    return new TableContext(database, heap, { info, subnodeBid: node.subnodeBid });
  }

  /** Ids of the rows, from the row index alone: a folder is listed without reading its cells. Ascending, as the index is. */
  *rowIds(): Generator<number> {
    for (const leaf of readHeapTree(this.heap, this.info.readUInt32LE(10))) {
      if (leaf.keySize !== 4) continue;
      for (let at = 0; at < leaf.count * leaf.recordSize; at += leaf.recordSize) yield uint32At(leaf.bytes, at);
    }
  }

  /**
   * The rows with their cells, in the order of the matrix. Each data block holds whole rows and its rest is padding; the row
   * index says how many are in use, not the counts stored elsewhere, which may be stale. The first dword of a row is its id.
   */
  *rows(): Generator<TableRow> {
    const width = this.rowWidth();
    const shape: RowShape = { columns: this.columns, existence: this.existenceStart(), valueAt: (place) => this.valueAt(place) };
    let left = this.rowCount();
    for (const block of this.matrixBlocks()) {
      if (width === 0 || left === 0) return;
      const count = Math.min(left, Math.floor((block?.length ?? 0) / width));
      for (let index = 0; index < count; index++) yield new TableRow(block!.subarray(index * width, (index + 1) * width), shape);
      left -= count;
    }
  }

  /** A value that lies outside its row. */
  valueAt(place: number): Buffer | null {
    if (place === 0) return Buffer.alloc(0);
    if (isHeapId(place)) return this.heap.item(place);
    this.subnodeMap ??= readSubnodes(this.database, this.subnodeBid);
    const subnode = this.subnodeMap.get(place);
    return subnode === undefined ? null : new DataStream(this.database, subnode.dataBid).bytes();
  }

  private rowCount(): number {
    let count = 0;
    for (const leaf of readHeapTree(this.heap, this.info.readUInt32LE(10))) count += leaf.count;
    return count;
  }

  /** `rgib[TCI_bm]`: where the row ends. */
  private rowWidth(): number {
    return this.info.readUInt16LE(8);
  }

  /** `rgib[TCI_1b]`: where the cells end and the existence bits begin. */
  private existenceStart(): number {
    return this.info.readUInt16LE(6);
  }

  private *matrixBlocks(): Generator<Buffer | null> {
    const place = this.info.readUInt32LE(14);
    if (place === 0) return;
    if (isHeapId(place)) {
      yield this.heap.item(place);
      return;
    }
    this.subnodeMap ??= readSubnodes(this.database, this.subnodeBid);
    const subnode = this.subnodeMap.get(place);
    if (subnode === undefined) {
      this.database.log.note("structure-damaged", "the rows of a table are missing");
      return;
    }
    const stream = new DataStream(this.database, subnode.dataBid);
    for (let index = 0; index < stream.blockCount; index++) yield stream.block(index);
  }
}

interface RowShape {
  readonly columns: TableColumns;
  readonly existence: number;
  valueAt(place: number): Buffer | null;
}

/** One row: its id and its cells as properties. */
export class TableRow implements PropertyBytes {
  readonly id: number;
  private readonly bytes: Buffer;
  private readonly shape: RowShape;

  constructor(bytes: Buffer, shape: RowShape) {
    this.bytes = bytes;
    this.shape = shape;
    this.id = bytes.length >= 4 ? uint32At(bytes, 0) : 0;
  }

  typeOf(id: number): number | null {
    const column = this.shape.columns.get(id);
    return column !== undefined && this.exists(column) ? column.type : null;
  }

  bytesOf(id: number): Buffer | null {
    const column = this.shape.columns.get(id);
    if (column === undefined || !this.exists(column)) return null;
    const { offset, width, fixed } = column;
    if (offset + width > this.bytes.length) return null;
    if (fixed !== null) return this.bytes.subarray(offset, offset + Math.min(fixed, width));
    return width < 4 ? null : this.shape.valueAt(uint32At(this.bytes, offset));
  }

  *ids(): Iterable<number> {
    for (const column of this.shape.columns.values()) if (this.exists(column)) yield column.id;
  }

  /** The bit that says whether the cell holds a value ([MS-PST] 2.3.4.4.1, `rgbCEB`). Without it the cell is old bytes. */
  private exists(column: TableColumn): boolean {
    const byte = this.bytes[this.shape.existence + (column.bit >> 3)];
    return byte !== undefined && (byte & (0x80 >> (column.bit & 7))) !== 0;
  }
}
