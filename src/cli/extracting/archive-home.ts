import { type Dirent, readdirSync, statSync } from "node:fs";
import { basename, join, parse, sep } from "node:path";
import { runDirectoriesIn } from "../../extraction/publishing/run-directory.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { sourcePath } from "./extraction-flags.ts";

/** Directory of archives created by `open`, and whether an archive there is current. */

/** An archive as its record describes it. */
export interface RecordedArchive {
  readonly sources: readonly { readonly path: string }[];
  /** Start of the run that created it; null if unknown. */
  readonly extractedAt: Instant | null;
}

/** Default name of an archive, for sources such as a whole disk. */
const NAMELESS = "mail";
/** Archives of one name. */
const MAX_NAMESAKES = 1000;

/** Name of an archive of these sources: the first without its extension, and the number of others. */
export function archiveName(files: readonly string[]): string {
  const [first = "", ...more] = files;
  const path = sourcePath(first);
  const name = isDirectory(path) ? basename(path) : withoutExtension(path);
  return `${name === "" ? NAMELESS : name}${more.length === 0 ? "" : `-and-${more.length}-more`}`;
}

/** `takeout` of `takeout.tar.gz` and of `takeout.zip`. */
function withoutExtension(path: string): string {
  const { name, ext } = parse(path);
  return ext.toLowerCase() === ".gz" ? parse(name).name : name;
}

/**
 * The directory for the archive of these sources: the first of `NAME`, `NAME-2`, `NAME-3` that is new, empty, or
 * contains an archive of at least one of them.
 */
export async function archiveHome(
  base: string,
  files: readonly string[],
  recordOf: (directory: string) => Promise<RecordedArchive | null>,
): Promise<string> {
  const name = archiveName(files);
  for (let number = 1; number < MAX_NAMESAKES; number++) {
    const directory = join(base, number === 1 ? name : `${name}-${number}`);
    if (isFree(directory)) return directory;
    const record = await recordOf(directory);
    if (record !== null && files.some((file) => isCovered(file, record))) return directory;
  }
  return join(base, `${name}-${MAX_NAMESAKES}`);
}

/**
 * True when the archive was extracted from all these files, and nothing in them has changed since. Times of change are
 * compared, and nothing is read.
 */
export function isUpToDate(files: readonly string[], record: RecordedArchive): boolean {
  const { extractedAt } = record;
  return (
    extractedAt !== null && files.every((file) => isCovered(file, record) && lastChange(sourcePath(file)) < extractedAt)
  );
}

/** True for a source of the archive, or a directory or packed file that contained one. */
function isCovered(file: string, { sources }: RecordedArchive): boolean {
  const path = sourcePath(file);
  return sources.some((source) => source.path === path || source.path.startsWith(path + sep));
}

/**
 * Milliseconds of the last change to a file, or to anything in a directory, by ctime, which copying or renaming
 * cannot preserve. Infinite if links lead elsewhere or something is unreadable.
 */
function lastChange(path: string): number {
  let last = Number.NEGATIVE_INFINITY;
  const pending = [path];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const directory = next;
    try {
      const { ctimeMs, mtimeMs } = statSync(directory);
      last = Math.max(last, ctimeMs, mtimeMs);
      for (const entry of entriesOf(directory)) {
        if (entry.isSymbolicLink()) return Number.POSITIVE_INFINITY;
        pending.push(join(directory, entry.name));
      }
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }
  return last;
}

function entriesOf(path: string): readonly Dirent[] {
  return isDirectory(path) ? readdirSync(path, { withFileTypes: true }) : [];
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** New, empty, or with leftovers of an unfinished run only. */
function isFree(directory: string): boolean {
  if (statSync(directory, { throwIfNoEntry: false }) === undefined) return true;
  return isDirectory(directory) && readdirSync(directory).length === runDirectoriesIn(directory).length;
}
