import type { SqlValue } from "../../tables/sql-value.ts";
import type { StoredColumn } from "../../tables/stored-tables.ts";
import { decodeText, encodeText } from "./stored-text.ts";

/**
 * Encodes rows for binary COPY: a header; for each row its number of fields (16 bits) and for each field its length
 * (32 bits, -1 for NULL) and bytes; then -1 as a number of fields. @see
 * https://www.postgresql.org/docs/15/sql-copy.html
 */
const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");
/** After the signature: flags, and the length of the extension. */
const HEAD_BYTES = SIGNATURE.length + 8;
const END = -1;
const NULL_LENGTH = -1;
const NUMBER_BYTES = 8;
const LENGTH_BYTES = 4;
const COUNT_BYTES = 2;
const TWO_POW_32 = 2 ** 32;
/** Initial capacity. */
const FIRST_BYTES = 1 << 16;

/** Numbers of the types of columns in every database (pg_type.dat of PostgreSQL). */
const TYPE_NUMBERS: Readonly<Record<StoredColumn["type"], number>> = { INTEGER: 20, REAL: 701, TEXT: 25, BLOB: 17 };

type EncodedColumn = Pick<StoredColumn, "type">;

/** Encodes rows; `take` returns the buffered bytes. */
export class RowEncoder {
  private bytes = Buffer.allocUnsafe(FIRST_BYTES);
  private length = 0;

  get size(): number {
    return this.length;
  }

  begin(): void {
    this.room(HEAD_BYTES);
    SIGNATURE.copy(this.bytes, this.length);
    this.bytes.fill(0, this.length + SIGNATURE.length, this.length + HEAD_BYTES);
    this.length += HEAD_BYTES;
  }

  end(): void {
    this.count(END);
  }

  /** @param leads numbers before the columns */
  row(leads: readonly number[], columns: readonly EncodedColumn[], values: readonly SqlValue[]): void {
    this.count(columns.length + leads.length);
    for (const lead of leads) this.number(lead, "INTEGER");
    this.fields(columns, values);
  }

  /** Output of PostgreSQL's `record_send(ROW(…))` for these columns: their number, and the type of each. */
  record(columns: readonly EncodedColumn[], values: readonly SqlValue[]): void {
    this.lengthOf(columns.length);
    for (const [index, { type }] of columns.entries()) {
      this.lengthOf(TYPE_NUMBERS[type]);
      this.field(type, values[index]!);
    }
  }

  fields(columns: readonly EncodedColumn[], values: readonly SqlValue[]): void {
    for (const [index, { type }] of columns.entries()) this.field(type, values[index]!);
  }

  /** A copy of the bytes written since the last call. */
  take(): Buffer {
    const taken = Buffer.from(this.bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }

  private field(type: StoredColumn["type"], value: SqlValue): void {
    if (value === null) this.lengthOf(NULL_LENGTH);
    else if (typeof value === "number") this.number(value, type);
    else if (typeof value === "string") this.text(encodeText(value));
    else this.blob(value);
  }

  private number(value: number, type: StoredColumn["type"]): void {
    this.lengthOf(NUMBER_BYTES);
    this.room(NUMBER_BYTES);
    if (type === "REAL") this.bytes.writeDoubleBE(value, this.length);
    else {
      if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not an integer`);
      this.bytes.writeInt32BE(Math.floor(value / TWO_POW_32), this.length);
      this.bytes.writeUInt32BE(value >>> 0, this.length + 4);
    }
    this.length += NUMBER_BYTES;
  }

  private text(value: string): void {
    // A UTF-16 character has at most three bytes.
    this.room(LENGTH_BYTES + value.length * 3);
    const written = this.bytes.write(value, this.length + LENGTH_BYTES, "utf8");
    this.bytes.writeInt32BE(written, this.length);
    this.length += LENGTH_BYTES + written;
  }

  private blob(value: Uint8Array): void {
    this.lengthOf(value.byteLength);
    this.room(value.byteLength);
    this.bytes.set(value, this.length);
    this.length += value.byteLength;
  }

  private lengthOf(length: number): void {
    this.room(LENGTH_BYTES);
    this.bytes.writeInt32BE(length, this.length);
    this.length += LENGTH_BYTES;
  }

  private count(fields: number): void {
    this.room(COUNT_BYTES);
    this.bytes.writeInt16BE(fields, this.length);
    this.length += COUNT_BYTES;
  }

  private room(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }
}

/** Decodes rows from chunks. */
export class RowDecoder {
  private pieces: Buffer[] = [];
  private held = 0;
  /** Bytes of an incomplete row: the pieces of a large one are joined once. */
  private wanted = HEAD_BYTES;
  private hasBegun = false;

  constructor(private readonly columns: readonly EncodedColumn[]) {}

  /** The rows completed by this chunk. */
  rows(piece: Buffer): SqlValue[][] {
    this.pieces.push(piece);
    this.held += piece.length;
    if (this.held < this.wanted) return [];
    const bytes = this.pieces.length === 1 ? piece : Buffer.concat(this.pieces);
    const rows: SqlValue[][] = [];
    let at = this.hasBegun ? 0 : HEAD_BYTES;
    this.hasBegun = true;
    for (let end = this.read(bytes, at, rows); end !== null; end = this.read(bytes, at, rows)) at = end;
    this.pieces = [bytes.subarray(at)];
    this.held = bytes.length - at;
    return rows;
  }

  /** Decodes the row at `start` and returns its end; null if it is incomplete or there are no more rows. */
  private read(bytes: Buffer, start: number, rows: SqlValue[][]): number | null {
    const lacks = (end: number): boolean => {
      this.wanted = end - start;
      return end > bytes.length;
    };
    if (lacks(start + COUNT_BYTES) || bytes.readInt16BE(start) === END) return null;
    let at = start + COUNT_BYTES;
    const values: SqlValue[] = [];
    for (const { type } of this.columns) {
      if (lacks(at + LENGTH_BYTES)) return null;
      const length = bytes.readInt32BE(at);
      at += LENGTH_BYTES;
      if (length === NULL_LENGTH) values.push(null);
      else {
        if (lacks(at + length)) return null;
        values.push(valueIn(bytes.subarray(at, at + length), type));
        at += length;
      }
    }
    rows.push(values);
    return at;
  }
}

function valueIn(field: Buffer, type: StoredColumn["type"]): SqlValue {
  switch (type) {
    case "INTEGER":
      return field.readInt32BE(0) * TWO_POW_32 + field.readUInt32BE(4);
    case "REAL":
      return field.readDoubleBE(0);
    case "TEXT":
      return decodeText(field.toString("utf8"));
    case "BLOB":
      return new Uint8Array(field);
  }
}
