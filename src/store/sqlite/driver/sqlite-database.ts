import type { SqlValue } from "../../tables/sql-value.ts";

export interface RunResult {
  /** Rows inserted, updated or deleted. */
  readonly changes: number;
  readonly lastInsertRowid: number | bigint;
}

/**
 * Values for `?` in their order, or one record for `@name`. A number is bound as a REAL; integer columns convert whole
 * numbers to integers.
 */
export type Bindings = readonly SqlValue[] | readonly [Readonly<Record<string, SqlValue>>];

/** A prepared statement. Rows are objects by the names of the columns, unless `pluck` or `raw` says otherwise. */
export interface SqliteStatement {
  /** Return only the first column of each row. */
  pluck(): this;
  /** Return rows as arrays in column order. */
  raw(): this;
  /** Returns the first row, or undefined. */
  get(...values: Bindings): unknown;
  all(...values: Bindings): unknown[];
  /** No other statement may run until the iteration ends or is left. */
  iterate(...values: Bindings): IterableIterator<unknown>;
  run(...values: Bindings): RunResult;
}

/**
 * A connection, the same with every driver. Faults of SQLite are errors with the name SqliteError whose `code` is the
 * name of the extended result code: SQLITE_FULL, SQLITE_IOERR_WRITE. Integers beyond 2^53, which this tool never
 * stores, are read inexactly or throw SQLITE_CORRUPT.
 */
export interface SqliteDatabase {
  /** The path as passed. */
  readonly name: string;
  prepare(sql: string): SqliteStatement;
  /** Runs one or several statements and discards their rows. */
  exec(sql: string): void;
  /** Runs `PRAGMA source` to completion. Returns the first column of the first row, or undefined. */
  pragma(source: string): unknown;
  /**
   * Runs a synchronous function in a transaction, and rolls back if it throws. `immediate` takes the write lock at
   * once.
   */
  transaction<T>(begin: "deferred" | "immediate", run: () => T): T;
  /** May be called again; no statement may run afterwards. */
  close(): void;
}

export interface OpenOptions {
  readonly readonly?: boolean;
  /** Never creates a file. Implied by `readonly`. */
  readonly fileMustExist?: boolean;
  /** Milliseconds that a statement waits for the lock of another connection. */
  readonly timeout?: number;
}

/** The path of an in-memory database. */
export const IN_MEMORY = ":memory:";

/** Default time that statements wait. */
export const DEFAULT_TIMEOUT_MS = 5000;

/** Opens a database file. */
export type OpenDatabase = (path: string, options: OpenOptions) => SqliteDatabase;
