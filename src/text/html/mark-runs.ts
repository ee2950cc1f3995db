/**
 * Combining marks on one letter that are laid out together; languages and notations have fewer than ten. Browsers take
 * quadratic time for them: 50,000 block a page for minutes.
 */
export const MAX_MARKS = 32;

/** Marks, and zero-width characters that join them to the previous character. */
const MARKS = new RegExp(`([\\p{M}\\p{Cf}]{${MAX_MARKS}})`, "u");

/** Splits a text after every `MAX_MARKS` consecutive marks, so that a break can be inserted between the pieces. */
export function markRunPieces(text: string): readonly string[] {
  return text.split(MARKS).filter((piece, _, { length }) => piece !== "" || length === 1);
}
