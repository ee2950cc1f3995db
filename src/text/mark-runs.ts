/**
 * Combining marks on one letter that are laid out together; languages and notations have fewer than ten. A browser takes
 * a time that grows with the square of them: 50,000 stop a page for minutes.
 */
export const MAX_MARKS = 32;

/** Marks, and characters without a width that join them to what comes before. */
const MARKS = /[\p{M}\p{Cf}]{33,}/gu;
/** Cuts a text wherever too many marks follow one another, so that a break can be put between the pieces. */
export function markRunPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const { 0: run, index } of text.matchAll(MARKS)) {
    let marks = 0;
    let at = index;
    for (const mark of run) {
      if (marks > 0 && marks % MAX_MARKS === 0) {
        pieces.push(text.slice(start, at));
        start = at;
      }
      marks++;
      at += mark.length;
    }
  }
  pieces.push(text.slice(start));
  return pieces;
}
