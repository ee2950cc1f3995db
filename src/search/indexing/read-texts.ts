import type { ValueField } from "./search-field.ts";
import { type IndexedText, type SearchSource, TEXTS_AT_ONCE, type TextParts } from "./search-source.ts";
import { runStep } from "./search-turns.ts";

/** First batch of texts; most queries need no more. */
const FIRST_TEXTS = 100;
/** Texts read between two checks of the clock: usual texts take a hundredth of a slice. */
const TEXTS_PER_STEP = 8;

/**
 * Calls `visit` with the text of each message in order, until it returns false. Texts are read in batches: a caller
 * that continues after the first will want many more, so the next batch is fetched in advance. The time counts toward
 * the budget of the query; between two texts it yields to others. Rejects like `SearchTurn.giveWay`.
 */
export async function readTexts(
  source: SearchSource,
  documents: Uint32Array,
  visit: (document: number, text: IndexedText) => boolean,
  parts: TextParts,
): Promise<void> {
  let ahead: Promise<readonly IndexedText[]> | null = null;
  for (let first = 0; first < documents.length; ) {
    const isBeginning = first === 0;
    const most = isBeginning ? FIRST_TEXTS : TEXTS_AT_ONCE;
    const texts = await (ahead ?? source.texts(documents.subarray(first, first + most), parts));
    const end = first + texts.length;
    const next = documents.subarray(end, end + TEXTS_AT_ONCE);
    ahead = isBeginning || next.length === 0 ? null : source.texts(next, parts);
    // After an early return, this promise would reject unhandled.
    ahead?.catch(() => undefined);
    if (!(await visitAll(texts, (text, at) => visit(documents[first + at]!, text)))) return;
    first = end;
  }
}

/** Calls `visit` with the values of a field of each message, in order. Rejects like `readTexts`. */
export async function readValues(
  source: SearchSource,
  documents: Uint32Array,
  field: ValueField,
  visit: (document: number, values: readonly string[]) => void,
): Promise<void> {
  for (let first = 0; first < documents.length; first += TEXTS_AT_ONCE) {
    const some = documents.subarray(first, first + TEXTS_AT_ONCE);
    const values = await source.values(some, field);
    await runStep(() => {
      for (const [at, document] of some.entries()) visit(document, values[at]!);
    });
  }
}

/** Returns true if no visit returned false. */
async function visitAll(
  texts: readonly IndexedText[],
  visit: (text: IndexedText, at: number) => boolean,
): Promise<boolean> {
  for (let first = 0; first < texts.length; first += TEXTS_PER_STEP) {
    const goesOn = await runStep(() => {
      const end = Math.min(first + TEXTS_PER_STEP, texts.length);
      for (let at = first; at < end; at++) if (!visit(texts[at]!, at)) return false;
      return true;
    });
    if (!goesOn) return false;
  }
  return true;
}
