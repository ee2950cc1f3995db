import { type ByteRange, EMPTY_RANGE } from "../../properties/byte-range.ts";
import type { PropertyBytes } from "../../properties/property-bytes.ts";
import { DataStream } from "../ndb/data-stream.ts";
import type { NodeDatabase } from "../ndb/node-database.ts";
import { readSubnodes, type Subnode } from "../ndb/subnode-tree.ts";
import type { TableColumn, TableColumns } from "../ndb/table-columns.ts";
import { Heap, isHeapId, TABLE_CONTEXT } from "./heap.ts";
import { HeapLeaves } from "./heap-tree.ts";
import type { NodeData } from "./property-context.ts";

/** `TCINFO` before its columns ([MS-PST] 2.3.4.1). */
const HEADER_SIZE = 22;
/** Offsets: number of columns; end of the cells, of the existence bits and of the row (`rgib`); row index; rows. */
const COLUMN_COUNT_AT = 1;
const EXISTENCE_AT = 6;
const ROW_WIDTH_AT = 8;
const ROW_INDEX_AT = 10;
const ROWS_AT = 14;
const ROW_ID_SIZE = 4;

/** A table of rows: recipients and attachments of a message, contents of a folder ([MS-PST] 2.3.4). */
export class TableContext {
  readonly columns: TableColumns;
  /** Start of the existence bits in a row, and end of the row. */
  readonly existence: number;
  readonly rowWidth: number;
  private readonly subnodeBid: number;
  private subnodeMap: ReadonlyMap<number, Subnode> | null = null;
  private readonly rowIndex: number;
  private readonly rowsPlace: number;

  private constructor(
    private readonly database: NodeDatabase,
    private readonly heap: Heap,
    place: { readonly info: ByteRange; readonly subnodeBid: number },
  ) {
    const { bytes, data, start, end } = place.info;
    this.subnodeBid = place.subnodeBid;
    this.columns = database.tables.columnsOf(
      { bytes, data, start: start + HEADER_SIZE, end },
      bytes[start + COLUMN_COUNT_AT]!,
    );
    this.existence = data.getUint16(start + EXISTENCE_AT, true);
    this.rowWidth = data.getUint16(start + ROW_WIDTH_AT, true);
    this.rowIndex = data.getUint32(start + ROW_INDEX_AT, true);
    this.rowsPlace = data.getUint32(start + ROWS_AT, true);
  }

  /** Returns null if the node has no table. */
  static open(database: NodeDatabase, node: NodeData): TableContext | null {
    const heap = Heap.open(database, new DataStream(database, node.dataBid));
    if (heap === null) return null;
    const info = heap.clientSignature === TABLE_CONTEXT ? heap.item(heap.userRoot) : null;
    if (info === null || info.end - info.start < HEADER_SIZE || info.bytes[info.start] !== TABLE_CONTEXT) {
      database.log.note("structure-damaged", "a heap without a table");
      return null;
    }
    return new TableContext(database, heap, { info, subnodeBid: node.subnodeBid });
  }

  /**
   * Visits the ids of the rows, from the row index alone: a folder is listed without reading its cells. Ascending, like
   * the index.
   */
  eachRowId(visit: (id: number) => void): void {
    const leaves = new HeapLeaves(this.heap, this.rowIndex);
    if (leaves.keySize !== ROW_ID_SIZE) return;
    for (let leaf = leaves.next(); leaf !== null; leaf = leaves.next()) {
      for (let at = leaf.start; at < leaf.end; at += leaves.recordSize) visit(leaf.data.getUint32(at, true));
    }
  }

  /** The rows with their cells, in the order of the matrix. */
  rows(): TableRows {
    return new TableRows(this, this.rowCount());
  }

  /** A value stored outside its row. */
  valueAt(place: number): ByteRange | null {
    if (place === 0) return EMPTY_RANGE;
    if (isHeapId(place)) return this.heap.item(place);
    return this.subnodeStream(place)?.range() ?? null;
  }

