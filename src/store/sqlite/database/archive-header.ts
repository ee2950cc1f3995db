import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import { readFully } from "../../../files/read-fully.ts";

/**
 * Size of the header of a SQLite database, and offsets in it: page size, change counter, number of pages, user version,
 * change counter at the last count of pages. @see https://sqlite.org/fileformat2.html#the_database_header
 */
const HEADER_BYTES = 100;
const PAGE_SIZE_AT = 16;
const CHANGES_AT = 24;
const PAGES_AT = 28;
const USER_VERSION_AT = 60;
const COUNTED_AT = 92;
/** The page size that does not fit in two bytes, and the value that represents it. */
const LARGEST_PAGE_BYTES = 65_536;
const LARGEST_PAGE_MARK = 1;
/** First bytes of every SQLite database. */
export const SQLITE_SIGNATURE = "SQLite format 3\0";

/**
 * Checks that a file has the length in its header, with one read: power failures and interrupted copies truncate files.
 * Throws ARCHIVE_DAMAGED, and NOT_AN_ARCHIVE for a directory; other file types are left to the caller.
 */
export function requireWholeFile(path: string): void {
  const header = Buffer.alloc(HEADER_BYTES);
  const sizeBytes = sizeWithHeader(path, header);
  if (sizeBytes === null) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
    throw new ArchiveError("NOT_AN_ARCHIVE", `${path} is a directory, not an archive`);
  }
  if (header.every((byte) => byte === 0)) throw damaged(path, sizeBytes === 0 ? "it is empty" : "it starts with zeros");
  if (header.toString("latin1", 0, SQLITE_SIGNATURE.length) !== SQLITE_SIGNATURE) return;
  const mark = header.readUInt16BE(PAGE_SIZE_AT);
  const pageBytes = mark === LARGEST_PAGE_MARK ? LARGEST_PAGE_BYTES : mark;
  const isCounted = header.readUInt32BE(CHANGES_AT) === header.readUInt32BE(COUNTED_AT);
  const wholeBytes = header.readUInt32BE(PAGES_AT) * pageBytes;
  if (isCounted && sizeBytes < wholeBytes) throw damaged(path, `it has ${sizeBytes} of ${wholeBytes} bytes`);
}

/** The schema version in the header of an archive; null if the file cannot be read. */
export function schemaVersionIn(path: string): number | null {
  const header = Buffer.alloc(HEADER_BYTES);
  return sizeWithHeader(path, header) === null ? null : header.readUInt32BE(USER_VERSION_AT);
}

/** Returns the size of the file; null if it cannot be read, which opening it will report. */
function sizeWithHeader(path: string, header: Buffer): number | null {
  try {
    const file = openSync(path, "r");
    try {
      readFully(file, header, 0);
      return fstatSync(file).size;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return null;
  }
}

function damaged(path: string, what: string): ArchiveError {
  return new ArchiveError("ARCHIVE_DAMAGED", `${path} is damaged: ${what}`);
}
