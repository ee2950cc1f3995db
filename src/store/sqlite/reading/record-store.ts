import type { EventReader, ItemReader } from "../../../mail/archive.ts";
import { ordinalOf } from "../../../mail/records/ids.ts";
import { type IndexedRecord, indexedEvent, indexedItem } from "../../../search/indexing/indexed-record.ts";
import { META } from "../../contract/archive-meta.ts";
import { RecordIndexWriter } from "../../reading/record-index.ts";
import { recordPages } from "../../reading/record-reader.ts";
import type { Column } from "../../tables/column.ts";
import { EVENTS, ITEMS } from "../../tables/knowledge-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { selection, type Table } from "../../tables/table.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { type MetaTable, metaTable } from "../database/meta-table.ts";
import { rowBatches } from "../database/row-batches.ts";

/** A table whose rows are one record each. */
type RecordTable<T> = Table<{ readonly ordinal: Column<number>; readonly record: Column<T> }>;

/** A table of records: prefix of ids, table of the index, and indexed fields. */
interface RecordKind<T> {
  readonly kind: "event" | "item";
  readonly table: RecordTable<T>;
  readonly key: string;
  readonly indexed: (record: T) => IndexedRecord;
}

const EVENT_RECORDS = { kind: "event", table: EVENTS, key: META.eventIndex, indexed: indexedEvent } as const;
const ITEM_RECORDS = { kind: "item", table: ITEMS, key: META.itemIndex, indexed: indexedItem } as const;

/** Events and items of an open archive. */
export function recordReaders(database: SqliteDatabase): { readonly events: EventReader; readonly items: ItemReader } {
  const meta = metaTable(database);
  return { events: reader(database, meta, EVENT_RECORDS), items: reader(database, meta, ITEM_RECORDS) };
}

/** Builds both indexes completely, because a later run changes events and removes items. */
export function writeRecordIndexes(database: SqliteDatabase, meta: MetaTable): void {
  meta.set(EVENT_RECORDS.key, indexOf(database, EVENT_RECORDS));
  meta.set(ITEM_RECORDS.key, indexOf(database, ITEM_RECORDS));
}

function indexOf<T>(database: SqliteDatabase, { table, indexed }: RecordKind<T>): Uint8Array {
  const { sql, decode } = recordsOf(table);
  const writer = new RecordIndexWriter();
  const rows = database.prepare(`SELECT ${sql} FROM ${table.name} ORDER BY id`).raw().iterate();
  for (const row of rows as Iterable<SqlValue[]>) writer.add(indexed(decode(row).record));
  return writer.finish();
}

function reader<T>(database: SqliteDatabase, meta: MetaTable, { kind, table, key, indexed }: RecordKind<T>) {
  const { sql, decode } = recordsOf(table);
  const one = database.prepare(`SELECT ${sql} FROM ${table.name} WHERE id = ?`).raw();
  const scan = () => recordBatches(database, table);
  return {
    async get(id: string): Promise<T | null> {
      const row = one.get(ordinalOf(kind, id) ?? -1) as SqlValue[] | undefined;
      return row === undefined ? null : decode(row).record;
    },
    scan,
    page: recordPages<T>(
      {
        index: async () => meta.get(key) as Uint8Array | null,
        scan,
        at: async (ordinals) => ordinals.map((ordinal) => decode(one.get(ordinal) as SqlValue[]).record),
        sourcePaths: async () => database.prepare("SELECT path FROM sources ORDER BY id").pluck().all() as string[],
      },
      indexed,
    ),
  };
}

async function* recordBatches<T>(database: SqliteDatabase, table: RecordTable<T>): AsyncGenerator<readonly T[]> {
  const { sql, decode } = recordsOf(table);
  for await (const rows of rowBatches(database, table.name, sql)) yield rows.map((row) => decode(row).record);
}

function recordsOf<T>(table: RecordTable<T>) {
  return selection([table], ["ordinal", "record"]);
}
