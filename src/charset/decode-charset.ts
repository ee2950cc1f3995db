import { isAscii, isUtf8 } from "node:buffer";
import { ESCAPE } from "../mail/words/ascii.ts";
import { wellFormed } from "../mail/words/unicode.ts";
import { type BuiltInCharset, charsetDecoding } from "./charset-labels.ts";
import { decodeEbcdic } from "./ebcdic.ts";
import { guessCharset } from "./guess-charset.ts";
import { decodeJohab } from "./johab.ts";
import { decodeRareCharset, isRareCharset } from "./rare-charsets.ts";
import { eightBitFromHz, eightBitFromShifted, withoutIdleEscapes } from "./seven-bit-cjk.ts";
import { decodeByStandard } from "./standard-tables.ts";
import { decodeUtf7, hasShift } from "./utf-7.ts";
import { unmarkedUtf16Order } from "./utf-16.ts";
import { decodeWindows1252 } from "./windows-1252.ts";

/** Maximum bytes of a text; the rest is truncated. V8 strings are limited to 512 MiB, and decoding may hold two. */
export const MAX_TEXT_BYTES = 256 * 1024 * 1024;

/**
 * Decodes text as mail labels it. `label` is the charset parameter as written, or null. Text with an unknown, missing
 * or us-ascii label is read as UTF-8 if the bytes are valid UTF-8, else in the most likely charset, usually
 * windows-1252. A byte order mark overrides all of these. The result contains no NUL and no lone surrogate. Never
 * throws.
 */
export function decodeCharset(bytes: Uint8Array, label: string | null): string {
  const all = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (all.length === 0) return "";
  return wellFormed(decode(all.length > MAX_TEXT_BYTES ? all.subarray(0, MAX_TEXT_BYTES) : all, label));
}

function decode(bytes: Buffer, label: string | null): string {
  const decoding = label === null ? null : charsetDecoding(label, isRareCharset);
  if (decoding === null) return decodeUnlabeled(bytes);
  switch (decoding.by) {
    case "own":
      return decodeOwn(bytes, decoding.name);
    case "standard":
      if (decoding.label === "iso-2022-jp")
        return isWrittenInEightBits(bytes) ? decodeUnlabeled(bytes) : decodeJapanese(bytes);
      if (isAscii(bytes)) return bytes.toString("latin1");
      return decodeByStandard(decoding.label, bytes);
    case "iconv":
      return decodeRareCharset(bytes, decoding.name);
  }
}

function decodeOwn(bytes: Buffer, name: BuiltInCharset): string {
  switch (name) {
    case "utf-8":
      return decodeUnicode(bytes, DAMAGE_PER_CHARACTER);
    case "us-ascii":
      return decodeUnlabeled(bytes);
    case "windows-1252":
      if (isAscii(bytes)) return bytes.toString("latin1");
      return isMislabeledUtf8(bytes) ? bytes.toString("utf8") : decodeWindows1252(bytes);
    case "utf-16":
    case "utf-16le":
    case "utf-16be":
      return decodeUtf16(bytes, name);
    case "utf-7":
      return hasShift(bytes) ? decodeUtf7(bytes) : decodeUnlabeled(bytes);
    case "iso-2022-kr":
      return isWrittenInEightBits(bytes)
        ? decodeUnlabeled(bytes)
        : decodeByStandard("euc-kr", eightBitFromShifted(bytes));
    case "iso-2022-cn":
      return decodeByStandard("gbk", eightBitFromShifted(bytes));
    case "hz-gb-2312":
      return decodeByStandard("gbk", eightBitFromHz(bytes));
    case "johab":
      return isUtf8(bytes) ? bytes.toString("utf8") : decodeJohab(bytes);
    default:
      // No letter and no digit of EBCDIC is in ASCII: such text has a wrong label.
      return isAscii(bytes) ? decodeUnlabeled(bytes) : decodeEbcdic(bytes, name);
  }
}

/**
 * Programs write the label of Western text, their default, on UTF-8: Western text is valid UTF-8 by chance only if it has
 * a single such character, such as `Ã’`.
 */
function isMislabeledUtf8(bytes: Buffer): boolean {
  if (!isUtf8(bytes)) return false;
  let leads = 0;
  for (let at = 0; at < bytes.length && leads < 2; at++) if (bytes[at]! >= LEAD_BYTE) leads++;
  return leads === 2;
}

