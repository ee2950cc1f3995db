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
import { readLostZip } from "./read-lost-zip.ts";
import { readTar } from "./read-tar.ts";
import { readUtf16 } from "./read-utf16.ts";
import { readZip } from "./read-zip.ts";
import type { UnpackLimits } from "./unpack-limits.ts";

/** Damage that does not end the reading: none, the end of a tar or gzip file, or also lost files of a zip file. */
type AcceptedDamage = "rejected" | "at the end" | "skipped";

/** Content of an archive. */
interface ArchiveListing {
  readonly format: ArchiveFormat;
  readonly files: number;
  /** Files that are archives themselves by their name; they are not unpacked again. */
  readonly nestedArchives: number;
  /** Total unpacked bytes. */
  readonly expandedBytes: number;
  /** What was not read, and why; null if everything was. */
  readonly damage: string | null;
}

/**
 * Reads an archive like `unpackArchive`, but writes nothing. @throws ArchiveError UNSAFE_ARCHIVE for an entry that leads
 * out, is not a file, is encrypted, is repeated or is too large; UNSUPPORTED_FORMAT; DAMAGED_SOURCE; SOURCE_EMPTY if no
 * file could be mail. The reason of the signal if it is aborted.
 */
export async function inspectArchive(
  path: string,
  limits: UnpackLimits,
  signal: AbortSignal,
  damage: AcceptedDamage = "rejected",
): Promise<ArchiveListing> {
  return readArchive(path, limits, { sink: NO_SINK, signal, damage });
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
  return unpackInto(directory, (sink) => readArchive(path, limits, { sink, signal, damage: "rejected" }));
}

/** The same, but of a damaged archive everything that is readable is unpacked, up to the damage of a tar or gzip file. */
export async function unpackReadable(
  path: string,
  directory: string,
  limits: UnpackLimits,
  signal: AbortSignal,
): Promise<ArchiveListing> {
  return unpackInto(directory, (sink) => readArchive(path, limits, { sink, signal, damage: "skipped" }));
}

/**
 * Unpacks one file, or one directory, of an archive that may be damaged; nothing else is written.
 * @param wanted relative to the archive; "" for everything
 * @param isCopy true for an archive at another location than the one that was read, of which a zip file must be complete
 */
export async function unpackPart(
  { path, wanted, isCopy }: { readonly path: string; readonly wanted: string; readonly isCopy: boolean },
  directory: string,
  limits: UnpackLimits,
): Promise<ArchiveListing> {
  const { signal } = new AbortController();
  const damage = isCopy ? "at the end" : "skipped";
  return unpackInto(directory, (sink) =>
    readArchive(path, limits, { sink: new SelectingSink(wanted, sink), signal, damage }),
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
  {
    damage: accepted,
    ...into
  }: { readonly sink: EntrySink; readonly signal: AbortSignal; readonly damage: AcceptedDamage },
): Promise<ArchiveListing> {
  into.signal.throwIfAborted();
  const format = formatOf(path);
  if (format === null) throw new ArchiveError("UNSUPPORTED_FORMAT", "not a zip, tar or gzip file");
  const ledger = new EntryLedger(limits, (await stat(encodePath(path))).size);
  const reading = { ledger, ...into, skipsDamaged: accepted === "skipped" };
  const damage = await READERS[format](path, reading).then(
    (skipped) => skipped,
    async (error: unknown) => {
      if (accepted === "rejected" || !(error instanceof ArchiveError) || error.code !== "DAMAGED_SOURCE") throw error;
      if (format !== "zip" && ledger.unpackedBytes > 0) return error.message;
      // Without its directory, a zip file is read by the headers before its files.
      const isLost = format === "zip" && ledger.entries === 0 && accepted === "skipped";
      const lost = isLost ? await readLostZip(path, reading) : 0;
      if (!isLost || ledger.files === 0) throw error;
      return `${error.message}: ${ledger.files} files were read, ${lost} are incomplete, and files after these are lost`;
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

const nothingSkipped = (): null => null;

/** Readers, which return what of a damaged archive they skipped; null for nothing. */
const READERS: Readonly<Record<ArchiveFormat, (path: string, reading: ArchiveReading) => Promise<string | null>>> = {
  zip: readZip,
  tar: (path, reading) => readTar({ path, isGzipped: false }, reading).then(nothingSkipped),
  "tar.gz": (path, reading) => readTar({ path, isGzipped: true }, reading).then(nothingSkipped),
  gz: (path, reading) => readGzip(path, reading).then(nothingSkipped),
  "utf-16": (path, reading) => readUtf16(path, reading).then(nothingSkipped),
};
