import { type IndexedText, type SearchSource, TEXTS_AT_ONCE } from "./search-source.ts";

/**
 * Calls `visit` with the text of each message, in their order, until it gives false. The texts of some are read at a
 * time. Most queries end with the first or second of these batches; whoever goes on will want many more, and has the
 * next one fetched while it looks at the present one.
 */
export async function readTexts(
  source: SearchSource,
  documents: Uint32Array,
  visit: (document: number, text: IndexedText) => boolean,
  isSubjectRead?: (document: number) => boolean,
): Promise<void> {
  let ahead: Promise<readonly IndexedText[]> | null = null;
  for (let first = 0; first < documents.length; first += TEXTS_AT_ONCE) {
    const some = documents.subarray(first, first + TEXTS_AT_ONCE);
    const texts = await (ahead ?? source.texts(some, isSubjectRead));
    const next = documents.subarray(first + TEXTS_AT_ONCE, first + 2 * TEXTS_AT_ONCE);
    ahead = first > TEXTS_AT_ONCE && next.length > 0 ? source.texts(next, isSubjectRead) : null;
    // Who stops in between does not wait for it any more.
    ahead?.catch(() => undefined);
    for (const [at, document] of some.entries()) if (!visit(document, texts[at]!)) return;
  }
}
