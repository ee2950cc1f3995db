/** Tokens are counted in quarters, since models typically use one token per four English letters. */
export const QUARTERS = 4;
/** Code units below are ASCII; below the other, letters of European scripts. */
const ASCII_END = 0x80;
const EUROPEAN_END = 0x530;

/**
 * Quarters of a token that a code unit may cost. Tokenizers differ: digits, signs and non-Latin scripts cost more than
 * letters, and estimates err on the high side.
 */
function quartersOf(unit: number): number {
  if (unit >= ASCII_END) return unit < EUROPEAN_END ? 2 : 4;
  const isLetterOrBlank = unit <= 0x20 || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
  return isLetterOrBlank ? 1 : 2;
}

/** Estimated cost of a text, in quarters of a token. */
export function textQuarters(text: string): number {
  let quarters = 0;
  for (let at = 0; at < text.length; at++) quarters += quartersOf(text.charCodeAt(at));
  return quarters;
}

/**
 * End of the part of a text that begins at `start` and costs at most `quarters`, with `lead` before each line.
 * Prefers to end after a line or a word, and never splits a character; includes at least one character, so that
 * windows reach the end of every text.
 */
export function windowEnd(text: string, start: number, quarters: number, lead: string): number {
  const leadQuarters = textQuarters(lead);
  let left = quarters - leadQuarters;
  let end = start;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    left -= quartersOf(unit) + (unit === 0x0a ? leadQuarters : 0);
    if (left < 0) break;
    end++;
  }
  if (end >= text.length) return text.length;
  const least = start + Math.ceil((end - start) * 0.75);
  for (const sign of ["\n", " "]) {
    const at = text.lastIndexOf(sign, end - 1);
    if (at >= least) return at + 1;
  }
  if (isLowSurrogate(text.charCodeAt(end))) end--;
  return end > start ? end : Math.min(text.length, start + (isLowSurrogate(text.charCodeAt(start + 1)) ? 2 : 1));
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
