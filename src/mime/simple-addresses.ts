import type { Address } from "../mail/address.ts";

const AT_SIGN = 0x40;
const COMMA = 0x2c;
const SPACE = 0x20;

/**
 * One for each character code that an address may hold and that means nothing else in an address field: not quotes, comments, brackets, groups,
 * routes, encoded words, escapes or the single quotes that some programs put around addresses.
 */
const PLAIN: Uint8Array = plainCodes();

function plainCodes(): Uint8Array {
  const codes = new Uint8Array(256);
  codes.fill(1, 0x21, 0x7f);
  for (const special of "\"'(),:;<=>\\") codes[special.charCodeAt(0)] = 0;
  return codes;
}

/**
 * Reads an address field that is nothing but addresses between commas, as `parseAddressList` would, in one pass over the folded text. Null when
 * it is anything else. Most fields of mail by the million are of this kind.
 */
export function simpleAddresses(text: string, from: number, to: number): readonly Address[] | null {
  const addresses: Address[] = [];
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (code === COMMA || isBlank(code)) {
      at += 1;
      continue;
    }
    const start = at;
    let hasAt = false;
    for (; at < to; at += 1) {
      const inner = text.charCodeAt(at);
      if (PLAIN[inner] !== 1) break;
      if (inner === AT_SIGN) hasAt = true;
    }
    const end = at;
    while (at < to && isBlank(text.charCodeAt(at))) at += 1;
    if (!hasAt || (at < to && text.charCodeAt(at) !== COMMA)) return null;
    addresses.push({ name: "", email: text.slice(start, end) });
  }
  return addresses;
}

/** Blank, tab, or the line end of a fold. */
function isBlank(code: number): boolean {
  return code === SPACE || code === 0x09 || code === 0x0a || code === 0x0d;
}
