import { type ArchiveLocation, isFile } from "../contract/archive-location.ts";
import { WRITTEN_MEMORY } from "../contract/reading-memory.ts";
import { openFinished } from "../sqlite/reading/finished-archive.ts";

/**
 * Values that the pipeline stored in an archive file, up to the first that is missing, after comparing the checksums of
 * the file.
 * @param keyOf the key of a value by its number
 */
export function storedBytes(location: ArchiveLocation, keyOf: (piece: number) => string): readonly Uint8Array[] {
  if (!isFile(location)) return [];
  return openFinished(location.file, WRITTEN_MEMORY, ({ database, meta }) => {
    try {
      const values: Uint8Array[] = [];
      for (;;) {
        const value = meta.get(keyOf(values.length));
        if (!(value instanceof Uint8Array)) return values;
        values.push(value);
      }
    } finally {
      database.close();
    }
  });
}