/** The least first byte of a UTF-8 character with more than one byte. */
const LEAD_BYTE = 0xc0;

/** A 7-bit charset label on 8-bit bytes is wrong: often they are UTF-8. */
function isWrittenInEightBits(bytes: Buffer): boolean {
  return !isAscii(bytes) && !bytes.includes(ESCAPE);
}

function decodeUnlabeled(bytes: Buffer): string {
  return decodeUnicode(bytes, 1);
}

/** `trust` is the number of damaged places that one valid UTF-8 character outweighs. */
function decodeUnicode(bytes: Buffer, trust: number): string {
  const marked = decodeMarked(bytes);
  if (marked !== null) return marked;
  if (isAscii(bytes)) return decodeSevenBit(bytes);
  return isUtf8(bytes) ? bytes.toString("utf8") : decodeDamagedUtf8(bytes, trust);
}

/** Decodes text with a byte order mark (Unicode 23.8). Returns null without one. */
function decodeMarked(bytes: Buffer): string | null {
  const first = bytes[0]!;
  if (first < 0xef) return null;
  if (first === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    const rest = bytes.subarray(3);
    return isUtf8(rest) ? rest.toString("utf8") : decodeDamagedUtf8(rest, DAMAGE_PER_CHARACTER);
  }
  if (first === 0xff && bytes[1] === 0xfe) return ucs2(bytes.subarray(2));
  if (first === 0xfe && bytes[1] === 0xff) return ucs2(swapped(bytes.subarray(2)));
  return null;
}

/** Seven-bit bytes may still be ISO-2022 (Japanese and Korean mail without label) or UTF-16. */
function decodeSevenBit(bytes: Buffer): string {
  if (bytes.includes(ESCAPE)) {
    const name = escapedCharset(bytes);
    if (name === "iso-2022-jp") return decodeJapanese(bytes);
    if (name === "iso-2022-kr") return decodeByStandard("euc-kr", eightBitFromShifted(bytes));
  }
  if (bytes.includes(0)) {
    const order = unmarkedUtf16Order(bytes);
    if (order !== null) return decodeUtf16(bytes, order);
  }
  return bytes.toString("latin1");
}

function decodeJapanese(bytes: Buffer): string {
  return decodeByStandard("iso-2022-jp", withoutIdleEscapes(bytes));
}

/** Which ISO-2022 charset the first designation sequence belongs to (RFC 1468, RFC 1557). */
function escapedCharset(bytes: Buffer): "iso-2022-jp" | "iso-2022-kr" | null {
  const at = bytes.indexOf("\x1b$");
  if (at < 0) return null;
  const third = bytes[at + 2];
  if (third === 0x42 || third === 0x40 || third === 0x28) return "iso-2022-jp";
  return third === 0x29 && bytes[at + 3] === 0x43 ? "iso-2022-kr" : null;
}

function decodeUtf16(bytes: Buffer, order: "utf-16" | "utf-16le" | "utf-16be"): string {
  const marked = decodeMarked(bytes);
  if (marked !== null) return marked;
  const seen = unmarkedUtf16Order(bytes);
  // Mail labeled UTF-16 is often not: without a zero byte, valid UTF-8 is UTF-8.
  if (seen === null && isUtf8(bytes) && !bytes.includes(0)) return bytes.toString("utf8");
  const chosen = seen ?? (order === "utf-16" ? "utf-16be" : order);
  return ucs2(chosen === "utf-16le" ? bytes : swapped(bytes));
}

function ucs2(bytes: Buffer): string {
  return bytes.toString("ucs2", 0, bytes.length & ~1);
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
}

const REPLACEMENT = 0xfffd;

/**
 * Damaged places that one valid UTF-8 character outweighs if a label or mark says UTF-8: single-byte text rarely
 * forms one by chance.
 */
const DAMAGE_PER_CHARACTER = 4;

interface LenientReading {
  readonly text: string;
  /** Numbers of valid non-ASCII characters and of damaged places. */
  readonly good: number;
  readonly bad: number;
}

function readLeniently(bytes: Buffer): LenientReading {
  const text = bytes.toString("utf8");
  let good = 0;
  let bad = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === REPLACEMENT) bad++;
    else if (code >= 0x80) good++;
  }
  return { text, good, bad };
}

/**
 * Decodes invalid UTF-8: if enough of the non-ASCII bytes are valid, the rest was damaged (a cut inside a character).
 * If no label says UTF-8 and little is valid, double-byte text looks the same, so the likeliest charset comes first.
 */
