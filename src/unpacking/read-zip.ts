import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from "yauzl";
import { ArchiveError, systemErrorCode } from "../errors.ts";
import { encodePath } from "../files/path-text.ts";
import type { ArchiveReading } from "./archive-reading.ts";
import { ByteRanges } from "./byte-ranges.ts";
import { displayName, unsafeEntry } from "./entry-path.ts";
import { FileWindow, WindowReader } from "./file-window.ts";
import { NEXT_SEPARATOR, SEPARATOR } from "./read-lost-zip.ts";
import { checkZipEntry, STORED } from "./zip-entry.ts";

/** Bytes of the fixed part of a local file header (APPNOTE.TXT 4.3.7). */
const LOCAL_HEADER_BYTES = 30;
const LOCAL_SIGNATURE = 0x04034b50;
/**
 * Maximum packed and unpacked bytes of an entry that is inflated synchronously: nearly all messages, in a few
 * milliseconds.
 */
const SMALL_PACKED_BYTES = 128 * 1024;
const SMALL_EXPANDED_BYTES = 1024 * 1024;
/**
 * Entries and bytes between two turns of the event loop, so that a server that reads an archive answers other requests.
 */
const ENTRIES_A_TURN = 64;
const BYTES_A_TURN = 1024 * 1024;
/** yauzl's error message for PKWARE's strong encryption; its errors have no codes. */
const STRONG_ENCRYPTION = "strong encryption is not supported";
/** Bytes of a large entry read and inflated at a time. */
const CHUNK_BYTES = 128 * 1024;

/**
 * Reads a zip file: first the whole central directory, so that entries with unsafe names, kinds or declared sizes are
 * rejected before unpacking; then the content, which must match the declarations. Returns which files were skipped as
 * damaged, or null. @throws ArchiveError UNSAFE_ARCHIVE, UNSUPPORTED_FORMAT; DAMAGED_SOURCE if no file is left; errors
 * of the sink; the reason of the signal
 */
export async function readZip(path: string, reading: ArchiveReading): Promise<string | null> {
  const { ledger, signal } = reading;
  const handle = await open(encodePath(path), "r");
  try {
    const { size } = await handle.stat();
    for await (const entry of centralEntries(handle, size, signal)) {
      const { path: inside, kind } = checkZipEntry(entry);
      if (inside !== "") ledger.admit(inside, kind, entry.uncompressedSize);
    }
    const content = new ZipContent(path, new FileWindow(handle, size), reading);
    for await (const entry of centralEntries(handle, size, signal)) await content.unpack(entry);
    content.requireDisjoint();
    return content.damage();
  } catch (error) {
    throw zipFault(error, signal);
  } finally {
    await handle.close();
  }
}

/** Converts errors of yauzl and zlib about invalid bytes; passes on others. */
function zipFault(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof ArchiveError) return error;
  if (error instanceof Error && error.message === STRONG_ENCRYPTION) {
    return new ArchiveError("UNSAFE_ARCHIVE", "archive rejected: it is encrypted", {
      hint: "compress it again without a password",
    });
  }
  if (error instanceof Error && "syscall" in error) return error;
  return new ArchiveError("DAMAGED_SOURCE", "the zip file is damaged or incomplete", { cause: error });
}

