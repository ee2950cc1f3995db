import { mkdirSync, rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import { ArchiveError } from "../errors.ts";
import { firstBytes } from "../files/whole-bytes.ts";
import { type ArchiveFormat, archiveFormat } from "./archive-format.ts";
import type { ArchiveReading } from "./archive-reading.ts";
import { EntryLedger } from "./entry-ledger.ts";
import { DirectorySink, type EntrySink, NO_SINK } from "./entry-sink.ts";
import { readTar } from "./read-tar.ts";
import { readZip } from "./read-zip.ts";
import type { UnpackLimits } from "./unpack-limits.ts";

/** Bytes of a file that tell what archive it is: a record of a tar. */
const HEAD_BYTES = 512;

/** What an archive holds. */
export interface ArchiveListing {
  readonly format: ArchiveFormat;
  readonly files: number;
  /** Files that are archives themselves by their name; they are not unpacked again. */
  readonly nestedArchives: number;
  /** Bytes of all files, unpacked. */
  readonly expandedBytes: number;
}

/**
 * Reads a whole archive as `unpackArchive` will, and writes nothing.
 * @throws ArchiveError UNSAFE_ARCHIVE for what leads out, is no file, is encrypted, is there twice or is too much;
 * UNSUPPORTED_FORMAT; DAMAGED_SOURCE; SOURCE_EMPTY when there is no file in it that could be mail. The reason of the
 * signal when it is aborted.
 */
export async function inspectArchive(path: string, limits: UnpackLimits, signal: AbortSignal): Promise<ArchiveListing> {
  return readArchive(path, limits, { sink: NO_SINK, signal });
}

/**
 * Unpacks an archive into a directory that is made for it (mode 0700, files 0600), by the same rules. Whatever it
 * throws, the directory is gone.
 * @throws ArchiveError as `inspectArchive`; DISK_FULL, OUTPUT_UNWRITABLE.
 */
export async function unpackArchive(
  path: string,
  directory: string,
  limits: UnpackLimits,
  signal: AbortSignal,
): Promise<ArchiveListing> {
  mkdirSync(directory, { mode: 0o700 });
  try {
    return await readArchive(path, limits, { sink: new DirectorySink(directory), signal });
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

async function readArchive(
  path: string,
  limits: UnpackLimits,
  into: { readonly sink: EntrySink; readonly signal: AbortSignal },
): Promise<ArchiveListing> {
  into.signal.throwIfAborted();
  const format = archiveFormat(firstBytes(path, HEAD_BYTES));
  if (format === null) throw new ArchiveError("UNSUPPORTED_FORMAT", "this is neither a zip nor a tar file");
  const ledger = new EntryLedger(limits, (await stat(path)).size);
  await READERS[format](path, { ledger, ...into });
  const { files, nestedArchives } = ledger;
  if (files === 0) throw new ArchiveError("SOURCE_EMPTY", "the archive holds no file");
  if (files === nestedArchives) {
    throw new ArchiveError("SOURCE_EMPTY", "the archive holds nothing but other archives, which are not unpacked", {
      hint: "unpack it, and take the archives in it one by one",
    });
  }
  return { format, files, nestedArchives, expandedBytes: ledger.declaredBytes };
}

const READERS: Readonly<Record<ArchiveFormat, (path: string, reading: ArchiveReading) => Promise<void>>> = {
  zip: readZip,
  tar: (path, reading) => readTar({ path, isGzipped: false }, reading),
  "tar.gz": (path, reading) => readTar({ path, isGzipped: true }, reading),
};
