import { isUtf8 } from "node:buffer";
import { decodeBase64 } from "./transfer-encoding.ts";

/** Bytes of a body looked at to tell whether it is the base64 that its label says. */
const SAMPLE_BYTES = 1024;
/** Length of a line from which on it is no word of any language; encoders break at 60 to 76. */
const LINE_LENGTH = 40;
/** So much of the alphabet at the beginning of a body may be base64 before a footer. */
const RUN = /^[A-Za-z0-9+/]{16,}/;
/** Of so many characters of base64 one may be noise: of words at least every sixth is a blank or a sign. */
const CHARACTERS_PER_NOISE = 8;
/** What no text has: control characters but for tabs, line ends and what switches charsets. */
const CONTROLS = /[\0-\x08\x0b\x10-\x1a\x1c-\x1f\x7f]/;

/**
 * True for a text that is base64 as its label says, with line noise, which RFC 2045 6.8 ignores, or without; false for
 * one that was left as it is, and of which decoding would make garbage.
 * @param charset as the part names it; null where it names none
 */
export function isBase64Text(body: Buffer, charset: string | null): boolean {
  const sample = body.toString("latin1", 0, SAMPLE_BYTES).trim();
  const lines = sample.split(/\s*\n\s*|\r/);
  const noise = lines.reduce((count, line) => count + line.length - alphabetOf(line).length, 0);
  if (noise === 0 && (sample === "" || sample.endsWith("=") || isBroken(lines))) return true;
  const isSpare = noise * CHARACTERS_PER_NOISE <= sample.length;
  if (isSpare && isText(decodeBase64(Buffer.from(sample, "latin1")), noise === 0 ? null : charset)) return true;
  const run = RUN.exec(sample)?.[0];
  return run !== undefined && isText(Buffer.from(run, "base64"), charset);
}

function alphabetOf(line: string): string {
  return line.replaceAll(/[^A-Za-z0-9+/=_-]/g, "");
}

/** True for lines as encoders break them, all of one length but for the last. */
function isBroken(lines: readonly string[]): boolean {
  const [first = "", ...others] = lines;
  return first.length >= LINE_LENGTH && others.slice(0, -1).every((line) => line.length === first.length);
}

/** True for what may be decoded text: the end of it may be cut. */
function isText(bytes: Buffer, charset: string | null): boolean {
  // Every second byte of it is a control character.
  if (/^utf-?(?:16|32)/i.test(charset ?? "")) return true;
  if (CONTROLS.test(bytes.toString("latin1"))) return false;
  if (!/^(?:utf-?8|(?:us-)?ascii)$/i.test(charset ?? "")) return true;
  return [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, Math.max(0, bytes.length - cut))));
}
