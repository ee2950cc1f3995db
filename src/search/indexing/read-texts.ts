import { type IndexedText, type SearchSource, TEXTS_AT_ONCE } from "./search-source.ts";
import { currentTurn } from "./search-turns.ts";

/** First batch of texts; most queries need no more. */
const FIRST_TEXTS = 100;

/**
 * Calls `visit` with the text of each message in order, until it returns false. Texts are read in batches: a caller
 * that continues after the first will want many more, so the next batch is fetched in advance. The time counts toward
 * the budget of the query; between two texts it yields to others. Rejects like `SearchTurn.giveWay`.
 */
export async function readTexts(
  source: SearchSource,
  documents: Uint32Array,
  visit: (document: number, text: IndexedText) => boolean,
  isSubjectRead?: (document: number) => boolean,
): Promise<void> {
  let ahead: Promise<readonly IndexedText[]> | null = null;
  for (let first = 0; first < documents.length; ) {
    const isBeginning = first === 0;
    const most = isBeginning ? FIRST_TEXTS : TEXTS_AT_ONCE;
    const texts = await (ahead ?? source.texts(documents.subarray(first, first + most), isSubjectRead));
    const end = first + texts.length;
    const next = documents.subarray(end, end + TEXTS_AT_ONCE);
    ahead = isBeginning || next.length === 0 ? null : source.texts(next, isSubjectRead);
    // After an early return, this promise would reject unhandled.
    ahead?.catch(() => undefined);
    if (!(await visitAll(texts, (text, at) => visit(documents[first + at]!, text)))) return;
    first = end;
  }
}

/** Returns true if no visit returned false. */
async function visitAll(
  texts: readonly IndexedText[],
  visit: (text: IndexedText, at: number) => boolean,
): Promise<boolean> {
  const turn = currentTurn();
  for (const [at, text] of texts.entries()) {
    const since = turn?.now() ?? 0;
    const goesOn = visit(text, at);
    if (turn?.count(since)) await turn.giveWay();
    if (!goesOn) return false;
  }
  return true;
}
