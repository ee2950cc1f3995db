import { mkdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { encodePath } from "../../files/path-text.ts";
import type { Warning } from "../../mail/records/provenance.ts";
import { formatOfName } from "../../mail/records/source-formats.ts";
import { archiveFormat, unpackedName } from "../../unpacking/archive-format.ts";
import { UNPACK_LIMITS } from "../../unpacking/unpack-limits.ts";
import { packagedMailbox } from "../mbox/mbox.ts";
import { READING_FAULTS } from "../reading/disk-faults.ts";
import { skipReason } from "../reading/foreign-mail.ts";
import { isUnreadable, readHead } from "../reading/read-head.ts";
import { findSources, type SourceListing } from "./find-sources.ts";

/**
 * A source at its current location, and its name in the archive; for an unpacked source, the packed file and the path
 * inside it.
 */
export interface SourcePlace {
  readonly path: string;
  readonly name: string;
}

/** A packed file with mail in it. */
export interface PackedFile {
  readonly path: string;
  /** True if the user named it; false if it was found in a directory. */
  readonly isNamed: boolean;
}

/** Content of a path that the user named as a source. */
interface InputSource {
  /** Sources found there, each a path for `openSource`. */
  readonly paths: readonly string[];
  /** True if they were found in a directory and none was named. */
  readonly areFound: boolean;
  readonly packed: readonly PackedFile[];
  /** Skipped files. */
  readonly notes: readonly Warning[];
}

/**
 * Inspects a path that the user named. A file is a source or packed; a directory of messages is one source; in a
 * directory with mailbox files or packed files (a Thunderbird profile, a folder of PSTs), each is one. An unreadable
 * path is returned as it is: `openSource` reports the cause.
 */
export function inspectInput(path: string): InputSource {
  const alone: InputSource = { paths: [path], areFound: false, packed: [], notes: [] };
  try {
    if (isPackedFile(path)) return { ...alone, paths: [], packed: [{ path, isNamed: true }] };
    if (!statSync(encodePath(path)).isDirectory() || packagedMailbox(path) !== null) return alone;
    const found = findSources(path, "found");
    if (found.mailboxFiles === 0 && found.packed.length === 0) return alone;
    const packed = found.packed.map((file) => ({ path: file, isNamed: false }));
    return { paths: found.paths, areFound: true, packed, notes: leftOutNotes(found, (file) => file) };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return alone;
  }
}

/**
 * True for a zip, tar or gzip file and a mailbox of UTF-16 text, whatever its name, unless its extension belongs to a
 * format that is itself a zip file. Throws SOURCE_UNREADABLE.
 */
export function isPackedFile(path: string): boolean {
  if (statSync(encodePath(path), { throwIfNoEntry: false })?.isFile() !== true) return false;
  const packed = archiveFormat(readHead(path));
  return packed !== null && !(packed === "zip" && formatOfName(path)?.isZip === true);
}

/** Contents of a packed file. */
interface UnpackedMail {
  readonly places: readonly SourcePlace[];
  readonly notes: readonly Warning[];
}

/**
 * Unpacks a file into a new directory and finds the mail in it. A file that was only found in a directory, and cannot
 * be unpacked or contains no mail, becomes a note.
 * @throws as `unpackArchive`, and SOURCE_EMPTY if a file named by the user contains no mail
 */
export async function unpackMail(
  { path, isNamed }: PackedFile,
  directory: string,
  signal: AbortSignal,
): Promise<UnpackedMail> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Mailboxes at its top level are named after it.
    const root = join(directory, unpackedName(basename(path)));
    // Most mail is not packed.
    const { unpackReadable } = await import("../../unpacking/unpack-archive.ts");
    const { damage } = await unpackReadable(path, root, UNPACK_LIMITS, signal);
    const found = findSources(root, "left out");
    if (found.paths.length === 0 && damage !== null) throw new ArchiveError("DAMAGED_SOURCE", damage);
    if (found.paths.length === 0) throw new ArchiveError("SOURCE_EMPTY", "it contains no readable mail");
    const nameOf = (inside: string): string => path + inside.slice(root.length);
    const places = found.paths.map((inside) => ({ path: inside, name: nameOf(inside) }));
    return { places, notes: [...damageNotes(damage, path), ...leftOutNotes(found, nameOf)] };
  } catch (error) {
    const note = isNamed ? null : unreadableNote(error, path);
    if (note !== null) return { places: [], notes: [note] };
    if (!(error instanceof ArchiveError)) throw error;
    throw new ArchiveError(error.code, `${path}: ${error.message}`, { hint: error.hint, cause: error });
  }
}

/** Errors caused by the file itself. */
const FAULTS_OF_FILES: ReadonlySet<string> = new Set([
  "DAMAGED_SOURCE",
  "SOURCE_EMPTY",
  "UNSAFE_ARCHIVE",
  "UNSUPPORTED_FORMAT",
]);

/**
 * Note about an unreadable file that was found in a directory or packed file and does not end the run. Returns null
 * for other errors.
 */
export function unreadableNote(error: unknown, name: string): Warning | null {
  if (!(error instanceof ArchiveError) || !FAULTS_OF_FILES.has(error.code)) return null;
  return { code: "unreadable-file", message: `skipped: ${error.message}`, ...place(name) };
}

function damageNotes(damage: string | null, path: string): readonly Warning[] {
  if (damage === null) return [];
  return [{ code: "file-truncated", message: `read as far as possible: ${damage}`, ...place(path) }];
}

/** Notes about files outside message directories that are not messages, as such a directory reports its own. */
function leftOutNotes(found: SourceListing, nameOf: (path: string) => string): readonly Warning[] {
  const notes = found.leftOut.map((path) => leftOutNote(path, nameOf(path)));
  const unnamed = found.leftOutCount - found.leftOut.length;
  if (unnamed === 0) return notes;
  return [
    ...notes,
    { code: "not-a-message", message: `${unnamed} more files contain no readable mail`, ...place(null) },
  ];
}

/** Adds advice for files of other mail programs. */
function leftOutNote(path: string, name: string): Warning {
  try {
    const { code, message } = skipReason(readHead(path), path);
    if (code !== "not-a-message") return { code, message, ...place(name) };
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    const code = systemErrorCode(error.cause);
    // It may also be an unreadable directory, or missing.
    if (READING_FAULTS.has(code ?? ""))
      return { code: "unreadable-file", message: `skipped: it cannot be read (${code})`, ...place(name) };
  }
  return { code: "not-a-message", message: "no readable mail: the file was skipped", ...place(name) };
}

function place(location: string | null): Pick<Warning, "source" | "location" | "sha256"> {
  return { source: null, location, sha256: null };
}
