import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { createGunzip } from "node:zlib";
import { ArchiveError, systemErrorCode } from "../errors.ts";
import { encodePath } from "../files/path-text.ts";
import { unpackedName } from "./archive-format.ts";
import type { ArchiveReading } from "./archive-reading.ts";

/** Bytes read and inflated at a time. */
const CHUNK_BYTES = 128 * 1024;

/**
 * Reads a gzip file, such as a month of a mailing list. Its content has the file name without the extension; the name
 * in the gzip header is not trusted. Several members are one file (RFC 1952 2.2). @throws ArchiveError
 * UNSAFE_ARCHIVE, DAMAGED_SOURCE, SOURCE_EMPTY; errors of the sink; the reason of the signal.
 */
export async function readGzip(path: string, { ledger, sink, signal }: ArchiveReading): Promise<void> {
  const name = unpackedName(basename(path));
  ledger.admit(name, "file", 0);
  sink.openFile(name);
  const packed = createReadStream(encodePath(path), { highWaterMark: CHUNK_BYTES });
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  packed.on("error", (error) => gunzip.destroy(error)).pipe(gunzip);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      ledger.expand(chunk.length);
      sink.write(chunk);
    }
  } catch (error) {
    if (!systemErrorCode(error)?.startsWith("Z_")) throw error;
    throw new ArchiveError("DAMAGED_SOURCE", "the gzip file is damaged or incomplete", {
      cause: error,
    });
  } finally {
    packed.destroy();
    sink.closeFile();
  }
  if (ledger.unpackedBytes === 0) throw new ArchiveError("SOURCE_EMPTY", "the gzip file is empty");
}
