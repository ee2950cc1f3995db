import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { runDirectoriesIn } from "../../extraction/publishing/run-directory.ts";
import type { Archive } from "../../mail/archive.ts";
import { importNamesIn } from "../../store/archive/import-locations.ts";
import type { ArchiveLocation } from "../../store/contract/archive-location.ts";
import { ONE_QUERY_MEMORY, SCAN_CACHE } from "../../store/contract/reading-memory.ts";
import type { SearchedArchive } from "../../store/contract/searched-archive.ts";

/**
 * A reader of an archive. Repairs made before reading are logged. The signal is used only if there is something to
 * clean up.
 */
export interface Reader {
  readonly signal: AbortSignal;
  readonly log: { warning(line: string): void };
}

/**
 * Opens a `<source>` argument: an output directory, its archive.db, or a single extraction.json. Throws like
 * `locateArchive`.
 */
export async function openNamedArchive(source: string, reader: Reader): Promise<Archive> {
  const location = await locateSource(source, reader);
  const { openArchive } = await import("../../store/archive/open-archive.ts");
  return openArchive(location);
}

/** Opens a `<source>` argument, and closes it after its use. */
export async function withNamedArchive<T>(
  source: string,
  reader: Reader,
  use: (archive: Archive) => Promise<T>,
): Promise<T> {
  const archive = await openNamedArchive(source, reader);
  return use(archive).finally(() => archive.close());
}

/** The same for a single scan, with little memory. */
export async function openArchiveForScan(source: string, reader: Reader): Promise<Archive> {
  const location = await locateSource(source, reader);
  const { openArchive } = await import("../../store/archive/open-archive.ts");
  return openArchive(location, SCAN_CACHE);
}

/** The same for one query. */
export async function openNamedSearch(source: string, reader: Reader): Promise<SearchedArchive> {
  const location = await locateSource(source, reader);
  const { openSearch } = await import("../../store/archive/open-search.ts");
  return openSearch(location, ONE_QUERY_MEMORY);
}

/** The same for a server and a known location: queries run in a separate thread. */
export async function openLocatedArchive(location: ArchiveLocation): Promise<Archive> {
  const { openArchiveWithSearchThread } = await import("../../store/archive/open-with-search-thread.ts");
  return openArchiveWithSearchThread(location);
}

/** Commands that open an archive load the store; help and argument errors do not. */
export async function locateSource(source: string, reader: Reader): Promise<ArchiveLocation> {
  await settleSource(source, reader);
  const { locateArchive } = await import("../../store/archive/locate-archive.ts");
  return locateArchive(source, (documentPath) => importedArchive(documentPath, reader));
}

/** Archive of a document, possibly imported now, which takes as long as an extraction. */
async function importedArchive(documentPath: string, { signal }: Reader): Promise<ArchiveLocation> {
  const { performWork } = await import("../terminal/command-work.ts");
  const { removeImport } = await import("../../store/archive/document-cache.ts");
  const name = `${process.pid}-${process.hrtime.bigint()}`;
  const work = { kind: "import", documentPath, cacheDirectory: cacheDirectory(), name } as const;
  return performWork(work, {
    signal,
    onEvent: () => undefined,
    cleanUp: () => removeImport(work.cacheDirectory, work.name),
  });
}

/**
 * Prepares a `<source>` for reading: repairs what interrupted runs left next to it, and interrupted imports in the
 * cache, and reports that on stderr. Throws OUTPUT_UNFINISHED and ARCHIVE_DAMAGED.
 */
export async function settleSource(source: string, reader: Reader): Promise<void> {
  await settleImports(reader);
  const directory = directoryOf(source);
  if (directory === null || runDirectoriesIn(directory).length === 0) return;
  const { settleOutput } = await import("../../extraction/publishing/output-claim.ts");
  for (const note of await settleOutput(directory, reader.signal)) reader.log.warning(note);
}

/** Stores are loaded only if there is something to clean up. */
async function settleImports({ log }: Reader): Promise<void> {
  const cache = cacheDirectory();
  if (importNamesIn(cache).length === 0) return;
  const { removeDeadImports } = await import("../../store/archive/document-cache.ts");
  for (const note of removeDeadImports(cache, Date.now())) log.warning(note);
}

/** Returns the directory that a `<source>` names or that contains it. */
export function directoryOf(source: string): string | null {
  try {
    return statSync(source).isDirectory() ? source : dirname(source);
  } catch {
    return null;
  }
}

/** Directory of archives imported from documents, by the XDG base directory specification. */
export function cacheDirectory(): string {
  const base = process.env["XDG_CACHE_HOME"];
  return join(base === undefined || base === "" ? join(homedir(), ".cache") : base, "archivetool");
}
