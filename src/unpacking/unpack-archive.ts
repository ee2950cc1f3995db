import { mkdirSync, rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import { ArchiveError } from "../errors.ts";
import { encodePath } from "../files/path-text.ts";
import { firstBytes } from "../files/read-fully.ts";
import { ARCHIVE_HEAD_BYTES, type ArchiveFormat, archiveFormat, archiveOfName } from "./archive-format.ts";
import type { ArchiveReading } from "./archive-reading.ts";
import { EntryLedger } from "./entry-ledger.ts";
import { DirectorySink, type EntrySink, NO_SINK, SelectingSink } from "./entry-sink.ts";
import { readGzip } from "./read-gzip.ts";
import { readTar } from "./read-tar.ts";
import { readUtf16 } from "./read-utf16.ts";
import { readZip } from "./read-zip.ts";
import type { UnpackLimits } from "./unpack-limits.ts";

/** Content of an archive. */
interface ArchiveListing {
  readonly format: ArchiveFormat;
  readonly files: number;
  /** Files that are archives themselves by their name; they are not unpacked again. */
  readonly nestedArchives: number;
  /** Total unpacked bytes. */
  readonly expandedBytes: number;
  /** Why only the beginning was read; null if everything was. */
  readonly damage: string | null;
}

/**
 * Reads a whole archive like `unpackArchive`, but writes nothing. @throws ArchiveError UNSAFE_ARCHIVE for an entry
 * that leads out, is not a file, is encrypted, is repeated or is too large; UNSUPPORTED_FORMAT; DAMAGED_SOURCE;
 * SOURCE_EMPTY if no file could be mail. The reason of the signal if it is aborted.
 */
export async function inspectArchive(path: string, limits: UnpackLimits, signal: AbortSignal): Promise<ArchiveListing> {
  return readArchive(path, limits, { sink: NO_SINK, signal, isLenient: false });
}

/**
 * Unpacks an archive into a new directory (mode 0700, files 0600). On error, removes the directory. @throws
 * ArchiveError like `inspectArchive`; DISK_FULL, OUTPUT_UNWRITABLE.
 */
export async function unpackArchive(
  path: string,
  directory: string,
  limits: UnpackLimits,
  signal: AbortSignal,
): Promise<ArchiveListing> {
  return unpackInto(directory, (sink) => readArchive(path, limits, { sink, signal, isLenient: false }));
}

/** The same, but of a damaged tar or gzip file everything before the damage is unpacked. */
export async function unpackReadable(
  path: string,
  directory: string,
  limits: UnpackLimits,
  signal: AbortSignal,
): Promise<ArchiveListing> {
  return unpackInto(directory, (sink) => readArchive(path, limits, { sink, signal, isLenient: true }));
}

/**
 * Unpacks one file, or one directory, of an archive that may be damaged; nothing else is written.
 * @param wanted relative to the archive; "" for everything
 */
export async function unpackPart(
  { path, wanted }: { readonly path: string; readonly wanted: string },
  directory: string,
  limits: UnpackLimits,
): Promise<ArchiveListing> {
  const { signal } = new AbortController();
  return unpackInto(directory, (sink) =>
    readArchive(path, limits, { sink: new SelectingSink(wanted, sink), signal, isLenient: true }),
  );
}

async function unpackInto(
  directory: string,
  unpack: (sink: EntrySink) => Promise<ArchiveListing>,
): Promise<ArchiveListing> {
  mkdirSync(directory, { mode: 0o700 });
  try {
    return await unpack(new DirectorySink(directory));
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

async function readArchive(
  path: string,
  limits: UnpackLimits,
  { isLenient, ...into }: { readonly sink: EntrySink; readonly signal: AbortSignal; readonly isLenient: boolean },
): Promise<ArchiveListing> {
  into.signal.throwIfAborted();
  const format = formatOf(path);
  if (format === null) throw new ArchiveError("UNSUPPORTED_FORMAT", "not a zip, tar or gzip file");
  const ledger = new EntryLedger(limits, (await stat(encodePath(path))).size);
  const reading = { ledger, ...into };
  const damage = await READERS[format](path, reading).then(
    () => null,
    (error: unknown) => {
      // A damaged zip file has lost its directory, and with it the locations of its files.
      const isPartial = isLenient && format !== "zip" && ledger.unpackedBytes > 0;
      if (isPartial && error instanceof ArchiveError && error.code === "DAMAGED_SOURCE") return error.message;
      throw error;
    },
  );
  const { files, nestedArchives } = ledger;
  if (files === 0) throw new ArchiveError("SOURCE_EMPTY", "the archive contains no files");
  if (files === nestedArchives) {
    throw new ArchiveError("SOURCE_EMPTY", "the archive contains only other archives, which are not unpacked", {
      hint: "unpack it and use the archives in it one by one",
    });
  }
  // A single file does not declare its content.
  const expandedBytes = ledger.declaredBytes === 0 ? ledger.unpackedBytes : ledger.declaredBytes;
  return { format, files, nestedArchives, expandedBytes, damage };
}

/** A file named as tar is read as tar, so that a damaged one is reported as such. */
function formatOf(path: string): ArchiveFormat | null {
  const format = archiveFormat(firstBytes(path, ARCHIVE_HEAD_BYTES));
  return format === "gz" && archiveOfName(path)?.format === "tar.gz" ? "tar.gz" : format;
}

const READERS: Readonly<Record<ArchiveFormat, (path: string, reading: ArchiveReading) => Promise<void>>> = {
  zip: readZip,
  tar: (path, reading) => readTar({ path, isGzipped: false }, reading),
  "tar.gz": (path, reading) => readTar({ path, isGzipped: true }, reading),
  gz: readGzip,
  "utf-16": readUtf16,
};
