import { type ArchiveLocation, isFile } from "./archive-location.ts";
import { fileNotebook, type PlacedNotebook } from "./open-notebook.ts";

/** The notebook of an archive that is served; null for a collection in whose notebook this user cannot write. */
export async function placedNotebook(location: ArchiveLocation): Promise<PlacedNotebook | null> {
  if (isFile(location)) return fileNotebook(location);
  const { openCollectionNotebook } = await import("./postgres/collection-notebook.ts");
  return openCollectionNotebook(location);
}
