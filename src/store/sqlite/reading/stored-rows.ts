import { chmodSync, rmSync } from "node:fs";
import { PRIVATE_FILE, syncFile } from "../../../files/durable-files.ts";
import { SCAN_CACHE } from "../../contract/reading-memory.ts";
import { batchesOf, type RowsSink, type StoredRows } from "../../reading/stored-rows.ts";
import { SCHEMA_VERSION } from "../../tables/archive-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { META_TABLE, type StoredTable } from "../../tables/stored-tables.ts";
import { insertRowsSql } from "../../tables/table.ts";
import { openForWriting, requireVersion, type SqliteDatabase } from "../database/database.ts";
import { ANALYZED_ROWS, createIndexes, createTables } from "../database/schema.ts";
import { createSearchTables, hasSearchTables } from "../database/search-schema.ts";
import { createWrittenDates } from "../database/sorting-dates.ts";
import { withSqliteFaults } from "../driver/sqlite-faults.ts";
import { sealFile } from "../files/file-checksums.ts";
import { openFinished } from "./finished-archive.ts";

/**
 * All rows of an archive file. Throws like `openArchive`, and ARCHIVE_VERSION for an archive of an earlier version,
 * which lacks required fields.
 */
export function sqliteRows(path: string): StoredRows {
  return openFinished(path, SCAN_CACHE, ({ database }) => {
    requireVersion(database, path, (version) => version === SCHEMA_VERSION);
    return {
      hasIndex: hasSearchTables(database),
      rows: (table) => batchesOf(rowsOf(database, table)),
      async close() {
        database.close();
      },
    };
  });
}

function rowsOf(database: SqliteDatabase, table: StoredTable): Iterable<readonly SqlValue[]> {
  const { name, key } = table;
  if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").get(name) === undefined) return [];
  const columns = table === META_TABLE ? META_VALUES : table.columns.map((column) => column.name).join(", ");
  return database
    .prepare(`SELECT ${columns} FROM ${name} ORDER BY ${key.join(", ")}`)
    .raw()
    .iterate() as Iterable<SqlValue[]>;
}

/** One column holds texts and bytes. */
const META_VALUES = "k, iif(typeof(v) = 'text', v, NULL), iif(typeof(v) = 'blob', v, NULL)";
const INSERT_META = "INSERT INTO meta(k, v) VALUES (?, coalesce(?, ?))";

/** Writes rows to a new archive file; replaces an existing file. */
export function sqliteSink(path: string, hasIndex: boolean): RowsSink {
  const database = withSqliteFaults("writing", path, () => {
    rmSync(path, { force: true });
    const made = openForWriting(path, "create");
    // SQLite creates files that others can read.
    chmodSync(path, PRIVATE_FILE);
    createTables(made);
    if (hasIndex) createSearchTables(made);
    createWrittenDates(made);
    made.exec("BEGIN");
    return made;
  });
  return {
    async write(table, batches) {
      let insert: ReturnType<SqliteDatabase["prepare"]> | null = null;
      for await (const batch of batches) {
        withSqliteFaults("writing", path, () => {
          insert ??= database.prepare(insertSql(table));
          for (const row of batch) insert.run(...row);
        });
      }
    },
    async finish() {
      withSqliteFaults("writing", path, () => {
        createIndexes(database);
        database.pragma(`analysis_limit = ${ANALYZED_ROWS}`);
        database.exec("ANALYZE; COMMIT");
        database.close();
        sealFile(path);
        syncFile(path);
      });
    },
    async abort() {
      database.close();
      rmSync(path, { force: true });
    },
  };
}

function insertSql(table: StoredTable): string {
  return table === META_TABLE ? INSERT_META : insertRowsSql(table.name, table.columns, 1);
}
