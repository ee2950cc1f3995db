import { ArchiveError } from "../errors.ts";

/** NAME_MAX of Linux and macOS, in bytes: a longer name cannot be written. */
const MAX_SEGMENT_BYTES = 255;
/**
 * Maximum bytes of a whole path: half of PATH_MAX (4,096), so that the directory it is unpacked into fits before it.
 */
const MAX_PATH_BYTES = 2048;
/** Maximum levels of a path. Real trees have fewer than twenty; each level of each entry may be an inode. */
const MAX_DEPTH = 64;
/** Maximum characters of a name in a message. */
const MAX_SHOWN = 80;

/** Error for a malicious archive, or one that resembles it. `what` describes the problem of the named entry. */
export function unsafeEntry(name: string, what: string, hint?: string): ArchiveError {
  return new ArchiveError(
    "UNSAFE_ARCHIVE",
    `archive rejected: ${displayName(name)} ${what}`,
    hint === undefined ? {} : { hint },
  );
}

/** A name as shown in a message: quoted, truncated, without characters that move the cursor or reverse the text. */
export function displayName(name: string): string {
  const cut = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
  return JSON.stringify(cut.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\ufffd"));
}

/**
 * Relative path of an entry without empty or `.` segments, with `/` between levels; "" is the directory itself. Paths
 * that may lead elsewhere are rejected, not repaired: no program that packs mail writes them. @throws ArchiveError
 * UNSAFE_ARCHIVE
 */
export function entryPath(name: string): string {
  if (name === "") throw unsafeEntry(name, "has no name");
  if (name.includes("\0")) throw unsafeEntry(name, "has a NUL in its name");
  if (name.includes("\\")) throw unsafeEntry(name, "has a backslash in its name");
  if (name.startsWith("/")) throw unsafeEntry(name, "is an absolute path");
  if (/^[A-Za-z]:/.test(name)) throw unsafeEntry(name, "starts with a drive letter");
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.length > MAX_DEPTH) throw unsafeEntry(name, `is nested more than ${MAX_DEPTH} levels deep`);
  for (const segment of segments) {
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
      throw unsafeEntry(name, `has a name longer than ${MAX_SEGMENT_BYTES} bytes`);
  }
  if (climbs(name)) throw unsafeEntry(name, "points outside the archive");
  const path = segments.join("/");
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw unsafeEntry(name, `has a path longer than ${MAX_PATH_BYTES} bytes`);
  return path;
}

/**
 * True if a segment is `..`, or becomes one by Unicode NFKC folding: full-width dots and slashes, two dots in one
 * character. A full-width slash alone is common in file names made from subjects, and allowed.
 */
function climbs(name: string): boolean {
  return name.normalize("NFKC").split(/[/\\]/).includes("..") || name.split("/").includes("..");
}
