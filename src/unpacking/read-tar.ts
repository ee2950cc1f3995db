import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type Extract, extract, type Header } from "tar-stream";
import { ArchiveError, systemErrorCode } from "../errors.ts";
import { encodePath } from "../files/path-text.ts";
import type { ArchiveReading } from "./archive-reading.ts";
import type { EntryLedger } from "./entry-ledger.ts";
import { tarEntryName } from "./entry-name.ts";
import { displayName, entryPath, unsafeEntry } from "./entry-path.ts";
import type { PathKind } from "./path-set.ts";

/** Bytes read and inflated at a time. */
const CHUNK_BYTES = 128 * 1024;
/** Size of a tar record. Two zero records end a tar; one is sufficient here. */
const RECORD_BYTES = 512;

/** A tar, plain or in gzip. */
interface TarFile {
  readonly path: string;
  readonly isGzipped: boolean;
}

/** Maximum bytes of zeros after the end of a tar: tape drives pad to blocks of at most a few MiB. */
const MAX_PADDING_BYTES = 16 * 2 ** 20;

/** Rejected entries by header type. */
const REFUSED_TYPES: ReadonlyMap<string, string> = new Map([
  ["symlink", "is a symbolic link"],
  ["character-device", "is a character device"],
  ["block-device", "is a block device"],
  ["fifo", "is a FIFO"],
]);

const LINK_HINT = "create it again with the files themselves: tar --dereference";

/** Names come as bytes, one per character, so that we decode them; tars older than POSIX are supported. */
const PARSER_OPTIONS = { highWaterMark: CHUNK_BYTES, filenameEncoding: "latin1", allowUnknownFormat: true };

type TarEntry = Extract extends AsyncIterable<infer Entry> ? Entry : never;

/**
 * Reads a tar, plain or gzip, in one pass; unsafe entries are rejected on arrival. @throws ArchiveError
 * UNSAFE_ARCHIVE, UNSUPPORTED_FORMAT, DAMAGED_SOURCE; errors of the sink; the reason of the signal
 */
export async function readTar(file: TarFile, reading: ArchiveReading): Promise<void> {
  const { signal } = reading;
  const parser = extract(PARSER_OPTIONS);
  const bytes = new TarBytes(file, reading.ledger);
  const feeding = pipeline(bytes.read(), parser, { signal });
  const taking = takeEntries(parser, bytes, reading);
  // Each stream ends the other; both are awaited, so that nothing is open on return.
  const [taken, fed] = await Promise.allSettled([taking, feeding]);
  if (signal.aborted) throw signal.reason;
  const errors = [taken, fed].flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
  if (errors.length > 0) throw tarFault(errors, reading.ledger);
  if (!bytes.endsWithZeros) throw damagedTar("its end is missing", null);
  if (file.isGzipped) await requireZeros(file.path, bytes.packedBytes);
}

/** Our own rejection comes before stream errors caused by it, then system errors; otherwise the tar is invalid. */
function tarFault(errors: readonly unknown[], ledger: EntryLedger): unknown {
  const ours = errors.find((error) => error instanceof ArchiveError);
  if (ours !== undefined) return ours;
  const system = errors.find((error) => error instanceof Error && "syscall" in error);
  if (system !== undefined) return system;
  if (ledger.entries > 0 || errors.some((error) => systemErrorCode(error)?.startsWith("Z_")))
    return damagedTar("it cannot be read completely", errors[0]);
  return new ArchiveError("UNSUPPORTED_FORMAT", "not a tar file, or its beginning is damaged", {
    cause: errors[0],
  });
}

function damagedTar(what: string, cause: unknown): ArchiveError {
  return new ArchiveError("DAMAGED_SOURCE", `the tar file is damaged or incomplete: ${what}`, { cause });
}

async function takeEntries(parser: Extract, bytes: TarBytes, reading: ArchiveReading): Promise<void> {
  for await (const entry of parser) {
    const records = Math.ceil(entry.header.size / RECORD_BYTES);
    bytes.entryEnd = entry.offset + RECORD_BYTES + records * RECORD_BYTES;
    await takeEntry(entry, reading);
  }
}

async function takeEntry(entry: TarEntry, { ledger, sink }: ArchiveReading): Promise<void> {
  const { header } = entry;
  // The extended header (pax) is UTF-8 and was decoded; a name from the record is not.
  const extended = (header.pax ?? {}) as Readonly<Record<string, string>>;
  const name = extended["path"] ?? tarEntryName(header.name);
  if (Object.keys(extended).some((key) => key.startsWith("GNU.sparse."))) {
    throw new ArchiveError("UNSUPPORTED_FORMAT", `${displayName(name)} is a sparse file, which is not supported`, {
      hint: "create it again without --sparse",
    });
  }
  // Some tars repeat the bytes of the file in its link (POSIX allows both); such an entry is a file.
  if (header.type === "link" && header.size === 0) {
    takeLink(name, extended["linkpath"] ?? tarEntryName(header.linkname ?? ""), { ledger, sink });
    entry.resume();
    return;
  }
  const { path, kind } = checkHeader(header, name);
  const size = kind === "file" ? header.size : 0;
  if (path !== "") ledger.admit(path, kind, size);
  if (kind === "directory") {
    if (path !== "") sink.makeDirectory(path);
    entry.resume();
    return;
  }
  sink.openFile(path);
  try {
    let bytes = 0;
    for await (const chunk of entry as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      sink.write(chunk);
    }
    if (bytes !== size) throw damagedTar(`${displayName(path)} is truncated`, null);
  } finally {
    sink.closeFile();
  }
}

