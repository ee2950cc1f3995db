import { type ArchiveLocation, isFile } from "../contract/archive-location.ts";
import type { StoredNotebook } from "../contract/notebook-location.ts";
import { fileNotebook } from "../notebook/open-notebook.ts";

/** The notebook of a served archive; null for a collection whose notebook this user cannot write. */
export async function openNotebookAt(location: ArchiveLocation): Promise<StoredNotebook | null> {
  if (isFile(location)) return fileNotebook(location);
  const { openCollectionNotebook } = await import("../postgres/service/collection-notebook.ts");
  return openCollectionNotebook(location);
}
