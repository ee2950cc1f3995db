import { type ArchiveLocation, isFile } from "../contract/archive-location.ts";
import { WRITTEN_MEMORY } from "../contract/reading-memory.ts";
import { openFinished } from "../sqlite/reading/finished-archive.ts";

/** A value that the pipeline stored in an archive file, after comparing its checksums; null if missing. */
export function storedValue(location: ArchiveLocation, key: string): string | Uint8Array | null {
  if (!isFile(location)) return null;
  return openFinished(location.file, WRITTEN_MEMORY, ({ database, meta }) => {
    try {
      return meta.get(key);
    } finally {
      database.close();
    }
  });
}
