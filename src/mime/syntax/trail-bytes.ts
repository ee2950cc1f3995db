import { isUtf8 } from "node:buffer";
import { charsetOfAsciiTrails } from "../../charset/decode-charset.ts";

/** Least first byte of a two-byte character. */
const LEAD = 0x81;
/** Single-byte katakana of Shift_JIS. */
const KATAKANA_FIRST = 0xa0;
const KATAKANA_LAST = 0xdf;
const LEAST_TRAIL = 0x40;

/** A first byte, and a second byte that is an ASCII sign or letter. */
const PAIR = /[\x81-\xfe][@-~]/;

/**
 * Shields the second bytes of two-byte characters in a raw field, so that a backslash or an "@" in them is not syntax:
 * \u8868 is 0x95 0x5C in Shift_JIS. A shielded byte is a character above 0xFF; encoding the text as latin1 restores it.
 * @param text one character per byte
 * @param charset of the field if it is not UTF-8, or null
 */
export function withShieldedTrails(text: string, charset: string | null): string {
  if (charset === null || !PAIR.test(text)) return text;
  const name = charsetOfAsciiTrails(charset);
  if (name === null || isUtf8(Buffer.from(text, "latin1"))) return text;
  // Two bytes per character, the second of which is zero.
  const units = Buffer.from(text, "ucs2");
  for (let at = 0; at + 2 < units.length; at += 2) {
    const lead = units[at]!;
    if (lead < LEAD || (name === "shift_jis" && lead >= KATAKANA_FIRST && lead <= KATAKANA_LAST)) continue;
    const trail = units[at + 2]!;
    if (trail < LEAST_TRAIL) continue;
    if (trail < 0x80) units[at + 3] = 1;
    at += 2;
  }
  return units.toString("ucs2");
}
