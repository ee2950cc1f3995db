import { isAscii, isUtf8 } from "node:buffer";
import { fittingCharset } from "../charset/alphabet-fit.ts";
import { codePageLabel, decodeCharset, isUnicodeCharset } from "../charset/decode-charset.ts";

/**
 * Charsets of the 8-bit strings of a store. Each string has the charsets declared by message and store, likeliest
 * first: ANSI stores use the code page of a machine and seldom declare it.
 */
export type TextCharsets = readonly string[];

/** Code pages of 16-bit and 32-bit strings: they do not apply to 8-bit strings ([MS-OXCMSG] 2.2.1.4). */
const WIDE_CODE_PAGES: ReadonlySet<number> = new Set([1200, 1201, 12000, 12001]);
const WIDE_CHARSETS = /^(?:utf-?(?:16|32)|ucs-?[24])/i;
/** Seven-bit charsets, whose text looks like ASCII. */
const SEVEN_BIT: ReadonlySet<string> = new Set(["iso-2022-jp", "iso-2022-kr", "iso-2022-cn", "hz-gb-2312", "utf-7"]);
const DOUBLE_BYTE: ReadonlySet<string> = new Set(["shift_jis", "gbk", "euc-kr", "big5", "gb18030", "euc-jp"]);
/**
 * Number of UTF-8 characters from which text labeled as double-byte is read as UTF-8: one such pair in seven is valid
 * UTF-8 by chance.
 */
const MIN_CHARACTERS_AGAINST_DOUBLE_BYTE = 4;
/** Expected characters if UTF-8 text has another label: letters and marks of living languages. */
const COMMON_CHARACTER =
  /[\u00a0-\u017f\u0370-\u052f\u05d0-\u05ea\u0621-\u064a\u0e00-\u0e5b\u2010-\u2122\u3000-\u9fff\uac00-\ud7a3]/;

/** Charset of a code page number for 8-bit strings; null for none, unknown ones and those of wide strings. */
export function charsetOfCodePage(codePage: number | null): string | null {
  return codePage === null || codePage <= 0 || WIDE_CODE_PAGES.has(codePage) ? null : codePageLabel(codePage);
}

/** Removes duplicates and charsets that are not for 8-bit strings. */
export function textCharsets(charsets: readonly (string | null)[]): TextCharsets {
  const named = charsets.filter((charset) => charset !== null && !WIDE_CHARSETS.test(charset)) as string[];
  return [...new Set(named.map((charset) => charset.toLowerCase()))];
}

/**
 * Decodes an 8-bit string. Valid UTF-8 is UTF-8 under any label. Of several declared charsets, the one that fits the
 * text is used, or the first if in doubt; without a declared charset, only the bytes decide.
 */
export function decodeString8(bytes: Buffer, charsets: TextCharsets): string {
  if (isAscii(bytes))
    return decodeCharset(bytes, charsets.find((charset) => SEVEN_BIT.has(charset)) ?? charsets[0] ?? null);
  if (isTrulyUtf8(bytes, charsets)) return decodeCharset(bytes, "utf-8");
  const eightBit = charsets.filter((charset) => !isUnicodeCharset(charset) || isSevenBit(charset));
  if (eightBit.length > 0) return decodeCharset(bytes, fittingCharset(bytes, eightBit));
  if (charsets.length > 0) return decodeCharset(bytes, "utf-8");
  const detected = detectCodePage(bytes);
  return decodeCharset(bytes, detected === null ? null : codePageLabel(detected));
}

function isSevenBit(charset: string): boolean {
  return SEVEN_BIT.has(charset) && charset !== "utf-7";
}

function isTrulyUtf8(bytes: Buffer, charsets: TextCharsets): boolean {
  const isNamed = charsets.includes("utf-8");
  if (!isUtf8(bytes)) return isNamed && isDamagedUtf8(bytes);
  if (isNamed || charsets.length === 0) return true;
  const high = Array.from(bytes.toString("utf8")).filter((character) => character >= "\x80");
  if (charsets.some((charset) => DOUBLE_BYTE.has(charset))) return high.length >= MIN_CHARACTERS_AGAINST_DOUBLE_BYTE;
  return high.length > 1 || COMMON_CHARACTER.test(high[0]!);
}

/** True for truncated or slightly damaged UTF-8. */
function isDamagedUtf8(bytes: Buffer): boolean {
  let good = 0;
  let bad = 0;
  for (const character of bytes.toString("utf8")) {
    if (character === "\ufffd") bad++;
    else if (character >= "\x80") good++;
  }
  return good > bad;
}