/** Entries of the central directory, one at a time; yields to the event loop regularly. */
async function* centralEntries(handle: FileHandle, size: number, signal: AbortSignal): AsyncGenerator<Entry> {
  const zip: ZipFile = await fromRandomAccessReaderPromise(new WindowReader(new FileWindow(handle, size)), size, {
    autoClose: false,
    decodeStrings: false,
    validateEntrySizes: false,
  });
  let sinceTurn = 0;
  for await (const entry of zip.eachEntry()) {
    yield entry;
    sinceTurn++;
    if (sinceTurn < ENTRIES_A_TURN) continue;
    sinceTurn = 0;
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** Unpacks the content of entries that passed the checks. */
class ZipContent {
  private readonly ranges = new ByteRanges();
  private bytesSinceTurn = 0;
  private damagedFiles = 0;
  private firstFault: ArchiveError | null = null;

  constructor(
    private readonly path: string,
    private readonly window: FileWindow,
    private readonly reading: ArchiveReading,
  ) {}

  async unpack(entry: Entry): Promise<void> {
    const { sink, signal, skipsDamaged } = this.reading;
    const { path, kind } = checkZipEntry(entry);
    if (kind === "directory") return sink.makeDirectory(path);
    sink.openFile(path);
    const tally = new ContentTally(path, entry, this.reading);
    let isKept = true;
    try {
      await this.unpackFile(entry, tally);
    } catch (error) {
      const fault = zipFault(error, signal);
      if (!skipsDamaged || !(fault instanceof ArchiveError) || fault.code !== "DAMAGED_SOURCE") throw error;
      this.damagedFiles++;
      this.firstFault ??= error instanceof ArchiveError ? error : tally.damaged("cannot be unpacked");
      isKept = tally.isMailbox;
    } finally {
      if (isKept) sink.closeFile();
      else sink.dropFile();
    }
  }

  /** What was skipped; null for an intact archive. @throws ArchiveError DAMAGED_SOURCE if no file is left */
  damage(): string | null {
    if (this.firstFault === null) return null;
    const { files } = this.reading.ledger;
    if (this.damagedFiles === files) throw this.firstFault;
    return `${this.firstFault.message}: ${this.damagedFiles} of ${files} files are damaged`;
  }

  private async unpackFile(entry: Entry, tally: ContentTally): Promise<void> {
    const start = await this.contentStart(entry);
    this.ranges.add(entry.relativeOffsetOfLocalHeader, start + entry.compressedSize);
    const isSmall = entry.compressedSize <= SMALL_PACKED_BYTES && entry.uncompressedSize <= SMALL_EXPANDED_BYTES;
    if (isSmall) await this.unpackSmall(entry, start, tally);
    else await this.unpackLarge(entry, start, tally);
    tally.finish();
  }

  /**
   * Overlapping entries unpack the same bytes many times: bombs beyond the ratio of deflate use this (Fifield 2019).
   */
  requireDisjoint(): void {
    if (this.ranges.overlap()) throw new ArchiveError("UNSAFE_ARCHIVE", "archive rejected: zip entries overlap");
  }

  /** Start of the content, after the local header; sizes and name come from the central directory. */
  private async contentStart(entry: Entry): Promise<number> {
    const at = entry.relativeOffsetOfLocalHeader;
    const header = await this.window.read(at, LOCAL_HEADER_BYTES);
    if (header === null || header.readUInt32LE(0) !== LOCAL_SIGNATURE) {
      throw new ArchiveError(
        "DAMAGED_SOURCE",
        "the zip file is damaged or incomplete: an entry is not at its declared location",
      );
    }
    return at + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  }

  private async unpackSmall(entry: Entry, start: number, tally: ContentTally): Promise<void> {
    const packed = await this.window.read(start, entry.compressedSize);
    if (packed === null) throw tally.damaged("is truncated");
    const content = entry.compressionMethod === STORED ? packed : inflateWhole(packed, entry.uncompressedSize, tally);
    tally.take(content);
    this.bytesSinceTurn += content.length;
    if (this.bytesSinceTurn < BYTES_A_TURN) return;
    this.bytesSinceTurn = 0;
    await setImmediate();
  }

  private async unpackLarge(entry: Entry, start: number, tally: ContentTally): Promise<void> {
    if (entry.compressedSize === 0) return;
    const packed = createReadStream(encodePath(this.path), {
      start,
      end: start + entry.compressedSize - 1,
      highWaterMark: CHUNK_BYTES,
    });
    const inflate = entry.compressionMethod === STORED ? null : createInflateRaw({ chunkSize: CHUNK_BYTES });
    // No pipeline: it would report the error of a stream that we ended.
    if (inflate !== null) packed.on("error", (error) => inflate.destroy(error)).pipe(inflate);
    try {
      for await (const chunk of (inflate ?? packed) as AsyncIterable<Buffer>) {
        this.reading.signal.throwIfAborted();
        tally.take(chunk);
      }
    } finally {
      packed.destroy();
    }
    if (inflate !== null) tally.requireAllRead(inflate.bytesWritten);
  }
}

/** Result of zlib with `info`, missing in its types. */
interface InflatedWithEngine {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** Inflates to at most one byte more than was declared. */
function inflateWhole(packed: Buffer, declaredBytes: number, tally: ContentTally): Buffer {
  try {
    const { buffer, engine } = inflateRawSync(packed, {
      maxOutputLength: declaredBytes + 1,
      info: true,
    }) as unknown as InflatedWithEngine;
    tally.requireAllRead(engine.bytesWritten);
    return buffer;
  } catch (error) {
    if (systemErrorCode(error) === "ERR_BUFFER_TOO_LARGE") throw tally.tooLong();
    throw error;
  }
}

/** Compares the content of one entry with its declaration while streaming. */
class ContentTally {
  /** True for a mailbox with several messages, which is worth reading without its end. */
  isMailbox = false;
  private beginsMailbox = false;
  private bytes = 0;
  private crc = 0;

  constructor(
    private readonly path: string,
    private readonly entry: Entry,
    private readonly reading: ArchiveReading,
  ) {}

  take(chunk: Buffer): void {
    if (this.bytes === 0) this.beginsMailbox = chunk.subarray(0, SEPARATOR.length).equals(SEPARATOR);
    if (this.beginsMailbox) this.isMailbox ||= chunk.includes(NEXT_SEPARATOR);
    this.bytes += chunk.length;
    this.reading.ledger.expand(chunk.length);
    if (this.bytes > this.entry.uncompressedSize) throw this.tooLong();
    this.crc = crc32(chunk, this.crc);
    this.reading.sink.write(chunk);
  }

  finish(): void {
    if (this.bytes < this.entry.uncompressedSize) throw this.damaged("is shorter than it declares");
    if (this.crc !== this.entry.crc32) throw this.damaged("does not match its checksum");
  }

  /** Bytes after the end of the deflate data are ignored by most programs, and misread by others. */
  requireAllRead(packedBytes: number): void {
    if (packedBytes !== this.entry.compressedSize) throw this.damaged("has data after its end");
  }

  /** An entry that is larger than declared hides its size from checks before unpacking. */
  tooLong(): ArchiveError {
    return unsafeEntry(this.path, "is larger than it declares");
  }

  damaged(what: string): ArchiveError {
    return new ArchiveError(
      "DAMAGED_SOURCE",
      `the zip file is damaged or incomplete: ${displayName(this.path)} ${what}`,
    );
  }
}
