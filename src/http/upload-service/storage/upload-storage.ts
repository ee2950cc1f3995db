import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { PRIVATE_DIRECTORY, syncDirectoryAsync } from "../../../files/durable-files.ts";
import type { DataDirectory } from "../base/data-directory.ts";
import type { ReceivedFile } from "./received-file.ts";

/**
 * Moves a received file into the data directory. Every directory on its path is synced before the catalog has the
 * upload.
 */
export async function moveSource(directory: DataDirectory, { uploadId, filename, path }: ReceivedFile): Promise<void> {
  const source = directory.sourceDirectory(uploadId);
  await mkdir(source, { recursive: true, mode: PRIVATE_DIRECTORY });
  await rename(path, join(source, filename));
  for (const changed of [source, directory.uploadDirectory(uploadId), directory.uploads])
    await syncDirectoryAsync(changed);
}
