import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import { loadBetterSqlite } from "./better-sqlite.ts";
import { loadNodeSqlite } from "./node-sqlite.ts";
import { IN_MEMORY, type OpenDatabase } from "./sqlite-database.ts";

/**
 * Returns the driver for this Node.js: the built-in one if it keeps NULs (24.16 and newer), else better-sqlite3, an
 * optional peer. Throws DRIVER_MISSING.
 */
export function sqliteDriver(): OpenDatabase {
  const builtIn = loadNodeSqlite();
  if (builtIn !== null && preservesValues(builtIn)) return builtIn;
  try {
    const packaged = loadBetterSqlite();
    // Its binary is loaded when the first database is opened.
    preservesValues(packaged);
    return packaged;
  } catch (cause) {
    throw missingDriver(cause, process.versions.node);
  }
}

/**
 * False for a SQLite of Node that ends texts at NUL (up to 24.15) or converts empty blobs to NULL (some versions of
 * 22): mail has both.
 */
export function preservesValues(open: OpenDatabase): boolean {
  const database = open(IN_MEMORY, {});
  try {
    const [text, blob] = database.prepare("SELECT ?, ?").raw().get("\0.", new Uint8Array(0)) as [unknown, unknown];
    return text === "\0." && blob instanceof Uint8Array;
  } finally {
    database.close();
  }
}

/** Names the missing package, without a redundant cause. @param cause error of loading better-sqlite3 */
export function missingDriver(cause: unknown, nodeVersion: string): ArchiveError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = systemErrorCode(cause);
  if (code === "MODULE_NOT_FOUND" && message.startsWith("Cannot find module 'better-sqlite3")) {
    return new ArchiveError(
      "DRIVER_MISSING",
      `SQLite in Node.js ${nodeVersion} is not sufficient, and better-sqlite3 is not installed`,
    );
  }
  if (code === "ERR_DLOPEN_FAILED" || message.startsWith("Could not locate the bindings file")) {
    return new ArchiveError("DRIVER_MISSING", `better-sqlite3 has no binary for Node.js ${nodeVersion}`, {
      hint: REBUILD,
    });
  }
  return new ArchiveError("DRIVER_MISSING", `better-sqlite3 does not run on Node.js ${nodeVersion}`, { cause });
}

/** npm 12 runs only install scripts that are allowed by name, and does not rerun those of installed packages. */
const REBUILD =
  "use Node.js 24.16 or newer, or run: npm rebuild -g --allow-scripts=better-sqlite3 better-sqlite3 " +
  "(in a project: npm pkg set --json allowScripts.better-sqlite3=true && npm rebuild better-sqlite3); " +
  "without a prebuilt binary, this requires python3, make and a C++ compiler";
