import type { EventReader, ItemReader } from "../../mail/archive.ts";
import { ordinalOf } from "../../mail/records/ids.ts";
import { type IndexedRecord, indexedEvent, indexedItem } from "../../search/indexing/indexed-record.ts";
import { META } from "../contract/archive-meta.ts";
import { recordPages } from "../reading/record-reader.ts";
import type { Column } from "../tables/column.ts";
import { EVENTS, ITEMS } from "../tables/knowledge-tables.ts";
import { selection, type Table } from "../tables/table.ts";
import { type ArchiveRows, rowBatches } from "./archive-rows.ts";

/** A table whose rows are one record each: prefix of ids, key of the index, and indexed fields. */
export interface RecordKind<T> {
  readonly kind: "event" | "item";
  readonly table: Table<{ readonly ordinal: Column<number>; readonly record: Column<T> }>;
  readonly key: string;
  readonly indexed: (record: T) => IndexedRecord;
}

export const EVENT_RECORDS = { kind: "event", table: EVENTS, key: META.eventIndex, indexed: indexedEvent } as const;
export const ITEM_RECORDS = { kind: "item", table: ITEMS, key: META.itemIndex, indexed: indexedItem } as const;

/** Events and items of an open archive. */
export function recordReaders(archive: ArchiveRows): { readonly events: EventReader; readonly items: ItemReader } {
  return { events: reader(archive, EVENT_RECORDS), items: reader(archive, ITEM_RECORDS) };
}

function reader<T>(archive: ArchiveRows, { kind, table, key, indexed }: RecordKind<T>) {
  const columns = selection([table], ["ordinal", "record"]);
  async function* scan(): AsyncGenerator<readonly T[]> {
    for await (const rows of rowBatches(archive, table.name, columns.sql))
      yield rows.map((row) => columns.decode(row).record);
  }
  async function at(ordinals: readonly number[]): Promise<readonly (T | undefined)[]> {
    const rows = await archive.byOrdinal(table.name, columns, ordinals);
    return rows.map((row) => (row === undefined ? undefined : columns.decode(row).record));
  }
  return {
    async get(id: string): Promise<T | null> {
      const [found] = await at([ordinalOf(kind, id) ?? -1]);
      return found ?? null;
    },
    scan,
    page: recordPages<T>(
      {
        index: () => archive.metaBytes(key),
        scan,
        at: async (ordinals) => (await at(ordinals)) as readonly T[],
        sourcePaths: async () => {
          const rows = await archive.rows(`SELECT path FROM sources WHERE ${archive.valid("sources")} ORDER BY id`);
          return rows.map(([path]) => path as string);
        },
      },
      indexed,
    ),
  };
}
