import { type DocumentPart, DocumentScanner } from "./document-scanner.ts";

/** Bytes as they come from a file or a test, in chunks of any size. */
export type ByteChunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * The parts of an extraction.json in the order they stand: top-level values whole, arrays element by element. Never
 * holds more than one element and one chunk. What is broken comes as a `fault` with its byte offset; reading ends after
 * a fatal one.
 */
export async function* readExtraction(chunks: ByteChunks): AsyncGenerator<DocumentPart> {
  const scanner = new DocumentScanner();
  for await (const chunk of chunks) yield* scanner.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  yield* scanner.end();
}
