import type { Instant } from "../../mail/dates/instant.ts";
import { COLON, COMMA, HYPHEN, isDigit, PLUS, SPACE } from "../../mail/words/ascii.ts";

const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
const WEEKDAYS = "SunMonTueWedThuFriSat";
const NAME_LENGTH = 3;
/** Earlier years are mistakes, which other rules handle. */
const FIRST_YEAR = 1970;
/** A day that every month has. */
const LAST_DAY = 28;
const MINUTE_MS = 60_000;
const MAX_ZONE_HOURS = 13;
/** `Mon Apr 23 12:41:00 2001`. */
const ASCTIME_LENGTH = 24;
/** ` Apr 2001 12:41:00 -0700`, after the day. */
const REST_LENGTH = 24;
/** A zone in a comment, the only text after the offset: ` (PDT)`. */
const ZONE_COMMENT = /^ \([A-Za-z]{1,5}\)$/;

/**
 * The instant of a date in one of two forms; null for other text, which may still be a date. Nearly all mail has one of
 * them, so that they are read without regular expressions: `Mon, 23 Apr 2001 12:41:00 -0700 (PDT)` (RFC 5322 section
 * 3.3), and the format of C's asctime and of list archives, `Mon Apr 23 12:41:00 2001`, in UTC.
 */
export function standardDate(text: string): Instant | null {
  return text.length <= ASCTIME_LENGTH ? asctimeDate(text) : mailDate(text);
}

function asctimeDate(text: string): Instant | null {
  if (text.length < ASCTIME_LENGTH || nameAt(WEEKDAYS, text, 0) < 0) return null;
  if (text.charCodeAt(3) !== SPACE || text.charCodeAt(7) !== SPACE || text.charCodeAt(10) !== SPACE) return null;
  const tens = text.charCodeAt(8);
  if (text.charCodeAt(19) !== SPACE || (tens !== SPACE && (tens < 0x31 || tens > 0x33))) return null;
  const day = tens === SPACE ? numberAt(text, 9, 1) : numberAt(text, 8, 2);
  return instantOf(numberAt(text, 20, 4), nameAt(MONTHS, text, 4), day, timeAt(text, 11));
}

function mailDate(text: string): Instant | null {
  let at = afterWeekday(text);
  const digits = isDigit(text.charCodeAt(at + 1)) ? 2 : 1;
  const day = numberAt(text, at, digits);
  at += digits;
  const end = at + REST_LENGTH;
  if (end > text.length || text.charCodeAt(at) !== SPACE || text.charCodeAt(at + 4) !== SPACE) return null;
  const sign = text.charCodeAt(at + 19);
  if (text.charCodeAt(at + 9) !== SPACE || text.charCodeAt(at + 18) !== SPACE) return null;
  if (sign !== PLUS && sign !== HYPHEN) return null;
  const local = instantOf(numberAt(text, at + 5, 4), nameAt(MONTHS, text, at + 1), day, timeAt(text, at + 10));
  const hours = numberAt(text, at + 20, 2);
  const minutes = numberAt(text, at + 22, 2);
  if (local === null || hours < 0 || hours > MAX_ZONE_HOURS || minutes < 0 || minutes > 59) return null;
  if (text.length > end && !ZONE_COMMENT.test(text.slice(end))) return null;
  const offset = (hours * 60 + minutes) * MINUTE_MS;
  return sign === HYPHEN ? local + offset : local - offset;
}

/** Offset after `Mon, `; 0 if the date begins otherwise. */
function afterWeekday(text: string): number {
  const isWeekday =
    isLetter(text.charCodeAt(0), 0) &&
    isLetter(text.charCodeAt(1), 0x20) &&
    isLetter(text.charCodeAt(2), 0x20) &&
    text.charCodeAt(NAME_LENGTH) === COMMA &&
    text.charCodeAt(NAME_LENGTH + 1) === SPACE;
  if (!isWeekday) return 0;
  return text.charCodeAt(NAME_LENGTH + 2) === SPACE ? NAME_LENGTH + 3 : NAME_LENGTH + 2;
}

/** @param lower 0 for capital letters, 0x20 for small ones */
function isLetter(code: number, lower: number): boolean {
  return code >= 0x41 + lower && code <= 0x5a + lower;
}

/** Number of the name of three letters at an offset in a list of such names, from 0; -1 if it is not one of them. */
function nameAt(names: string, text: string, at: number): number {
  const found = names.indexOf(text.slice(at, at + NAME_LENGTH));
  return found % NAME_LENGTH === 0 ? found / NAME_LENGTH : -1;
}

/** The decimal number with that many digits; -1 for other text. */
function numberAt(text: string, at: number, digits: number): number {
  let value = 0;
  for (let index = at; index < at + digits; index++) {
    const code = text.charCodeAt(index);
    if (!isDigit(code)) return -1;
    value = value * 10 + code - 0x30;
  }
  return value;
}

/** Seconds of `12:41:00`; -1 for other text. */
function timeAt(text: string, at: number): number {
  const hours = numberAt(text, at, 2);
  const minutes = numberAt(text, at + 3, 2);
  const seconds = numberAt(text, at + 6, 2);
  if (text.charCodeAt(at + 2) !== COLON || text.charCodeAt(at + 5) !== COLON) return -1;
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59) return -1;
  return (hours * 60 + minutes) * 60 + seconds;
}

function instantOf(year: number, month: number, day: number, seconds: number): Instant | null {
  if (year < FIRST_YEAR || month < 0 || day < 1 || seconds < 0) return null;
  const midnight = Date.UTC(year, month, day);
  return day > LAST_DAY && new Date(midnight).getUTCDate() !== day ? null : midnight + seconds * 1000;
}
