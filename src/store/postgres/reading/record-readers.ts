import type { EventReader, ItemReader } from "../../../mail/archive.ts";
import { ordinalOf } from "../../../mail/records/ids.ts";
import { type IndexedRecord, indexedEvent, indexedItem } from "../../../search/indexing/indexed-record.ts";
import { META } from "../../contract/archive-meta.ts";
import { recordPages } from "../../reading/record-reader.ts";
import type { Column } from "../../tables/column.ts";
import { EVENTS, ITEMS } from "../../tables/knowledge-tables.ts";
import { selection, type Table } from "../../tables/table.ts";
import { ordinalList } from "../client/selection.ts";
import { validIn } from "../client/valid-rows.ts";
import { metaBytes } from "../collections/index-columns.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";
import { rowBatches } from "../collections/row-batches.ts";

/** A table whose rows are one record each. */
type RecordTable<T> = Table<{ readonly ordinal: Column<number>; readonly record: Column<T> }>;

/** A table of records: prefix of ids, table of the index, and indexed fields. */
interface RecordKind<T> {
  readonly kind: "event" | "item";
  readonly table: RecordTable<T>;
  readonly key: string;
  readonly indexed: (record: T) => IndexedRecord;
}

/** Events and items of an open collection. */
export function recordReaders(epoch: OpenEpoch): { readonly events: EventReader; readonly items: ItemReader } {
  return {
    events: reader(epoch, { kind: "event", table: EVENTS, key: META.eventIndex, indexed: indexedEvent }),
    items: reader(epoch, { kind: "item", table: ITEMS, key: META.itemIndex, indexed: indexedItem }),
  };
}

function reader<T>(epoch: OpenEpoch, { kind, table, key, indexed }: RecordKind<T>) {
  const { sql, at: places, decode } = selection([table], ["ordinal", "record"]);
  async function* scan(): AsyncGenerator<readonly T[]> {
    for await (const rows of rowBatches(epoch, table.name, sql)) yield rows.map((row) => decode(row).record);
  }
  async function at(ordinals: readonly number[]): Promise<readonly (T | undefined)[]> {
    const rows = await epoch.rows(
      `SELECT ${sql} FROM ${table.name} WHERE ${validIn(table.name)} AND id = ANY($2::int8[])`,
      ordinalList(ordinals),
    );
    const records = new Map(rows.map((row) => [row[places.ordinal], decode(row).record]));
    return ordinals.map((ordinal) => records.get(ordinal));
  }
  return {
    async get(id: string): Promise<T | null> {
      const [found] = await at([ordinalOf(kind, id) ?? -1]);
      return found ?? null;
    },
    scan,
    page: recordPages<T>(
      {
        index: () => metaBytes(epoch, key),
        scan,
        at: async (ordinals) => (await at(ordinals)) as readonly T[],
        sourcePaths: async () =>
          (await epoch.rows(`SELECT path FROM sources WHERE ${validIn("sources")} ORDER BY id`)).map(
            ([path]) => path as string,
          ),
      },
      indexed,
    ),
  };
}
