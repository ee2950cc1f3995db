import { homedir } from "node:os";
import { join } from "node:path";
import type { Archive } from "../mail/archive.ts";
import { openArchiveWithSearchThread } from "../store/archive-thread.ts";
import { locateArchive } from "../store/locate-archive.ts";
import { openArchive } from "../store/open-archive.ts";

/** Opens what a `<source>` argument names: an output directory, its archive.db, or an extraction.json alone. Throws as `locateArchive`. */
export async function openNamedArchive(source: string): Promise<Archive> {
  return openArchive(await locateArchive(source, cacheDirectory()));
}

/** The same for a server: queries run in a thread of their own. */
export async function openServedArchive(source: string): Promise<Archive> {
  return openArchiveWithSearchThread(await locateArchive(source, cacheDirectory()));
}

/** Where stores made of documents are kept: the user's cache directory by the XDG base directory specification. */
export function cacheDirectory(): string {
  const base = process.env["XDG_CACHE_HOME"];
  return join(base === undefined || base === "" ? join(homedir(), ".cache") : base, "archivetool");
}
