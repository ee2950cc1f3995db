import type { ContactSort, Page } from "../../mail/archive.ts";
import type { AddressOwner } from "../reading/hit-mapper.ts";
import type { SqlValue } from "../tables/sql-value.ts";
import type { Selection } from "../tables/table.ts";

/** A complete list with a stored order. */
export type ArchiveList = `contacts.${ContactSort}` | "threads.last";

export type Row = readonly SqlValue[];

/**
 * Rows of an open archive, for statements that SQLite and PostgreSQL share. Statements have a `?` for each value, and
 * the condition `valid` for each table.
 */
export interface ArchiveRows {
  /** SQL condition for the rows of a table in the open state of the archive. */
  valid(table: string): string;
  /** SQL after the name of a table that makes SQLite read an index of it. */
  indexedBy(index: string): string;
  rows(sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Rows for values that may never be used: SQLite reads them on each call, PostgreSQL at once. */
  rowsOnCall(sql: string, ...values: readonly SqlValue[]): Promise<() => readonly Row[]>;
  /** Rows of a table in the order of the ordinals; undefined for ordinals without a row. */
  byOrdinal(
    table: string,
    columns: Pick<Selection<{ readonly ordinal: number }>, "sql" | "at">,
    ordinals: readonly number[],
  ): Promise<readonly (Row | undefined)[]>;
  /** Ordinals of a page of a list; fewer at the end. */
  page(list: ArchiveList, page: Page): Promise<readonly number[]>;
  /** The contact of each address, in any case. */
  owners(addresses: readonly string[]): Promise<(address: string) => AddressOwner | null>;
  /** Bytes of the metadata; null if there are none. */
  metaBytes(key: string): Promise<Uint8Array | null>;
}

/** Rows of a batch of any table except messages. */
const BATCH_ROWS = 512;

/**
 * All rows of a table in id order, in batches of arrays of the named columns, `id` first: an object per row would
 * cost more than reading. Nothing stays open between batches.
 */
export async function* rowBatches(
  archive: ArchiveRows,
  table: string,
  columns: string,
): AsyncGenerator<readonly Row[]> {
  let last: SqlValue = -1;
  for (;;) {
    const rows = await archive.rows(
      `SELECT ${columns} FROM ${table} WHERE ${archive.valid(table)} AND id > ? ORDER BY id LIMIT ${BATCH_ROWS}`,
      last,
    );
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows;
    last = end[0]!;
  }
}
