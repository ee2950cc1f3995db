import { isUtf8 } from "node:buffer";
import { LF } from "../../mail/words/ascii.ts";
import { decodeBase64 } from "./transfer-encoding.ts";

/** Bytes of a body sampled to check whether it is base64, as its label claims. */
const SAMPLE_BYTES = 1024;
/** Minimum length of a line that is not a word of any language; encoders break at 60 to 76. */
const LINE_LENGTH = 40;
/** Minimum base64 characters at the start of a body for it to be base64 before a footer. */
const RUN = /^[A-Za-z0-9+/]{16,}/;
/** One in this many base64 characters may be noise; in words, at least one in six is a blank or a sign. */
const CHARACTERS_PER_NOISE = 8;
/** Minimum groups of one length that are not words. */
const MIN_GROUPS = 8;
/** Anything but base64 and its line ends, which most bodies have alone. */
const OTHER_CHARACTER = /[^A-Za-z0-9+/=_\r\n-]/;
/** Control characters that do not occur in text: all but tabs, line breaks and charset escapes. */
const CONTROLS = /[\0-\x08\x0b\x10-\x1a\x1c-\x1f\x7f]/;

/**
 * True if a text is base64 as declared, possibly with noise, which RFC 2045 6.8 ignores; false if it was not encoded,
 * and decoding would produce garbage. @param charset declared charset, or null
 */
export function isBase64Text(body: Buffer, charset: string | null): boolean {
  const written = body.toString("latin1", 0, SAMPLE_BYTES).trim();
  const isPure = !OTHER_CHARACTER.test(written);
  const sample = !isPure && isGrouped(written) ? written.replaceAll(/[ \t]/g, "") : written;
  const lines = sample.split(/\s*\n\s*|\r/);
  const noise = isPure ? 0 : lines.reduce((count, line) => count + line.length - alphabetOf(line).length, 0);
  if (noise === 0 && (sample === "" || sample.endsWith("=") || isBroken(lines))) return true;
  const isSpare = noise * CHARACTERS_PER_NOISE <= sample.length;
  if (isSpare && isText(decodeBase64(Buffer.from(sample, "latin1")), noise === 0 ? null : charset)) return true;
  const run = RUN.exec(sample)?.[0];
  return run !== undefined && isText(Buffer.from(run, "base64"), charset);
}

/** True for characters in groups of one length, as people write long codes; words differ in length. */
function isGrouped(text: string): boolean {
  const lines = text.split("\n").map((line) => line.trim().split(/[ \t]+/));
  const length = lines[0]![0]!.length;
  const whole = lines.flatMap((groups) => groups.slice(0, -1));
  return whole.length >= MIN_GROUPS && whole.every((group) => group.length === length);
}

function alphabetOf(line: string): string {
  return line.replaceAll(/[^A-Za-z0-9+/=_-]/g, "");
}

/** True for lines broken by an encoder: all of one length except the last. */
function isBroken(lines: readonly string[]): boolean {
  const [first = "", ...others] = lines;
  return first.length >= LINE_LENGTH && others.slice(0, -1).every((line) => line.length === first.length);
}

/** True for possibly decoded text, whose end may be truncated. */
function isText(bytes: Buffer, charset: string | null): boolean {
  // True if every second byte is a control character.
  if (/^utf-?(?:16|32)/i.test(charset ?? "") || hasUtf16Mark(bytes)) return true;
  if (CONTROLS.test(bytes.toString("latin1"))) return false;
  if (!/^(?:utf-?8|(?:us-)?ascii)$/i.test(charset ?? "")) return true;
  return [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, Math.max(0, bytes.length - cut))));
}

function hasUtf16Mark(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Bytes at the end of a body searched for a footer. */
const FOOTER_BYTES = 4096;
/** Maximum bytes read of one line: bodies of a single line have no recognizable footer. */
const MAX_LINE_BYTES = 8192;
/** Signs of a footer: two words in a line, or a character outside the alphabet. */
const FOOTER_SIGN = /[^A-Za-z0-9+/=\s]|[A-Za-z0-9][ \t]+[A-Za-z0-9]/;
const ALPHABET_LINE = /^[A-Za-z0-9+/]+={0,2}$/;
/** 1 for the bytes of encoded lines and their ends. */
const ENCODED = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z0-9+/=\r\n]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/**
 * Start of a plain-text footer that a list server appended to a base64 body, or the length of the body. The encoder
 * used one line length, so the first line of another length is its last.
 */
export function footerStart(body: Buffer): number {
  const end = hasFooterSign(body) ? endOfEncodedLines(body) : body.length;
  return end > 0 && isFooter(body, end) ? end : body.length;
}

/** Nearly all bodies end with encoded lines, for which a loop takes a sixth of the time of the expression. */
function hasFooterSign(body: Buffer): boolean {
  const start = Math.max(0, body.length - FOOTER_BYTES);
  let at = body.length - 1;
  while (at >= start && ENCODED[body[at]!] === 1) at--;
  return at >= start && FOOTER_SIGN.test(body.toString("latin1", start));
}

/** End of the lines written by one encoder; 0 if the first line is not base64. */
function endOfEncodedLines(body: Buffer): number {
  let lineLength = 0;
  let isEnded = false;
  let start = 0;
  while (start < body.length) {
    const lineFeed = body.indexOf(LF, start);
    const next = lineFeed < 0 ? body.length : lineFeed + 1;
    const line = body.toString("latin1", start, Math.min(next, start + MAX_LINE_BYTES)).trim();
    if (line !== "" && (isEnded || !ALPHABET_LINE.test(line))) break;
    if (lineLength === 0) lineLength = line.length;
    isEnded = lineLength > 0 && (line.length !== lineLength || line.endsWith("="));
    start = next;
  }
  return lineLength === 0 ? 0 : start;
}

/** True for short text with words and without further base64. */
function isFooter(body: Buffer, start: number): boolean {
  if (body.length - start > FOOTER_BYTES) return false;
  const text = body.toString("latin1", start);
  return (
    FOOTER_SIGN.test(text) &&
    !text.split("\n").some((line) => line.length >= LINE_LENGTH && ALPHABET_LINE.test(line.trim()))
  );
}
