import { randomBytes } from "node:crypto";
import { basename, resolve } from "node:path";
import { hashSource } from "../../../extraction/reading/hash-source.ts";
import { hashOfSources } from "../../../mail/records/source-hashes.ts";
import type { UploadOptions, UploadRecord } from "../../../mail/uploads.ts";
import { inspectInput, unreadableNote } from "../../../sources/finding/resolve-input.ts";
import { openSource } from "../../../sources/formats/detect-format.ts";
import { hashFile } from "../../../sources/reading/source-hash.ts";
import { inspectArchive } from "../../../unpacking/unpack-archive.ts";
import { UNPACK_LIMITS } from "../../../unpacking/unpack-limits.ts";
import { openDataDirectory, requireUnshared } from "../base/data-directory.ts";
import { newUploadId } from "../base/upload-id.ts";
import { openCatalog, type SharedStore } from "../service/service.ts";

/** Local paths to extract in place, each as an upload. */
interface PathImport {
  /** `--data`. */
  readonly dataDirectory: string;
  /** The database that the services of the directory share; null if the catalog is a file. */
  readonly store: SharedStore | null;
  readonly paths: readonly string[];
  readonly options: UploadOptions;
}

/**
 * Checks every path, then queues them all for a running service or the next one that starts. Copies nothing. Throws
 * errors of `openSource` and `inspectArchive`, OUTPUT_NOT_OURS and OUTPUT_UNWRITABLE without queueing any.
 */
export async function importPaths(
  { dataDirectory, store, paths, options }: PathImport,
  signal: AbortSignal,
): Promise<readonly UploadRecord[]> {
  const described: DescribedPath[] = [];
  for (const path of paths) {
    described.push(await describePath(resolve(path), { password: options.password, signal }));
    signal.throwIfAborted();
  }
  const directory = openDataDirectory(dataDirectory);
  if (store === null) requireUnshared(directory);
  const catalog = await openCatalog(directory, store).finally(() => store?.blobs?.close());
  try {
    const added: UploadRecord[] = [];
    for (const path of described)
      added.push(await catalog.add({ ...path, uploadId: newUploadId(randomBytes), createdAt: Date.now(), options }));
    return added;
  } finally {
    await catalog.close();
  }
}

interface DescribedPath {
  readonly filename: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly sourcePath: string;
}

interface Look {
  readonly password: string | null;
  readonly signal: AbortSignal;
}

async function describePath(path: string, { password, signal }: Look): Promise<DescribedPath> {
  const about = { filename: basename(path), sourcePath: path };
  const given = inspectInput(path);
  const found: { readonly sha256: string; readonly sizeBytes: number }[] = [];
  for (const plain of given.paths) {
    const skipProtected = given.paths.length + given.packed.length > 1;
    const source = await openSource(plain, { password, skipProtected }).catch((error: unknown) => {
      // If one of many sources is unreadable, reading reports it later.
      if (!given.areFound || unreadableNote(error, plain) === null) throw error;
      return null;
    });
    if (source === null) continue;
    found.push({ sizeBytes: source.sizeBytes, sha256: await hashSource(source) });
  }
  for (const packed of given.packed) {
    if (packed.isNamed) await inspectArchive(packed.path, UNPACK_LIMITS, signal, "skipped");
    found.push(await hashFile(packed.path));
  }
  return {
    ...about,
    sizeBytes: found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    sha256: hashOfSources(found.map(({ sha256 }) => sha256)),
  };
}
