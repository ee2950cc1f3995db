/** Elements of text/richtext (RFC 1341 7.1.3) that represent characters, with their replacements. */
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["nl", "\n"],
  ["np", "\n"],
  ["paragraph", "\n\n"],
]);
/** Elements whose content is not text of the author. */
const HIDDEN: ReadonlySet<string> = new Set(["param", "comment"]);
/** Elements of text/enriched whose lines stay as they are (RFC 1896). */
const NO_FILL = "nofill";
/** A tag has a name of at most 60 characters (RFC 1896); `<<` is a sign. */
const TAG = /<<|<(\/?)([a-z][a-z\d-]{0,59})>/gi;

type EnrichedKind = "enriched" | "richtext";

interface EnrichedState {
  readonly kind: EnrichedKind;
  readonly pieces: string[];
  /** Open elements without text, and open elements with preserved lines. */
  hidden: number;
  unfilled: number;
}

/**
 * Plain text of text/enriched (RFC 1896) or of its predecessor text/richtext: tags and their parameters are removed,
 * one line end is a blank, more are one less. @param text line ends are LF.
 */
export function enrichedToText(text: string, kind: EnrichedKind): string {
  const state: EnrichedState = { kind, pieces: [], hidden: 0, unfilled: 0 };
  let position = 0;
  for (const match of text.matchAll(TAG)) {
    addText(state, text.slice(position, match.index));
    position = match.index + match[0].length;
    applyTag(state, match[2]?.toLowerCase() ?? "", match[1] === "/");
  }
  addText(state, text.slice(position));
  return state.pieces.join("");
}

function addText({ kind, pieces, hidden, unfilled }: EnrichedState, text: string): void {
  if (hidden > 0 || text === "") return;
  if (unfilled > 0) pieces.push(text);
  else if (kind === "richtext") pieces.push(text.replaceAll("\n", " "));
  else pieces.push(text.replace(/\n+/g, (ends) => (ends.length === 1 ? " " : ends.slice(1))));
}

/** @param name of the element; "" for the sign `<<` */
function applyTag(state: EnrichedState, name: string, isEnd: boolean): void {
  const step = isEnd ? -1 : 1;
  if (HIDDEN.has(name)) state.hidden = Math.max(0, state.hidden + step);
  else if (name === NO_FILL) state.unfilled = Math.max(0, state.unfilled + step);
  else if (state.hidden > 0) return;
  else if (name === "") state.pieces.push(state.kind === "enriched" ? "<" : "<<");
  else if (state.kind === "richtext" && !isEnd) state.pieces.push(CHARACTERS.get(name) ?? "");
}
