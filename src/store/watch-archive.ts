import { type ArchiveLocation, isFile } from "./archive-location.ts";
import type { DatabaseWatch } from "./database-watch.ts";

/** Watches the database that an archive is kept in; null for an archive in a file. */
export async function watchArchive(location: ArchiveLocation): Promise<DatabaseWatch | null> {
  if (isFile(location)) return null;
  const { watchDatabase } = await import("./postgres/database-watch.ts");
  return watchDatabase(location.server);
}
