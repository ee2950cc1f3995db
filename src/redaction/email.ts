import { CLASS, DIGIT, hasClass, isWordCharacter, LETTER, LOCAL, type Span } from "./characters.ts";

/**
 * Longest local part followed back from "@": RFC 5321 says 64, bounce addresses with an address inside (VERP) are
 * longer.
 */
const MAX_LOCAL = 256;
/** Longest domain (RFC 5321 section 4.5.3.1.2). */
const MAX_DOMAIN = 255;
/**
 * First character of the scripts that are written without spaces: there the words before an address must not be taken
 * for its local part.
 */
const FIRST_UNSPACED = 0x2e80;

/** Non-ASCII letters of internationalized addresses (RFC 6531). */
function isForeignLetter(code: number, isUnspaced: boolean): boolean {
  return (code >= 0xc0 && code < 0x2000) || (isUnspaced && code >= FIRST_UNSPACED && code < 0xe000);
}

function localStart(text: string, at: number): number {
  const last = text.charCodeAt(at - 1);
  const lowest = Math.max(0, at - MAX_LOCAL);
  if (last === 0x22) {
    const quote = text.lastIndexOf('"', at - 2);
    return quote >= lowest && !text.slice(quote, at).includes("\n") ? quote : at;
  }
  const isUnspaced = last >= FIRST_UNSPACED;
  let start = at;
  while (start > lowest) {
    const code = text.charCodeAt(start - 1);
    if (!(code < 128 ? (CLASS[code]! & LOCAL) !== 0 : isForeignLetter(code, isUnspaced))) break;
    start--;
  }
  // Emphasis, quotes and list signs around an address are not part of it.
  while (
    start < at &&
    !hasClass(text.charCodeAt(start), DIGIT | LETTER) &&
    text.charCodeAt(start) < 128 &&
    text[start] !== "_"
  )
    start++;
  return start;
}

/** Host names contain underscores, although no standard allows them. */
const isLabelCharacter = (code: number, isUnspaced: boolean): boolean =>
  isWordCharacter(code) || code === 0x2d || isForeignLetter(code, isUnspaced);

const isTie = (code: number): boolean => code === 0x2d || code === 0x5f || hasClass(code, DIGIT);

/**
 * End of the letters of a top-level domain at `start`, or -1: at least two letters, or a Punycode label (RFC 5890).
 * Excludes attached text such as the number of a footnote.
 */
function topLevelEnd(text: string, start: number, end: number): number {
  if (text.slice(start, start + 4).toLowerCase() === "xn--") return end;
  let index = start;
  while (index < end && !isTie(text.charCodeAt(index))) index++;
  return index - start >= 2 ? index : -1;
}

/** End of the domain that begins at `start`; -1 if it has fewer than two labels. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over labels remembers the last valid end
function domainEnd(text: string, start: number): number {
  if (text[start] === "[") {
    const literal = /^\[(?:IPv6:[0-9a-f:.]{2,45}|\d{1,3}(?:\.\d{1,3}){3})\]/i.exec(text.slice(start, start + 55));
    return literal === null ? -1 : start + literal[0].length;
  }
  const isUnspaced = text.charCodeAt(start) >= FIRST_UNSPACED;
  const highest = start + MAX_DOMAIN;
  let found = -1;
  let label = start;
  for (;;) {
    let index = label;
    while (index < highest && isLabelCharacter(text.charCodeAt(index), isUnspaced)) index++;
    if (index === label) return found;
    if (label > start) {
      const end = topLevelEnd(text, label, index);
      if (end !== -1) found = end;
    }
    if (text.charCodeAt(index) !== 0x2e) return found;
    label = index + 1;
  }
}

/**
 * The address (RFC 5322 addr-spec, as found in running text) with its "@" at `at`, or null. The domain begins at
 * `domain`: after the "@", or after "%40", its form in a URL (RFC 3986 section 2.1).
 */
export function matchEmail(text: string, at: number, domain: number): Span | null {
  const start = localStart(text, at);
  if (start === at) return null;
  const end = domainEnd(text, domain);
  return end === -1 ? null : { start, end };
}
