import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { TextDecoder } from "node:util";
import { utf16Order } from "../charset/utf-16.ts";
import { encodePath } from "../files/path-text.ts";
import { unpackedName } from "./archive-format.ts";
import type { ArchiveReading } from "./archive-reading.ts";

/** Bytes read and decoded at a time. */
const CHUNK_BYTES = 128 * 1024;

/**
 * Converts a mailbox that a Windows program saved as UTF-16 to UTF-8. @throws ArchiveError UNSAFE_ARCHIVE; errors of
 * the sink; the reason of the signal.
 */
export async function readUtf16(path: string, { ledger, sink, signal }: ArchiveReading): Promise<void> {
  const name = unpackedName(basename(path));
  ledger.admit(name, "file", 0);
  sink.openFile(name);
  let decoder: TextDecoder | null = null;
  const write = (text: string): void => {
    const bytes = Buffer.from(text);
    ledger.expand(bytes.length);
    sink.write(bytes);
  };
  try {
    for await (const chunk of createReadStream(encodePath(path), {
      highWaterMark: CHUNK_BYTES,
    }) as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      decoder ??= new TextDecoder(utf16Order(chunk) ?? "utf-16le");
      write(decoder.decode(chunk, { stream: true }));
    }
    if (decoder !== null) write(decoder.decode());
  } finally {
    sink.closeFile();
  }
}
