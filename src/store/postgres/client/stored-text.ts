/**
 * PostgreSQL text cannot contain NUL, but mail does. NUL and the escape character are stored as two characters each,
 * which keeps texts distinct and ordered: U+0000 as U+0001 U+0001, U+0001 as U+0001 U+0002.
 */
const ESCAPE = "\u0001";
const ESCAPED_NUL = "\u0001\u0001";
const ESCAPED_ESCAPE = "\u0001\u0002";

/** Encodes a text for a column. Lone surrogates become U+FFFD, as in every store. */
export function encodeText(text: string): string {
  // Two `includes` are faster than a pattern, and nearly no text has either character.
  if (!text.includes("\0") && !text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPE, ESCAPED_ESCAPE).replaceAll("\0", ESCAPED_NUL);
}

/** Decodes the text of a column. */
export function decodeText(stored: string): string {
  if (!stored.includes(ESCAPE)) return stored;
  const parts: string[] = [];
  let start = 0;
  for (let at = stored.indexOf(ESCAPE); at !== -1; at = stored.indexOf(ESCAPE, at + 2)) {
    parts.push(stored.slice(start, at), stored.startsWith(ESCAPED_NUL, at) ? "\0" : ESCAPE);
    start = at + 2;
  }
  return parts.join("") + stored.slice(start);
}
