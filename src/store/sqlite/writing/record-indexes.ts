import { EVENT_RECORDS, ITEM_RECORDS, type RecordKind } from "../../lists/record-readers.ts";
import { RecordIndexWriter } from "../../reading/record-index.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { selection } from "../../tables/table.ts";
import type { SqliteDatabase } from "../database/database.ts";
import type { MetaTable } from "../database/meta-table.ts";

/** Builds both indexes completely, because a later run changes events and removes items. */
export function writeRecordIndexes(database: SqliteDatabase, meta: MetaTable): void {
  meta.set(EVENT_RECORDS.key, indexOf(database, EVENT_RECORDS));
  meta.set(ITEM_RECORDS.key, indexOf(database, ITEM_RECORDS));
}

function indexOf<T>(database: SqliteDatabase, { table, indexed }: RecordKind<T>): Uint8Array {
  const { sql, decode } = selection([table], ["ordinal", "record"]);
  const writer = new RecordIndexWriter();
  const rows = database.prepare(`SELECT ${sql} FROM ${table.name} ORDER BY id`).raw().iterate();
  for (const row of rows as Iterable<SqlValue[]>) writer.add(indexed(decode(row).record));
  return writer.finish();
}