/**
 * Windows code pages, each with the code pages that its users send mail in (`PidTagInternetCodepage`): a sender of
 * iso-2022-jp types Shift-JIS.
 */
const INTERNET_OF_ANSI: readonly (readonly [ansi: number, ...internet: readonly number[]])[] = [
  [932, 50220, 50221, 50222, 51932, 20932],
  [949, 50225, 51949],
  [936, 20936, 50227, 51936, 52936, 54936],
  [950, 51950],
  [874],
  [1250, 28592],
  [1251, 20866, 21866, 28595],
  [1253, 28597],
  [1254, 28599],
  [1255, 28598, 38598],
  [1256, 28596],
  [1257, 28594, 28603],
  [1258],
];
const ANSI_OF_INTERNET: ReadonlyMap<number, number> = new Map(
  INTERNET_OF_ANSI.flatMap((row) => row.map((codePage) => [codePage, row[0]])),
);

/**
 * The code page of a message's 8-bit strings according to the code page it was sent in; null if that is inconclusive
 * (Latin, UTF-8).
 */
export function ansiOfInternetCodePage(codePage: number | null): number | null {
  return codePage === null ? null : (ANSI_OF_INTERNET.get(codePage) ?? null);
}

/** Windows code pages by the primary language of a locale, the low ten bits of its number ([MS-LCID] 2.2). */
const LANGUAGES_OF_ANSI: readonly (readonly [codePage: number, ...languages: readonly number[]])[] = [
  [874, 0x1e],
  [932, 0x11],
  [949, 0x12],
  [936, 0x04],
  [1250, 0x05, 0x0e, 0x15, 0x18, 0x1a, 0x1b, 0x1c, 0x24],
  [1251, 0x02, 0x19, 0x22, 0x23, 0x28, 0x2f, 0x3f, 0x40, 0x44, 0x50],
  [1253, 0x08],
  [1254, 0x1f, 0x2c],
  [1255, 0x0d],
  [1256, 0x01, 0x20, 0x29],
  [1257, 0x25, 0x26, 0x27],
  [1258, 0x2a],
];
/**
 * Locales with a script or region other than the default of their language: Serbian and Bosnian in Cyrillic, Chinese
 * in Taiwan.
 */
const ANSI_OF_LOCALE: ReadonlyMap<number, number> = new Map([
  [0x0404, 950],
  [0x0c04, 950],
  [0x1404, 950],
  [0x0c1a, 1251],
  [0x1c1a, 1251],
  [0x201a, 1251],
  [0x281a, 1251],
  [0x301a, 1251],
  [0x082c, 1251],
  [0x0843, 1251],
]);
const ANSI_OF_LANGUAGE: ReadonlyMap<number, number> = new Map(
  LANGUAGES_OF_ANSI.flatMap(([codePage, ...languages]) => languages.map((language) => [language, codePage] as const)),
);
const LANGUAGE_BITS = 0x3ff;

/**
 * Windows code page of a locale (`PidTagMessageLocaleId`); null if it has none, or a Western one, which is used with
 * all languages.
 */
export function ansiOfLocale(locale: number | null): number | null {
  if (locale === null) return null;
  return ANSI_OF_LOCALE.get(locale & 0xffff) ?? ANSI_OF_LANGUAGE.get(locale & LANGUAGE_BITS) ?? null;
}

/** Minimum consecutive two-byte characters that indicate Shift-JIS: a single one may also be `it’s` in windows-1252. */
const MIN_RUN = 2;
const SHIFT_JIS = 932;

/**
 * Distinguishes Shift-JIS from windows-1252 if the file does not declare it. The lead bytes 0x81-0x9F of Shift-JIS
 * are quotes and dashes in windows-1252, which do not occur in runs; a text with a byte that is invalid in Shift-JIS
 * is windows-1252.
 */
export function detectCodePage(bytes: Uint8Array): number | null {
  let run = 0;
  let longest = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < 0x80) {
      run = 0;
      continue;
    }
    // Half-width katakana are single bytes.
    if (byte >= 0xa1 && byte <= 0xdf) continue;
    const trail = bytes[at + 1];
    if (byte === 0x80 || byte === 0xa0 || byte > 0xfc || trail === undefined || !isTrail(trail)) return null;
    run = byte <= 0x9f ? run + 1 : run;
    longest = Math.max(longest, run);
    at++;
  }
  return longest >= MIN_RUN ? SHIFT_JIS : null;
}

function isTrail(byte: number): boolean {
  return (byte >= 0x40 && byte <= 0x7e) || (byte >= 0x80 && byte <= 0xfc);
}
