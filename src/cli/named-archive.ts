import { homedir } from "node:os";
import { join } from "node:path";
import type { Archive } from "../mail/archive.ts";

/** Opens what a `<source>` argument names: an output directory, its archive.db, or an extraction.json alone. Throws as `locateArchive`. */
export async function openNamedArchive(source: string): Promise<Archive> {
  const path = await locate(source);
  const { openArchive } = await import("../store/open-archive.ts");
  return openArchive(path);
}

/** The same for searching alone. */
export async function openNamedSearch(source: string): Promise<Pick<Archive, "search" | "close">> {
  const path = await locate(source);
  const { openSearch } = await import("../store/open-search.ts");
  return openSearch(path);
}

/** The same for a server: queries run in a thread of their own. */
export async function openServedArchive(source: string): Promise<Archive> {
  const path = await locate(source);
  const { openArchiveWithSearchThread } = await import("../store/archive-thread.ts");
  return openArchiveWithSearchThread(path);
}

/** The store is loaded by the commands that open one; help and errors in arguments need none. */
async function locate(source: string): Promise<string> {
  const { locateArchive } = await import("../store/locate-archive.ts");
  return locateArchive(source, cacheDirectory());
}

/** Where stores made of documents are kept: the user's cache directory by the XDG base directory specification. */
export function cacheDirectory(): string {
  const base = process.env["XDG_CACHE_HOME"];
  return join(base === undefined || base === "" ? join(homedir(), ".cache") : base, "archivetool");
}
