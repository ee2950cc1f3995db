import { HYPHEN, PLUS } from "../mail/words/ascii.ts";

/** Value of each base64 character code, 255 for others. */
const BASE64_VALUES = base64Values();

function base64Values(): Uint8Array {
  const values = new Uint8Array(128).fill(255);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value;
  return values;
}

/** Pieces of a text that are joined before more are made: millions of them weigh ten times the text. */
const MAX_PIECES = 1 << 16;

/** Decodes UTF-7 (RFC 2152): `+` starts base64 of UTF-16BE, `-` or any other character ends it, `+-` is a plus sign. */
export function decodeUtf7(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  const blocks: string[] = [];
  let pieces: string[] = [];
  let position = 0;
  while (position < text.length) {
    if (pieces.length >= MAX_PIECES) {
      blocks.push(pieces.join(""));
      pieces = [];
    }
    const plus = text.indexOf("+", position);
    if (plus < 0) break;
    pieces.push(text.slice(position, plus));
    if (text.charCodeAt(plus + 1) === HYPHEN) {
      pieces.push("+");
      position = plus + 2;
      continue;
    }
    const end = endOfBase64(text, plus + 1);
    pieces.push(end === plus + 1 ? "+" : decodeShifted(text, plus + 1, end));
    position = text.charCodeAt(end) === HYPHEN && end > plus + 1 ? end + 1 : end;
  }
  pieces.push(text.slice(position));
  blocks.push(pieces.join(""));
  return blocks.join("");
}

function endOfBase64(text: string, start: number): number {
  let end = start;
  while (end < text.length && (BASE64_VALUES[text.charCodeAt(end)] ?? 255) !== 255) end++;
  return end;
}

function decodeShifted(text: string, start: number, end: number): string {
  // A base64 character encodes six of the sixteen bits of a unit.
  const units = Buffer.allocUnsafe(2 * Math.floor(((end - start) * 6) / 16));
  let length = 0;
  let bits = 0;
  let held = 0;
  for (let at = start; at < end; at++) {
    bits = ((bits << 6) | BASE64_VALUES[text.charCodeAt(at)]!) & 0x3f_ffff;
    held += 6;
    if (held >= 16) {
      held -= 16;
      length = units.writeUInt16LE((bits >> held) & 0xffff, length);
    }
  }
  return units.toString("utf16le");
}

/** True when the byte may start UTF-7 base64: a cheap test before the work. */
export function hasShift(bytes: Buffer): boolean {
  return bytes.includes(PLUS);
}
