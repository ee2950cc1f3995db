/**
 * UTF-16 units of a piece of text: about sixty printed pages, which a browser lays out in under a tenth of a second.
 */
export const PIECE_LENGTH = 200_000;

/** Number of pieces of a text, at least one. */
export function pieceCount(text: string): number {
  return Math.max(1, Math.ceil(text.length / PIECE_LENGTH));
}

/** The piece with a number, from 0; never splits a character. */
export function textPiece(text: string, number: number): { readonly start: number; readonly text: string } {
  const start = wholeCharacter(text, number * PIECE_LENGTH);
  return { start, text: text.slice(start, wholeCharacter(text, (number + 1) * PIECE_LENGTH)) };
}

/** Returns an offset, or the one before it if it is inside a surrogate pair. */
function wholeCharacter(text: string, offset: number): number {
  const isLow = (text.charCodeAt(offset) & 0xfc00) === 0xdc00;
  return isLow && (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800 ? offset - 1 : offset;
}
