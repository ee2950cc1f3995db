import { type ArchiveLocation, isFile } from "../contract/archive-location.ts";
import type { DatabaseWatch } from "../contract/database-watch.ts";

/** Watches the database of an archive; null for a file. */
export async function watchArchive(location: ArchiveLocation): Promise<DatabaseWatch | null> {
  if (isFile(location)) return null;
  const { watchDatabase } = await import("../postgres/client/database-watch.ts");
  return watchDatabase(location.server);
}
