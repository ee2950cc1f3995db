import type { Address } from "../../mail/records/address.ts";
import { APOSTROPHE, BACKSLASH, COMMA, EQUALS, GREATER_THAN, LESS_THAN, QUOTE, SPACE } from "../../mail/words/ascii.ts";

/** Maximum addresses of one field, and of all fields of one name, as kept of a message (bounded-envelope.ts). */
export const MAX_ADDRESSES = 100_000;

/**
 * One for each character code that is allowed in an address and has no other meaning in an address field: not quotes,
 * comments, brackets, groups, routes, encoded words, escapes or the single quotes that some programs put around
 * addresses.
 */
const PLAIN: Uint8Array = plainCodes();

function plainCodes(): Uint8Array {
  const codes = new Uint8Array(256);
  codes.fill(1, 0x21, 0x7f);
  for (const special of "\"'(),:;<=>\\") codes[special.charCodeAt(0)] = 0;
  return codes;
}

/**
 * Reads an address field that consists only of comma-separated addresses, like `parseAddressList`, in one pass over the
 * folded text: bare ones, and `"Last, First" <a@b>` or `First Last <a@b>`. Null when it is anything else. Most fields
 * of mail by the million are of this kind.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the two usual forms of an address in one pass; anything else leaves it at once
export function simpleAddresses(text: string, from: number, to: number): readonly Address[] | null {
  const addresses: Address[] = [];
  let at = from;
  while (at < to && addresses.length < MAX_ADDRESSES) {
    const code = text.charCodeAt(at);
    if (code === COMMA || isBlank(code)) {
      at++;
      continue;
    }
    const nameStart = code === QUOTE ? at + 1 : at;
    const nameEnd = code === QUOTE ? endOfQuoted(text, nameStart, to) : endOfWords(text, at, to);
    if (nameEnd < 0) return null;
    at = skipBlanks(text, code === QUOTE ? nameEnd + 1 : nameEnd, to);
    if (text.charCodeAt(at) === LESS_THAN && at < to) {
      const end = endOfPlain(text, at + 1, to);
      if (end === at + 1 || end === to || text.charCodeAt(end) !== GREATER_THAN) return null;
      addresses.push({ name: text.slice(nameStart, nameEnd), email: text.slice(at + 1, end) });
      at = skipBlanks(text, end + 1, to);
    } else {
      // Without brackets: a single word with an at sign, without a name.
      const word = text.slice(nameStart, nameEnd);
      if (code === QUOTE || !word.includes("@") || word.includes(" ")) return null;
      addresses.push({ name: "", email: word });
    }
    if (at < to && text.charCodeAt(at) !== COMMA) return null;
  }
  return addresses;
}

/** Offset of the quote that ends a name; -1 when the name is not of plain characters with single blanks between. */
function endOfQuoted(text: string, start: number, to: number): number {
  let before = SPACE;
  for (let at = start; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return before === SPACE && at > start ? -1 : at;
    const isFirst = at === start;
    if (code < SPACE || code > 0x7e || code === BACKSLASH || code === EQUALS || (isFirst && code === APOSTROPHE))
      return -1;
    if (code === SPACE && before === SPACE) return -1;
    before = code;
  }
  return -1;
}

/** Offset after plain words with single blanks, ending before an opening bracket; -1 if anything else occurs. */
function endOfWords(text: string, start: number, to: number): number {
  let end = endOfPlain(text, start, to);
  while (end + 1 < to && text.charCodeAt(end) === SPACE && PLAIN[text.charCodeAt(end + 1)] === 1)
    end = endOfPlain(text, end + 1, to);
  return end;
}

function endOfPlain(text: string, start: number, to: number): number {
  let at = start;
  while (at < to && PLAIN[text.charCodeAt(at)] === 1) at++;
  return at;
}

function skipBlanks(text: string, start: number, to: number): number {
  let at = start;
  while (at < to && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** Blank, tab, or folding line break. */
function isBlank(code: number): boolean {
  return code === SPACE || code === 0x09 || code === 0x0a || code === 0x0d;
}
