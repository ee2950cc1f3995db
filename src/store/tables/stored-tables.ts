import { SCHEMA_TABLES } from "./archive-tables.ts";
import type { Column } from "./column.ts";
import { WRITTEN_DATES } from "./message-tables.ts";
import { SEARCH_TABLES } from "./search-tables.ts";
import type { Table } from "./table.ts";

/** A stored table of an archive, as copied between stores. */
export interface StoredTable {
  readonly name: string;
  readonly columns: readonly StoredColumn[];
  /** Columns of a unique key, which is also the order in which rows are passed. */
  readonly key: readonly string[];
}

export interface StoredColumn {
  readonly name: string;
  readonly type: Column<unknown>["type"];
  /** False if earlier schema versions lack it. */
  readonly isOriginal: boolean;
}

function column(name: string, type: StoredColumn["type"]): StoredColumn {
  return { name, type, isOriginal: true };
}

function storedTable({ name, places, rest }: Table<unknown>): StoredTable {
  const own = places.filter(({ constraint }) => constraint === " PRIMARY KEY").map((place) => place.name);
  const several = /PRIMARY KEY\(([^)]+)\)/.exec(rest.keys)?.[1]?.split(", ") ?? [];
  return {
    name,
    columns: places.map(({ name: title, type, since }) => ({ name: title, type, isOriginal: since === 1 })),
    key: own.length > 0 ? own : several,
  };
}

/** Named values of the store: text or bytes. */
export const META_TABLE: StoredTable = {
  name: "meta",
  columns: [column("k", "TEXT"), column("text_value", "TEXT"), column("bytes_value", "BLOB")],
  key: ["k"],
};

/** All tables of an archive. */
export const STORED_TABLES: readonly StoredTable[] = [
  META_TABLE,
  ...[...SCHEMA_TABLES, WRITTEN_DATES, ...SEARCH_TABLES].map(storedTable),
];
