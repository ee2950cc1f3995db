import type { Utf8Buffer } from "../mail/utf8-buffer.ts";

const BACKSLASH = 0x5c;
/** Bytes escaped at a time: room is made for the worst case of that many, not of a whole message. */
const STRETCH_BYTES = 1 << 14;
const HEX_DIGITS: Uint8Array = Uint8Array.from(Buffer.from("0123456789abcdef"));

/** What JSON makes of a byte: 0 = itself, DROPPED, LONG = `\u00xx`, else the letter behind a backslash (RFC 8259 section 7). */
const DROPPED = 1;
const LONG = 2;
const ESCAPES: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  // Published text holds no NUL: it ends strings in C readers and SQLite tools.
  if (byte === 0) return DROPPED;
  const escaped = JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
  if (byte >= 0x80 || escaped.length === 1) return 0;
  return escaped.length === 2 ? escaped.charCodeAt(1) : LONG;
});
/** Longest escape of a byte: `\u001f`. */
const LONGEST_ESCAPE = 6;

/** Writes valid UTF-8 as the inside of a JSON string, byte for byte what JSON.stringify makes of it, without NUL. */
export function writeJsonText(utf8: Uint8Array, out: Utf8Buffer): void {
  for (let start = 0; start < utf8.length; start += STRETCH_BYTES) {
    out.reserve(STRETCH_BYTES * LONGEST_ESCAPE);
    out.length = escapeStretch(utf8, [start, Math.min(start + STRETCH_BYTES, utf8.length)], out);
  }
}

/** Escapes the bytes of a range behind what is written already; returns the new length. */
function escapeStretch(utf8: Uint8Array, [from, to]: readonly [number, number], { bytes, length }: Utf8Buffer): number {
  let at = length;
  for (let index = from; index < to; index += 1) {
    const byte = utf8[index] as number;
    const sign = ESCAPES[byte] as number;
    if (sign === 0) bytes[at++] = byte;
    else if (sign > LONG) {
      bytes[at] = BACKSLASH;
      bytes[at + 1] = sign;
      at += 2;
    } else if (sign === LONG) at = writeLongEscape(bytes, at, byte);
  }
  return at;
}

/** `\u00xx`; returns the place behind it. */
function writeLongEscape(bytes: Uint8Array, at: number, byte: number): number {
  bytes[at] = BACKSLASH;
  bytes[at + 1] = 0x75;
  bytes[at + 2] = 0x30;
  bytes[at + 3] = 0x30;
  bytes[at + 4] = HEX_DIGITS[byte >> 4] as number;
  bytes[at + 5] = HEX_DIGITS[byte & 15] as number;
  return at + LONGEST_ESCAPE;
}