function decodeDamagedUtf8(bytes: Buffer, trust: number): string {
  const { text, good, bad } = readLeniently(bytes);
  if (good > 0 && good * trust >= bad) return text;
  const guessed = guessCharset(bytes, decodeByStandard);
  if (guessed !== "windows-1252") return decodeByStandard(guessed, bytes);
  return good > 0 && good * DAMAGE_PER_CHARACTER >= bad ? text : decodeWindows1252(bytes);
}

/** Likeliest charset of unlabeled 8-bit bytes that are not UTF-8. */
export function guessedCharset(bytes: Buffer): string {
  return guessCharset(bytes, decodeByStandard);
}

/**
 * True for labels of Unicode, of 7-bit charsets and of no meaning: none of them explains 8-bit bytes that are not
 * UTF-8.
 */
export function isUnicodeCharset(label: string): boolean {
  const decoding = charsetDecoding(label, isRareCharset);
  return decoding === null || (decoding.by === "own" && decoding.name !== "windows-1252");
}

/** Charsets of two-byte characters whose second byte may be an ASCII sign, such as a backslash or an "@". */
const ASCII_TRAILS: ReadonlySet<string> = new Set(["shift_jis", "big5", "gbk", "gb18030"]);

/** Standard name of a label if its two-byte characters may contain ASCII signs; otherwise null. */
export function charsetOfAsciiTrails(label: string): string | null {
  const decoding = charsetDecoding(label, isRareCharset);
  return decoding?.by === "standard" && ASCII_TRAILS.has(decoding.label) ? decoding.label : null;
}

/**
 * Decodes unlabeled 8-bit header text: as UTF-8 if it is valid or slightly damaged, else by `charset`, that of the
 * message; if that is null or impossible, by the bytes alone.
 */
export function decodeUnlabeledField(bytes: Buffer, charset: string | null): string {
  if (charset === null || isUtf8(bytes)) return decodeCharset(bytes, null);
  const { good, bad } = readLeniently(bytes);
  // Two-byte text contains valid UTF-8 by chance.
  const damage = charsetOfAsciiTrails(charset) === null ? 1 : DAMAGE_PER_CHARACTER;
  if (good > 0 && good >= bad * damage) return decodeCharset(bytes, null);
  const text = decodeCharset(bytes, charset);
  return text.includes("\ufffd") ? decodeCharset(bytes, null) : text;
}

/** Windows code pages ([MS-UCODEREF] 2.2.1) whose charset name does not follow from the number. */
const CODE_PAGES: Readonly<Record<number, string>> = {
  37: "ibm037",
  500: "ibm500",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  951: "big5",
  1047: "ibm1047",
  1140: "ibm1140",
  1148: "ibm1148",
  1200: "utf-16le",
  1201: "utf-16be",
  1361: "johab",
  10000: "macintosh",
  10007: "x-mac-cyrillic",
  12000: "utf-32le",
  12001: "utf-32be",
  20127: "us-ascii",
  20866: "koi8-r",
  20932: "euc-jp",
  20936: "gbk",
  21866: "koi8-u",
  28601: "windows-874",
  38598: "iso-8859-8-i",
  50220: "iso-2022-jp",
  50221: "iso-2022-jp",
  50222: "iso-2022-jp",
  50225: "iso-2022-kr",
  50227: "iso-2022-cn",
  51932: "euc-jp",
  51936: "gbk",
  51949: "euc-kr",
  52936: "hz-gb-2312",
  54936: "gb18030",
  65000: "utf-7",
  65001: "utf-8",
};

const DOS_CODE_PAGES: ReadonlySet<number> = new Set([
  437, 737, 775, 850, 852, 855, 857, 858, 860, 861, 862, 863, 864, 865, 866, 869,
]);

/**
 * The charset label of a Windows code page number, as PidTagInternetCodepage and PidTagMessageCodepage carry it; null
 * when unknown.
 */
export function codePageLabel(codePage: number): string | null {
  const named = CODE_PAGES[codePage];
  if (named !== undefined) return named;
  if (codePage >= 1250 && codePage <= 1258) return `windows-${codePage}`;
  if (codePage >= 28591 && codePage <= 28606 && codePage !== 28602) return `iso-8859-${codePage - 28590}`;
  return DOS_CODE_PAGES.has(codePage) ? `ibm${codePage}` : null;
}
