/**
 * Terminal control sequences (ECMA-48 section 5.4), begun by ESC [ or by CSI of C1. Bounded: the three classes are
 * disjoint, so there is no backtracking.
 */
const CONTROL_SEQUENCE = /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,16}[@-~]/g;

/** C0, DEL, C1, and the line and paragraph separators. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/**
 * Format characters that change the text direction: marks, embeddings, overrides and isolates (UAX 9); and the byte
 * order mark.
 */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Any of them, or an unpaired surrogate: most texts have none. */
const NOT_PRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/;

/**
 * Converts text from mail, files or a user to one line for a terminal: no name or subject can move the cursor, ring the
 * bell, set a title, or reorder words. Removes whole escape sequences; other control characters become blanks, lone
 * surrogates the replacement character. Idempotent.
 */
export function printable(text: string): string {
  if (!NOT_PRINTABLE.test(text)) return text;
  return text.replace(CONTROL_SEQUENCE, "").replace(CONTROL, " ").replace(TURNING, "").toWellFormed();
}

/** Characters that JSON.stringify keeps but that are unsafe on a terminal. */
const RAW_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** JSON with such characters escaped. */
export function printableJson(json: string): string {
  return json.replace(RAW_IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
