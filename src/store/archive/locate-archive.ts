import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { firstBytes } from "../../files/read-fully.ts";
import { shellWord } from "../../text/tokens/shell-word.ts";
import {
  ARCHIVE_FILE,
  type ArchiveLocation,
  archiveAt,
  archiveAtUrl,
  isArchivePath,
  isServerUrl,
} from "../contract/archive-location.ts";
import { SQLITE_SIGNATURE } from "../sqlite/database/archive-header.ts";

const DOCUMENT_FILE = "extraction.json";

/** Bytes of a file used to detect its type; a JSON document may begin with white space. */
const SNIFFED_BYTES = 1024;

/**
 * The archive that a `<source>` argument names: an output directory, its `archive.db`, an extraction.json alone, or the
 * URL of a collection. The document is imported once into a store, which `storeOf` returns for its path.
 *
 * @throws ArchiveError SOURCE_NOT_FOUND; NOT_AN_ARCHIVE, naming `extract`, for mail that was never extracted and for
 * anything else; DOCUMENT_INVALID for a document that breaks its schema.
 */
export async function locateArchive(
  source: string,
  storeOf: (documentPath: string) => Promise<ArchiveLocation>,
): Promise<ArchiveLocation> {
  if (isServerUrl(source)) return archiveAtUrl(source);
  const found = look(source);
  if (found.kind === "archive") return archiveAt(found.path);
  if (found.kind === "document") return storeOf(found.path);
  throw notAnArchive(source, found.kind);
}

/** The parts of a `<source>` argument to check; null if absent. */
interface CheckedParts {
  readonly archive: ArchiveLocation | null;
  /** The path of the document. */
  readonly document: string | null;
}

/**
 * The archive and the document of an output directory, or of one of the two. Throws SOURCE_NOT_FOUND and
 * NOT_AN_ARCHIVE.
 */
export function locateChecked(source: string): CheckedParts {
  if (isServerUrl(source)) return { archive: archiveAtUrl(source), document: null };
  const found =
    isArchivePath(source) && existsSync(source) ? ({ kind: "archive", path: source } as const) : look(source);
  if (found.kind === "document") return { archive: null, document: found.path };
  if (found.kind !== "archive") throw notAnArchive(source, found.kind);
  const beside = join(found.path, "..", DOCUMENT_FILE);
  return { archive: archiveAt(found.path), document: existsSync(beside) ? beside : null };
}

type Found =
  | { readonly kind: "archive" | "document"; readonly path: string }
  | { readonly kind: "directory" | "file"; readonly path: string };

function look(source: string): Found {
  if (!isDirectory(source)) return { kind: kindOfFile(source), path: source };
  for (const [name, kind] of [
    [ARCHIVE_FILE, "archive"],
    [DOCUMENT_FILE, "document"],
  ] as const) {
    const path = join(source, name);
    if (existsSync(path)) return { kind, path };
  }
  return { kind: "directory", path: source };
}

function notAnArchive(source: string, kind: "directory" | "file"): ArchiveError {
  const what = kind === "directory" ? `${source} does not contain ${ARCHIVE_FILE}` : `${source} is not an archive`;
  return new ArchiveError("NOT_AN_ARCHIVE", what, {
    hint: `create one first: archivetool extract ${shellWord(source, process.platform)}`,
  });
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    if (systemErrorCode(cause) === "ENOENT") throw new ArchiveError("SOURCE_NOT_FOUND", `${path} does not exist`);
    throw new ArchiveError("SOURCE_UNREADABLE", `${path} cannot be read`, { cause });
  }
}

function kindOfFile(path: string): "archive" | "document" | "file" {
  let head: Buffer;
  try {
    head = firstBytes(path, SNIFFED_BYTES);
  } catch (cause) {
    throw new ArchiveError("SOURCE_UNREADABLE", `${path} cannot be read`, { cause });
  }
  const text = head.toString("utf8");
  if (text.startsWith(SQLITE_SIGNATURE)) return "archive";
  return text
    .replace(/^\ufeff/, "")
    .trimStart()
    .startsWith("{")
    ? "document"
    : "file";
}
