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

/** A source where it lies now, and what an archive calls it: of what was packed, the packed file and the way in it. */
export interface SourcePlace {
  readonly path: string;
  readonly name: string;
}

/** A packed file with mail in it. */
export interface PackedFile {
  readonly path: string;
  /** True when somebody named it, and not only the directory in which it was found. */
  readonly isNamed: boolean;
}

/** What a path holds that somebody names as a source. */
interface InputSource {
  /** Sources found there, each a path for `openSource`. */
  readonly paths: readonly string[];
  /** True when they were found in a directory, and none of them was named. */
  readonly areFound: boolean;
  readonly packed: readonly PackedFile[];
  /** What was left out. */
  readonly notes: readonly Warning[];
}

/**
 * Looks at a path that somebody names: a file is a source or packed, a directory of messages is one source, and of a
 * directory with mailbox files or packed files in it (a profile of Thunderbird, a folder of PSTs) each is one. A path
 * that cannot be looked at is given back: `openSource` says why.
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
 * True for a zip, tar or gzip file, whatever its name, unless that names a format that is kept in a zip file. Throws
 * SOURCE_UNREADABLE.
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
    const { unpackArchive } = await import("../../unpacking/unpack-archive.ts");
    await unpackArchive(path, root, UNPACK_LIMITS, signal);
    const found = findSources(root, "left out");
    if (found.paths.length === 0) throw new ArchiveError("SOURCE_EMPTY", "it contains no readable mail");
    const nameOf = (inside: string): string => path + inside.slice(root.length);
    const places = found.paths.map((inside) => ({ path: inside, name: nameOf(inside) }));
    return { places, notes: leftOutNotes(found, nameOf) };
  } catch (error) {
    const note = isNamed ? null : unreadableNote(error, path);
    if (note !== null) return { places: [], notes: [note] };
    if (!(error instanceof ArchiveError)) throw error;
    throw new ArchiveError(error.code, `${path}: ${error.message}`, { hint: error.hint, cause: error });
  }
}

/** What is wrong with a file itself, and with nothing else. */
const FAULTS_OF_FILES: ReadonlySet<string> = new Set([
  "DAMAGED_SOURCE",
  "SOURCE_EMPTY",
  "UNSAFE_ARCHIVE",
  "UNSUPPORTED_FORMAT",
]);

/**
 * The note on a file that was found in a directory or in a packed file and cannot be read: one of many does not end the
 * run. Null for what is no fault of the file.
 */
export function unreadableNote(error: unknown, name: string): Warning | null {
  if (!(error instanceof ArchiveError) || !FAULTS_OF_FILES.has(error.code)) return null;
  return { code: "unreadable-file", message: `skipped: ${error.message}`, ...place(name) };
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

/** A note for a file of another mail program says what to do with it. */
function leftOutNote(path: string, name: string): Warning {
  try {
    const { code, message } = skipReason(readHead(path), path);
    if (code !== "not-a-message") return { code, message, ...place(name) };
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    const code = systemErrorCode(error.cause);
    // It may also be a directory that is not read, or be gone.
    if (READING_FAULTS.has(code ?? ""))
      return { code: "unreadable-file", message: `skipped: it cannot be read (${code})`, ...place(name) };
  }
  return { code: "not-a-message", message: "no readable mail: the file was skipped", ...place(name) };
}

function place(location: string | null): Pick<Warning, "source" | "location" | "sha256"> {
  return { source: null, location, sha256: null };
}
