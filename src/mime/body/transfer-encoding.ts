import { rowOfWord } from "../../mail/words/word-table.ts";
import { decodeQuotedPrintable } from "../syntax/quoted-printable.ts";
import { BINHEX } from "./binhex.ts";
import { decodeBlock } from "./encoded-block.ts";
import { UUENCODE } from "./uuencode.ts";
import { YENC } from "./yenc.ts";

/** Content-Transfer-Encodings (RFC 2045 section 6) that change bytes. */
export type TransferEncoding = "identity" | "base64" | "quoted-printable" | "uuencode" | "yenc" | "binhex";

/** All spellings found, by letters and digits, and the usual ones unchanged. */
const ENCODINGS: ReadonlyMap<string, TransferEncoding> = new Map([
  ...rowOfWord<TransferEncoding>({
    identity: "7bit 7bits 8bit 8bits binary none usascii",
    base64: "base64 xbase64",
    "quoted-printable": "quoted-printable quotedprintable xquotedprintable",
    uuencode: "xuuencode xuue uuencode uue",
    yenc: "xyencode xyenc yenc",
    binhex: "binhex binhex40 xbinhex xbinhex40 macbinhex40 xmacbinhex40",
  }),
  ["", "identity"],
]);

/** No encoding name is longer; longer values are not searched for trailing quotes. */
const MAX_NAME_LENGTH = 60;

/** Finds the encoding a Content-Transfer-Encoding body names; null when it is unknown. */
export function transferEncoding(field: string): TransferEncoding | null {
  const known = ENCODINGS.get(field);
  if (known !== undefined) return known;
  const name = field.slice(0, MAX_NAME_LENGTH).split(/[;(]/, 1)[0]!;
  return ENCODINGS.get(wordOf(name)) ?? ENCODINGS.get(wordOf(name.trim().split(/[\t-\r ,]/, 1)[0]!)) ?? null;
}

function wordOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, "");
}

/** Decodes a body; damaged input gives a partial result. The result may share memory with the input. */
export function decodeTransfer(bytes: Buffer, encoding: TransferEncoding): Buffer {
  switch (encoding) {
    case "identity":
      return bytes;
    case "base64":
      return decodeBase64(bytes);
    case "quoted-printable":
      return decodeQuotedPrintable(bytes);
    case "uuencode":
      return decodeBlock(bytes, UUENCODE);
    case "yenc":
      return decodeBlock(bytes, YENC);
    case "binhex":
      return decodeBlock(bytes, BINHEX);
  }
}

const EQUALS = "=";
/** Characters after inner padding that are sampled to distinguish more base64 from a footer of a list server. */
const FOOTER_SAMPLE = 64;

/**
 * Decodes base64 with line ends, garbage and pads inside (concatenated pieces); text after the final pads is no part of
 * it.
 */
export function decodeBase64(bytes: Buffer): Buffer {
  const text = ofMailAlphabet(bytes.toString("latin1"));
  const pad = text.indexOf(EQUALS);
  if (pad < 0) return Buffer.from(text, "base64");
  // Decodes into one buffer: a body that repeats four characters and pads has millions of pieces.
  const output = Buffer.allocUnsafe(Math.ceil((text.length * 3) / 4));
  let written = 0;
  let start = 0;
  let end = pad;
  while (end >= 0) {
    written += output.write(text.slice(start, end), written, "base64");
    start = endOfPads(text, end);
    if (start >= text.length || !looksLikeBase64(text.slice(start, start + FOOTER_SAMPLE)))
      return output.subarray(0, written);
    end = text.indexOf(EQUALS, start);
  }
  written += output.write(text.slice(start), written, "base64");
  return output.subarray(0, written);
}

/**
 * Node decodes "-" and "_" as the base64url digits for "+" and "/"; in mail they belong to rules, boundaries and
 * footers, which RFC 2045 6.8 ignores. Some programs do write base64url: such text contains no "+", no "/" and no line
 * of dashes.
 */
function ofMailAlphabet(text: string): string {
  if (!text.includes("-") && !text.includes("_")) return text;
  const isUrlAlphabet = !text.includes("+") && !text.includes("/") && !text.includes("--") && !text.includes("__");
  return isUrlAlphabet ? text : text.replace(/[-_]/g, "");
}

function endOfPads(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text[at] === EQUALS || text.charCodeAt(at) <= 0x20)) at++;
  return at;
}

/** True for a first line of base64 alphabet only. */
function looksLikeBase64(sample: string): boolean {
  for (let at = 0; at < sample.length; at++) {
    const code = sample.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) return at > 0;
    const isAlphabet =
      (code >= 0x61 && code <= 0x7a) ||
      (code >= 0x41 && code <= 0x5a) ||
      (code >= 0x2f && code <= 0x39) ||
      code === 0x2b ||
      code === 0x3d;
    if (!isAlphabet) return false;
  }
  return sample.length > 0;
}
