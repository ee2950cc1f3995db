import { existsSync } from "node:fs";
import { basename, join } from "node:path";

/** The file of an output directory that is its archive. */
export const ARCHIVE_FILE = "archive.db";

/** Where an archive is kept. Plain data that crosses threads; what is in it only the store knows. */
export interface ArchiveLocation {
  readonly file: string;
  /** True where nobody may ask for what is written beside it. */
  readonly isNotebookHidden?: true;
}

/** The place of the archive of an output directory, whether there is one or not. */
export function archiveIn(directory: string): ArchiveLocation {
  return { file: join(directory, ARCHIVE_FILE) };
}

/** An archive that is a file of another name. */
export function archiveAt(file: string): ArchiveLocation {
  return { file };
}

/** The place of one of several archives that a directory keeps by their names. */
export function archiveNamed(directory: string, name: string): ArchiveLocation {
  return { file: join(directory, `${name}.db`) };
}

export function isArchiveThere({ file }: ArchiveLocation): boolean {
  return existsSync(file);
}

/** What messages call an archive, and what no two have in common. */
export function nameOfArchive({ file }: ArchiveLocation): string {
  return file;
}

/** True for the path of the archive in, or below, an output directory. */
export function isArchivePath(path: string): boolean {
  return basename(path) === ARCHIVE_FILE;
}
