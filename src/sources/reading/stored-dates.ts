import type { Instant } from "../../mail/dates/instant.ts";
import { parseDate } from "../../mime/syntax/date-time.ts";
import { standardDate } from "../../mime/syntax/standard-date.ts";

const SECOND_MS = 1000;
/** Characters of a separator line searched for its date. */
const LINE_CHARACTERS = 256;
/**
 * Number of words before the date, the usual one first: `From` and the sender, which may be missing or contain blanks.
 */
const WORDS_BEFORE = [2, 1, 3, 4, 5, 6] as const;

const FROM = "From ";
/** Placeholders of `git format-patch` and public-inbox for a date. */
const PLACEHOLDERS: readonly Instant[] = [Date.UTC(2001, 8, 17), 0];

/** Date of an mbox `From ` line, in UTC if it has no zone (RFC 4155); null without one, and for fixed dates. */
export function separatorDate(line: string): Instant | null {
  const date = dateInLine(line);
  return date === null || PLACEHOLDERS.includes(date) ? null : date;
}

/** `Mon Apr 23 12:41:00 2001`, the usual form. */
const ASCTIME_LENGTH = 24;

function dateInLine(line: string): Instant | null {
  const end = line.trimEnd().length;
  const start = end - ASCTIME_LENGTH;
  const usual = start > FROM.length && line.indexOf(" ", FROM.length) === start - 1;
  return (usual ? standardDate(line.slice(start, end)) : null) ?? dateAfterWords(line);
}

function dateAfterWords(line: string): Instant | null {
  const words = line.slice(0, LINE_CHARACTERS).trim().split(/\s+/);
  for (const before of WORDS_BEFORE) {
    const date = before < words.length ? parseDate(words.slice(before).join(" ")) : null;
    if (date !== null) return date;
  }
  return null;
}

/** The seconds at the start of a Maildir file name, with a number in OfflineIMAP; null for other names. */
export function maildirDate(name: string): Instant | null {
  const seconds = /^(\d{1,11})(?:_\d{1,9})?\./.exec(name);
  return seconds === null ? null : Number(seconds[1]) * SECOND_MS;
}

/** `date-received` of the property list of an `.emlx` file: seconds since 1970; null if it is missing. */
export function emlxDate(properties: string): Instant | null {
  const key = properties.indexOf("<key>date-received</key>");
  if (key < 0) return null;
  const value =
    /^<key>date-received<\/key>\s{0,20}<(?:integer|real)>(\d{1,11})(?:\.\d{0,20})?<\/(?:integer|real)>/.exec(
      properties.slice(key, key + 120),
    );
  return value === null ? null : Number(value[1]) * SECOND_MS;
}
