import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_DIRECTORY, replaceFile, syncDirectory } from "../files/durable-files.ts";
import { importDocument } from "./import-document.ts";
import { createArchive } from "./sqlite/archive-writer.ts";
import { SCHEMA_VERSION } from "./sqlite/schema.ts";

/** Bytes read at a time from a document. */
const READ_BYTES = 1 << 20;

/**
 * The store made of an extraction.json, made now unless it was before: `cacheDirectory` keeps it under the SHA-256 of the document.
 *
 * @param work names what is being made, as no other import does.
 * @throws ArchiveError DOCUMENT_INVALID for a document that breaks its schema.
 */
export async function storeOfDocument(documentPath: string, cacheDirectory: string, work: string): Promise<string> {
  const target = join(cacheDirectory, `${await sha256Of(documentPath)}-v${SCHEMA_VERSION}.db`);
  if (existsSync(target)) return target;
  // Mail of whoever runs this: nobody else needs to read it.
  mkdirSync(cacheDirectory, { recursive: true, mode: PRIVATE_DIRECTORY });
  const workDirectory = importDirectory(cacheDirectory, work);
  mkdirSync(workDirectory, { mode: PRIVATE_DIRECTORY });
  try {
    const path = join(workDirectory, "archive.db");
    const writer = createArchive(path);
    try {
      await importDocument(() => createReadStream(documentPath, { highWaterMark: READ_BYTES }), writer);
      writer.finish();
    } catch (error) {
      writer.abort();
      throw error;
    }
    replaceFile(path, target);
    syncDirectory(cacheDirectory);
    return target;
  } finally {
    rmSync(workDirectory, { recursive: true, force: true });
  }
}

/** Where a store is made of a document. */
function importDirectory(cacheDirectory: string, work: string): string {
  return join(cacheDirectory, `import-${work}`);
}

/** Removes what an import left in the cache that was ended while it was at work. */
export function removeImport(cacheDirectory: string, work: string): void {
  rmSync(importDirectory(cacheDirectory, work), { recursive: true, force: true });
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
