import { type Stats, statSync } from "node:fs";
import { type ArchiveLocation, isFile } from "../contract/archive-location.ts";

/**
 * Tells whether another archive has taken the place of the one that was there at the time of this call: extractions
 * publish a new file under the same name, and whoever has the old one open keeps reading that.
 */
export function replacementOf(location: ArchiveLocation): () => boolean {
  if (!isFile(location)) return () => false;
  const opened = statOf(location.file);
  return () => {
    const now = statOf(location.file);
    return now === null || now.ino !== opened?.ino || now.dev !== opened.dev;
  };
}

function statOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}
