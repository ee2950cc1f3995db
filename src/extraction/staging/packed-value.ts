/**
 * Encodes plain data with columns of numbers as bytes, the same in every version of Node: the length of the JSON, the
 * JSON, then the columns, each aligned to eight bytes. Little-endian, like every supported processor.
 */
const COLUMNS = { Uint8Array, Int32Array, Uint32Array, Float32Array, Float64Array } as const;
type ColumnName = keyof typeof COLUMNS;
/** Placeholder in the JSON for a column. No packed record has a field of this name. */
const COLUMN = "$column";
const LENGTH_BYTES = 4;
const ALIGNMENT = 8;

type Column = InstanceType<(typeof COLUMNS)[ColumnName]>;

interface ColumnPlace {
  readonly [COLUMN]: ColumnName;
  readonly at: number;
  readonly length: number;
}

export function packValue(value: unknown): Uint8Array {
  const columns: { readonly column: Column; readonly at: number }[] = [];
  let end = 0;
  const json = Buffer.from(
    JSON.stringify(value, (_key, field: unknown) => {
      if (!ArrayBuffer.isView(field)) return field;
      const column = field as Column;
      const at = end;
      columns.push({ column, at });
      end = aligned(at + column.byteLength);
      return { [COLUMN]: column.constructor.name as ColumnName, at, length: column.length } satisfies ColumnPlace;
    }),
  );
  const start = aligned(LENGTH_BYTES + json.length);
  const bytes = new Uint8Array(start + end);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, LENGTH_BYTES);
  for (const { column, at } of columns)
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), start + at);
  return bytes;
}

/** Throws SyntaxError or RangeError for bytes that `packValue` did not make. */
export function unpackValue(packed: Uint8Array): unknown {
  // Copied to aligned memory for columns.
  const bytes = new Uint8Array(packed);
  const jsonBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const start = aligned(LENGTH_BYTES + jsonBytes);
  const json = new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + jsonBytes));
  return JSON.parse(json, (_key, field: unknown) => {
    if (!isPlace(field)) return field;
    return new COLUMNS[field[COLUMN]](bytes.buffer, bytes.byteOffset + start + field.at, field.length);
  });
}

function isPlace(field: unknown): field is ColumnPlace {
  return typeof field === "object" && field !== null && COLUMN in field;
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
