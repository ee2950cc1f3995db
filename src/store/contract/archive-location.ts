import { existsSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { ArchiveError } from "../../errors.ts";

/** The file of an output directory that is its archive. */
export const ARCHIVE_FILE = "archive.db";
/**
 * Empty file that is locked by the process writing to an output directory. It is never removed: see
 * `acquireFileLock`.
 */
export const OUTPUT_LOCK_FILE = ".archivetool-lock";

/** An archive file. */
export interface FileLocation {
  readonly file: string;
  /** True if the notebook must not be read. */
  readonly isNotebookHidden?: true;
}

/** An archive that is a collection of a PostgreSQL database. */
export interface CollectionLocation {
  /** postgres://user@host:port/database */
  readonly server: string;
  readonly collection: string;
  readonly isNotebookHidden?: true;
}

/** Location of an archive. Plain data that can be posted to threads, opaque outside the store. */
export type ArchiveLocation = FileLocation | CollectionLocation;

/** Location of the archive in an output directory, even if it does not exist. */
export function archiveIn(directory: string): FileLocation {
  return { file: join(directory, ARCHIVE_FILE) };
}

/** An archive that is a file of another name. */
export function archiveAt(file: string): FileLocation {
  return { file };
}

/** The location of a new archive at a path: a file with the database extension, otherwise a directory. */
export function newArchiveLocation(path: string): FileLocation {
  return extname(path) === extname(ARCHIVE_FILE) ? archiveAt(path) : archiveIn(path);
}

/** Location of an archive by its name in a directory. */
export function archiveNamed(directory: string, name: string): FileLocation {
  return { file: join(directory, `${name}.db`) };
}

/** True for the URL of a database server. */
export function isServerUrl(source: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(source);
}

/** Longest name of a collection, in characters: it appears in messages and in one row. */
const MAX_NAME_LENGTH = 200;

/** The collection that a URL names after its `#`. Throws INVALID_ARGUMENT. */
export function archiveAtUrl(source: string): CollectionLocation {
  if (!URL.canParse(source)) throw new ArchiveError("INVALID_ARGUMENT", "invalid database URL");
  const url = new URL(source);
  const collection = decoded(url.hash.slice(1));
  if (collection === "")
    throw new ArchiveError("INVALID_ARGUMENT", `${withoutSecrets(url)} does not name a collection`, {
      hint: "name one with --collection NAME or after #: postgres://host/database#NAME",
    });
  url.hash = "";
  return archiveOnServer(url.href, collection);
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Returns a URL without secrets, for messages. */
function withoutSecrets(url: URL): string {
  const shown = new URL(url);
  shown.password = "";
  // The query string can contain a password as well.
  shown.search = "";
  return shown.href;
}

/** Name of a database in messages. */
export function nameOfServer(server: string): string {
  return withoutSecrets(new URL(server));
}

/** A `<source>` in messages, without the password of a URL. */
export function displaySource(source: string): string {
  return isServerUrl(source) ? nameOfArchive(archiveAtUrl(source)) : source;
}

/**
 * A collection of the database that a URL names. Throws INVALID_ARGUMENT for an invalid URL, and for a name that is
 * empty, too long or not printable.
 */
export function archiveOnServer(server: string, collection: string): CollectionLocation {
  if (!URL.canParse(server)) throw new ArchiveError("INVALID_ARGUMENT", "invalid database URL");
  if (collection === "" || collection.length > MAX_NAME_LENGTH || /\p{C}/u.test(collection))
    throw new ArchiveError(
      "INVALID_ARGUMENT",
      `a collection name must have 1 to ${MAX_NAME_LENGTH} printable characters`,
    );
  return { server, collection };
}

export function isFile(location: ArchiveLocation): location is FileLocation {
  return "file" in location;
}

export function isArchiveThere({ file }: FileLocation): boolean {
  return existsSync(file);
}

/** Name of an archive in messages, without its password. */
export function nameOfArchive(location: ArchiveLocation): string {
  if (isFile(location)) return location.file;
  return `${withoutSecrets(new URL(location.server))}#${location.collection}`;
}

/** True for the path of the archive in, or below, an output directory. */
export function isArchivePath(path: string): boolean {
  return basename(path) === ARCHIVE_FILE;
}
