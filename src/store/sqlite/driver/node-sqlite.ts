import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  type Bindings,
  DEFAULT_TIMEOUT_MS,
  IN_MEMORY,
  type OpenDatabase,
  type RunResult,
  type SqliteDatabase,
  type SqliteStatement,
} from "./sqlite-database.ts";
import { resultCodeName, SqliteError } from "./sqlite-error.ts";

/** The used part of `node:sqlite`: the oldest supported Node has no types for it. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
    options: {
      readonly readOnly: boolean;
      readonly timeout: number;
      readonly defensive: boolean;
    },
  ) => NodeDatabase;
}

interface NodeDatabase {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  close(): void;
}

interface NodeStatement {
  setReturnArrays(enabled: boolean): void;
  get(...values: Bindings): unknown;
  all(...values: Bindings): unknown[];
  iterate(...values: Bindings): IterableIterator<unknown>;
  run(...values: Bindings): RunResult;
}

/** Opens databases with Node's SQLite; null if this Node has none. */
export function loadNodeSqlite(): OpenDatabase | null {
  const sqlite = withoutWarning(() => process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined);
  return sqlite === undefined ? null : (path, options) => faultsNamed(() => new OpenedDatabase(sqlite, path, options));
}

/** Early versions of Node 24 warn that the module is experimental, which users cannot act on. */
function withoutWarning<T>(load: () => T): T {
  const warn = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = warn;
  }
}

class OpenedDatabase implements SqliteDatabase {
  readonly name: string;
  private readonly database: NodeDatabase;

  constructor(
    { DatabaseSync }: NodeSqlite,
    path: string,
    { readonly = false, fileMustExist = false, timeout = DEFAULT_TIMEOUT_MS }: Parameters<OpenDatabase>[1],
  ) {
    this.name = path;
    if (fileMustExist && !existsSync(path)) throw new SqliteError("unable to open database file", "SQLITE_CANTOPEN");
    // Absolute, because a name that begins with `file:` would be parsed as a URI. Defensive, like the other driver.
    this.database = new DatabaseSync(path === IN_MEMORY ? path : resolve(path), {
      readOnly: readonly,
      timeout,
      defensive: true,
    });
    // Untrusted schemas in received files must not call functions or read virtual tables.
    this.exec("PRAGMA trusted_schema = OFF");
  }

  prepare(sql: string): SqliteStatement {
    return new PreparedStatement(faultsNamed(() => this.database.prepare(sql)));
  }

  exec(sql: string): void {
    faultsNamed(() => this.database.exec(sql));
  }

  pragma(source: string): unknown {
    return this.prepare(`PRAGMA ${source}`).pluck().all()[0];
  }

  transaction<T>(begin: "deferred" | "immediate", run: () => T): T {
    this.exec(`BEGIN ${begin}`);
    try {
      const result = run();
      this.exec("COMMIT");
      return result;
    } finally {
      // A full disk has already ended the transaction.
      if (this.database.isTransaction) this.exec("ROLLBACK");
    }
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }
}

class PreparedStatement implements SqliteStatement {
  private isPlucked = false;

  constructor(private readonly statement: NodeStatement) {}

  pluck(): this {
    this.isPlucked = true;
    return this.raw();
  }

  raw(): this {
    this.statement.setReturnArrays(true);
    return this;
  }

  get(...values: Bindings): unknown {
    try {
      const row = this.statement.get(...values);
      return this.isPlucked && row !== undefined ? firstOf(row) : row;
    } catch (fault) {
      throw namedFault(fault);
    }
  }

  all(...values: Bindings): unknown[] {
    try {
      const rows = this.statement.all(...values);
      return this.isPlucked ? rows.map(firstOf) : rows;
    } catch (fault) {
      throw namedFault(fault);
    }
  }

  *iterate(...values: Bindings): IterableIterator<unknown> {
    try {
      for (const row of this.statement.iterate(...values)) yield this.isPlucked ? firstOf(row) : row;
    } catch (fault) {
      throw namedFault(fault);
    }
  }

  run(...values: Bindings): RunResult {
    try {
      return this.statement.run(...values);
    } catch (fault) {
      throw namedFault(fault);
    }
  }
}

function firstOf(row: unknown): unknown {
  return (row as readonly unknown[])[0];
}

function faultsNamed<T>(run: () => T): T {
  try {
    return run();
  } catch (fault) {
    throw namedFault(fault);
  }
}

/** Adds SQLite's error names to errors of Node. */
function namedFault(fault: unknown): unknown {
  if (!(fault instanceof Error && "code" in fault)) return fault;
  if (fault.code === "ERR_SQLITE_ERROR" && "errcode" in fault)
    return new SqliteError(fault.message, resultCodeName(Number(fault.errcode)));
  // An integer above 2^53: not written by this tool.
  if (fault.code === "ERR_OUT_OF_RANGE") return new SqliteError(fault.message, "SQLITE_CORRUPT");
  return fault;
}
