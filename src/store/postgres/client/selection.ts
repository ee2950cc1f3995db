import {
  type AnyColumns,
  type FieldOf,
  type Selected,
  type Selection,
  type SelectionMapping,
  selection,
  type Table,
} from "../../tables/table.ts";
import { validIn } from "./valid-rows.ts";

/** Reads hexadecimal digits from bytes in this database. */
function readHex(name: string): string {
  return `encode(${name}, 'hex')`;
}

/** The same columns in the SQL of PostgreSQL, which reads hexadecimal digits by another function. */
export function postgresSelection<T extends Table<AnyColumns>, Field extends FieldOf<T>, Beside extends string = never>(
  tables: readonly T[],
  fields: readonly Field[],
  reading: SelectionMapping<Field, Beside> = {},
): Selection<Selected<T, Field>, Beside> {
  const ownSql = tables
    .flatMap(({ places }) => places)
    .filter(({ read }) => read !== null)
    .map(({ field, table, name }) => [field, readHex(`${table}.${name}`)]);
  return selection(tables, fields, {
    ...reading,
    sqlOf: { ...Object.fromEntries(ownSql), ...reading.sqlOf },
  });
}

/** The date of a row of `messages` as written; the other table has few rows. */
export const WRITTEN_DATE = `CASE WHEN EXISTS (SELECT 1 FROM written_dates WHERE ${validIn("written_dates")} AND written_dates.id = messages.id)
  THEN (SELECT written_dates.sent_at FROM written_dates WHERE ${validIn("written_dates")} AND written_dates.id = messages.id)
  ELSE messages.sent_at END`;

/** `messages` joined with the row of `other` for each. */
export function joined(...others: readonly ("envelopes" | "bodies")[]): string {
  return `messages ${others.map((other) => `JOIN ${other} ON ${validIn(other)} AND ${other}.id = messages.id`).join(" ")}`;
}

/** A list of ordinals as one parameter, read by `ANY($n::int8[])`. */
export function ordinalList(ordinals: Iterable<number>): string {
  return `{${Array.from(ordinals).join(",")}}`;
}
