import { existsSync } from "node:fs";
import { ArchiveError, type ErrorCode, systemErrorCode } from "../../../errors.ts";

/** What a caller does with a file when SQLite fails. */
type Operation = "opening" | "reading" | "writing";

interface SqliteFault {
  readonly operation: Operation;
  readonly matches: (error: Error, code: string, path: string) => boolean;
  readonly code: ErrorCode;
  readonly message: (path: string, error: Error) => string;
}

/** Result codes that indicate a damaged file. */
const DAMAGE_CODE = /^SQLITE_(?:CORRUPT|NOTADB|IOERR_SHORT_READ|FORMAT)/;
/** Messages of SQLite for a schema that lacks tables or columns. */
const MISSING_PART = /^(?:no such (?:table|column|index)|malformed)/;

const damageMessage = (path: string, what: string): string => `${path} is damaged: ${what}`;

/** Errors of SQLite and what they mean for a file; the first match applies. */
const FAULTS: readonly SqliteFault[] = [
  {
    operation: "opening",
    matches: (_error, code) => code === "SQLITE_NOTADB",
    code: "NOT_AN_ARCHIVE",
    message: (path) => `${path} is not an archive`,
  },
  {
    operation: "opening",
    matches: (_error, _code, path) => !existsSync(path),
    code: "SOURCE_NOT_FOUND",
    message: (path) => `${path} does not exist`,
  },
  {
    operation: "opening",
    matches: () => true,
    code: "SOURCE_UNREADABLE",
    message: (path, error) => `${path} cannot be opened (${error.message})`,
  },
  {
    operation: "reading",
    matches: (error, code) => DAMAGE_CODE.test(code) || (code === "SQLITE_ERROR" && MISSING_PART.test(error.message)),
    code: "ARCHIVE_DAMAGED",
    message: (path, error) => damageMessage(path, error.message),
  },
  {
    operation: "reading",
    matches: (error) => error instanceof SyntaxError,
    code: "ARCHIVE_DAMAGED",
    message: (path) => damageMessage(path, "a record cannot be read"),
  },
  {
    operation: "writing",
    matches: (_error, code) => code === "SQLITE_FULL" || code === "ENOSPC",
    code: "DISK_FULL",
    message: (path) => `no space left while writing ${path}`,
  },
  {
    operation: "writing",
    matches: (_error, code) => code.startsWith("SQLITE_IOERR") || code === "SQLITE_READONLY",
    code: "OUTPUT_UNWRITABLE",
    message: (path) => `${path} cannot be written`,
  },
];

/** The ArchiveError for an error of SQLite; other errors stay as they are. */
export function sqliteFault(operation: Operation, path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ArchiveError) return error;
  const code = systemErrorCode(error) ?? "";
  const fault = FAULTS.find((row) => row.operation === operation && row.matches(error, code, path));
  return fault === undefined ? error : new ArchiveError(fault.code, fault.message(path, error), { cause: error });
}

/** Runs an operation on a file and converts errors of SQLite. */
export function withSqliteFaults<T>(operation: Operation, path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw sqliteFault(operation, path, error);
  }
}

/** Error for a damaged archive file. */
export function damaged(path: string, what: string, cause?: unknown): ArchiveError {
  return new ArchiveError("ARCHIVE_DAMAGED", damageMessage(path, what), cause === undefined ? {} : { cause });
}
