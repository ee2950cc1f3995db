import { type IndexedText, type SearchSource, TEXTS_AT_ONCE } from "./search-source.ts";

/**
 * Calls `visit` with the text of each message, in their order, until it gives false. The texts of some are read at a
 * time.
 */
export async function readTexts(
  source: SearchSource,
  documents: Uint32Array,
  visit: (document: number, text: IndexedText) => boolean,
): Promise<void> {
  for (let first = 0; first < documents.length; first += TEXTS_AT_ONCE) {
    const some = documents.subarray(first, first + TEXTS_AT_ONCE);
    const texts = await source.texts(some);
    for (const [at, document] of some.entries()) if (!visit(document, texts[at]!)) return;
  }
}
