import type { ByteRange } from "../../properties/byte-range.ts";
import { fixedSizeOf } from "../../properties/property-bytes.ts";

/** `TCOLDESC` ([MS-PST] 2.3.4.2). */
const COLUMN_SIZE = 8;
/** Maximum cached lists of columns: Outlook writes about ten, each for thousands of tables. */
const KEPT_LISTS = 16;
/** Wider values are stored outside their row, whatever their type ([MS-PST] 2.3.4.4.2). */
const MAX_INLINE_BYTES = 8;

export interface TableColumn {
  readonly id: number;
  readonly type: number;
  /** Offset and width in the row. */
  readonly offset: number;
  readonly width: number;
  /** Number of its bit in the existence block. */
  readonly bit: number;
  /** Size of a value stored in its cell; null if the cell holds a reference to the value. */
  readonly fixed: number | null;
}

/** Columns of a table by property id. */
export type TableColumns = ReadonlyMap<number, TableColumn>;

/**
 * Cache of the columns of the tables in one store, by their bytes: every message has a table of recipients, all with
 * the same columns.
 */
export class TableColumnLists {
  private readonly lists: { readonly bytes: Buffer; readonly columns: TableColumns }[] = [];

  /** The columns described by the bytes of a table. @param count the declared number of columns. */
  columnsOf({ bytes, start, end }: ByteRange, count: number): TableColumns {
    const length = Math.min(count, Math.floor((end - start) / COLUMN_SIZE)) * COLUMN_SIZE;
    for (const list of this.lists) {
      if (list.bytes.length === length && isSame(list.bytes, bytes, start)) return list.columns;
    }
    return this.add(Buffer.from(bytes.subarray(start, start + length)));
  }

  private add(bytes: Buffer): TableColumns {
    const columns = readColumns(bytes);
    if (this.lists.length >= KEPT_LISTS) this.lists.shift();
    this.lists.push({ bytes, columns });
    return columns;
  }
}

/** True if the bytes at that offset equal these. */
function isSame(whole: Buffer, bytes: Buffer, start: number): boolean {
  for (let at = 0; at < whole.length; at++) if (whole[at] !== bytes[start + at]) return false;
  return true;
}

function readColumns(bytes: Buffer): TableColumns {
  const columns = new Map<number, TableColumn>();
  for (let at = 0; at < bytes.length; at += COLUMN_SIZE) {
    const type = bytes.readUInt16LE(at);
    const id = bytes.readUInt16LE(at + 2);
    const size = fixedSizeOf(type);
    const fixed = size !== null && size <= MAX_INLINE_BYTES ? size : null;
    columns.set(id, {
      id,
      type,
      offset: bytes.readUInt16LE(at + 4),
      width: bytes[at + 6]!,
      bit: bytes[at + 7]!,
      fixed,
    });
  }
  return columns;
}
