import { open } from "node:fs/promises";
import { join } from "node:path";
import { RUN_DIRECTORY } from "../../../extraction/publishing/run-directory.ts";
import { entriesBelow } from "../../../files/checksummed-files.ts";
import { UNFINISHED_SUFFIX } from "../../../files/durable-files.ts";
import { isNotebookFile } from "../../../store/notebook/open-notebook.ts";
import type { NewBlob } from "../../blobs/blob-store.ts";

/** Bytes of a record of a tar (POSIX pax interchange format). */
const RECORD_BYTES = 512;
/** Bytes of the name in a header. */
const NAME_BYTES = 100;
/** Sizes up to here are octal digits; above they are base 256 (GNU). */
const OCTAL_LIMIT = 8 ** 11;
/** Bytes read at a time. */
const CHUNK_BYTES = 1 << 18;
/** Maximum extra records of an entry: a header, the extended header and its data, padding. */
const RECORDS_BESIDE = 8;

interface PackedFile {
  /** Relative, with `/` between levels. */
  readonly name: string;
  readonly sizeBytes: number;
}

/** Directories below a root as one tar stream, created while it is read. @param parts their names */
export async function packDirectories(root: string, parts: readonly string[]): Promise<NewBlob> {
  const files: PackedFile[] = [];
  for (const part of parts) {
    const below = await entriesBelow(join(root, part));
    for (const name of below.files.filter(isPacked).sort()) {
      const handle = await open(join(root, part, name), "r");
      const { size } = await handle.stat().finally(() => handle.close());
      files.push({ name: `${part}/${name.replaceAll("\\", "/")}`, sizeBytes: size });
    }
  }
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes + RECORDS_BESIDE * RECORD_BYTES, RECORD_BYTES);
  return { sizeBytes, bytes: tarOf(root, files) };
}

/** Excludes remains of runs, and notebooks, which may change at the same time. */
function isPacked(path: string): boolean {
  return !path.endsWith(UNFINISHED_SUFFIX) && !path.startsWith(RUN_DIRECTORY) && !isNotebookFile(path);
}

async function* tarOf(root: string, files: readonly PackedFile[]): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    yield headersOf(file);
    yield* bytesOf(join(root, file.name), file.sizeBytes);
    yield Buffer.alloc(paddingOf(file.sizeBytes));
  }
  yield Buffer.alloc(2 * RECORD_BYTES);
}

/** Throws if a file is shorter than before: its header was already sent. */
async function* bytesOf(path: string, sizeBytes: number): AsyncGenerator<Uint8Array> {
  const handle = await open(path, "r");
  try {
    for (let at = 0; at < sizeBytes; ) {
      // Consumers may keep a chunk, so each has its own buffer.
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, sizeBytes - at));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) throw new Error("a file became shorter while it was compressed");
      at += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** The header of a file, preceded by an extended header if its name is too long. */
function headersOf({ name, sizeBytes }: PackedFile): Buffer {
  const bytes = Buffer.from(name);
  const header = headerOf(bytes.subarray(0, NAME_BYTES), sizeBytes, "0");
  if (bytes.length <= NAME_BYTES) return header;
  const record = paxRecord("path", name);
  return Buffer.concat([
    headerOf(Buffer.from("pax"), record.length, "x"),
    record,
    Buffer.alloc(paddingOf(record.length)),
    header,
  ]);
}

/** `length key=value` and a line break, where the length includes itself. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

function headerOf(name: Uint8Array, sizeBytes: number, type: "0" | "x"): Buffer {
  const header = Buffer.alloc(RECORD_BYTES);
  header.set(name);
  header.write(["0000600", "0000000", "0000000", ""].join("\0"), 100, "latin1");
  if (sizeBytes < OCTAL_LIMIT) header.write(`${sizeBytes.toString(8).padStart(11, "0")}\0`, 124, "latin1");
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(sizeBytes), 128);
  }
  header.write(`00000000000\0        ${type}`, 136, "latin1");
  header.write("ustar\x0000", 257, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

function paddingOf(sizeBytes: number): number {
  return (RECORD_BYTES - (sizeBytes % RECORD_BYTES)) % RECORD_BYTES;
}
