/*
 * Text of one byte in each character: a header before it is decoded. JavaScript takes the character 0xA0 for a blank,
 * but as a byte it is the end of `à` and of `Р` in UTF-8 and half of many signs in double-byte charsets. These
 * functions only treat ASCII white space as blanks.
 */

/** The white space of ASCII, in a character class of a regular expression: `[\t-\r ]`. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

export function trimBytes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return end - start === text.length ? text : text.slice(start, end);
}

/** Collapses runs of blanks and trims. */
export function collapseBytes(text: string): string {
  const trimmed = trimBytes(text);
  return /[\t-\r ]{2}|[\t\r\n]/.test(trimmed) ? trimmed.replace(/[\t-\r ]+/g, " ") : trimmed;
}

export function withoutBlanks(text: string): string {
  return text.replace(/[\t-\r ]+/g, "");
}