  /** Blocks of rows: one in the heap, or those of a subnode. Each contains whole rows and padding. */
  rowBlocks(): RowBlocks {
    const place = this.rowsPlace;
    if (place === 0) return NO_BLOCKS;
    if (isHeapId(place)) return { count: 1, blockAt: () => this.heap.item(place) };
    const stream = this.subnodeStream(place);
    if (stream === null) {
      this.database.log.note("structure-damaged", "the rows of a table are missing");
      return NO_BLOCKS;
    }
    return { count: stream.blockCount, blockAt: (index) => stream.block(index) };
  }

  private subnodeStream(nid: number): DataStream | null {
    this.subnodeMap ??= readSubnodes(this.database, this.subnodeBid);
    const subnode = this.subnodeMap.get(nid);
    return subnode === undefined ? null : new DataStream(this.database, subnode.dataBid);
  }

  /** The row index has the current number of rows; counts stored elsewhere may be outdated. */
  private rowCount(): number {
    const leaves = new HeapLeaves(this.heap, this.rowIndex);
    let count = 0;
    for (let leaf = leaves.next(); leaf !== null; leaf = leaves.next())
      count += (leaf.end - leaf.start) / leaves.recordSize;
    return count;
  }
}

interface RowBlocks {
  readonly count: number;
  blockAt(index: number): ByteRange | null;
}

const NO_BLOCKS: RowBlocks = { count: 0, blockAt: () => null };

/** The rows of a table, one after the other. */
class TableRows {
  private readonly blocks: RowBlocks;
  private nextBlock = 0;
  /** Remaining rows. */
  private left: number;
  private block: ByteRange = EMPTY_RANGE;
  /** Start of the next row in its block. */
  private at = 0;

  constructor(
    private readonly table: TableContext,
    count: number,
  ) {
    this.left = table.rowWidth === 0 ? 0 : count;
    this.blocks = table.rowBlocks();
    // Checked even if no row is left, to report a lost block.
    this.toNextBlock();
  }

  /** Null after the last. */
  next(): TableRow | null {
    const width = this.table.rowWidth;
    while (this.left > 0) {
      const at = this.at;
      if (at + width <= this.block.end) {
        this.at = at + width;
        this.left--;
        return new TableRow(this.table, this.block, at);
      }
      if (!this.toNextBlock()) return null;
    }
    return null;
  }

  private toNextBlock(): boolean {
    if (this.nextBlock >= this.blocks.count) return false;
    this.block = this.blocks.blockAt(this.nextBlock) ?? EMPTY_RANGE;
    this.nextBlock++;
    this.at = this.block.start;
    return true;
  }
}

/** A row: its id (the first cell), and its cells as properties. */
export class TableRow implements PropertyBytes {
  readonly id: number;

  constructor(
    private readonly table: TableContext,
    /** The containing block, and the start within it. */
    private readonly block: ByteRange,
    private readonly start: number,
  ) {
    this.id = table.rowWidth >= ROW_ID_SIZE ? block.data.getUint32(start, true) : 0;
  }

  typeOf(id: number): number | null {
    const column = this.table.columns.get(id);
    return column !== undefined && this.exists(column) ? column.type : null;
  }

  rangeOf(id: number): ByteRange | null {
    const column = this.table.columns.get(id);
    if (column === undefined || !this.exists(column)) return null;
    const { width, fixed } = column;
    if (column.offset + width > this.table.rowWidth) return null;
    const at = this.start + column.offset;
    const { bytes, data } = this.block;
    if (fixed !== null) return { bytes, data, start: at, end: at + Math.min(fixed, width) };
    return width < 4 ? null : this.table.valueAt(data.getUint32(at, true));
  }

  ids(): readonly number[] {
    return [...this.table.columns.values()].filter((column) => this.exists(column)).map(({ id }) => id);
  }

  /**
   * The bit that indicates whether the cell has a value ([MS-PST] 2.3.4.4.1, `rgbCEB`). Otherwise the cell contains
   * old bytes.
   */
  private exists(column: TableColumn): boolean {
    const { existence, rowWidth } = this.table;
    const at = existence + (column.bit >> 3);
    return at < rowWidth && (this.block.bytes[this.start + at]! & (0x80 >> (column.bit & 7))) !== 0;
  }
}
