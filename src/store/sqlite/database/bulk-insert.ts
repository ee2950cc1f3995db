import type { RowOf } from "../../tables/column.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { encodeParts, encodeRow, insertRowsSql, type Table } from "../../tables/table.ts";
import type { SqliteDatabase } from "./database.ts";

/** Rows per statement: enough to spread the cost of a call, few enough that the bound values stay in cache. */
const ROWS_PER_STATEMENT = 32;

/**
 * Gathers narrow rows and inserts many with one statement. `flush` writes the rest: call it before anything reads the
 * table.
 */
interface BulkInsert {
  add(...values: readonly SqlValue[]): void;
  flush(): void;
}

function bulkInsert(database: SqliteDatabase, { name, places }: Table<unknown>): BulkInsert {
  const one = database.prepare(insertRowsSql(name, places, 1));
  const many = database.prepare(insertRowsSql(name, places, ROWS_PER_STATEMENT));
  const width = places.length;
  let pending: SqlValue[] = [];
  return {
    // Values are separate arguments: the driver reads the elements of an array by name, which costs a third more.
    add(...values) {
      for (let index = 0; index < width; index++) pending.push(values[index]!);
      if (pending.length < width * ROWS_PER_STATEMENT) return;
      many.run(...pending);
      pending.length = 0;
    },
    flush() {
      for (let start = 0; start < pending.length; start += width) one.run(...pending.slice(start, start + width));
      pending = [];
    },
  };
}

/** Inserts rows of a table in the form of the vocabulary. */
interface RowInsert<Row> {
  add(row: Row): void;
  /** Adds a row and its derived columns. */
  addParts<Made extends Partial<Row>>(row: Omit<Row, keyof Made>, made: Made): void;
  flush(): void;
}

export function rowInsert<C>(database: SqliteDatabase, table: Table<C>): RowInsert<RowOf<C>> {
  const insert = bulkInsert(database, table);
  return {
    add: (row) => insert.add(...encodeRow(table, row)),
    addParts: (row, made) => insert.add(...encodeParts(table, row, made)),
    flush: () => insert.flush(),
  };
}
