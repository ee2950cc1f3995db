import { type DocumentPart, DocumentScanner } from "./document-scanner.ts";

/** Bytes from a file or a test, in chunks of any size. */
export type ByteChunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Yields the parts of an extraction.json in order: top-level values whole, arrays element by element. Keeps at most one
 * element and one chunk in memory. Errors are yielded as `fault` with their byte offset; reading ends after a fatal
 * one.
 */
export async function* readExtraction(chunks: ByteChunks): AsyncGenerator<DocumentPart> {
  const scanner = new DocumentScanner();
  for await (const chunk of chunks) yield* scanner.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  yield* scanner.end();
}
