import type { IndexedFile } from "../../../search/indexing/search-source.ts";

/** Cached data of a message; subject and files if requested. */
export interface CachedText {
  /** Null if the message has no text. */
  readonly body: Uint8Array | null;
  readonly subject: Uint8Array | null;
  readonly files: readonly IndexedFile[] | null;
}

/** Size of the text cache in bytes: about 10,000 texts; a phrase of common words reads 1,000. */
const MEMORY_BYTES = 16 << 20;
/** Larger texts are not cached: they would evict all others. */
const MAX_TEXT_BYTES = 256 << 10;
/** Estimated overhead of each text: two arrays and a map entry. */
const ENTRY_BYTES = 400;

/**
 * Recently read texts of messages. An epoch never changes, so they stay valid. The same texts are read for a phrase,
 * its snippets and its next page; texts with common words again for other phrases.
 */
export class TextMemory {
  private readonly texts = new Map<number, CachedText>();
  private bytes = 0;

  /** @param withSubject true to require the subject, too @param withFiles the same for files */
  get(document: number, withSubject: boolean, withFiles: boolean): CachedText | undefined {
    const text = this.texts.get(document);
    if (text === undefined || (withSubject && text.subject === null)) return undefined;
    if (withFiles && text.files === null) return undefined;
    this.texts.delete(document);
    this.texts.set(document, text);
    return text;
  }

  keep(document: number, text: CachedText): void {
    const bytes = bytesOf(text);
    if (bytes > MAX_TEXT_BYTES) return;
    this.forget(document);
    this.texts.set(document, text);
    this.bytes += bytes;
    for (const oldest of this.texts.keys()) {
      if (this.bytes <= MEMORY_BYTES) break;
      this.forget(oldest);
    }
  }

  private forget(document: number): void {
    const text = this.texts.get(document);
    if (text === undefined) return;
    this.texts.delete(document);
    this.bytes -= bytesOf(text);
  }
}

function bytesOf({ body, subject, files }: CachedText): number {
  const ofFiles = (files ?? []).reduce((sum, { text }) => sum + text.length, 0);
  return ENTRY_BYTES + (body?.length ?? 0) + (subject?.length ?? 0) + ofFiles;
}
