import { createRequire } from "node:module";
import type BetterSqlite from "better-sqlite3";
import { DEFAULT_TIMEOUT_MS, type OpenDatabase, type SqliteDatabase, type SqliteStatement } from "./sqlite-database.ts";

/** First version that crashes Node 20; 12.11.1 runs on 20 and 22. */
const FIRST_FOR_NODE_22 = 13;

/**
 * Opens databases with the package better-sqlite3. Throws whatever loading it throws; its binary is loaded by the first
 * open.
 */
export function loadBetterSqlite(): OpenDatabase {
  // Not an import: the package may be missing, and then nothing else may fail.
  const require = createRequire(import.meta.url);
  const { version } = require("better-sqlite3/package.json") as { readonly version: string };
  if (Number.parseInt(version, 10) >= FIRST_FOR_NODE_22 && Number.parseInt(process.versions.node, 10) < 22) {
    throw new Error(`version ${version} needs Node.js 22`);
  }
  const Database = require("better-sqlite3") as typeof BetterSqlite;
  return (path, { readonly = false, fileMustExist = false, timeout = DEFAULT_TIMEOUT_MS }) =>
    databaseOf(new Database(path, { readonly, fileMustExist, timeout }));
}

function databaseOf(database: BetterSqlite.Database): SqliteDatabase {
  // Untrusted schemas in received files must not call functions or read virtual tables.
  database.pragma("trusted_schema = OFF");
  return {
    name: database.name,
    // Its statements already have our interface: a wrapper would only cost time.
    prepare: (sql) => database.prepare(sql) as SqliteStatement,
    exec: (sql) => void database.exec(sql),
    pragma: (source) => database.pragma(source, { simple: true }),
    transaction: (begin, run) => database.transaction(run)[begin](),
    close: () => void database.close(),
  };
}
