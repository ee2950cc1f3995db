import { CR, EQUALS, LF, SPACE, TAB, UNDERSCORE } from "../../mail/words/ascii.ts";

/** Value of each hex digit code, 255 for others. Lower case is accepted, as RFC 2045 6.7 advises. */
const HEX_VALUES = hexValues();

function hexValues(): Uint8Array {
  const values = new Uint8Array(256).fill(255);
  for (let value = 0; value < 16; value++) {
    const digit = value.toString(16);
    values[digit.charCodeAt(0)] = value;
    values[digit.toUpperCase().charCodeAt(0)] = value;
  }
  return values;
}

/**
 * Decodes quoted-printable (RFC 2045 section 6.7). A `=` at the end of a line, even before blanks, is a soft break; a
 * `=` without a valid escape stays. Blanks added at the end of a line by transports are removed (rule 3). Returns the
 * input itself if there is nothing to decode.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the bytes, whose cases share the place it has reached
export function decodeQuotedPrintable(bytes: Buffer): Buffer {
  if (!bytes.includes(EQUALS)) return bytes;
  const output = Buffer.allocUnsafe(bytes.length);
  let written = 0;
  /** Blanks before this offset were encoded and are kept. */
  let solid = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === EQUALS) {
      const high = HEX_VALUES[bytes[at + 1] ?? 0]!;
      const low = HEX_VALUES[bytes[at + 2] ?? 0]!;
      if (high !== 255 && low !== 255) {
        output[written++] = (high << 4) | low;
        at += 2;
      } else {
        const breakEnd = softBreakEnd(bytes, at + 1);
        if (breakEnd < 0) output[written++] = byte;
        else at = breakEnd - 1;
      }
      solid = written;
    } else if (byte === LF) {
      const hasReturn = written > 0 && output[written - 1] === CR && bytes[at - 1] === CR;
      while (written > solid && isBlank(output[written - 1]!)) written--;
      if (hasReturn) output[written++] = CR;
      output[written++] = LF;
      solid = written;
    } else output[written++] = byte;
  }
  return output.subarray(0, written);
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CR;
}

/** Offset after a soft line break whose `=` is just before `from`; -1 if there is none. */
function softBreakEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isBlank(bytes[at]!)) at++;
  if (at >= bytes.length) return at;
  return bytes[at] === LF ? at + 1 : -1;
}

/**
 * Decodes the Q encoding of encoded words (RFC 2047 section 4.2): `_` is a blank. A blank next to it comes from folding
 * and is dropped.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the bytes, whose cases share the place it has reached
export function decodeQ(text: string): Buffer {
  const output = Buffer.allocUnsafe(text.length);
  let written = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === SPACE && (text.charCodeAt(at + 1) === UNDERSCORE || text.charCodeAt(at - 1) === UNDERSCORE)) continue;
    const high = code === EQUALS ? HEX_VALUES[text.charCodeAt(at + 1) & 0xff]! : 255;
    const low = high === 255 || at + 2 >= text.length ? 255 : HEX_VALUES[text.charCodeAt(at + 2) & 0xff]!;
    if (low !== 255) {
      output[written++] = (high << 4) | low;
      at += 2;
    } else output[written++] = code === UNDERSCORE ? SPACE : code;
  }
  return output.subarray(0, written);
}