/**
 * A hard link: the file of an earlier entry under another name, as Dovecot copies messages. Its bytes are copied and
 * count as those of any file, or a tar of links to one large file would unpack to more than its limits.
 * @throws ArchiveError UNSAFE_ARCHIVE
 */
function takeLink(name: string, targetName: string, { ledger, sink }: Pick<ArchiveReading, "ledger" | "sink">): void {
  const path = entryPath(name);
  const target = entryPath(targetName);
  const size = ledger.fileBytes(target);
  if (path === "" || size === null) throw unsafeEntry(name, "is a hard link to a missing file", LINK_HINT);
  ledger.admit(path, "file", size);
  ledger.expand(size);
  sink.copyFile(target, path);
}

/** @throws ArchiveError UNSAFE_ARCHIVE */
function checkHeader(header: Header, name: string): { readonly path: string; readonly kind: PathKind } {
  const path = entryPath(name);
  // Unknown types are null.
  const type: string | null = header.type;
  if (type === "directory") return { path, kind: "directory" };
  if (type !== "file" && type !== "contiguous-file" && type !== "link") {
    const what = REFUSED_TYPES.get(type ?? "") ?? "is neither a file nor a directory";
    throw unsafeEntry(name, what, what.endsWith("symbolic link") ? LINK_HINT : undefined);
  }
  // Tars older than POSIX mark directories by a slash.
  if (name.endsWith("/") && header.size === 0) return { path, kind: "directory" };
  if (path === "" || name.endsWith("/")) throw unsafeEntry(name, "is a file without a name");
  return { path, kind: "file" };
}

/** The bytes of a tar with their count. */
class TarBytes {
  /** End of the last parsed entry. */
  entryEnd = 0;
  private position = 0;
  /** Number of zeros at the end of the input so far. */
  private zeros = 0;
  private readBytes = 0;

  constructor(
    private readonly file: TarFile,
    private readonly ledger: EntryLedger,
  ) {}

  /** True if the input ends with a zero record; otherwise the tar is truncated. */
  get endsWithZeros(): boolean {
    return this.zeros >= RECORD_BYTES;
  }

  /** Bytes of the file that were read; of a gzip file those that belong to it. */
  get packedBytes(): number {
    return this.readBytes;
  }

  async *read(): AsyncGenerator<Buffer> {
    const packed = createReadStream(encodePath(this.file.path), { highWaterMark: CHUNK_BYTES });
    const gunzip = this.file.isGzipped ? createGunzip({ chunkSize: CHUNK_BYTES }) : null;
    // No pipeline: gzip data may end before the file does, which is checked here and is not a stream error.
    if (gunzip !== null) packed.on("error", (error) => gunzip.destroy(error)).pipe(gunzip);
    try {
      for await (const chunk of (gunzip ?? packed) as AsyncIterable<Buffer>) {
        this.ledger.expand(chunk.length);
        this.position += chunk.length;
        this.zeros = trailingZeros(chunk, this.zeros);
        this.requireBoundedPadding();
        yield chunk;
      }
    } finally {
      this.readBytes = gunzip?.bytesWritten ?? packed.bytesRead;
      packed.destroy();
    }
  }

  /**
   * Zeros after the end cost as much to read as entries, and compress a thousand to one. The parser lags by less than
   * the allowed padding, so it knows the entry that a longer run of zeros may belong to.
   */
  private requireBoundedPadding(): void {
    const padding = Math.min(this.zeros, this.position - this.entryEnd);
    if (padding <= MAX_PADDING_BYTES) return;
    throw new ArchiveError(
      "UNSAFE_ARCHIVE",
      `archive rejected: more than ${MAX_PADDING_BYTES} zero bytes after its end`,
    );
  }
}

const ZEROS = Buffer.alloc(CHUNK_BYTES);

/** Zeros at the end of a chunk, continuing those before it; for a chunk with other bytes, at most a record. */
function trailingZeros(chunk: Buffer, before: number): number {
  if (chunk.length <= ZEROS.length && chunk.equals(ZEROS.subarray(0, chunk.length))) return before + chunk.length;
  let run = 0;
  while (run < RECORD_BYTES && run < chunk.length && chunk[chunk.length - 1 - run] === 0) run++;
  return run;
}

/** Only zeros, the padding of tapes, may follow the gzip data: anything else was added on purpose. */
async function requireZeros(path: string, from: number): Promise<void> {
  for await (const chunk of createReadStream(encodePath(path), {
    start: from,
    highWaterMark: CHUNK_BYTES,
  }) as AsyncIterable<Buffer>) {
    if (chunk.some((byte) => byte !== 0)) throw damagedTar("other bytes follow the gzip data", null);
  }
}
