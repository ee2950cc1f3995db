import type { Column, RowOf } from "./column.ts";
import type { SqlValue } from "./sql-value.ts";

/** A column of a table, and the field that it stores. */
export interface Place extends Column<unknown> {
  readonly field: string;
  readonly table: string;
}

/** A table of the archive, from which CREATE, INSERT and SELECT are generated. */
export interface Table<C> {
  readonly name: string;
  readonly columns: C;
  readonly places: readonly Place[];
  /** SQL after the columns in CREATE TABLE: composite keys and table options. */
  readonly rest: { readonly keys: string; readonly options: string };
}

export type AnyColumns = Readonly<Record<string, Column<unknown>>>;

export function table<C extends AnyColumns>(name: string, columns: C, rest = { keys: "", options: "" }): Table<C> {
  const places = Object.entries(columns).map(([field, column]) => ({ ...column, field, table: name }));
  return { name, columns, places, rest };
}

export function createSql(made: Table<unknown>): string {
  return `CREATE TABLE ${definition(made)}`;
}

/** The same for an optional table. */
export function createMissingSql(made: Table<unknown>): string {
  return `CREATE TABLE IF NOT EXISTS ${definition(made)}`;
}

function definition({ name, places, rest }: Table<unknown>): string {
  const columns = places.map((place) => place.name + ` ${place.type}${place.constraint}`);
  return `${name}(${[...columns, ...(rest.keys === "" ? [] : [rest.keys])].join(", ")})${rest.options};`;
}

export function insertSql({ name, places }: Table<unknown>): string {
  return insertRowsSql(name, places, 1);
}

/** Inserts a number of rows of these columns. */
export function insertRowsSql(name: string, columns: readonly { readonly name: string }[], rows: number): string {
  const row = `(${columns.map(() => "?").join(",")})`;
  const names = columns.map((column) => column.name).join(",");
  return `INSERT INTO ${name}(${names}) VALUES ${Array.from({ length: rows }, () => row).join(",")}`;
}

/** Inserts these fields of a row, or updates the other fields if the key exists. */
export function upsertSql<C>({ name, places }: Table<C>, key: readonly (keyof C)[], set: readonly (keyof C)[]): string {
  const nameOf = (field: keyof C): string => places.find((place) => place.field === field)!.name;
  const names = [...key, ...set].map(nameOf);
  const changes = set.map((field) => `${nameOf(field)} = excluded.${nameOf(field)}`);
  return `INSERT INTO ${name}(${names.join(",")}) VALUES (${names.map(() => "?").join(",")})
    ON CONFLICT(${key.map(nameOf).join(",")}) DO ${changes.length === 0 ? "NOTHING" : `UPDATE SET ${changes.join(", ")}`}`;
}

/** The values of a row in the order of the columns. */
export function encodeRow<C>(table: Table<C>, row: RowOf<C>): SqlValue[] {
  return encodeParts<C, Partial<RowOf<C>>>(table, row, NOTHING_MADE);
}

const NOTHING_MADE = {};

/** Encodes a row and its derived columns. Merging both into one object takes longer than everything else. */
export function encodeParts<C, Made extends Partial<RowOf<C>>>(
  { places }: Table<C>,
  row: Omit<RowOf<C>, keyof Made>,
  made: Made,
): SqlValue[] {
  const values: SqlValue[] = [];
  for (const { field, encode } of places) {
    const value = (row as Readonly<Record<string, unknown>>)[field];
    values.push(encode(value === undefined ? (made as Readonly<Record<string, unknown>>)[field] : value));
  }
  return values;
}

/** Columns to read. */
export interface Selection<Row, Beside extends string = never> {
  /** Text between SELECT and FROM. */
  readonly sql: string;
  /** Index of each field in a row that is an array: naming 28 columns in every row costs more than reading them. */
  readonly at: { readonly [Field in (keyof Row & string) | Beside]: number };
  /** The fields of a row, without the extra columns. */
  decode(values: readonly SqlValue[]): Row;
}

/** How a selection differs from its plain fields. */
export interface SelectionMapping<Field extends string, Beside extends string> {
  /** SQL instead of a column. */
  readonly sqlOf?: { readonly [F in Field | Beside]?: string };
  /** Columns read after the fields, taken from the row by position. */
  readonly beside?: readonly Beside[];
  /**
   * Fields that the caller assigns: they exist in the object from the start, because spreading it into another takes
   * ten times as long.
   */
  readonly filledIn?: readonly string[];
}

/** The fields of any of these tables. */
export type FieldOf<T> = T extends Table<infer C> ? keyof C & string : never;
type ValueOf<T, Field> = T extends Table<infer C> ? (Field extends keyof C ? RowOf<C>[Field] : never) : never;
/** A row of exactly these fields of the tables. */
export type Selected<T, Field extends string> = { readonly [F in Field]: ValueOf<T, F> };

/** The columns of `fields`, in this order. */
export function selection<T extends Table<AnyColumns>, Field extends FieldOf<T>, Beside extends string = never>(
  tables: readonly T[],
  fields: readonly Field[],
  reading: SelectionMapping<Field, Beside> = {},
): Selection<Selected<T, Field>, Beside> {
  const known = new Map(tables.flatMap(({ places }) => places).map((place) => [place.field, place]));
  const all: readonly string[] = [...fields, ...(reading.beside ?? [])];
  const sqlOf: Readonly<Record<string, string | undefined>> = reading.sqlOf ?? {};
  const places = fields.map((field) => known.get(field)!);
  // All fields exist from the start: growing an object field by field takes longer than reading it from the file.
  const blank = Object.fromEntries([...fields, ...(reading.filledIn ?? [])].map((field) => [field, null]));
  return {
    sql: all.map((field) => sqlOf[field] ?? readSql(known.get(field)!)).join(", "),
    at: Object.fromEntries(all.map((field, index) => [field, index])) as Selection<Selected<T, Field>, Beside>["at"],
    decode(values) {
      const row: Record<string, unknown> = { ...blank };
      for (let index = 0; index < places.length; index++) {
        const { field, none, decode } = places[index]!;
        const value = values[index]!;
        row[field] = value === null ? none : decode === null ? value : decode(value);
      }
      return row as Selected<T, Field>;
    },
  };
}

function readSql({ table: owner, name, read }: Place): string {
  const qualified = `${owner}.${name}`;
  return read === null ? qualified : read(qualified);
}

/**
 * SQL of a view that reads a table of an earlier schema version as a current one; null if no column was added since.
 */
export function earlierView({ name, places }: Table<unknown>, version: number): string | null {
  const missing = places.filter(({ since }) => since > version).map((place) => `NULL AS ${place.name}`);
  return missing.length === 0 ? null : `CREATE TEMP VIEW ${name} AS SELECT *, ${missing.join(", ")} FROM main.${name};`;
}

/** SQL that migrates a table of an earlier schema version. */
export function migrationSql({ name, places }: Table<unknown>, version: number): string {
  return places
    .filter(({ since }) => since > version)
    .map((place) => `ALTER TABLE ${name} ADD COLUMN ${place.name} ${place.type}${place.constraint};`)
    .join("\n");
}
