import { BACKSLASH, ESCAPE } from "../../mail/words/ascii.ts";

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

/** Maximum characters of raw ISO-2022 text that is one run. */
const MAX_SHIFTED = 1_000;

/** End of the ISO-2022 text (RFC 1468) that an escape character begins; the next offset if it never ends. */
export function endOfShifted(text: string, at: number): number {
  if (text[at + 1] !== "$") return at + 1;
  const back = text.slice(at, at + MAX_SHIFTED).indexOf("\x1b(");
  return back < 0 ? at + 1 : at + back + 3;
}

/** Undoes the escapes of quotes and comments. */
export function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  if (!text.includes("\x1b$")) return text.replace(/\\(.)/g, "$1");
  let plain = "";
  for (let at = 0; at < text.length; ) {
    const isEscape = text.charCodeAt(at) === BACKSLASH && at + 1 < text.length;
    const start = isEscape ? at + 1 : at;
    const end = !isEscape && text.charCodeAt(at) === ESCAPE ? endOfShifted(text, at) : start + 1;
    plain += text.slice(start, end);
    at = end;
  }
  return plain;
}
