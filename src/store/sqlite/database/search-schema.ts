import { POSTING_LISTS, SEARCH_TABLES, SEGMENTS, TERM_BLOCKS } from "../../tables/search-tables.ts";
import { createMissingSql, type Table } from "../../tables/table.ts";
import type { SqliteDatabase } from "./database.ts";

export function createSearchTables(database: SqliteDatabase): void {
  for (const table of SEARCH_TABLES) database.exec(createMissingSql(table));
}

/** The dictionary and the posting lists. */
export interface TermTables {
  readonly blocks: Table<(typeof TERM_BLOCKS)["columns"]>;
  readonly lists: Table<(typeof POSTING_LISTS)["columns"]>;
}

export const TERM_TABLES: TermTables = { blocks: TERM_BLOCKS, lists: POSTING_LISTS };
/** A second set, while it is being built. */
export const NEW_TERM_TABLES: TermTables = {
  blocks: { ...TERM_BLOCKS, name: "ix_block_new" },
  lists: { ...POSTING_LISTS, name: "ix_post_new" },
};

export function createNewTermTables(database: SqliteDatabase): void {
  for (const table of Object.values(NEW_TERM_TABLES)) database.exec(createMissingSql(table));
}

/** Replaces the first set of tables with the second. */
export function replaceTermTables(database: SqliteDatabase): void {
  for (const part of ["blocks", "lists"] as const) {
    const { name } = TERM_TABLES[part];
    database.exec(`DROP TABLE ${name}; ALTER TABLE ${NEW_TERM_TABLES[part].name} RENAME TO ${name};`);
  }
}

export function hasSearchTables(database: SqliteDatabase): boolean {
  const table = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(SEGMENTS.name);
  return table !== undefined;
}

/** Columns of the search index by their names; none without an index. */
export function indexColumns(database: SqliteDatabase, names: readonly string[]): ReadonlyMap<string, Uint8Array> {
  const columns = new Map<string, Uint8Array>();
  if (!hasSearchTables(database)) return columns;
  const column = database.prepare("SELECT data FROM ix_column WHERE name = ?").pluck();
  for (const name of names) {
    const data = column.get(name) as Uint8Array | undefined;
    if (data !== undefined) columns.set(name, data);
  }
  return columns;
}
