/** Primary result codes by their number. Source: https://www.sqlite.org/rescode.html */
const PRIMARY = [
  "OK",
  "ERROR",
  "INTERNAL",
  "PERM",
  "ABORT",
  "BUSY",
  "LOCKED",
  "NOMEM",
  "READONLY",
  "INTERRUPT",
  "IOERR",
  "CORRUPT",
  "NOTFOUND",
  "FULL",
  "CANTOPEN",
  "PROTOCOL",
  "EMPTY",
  "SCHEMA",
  "TOOBIG",
  "CONSTRAINT",
  "MISMATCH",
  "MISUSE",
  "NOLFS",
  "AUTH",
  "FORMAT",
  "RANGE",
  "NOTADB",
  "NOTICE",
  "WARNING",
] as const;

/** Second byte of an extended result code, from 1. */
const EXTENDED: Readonly<Record<string, string>> = {
  ERROR: "MISSING_COLLSEQ RETRY SNAPSHOT RESERVESIZE KEY UNABLE",
  ABORT: "_ ROLLBACK",
  BUSY: "RECOVERY SNAPSHOT TIMEOUT",
  LOCKED: "SHAREDCACHE VTAB",
  READONLY: "RECOVERY CANTLOCK ROLLBACK DBMOVED CANTINIT DIRECTORY",
  IOERR:
    "READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS CHECKRESERVEDLOCK LOCK CLOSE DIR_CLOSE " +
    "SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP GETTEMPPATH CONVPATH VNODE AUTH BEGIN_ATOMIC COMMIT_ATOMIC ROLLBACK_ATOMIC DATA " +
    "CORRUPTFS IN_PAGE",
  CORRUPT: "VTAB SEQUENCE INDEX",
  CANTOPEN: "NOTEMPDIR ISDIR FULLPATH CONVPATH DIRTYWAL SYMLINK",
  CONSTRAINT: "CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE",
  AUTH: "USER",
  NOTICE: "RECOVER_WAL RECOVER_ROLLBACK RBU",
  WARNING: "AUTOINDEX",
};

/** An error of SQLite. */
export class SqliteError extends Error {
  override readonly name = "SqliteError";

  constructor(
    message: string,
    /** The name of the extended result code. */
    readonly code: string,
  ) {
    super(message);
  }
}

/**
 * The name of a result code: 13 is SQLITE_FULL, 778 SQLITE_IOERR_WRITE. Unknown extended codes get the name of their
 * primary code.
 */
export function resultCodeName(code: number): string {
  const primary = PRIMARY[code & 0xff];
  if (primary === undefined) return `SQLITE_${code}`;
  const extended = EXTENDED[primary]?.split(" ")[(code >> 8) - 1];
  return extended === undefined ? `SQLITE_${primary}` : `SQLITE_${primary}_${extended}`;
}
