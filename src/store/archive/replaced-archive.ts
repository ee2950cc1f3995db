import { type Stats, statSync } from "node:fs";
import { type ArchiveLocation, isFile } from "../contract/archive-location.ts";

/**
 * Returns a function that tests whether the archive was replaced since this call: extractions publish a new file under
 * the same name, and open handles keep reading the old one.
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
