import { decodeCharset } from "../charset/decode-charset.ts";
import { formatInstant } from "../mail/dates/instant.ts";
import { decodeReferences } from "../text/html/character-references.ts";
import { HtmlTokenizer } from "../text/html/html-tokenizer.ts";

/** Built-in formats that show dates and times (ECMA-376 part 1, 18.8.30). */
const DATE_FORMATS: ReadonlySet<number> = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
/** Maximum characters of a format code in Excel. */
const MAX_FORMAT_CODE = 255;
/** Maximum cell formats: Excel allows 65,490. */
const MAX_CELL_FORMATS = 65_536;
/** Literals of a format code: quoted, escaped, character-width spaces, fill characters, colors and conditions. */
const LITERALS = /"[^"]*"|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi;

const DAY_SECONDS = 86_400;
/** Days from 1899-12-30, where Excel counts from, and from 1904-01-01, where it did on the Mac, to 1970. */
const FIRST_DAY = 25_569;
const FIRST_DAY_1904 = 24_107;
/**
 * The last day of February 1900, which exists in Excel but not in the calendar: earlier days are counted from one day
 * later.
 */
const LEAP_DAY = 60;
/** 9999-12-31, the last day it shows. */
const LAST_DAY = 2_958_465;

/** Which cells of a workbook are dates; the stored number does not show it. */
export interface CellDates {
  /** By the format that a cell names. */
  readonly isDate: readonly boolean[];
  readonly countsFrom1904: boolean;
}

/** @param styles the part with the formats, or null */
export function cellDates(workbook: Buffer, styles: Buffer | null): CellDates {
  return { isDate: styles === null ? [] : dateFormats(styles), countsFrom1904: hasDate1904(workbook) };
}

/** Text of a cell; a date as `2001-05-31`, with its time if it has one; a time without a day. */
export function cellText(value: string, format: number, { isDate, countsFrom1904 }: CellDates): string {
  const days = Number(value);
  if (isDate[format] !== true || value.trim() === "" || !(days >= 0 && days < LAST_DAY + 1)) return value;
  const seconds = Math.round(days * DAY_SECONDS);
  const day = Math.floor(seconds / DAY_SECONDS);
  const hasOnlyTime = day === 0;
  const shift = !countsFrom1904 && day < LEAP_DAY ? 1 : 0;
  const epoch = countsFrom1904 ? FIRST_DAY_1904 : FIRST_DAY;
  const [date, time] = formatInstant((seconds + (shift - epoch) * DAY_SECONDS) * 1000)
    .slice(0, -1)
    .split("T") as [string, string];
  if (hasOnlyTime) return time;
  return time === "00:00:00" ? date : `${date} ${time}`;
}

/** Cell formats (18.8.10), each with the id of a number format. */
function dateFormats(styles: Buffer): readonly boolean[] {
  const tokens = new HtmlTokenizer(decodeCharset(styles, "utf-8"));
  const own = new Map<number, boolean>();
  const formats: number[] = [];
  let areOfCells = false;
  while (tokens.next() && formats.length < MAX_CELL_FORMATS) {
    const name = tokens.name.slice(tokens.name.indexOf(":") + 1);
    const format = Number(tokens.attribute("numfmtid") ?? 0);
    if (name === "cellxfs") areOfCells = !tokens.isEndTag;
    else if (name === "numfmt") own.set(format, showsDate(tokens.attribute("formatcode") ?? ""));
    else if (name === "xf" && !tokens.isEndTag && areOfCells) formats.push(format);
  }
  return formats.map((format) => own.get(format) ?? DATE_FORMATS.has(format));
}

/** True if a format code (18.8.31) shows a year, month, day, hour, minute or second. */
function showsDate(code: string): boolean {
  const shown = decodeReferences(code.slice(0, MAX_FORMAT_CODE)).replace(LITERALS, "");
  return !/^general$/i.test(shown) && /[dmyhs]/i.test(shown);
}

function hasDate1904(workbook: Buffer): boolean {
  const tokens = new HtmlTokenizer(decodeCharset(workbook, "utf-8"));
  while (tokens.next()) {
    if (!/(?:^|:)workbookpr$/.test(tokens.name)) continue;
    const given = tokens.attribute("date1904");
    return given === "1" || given === "true";
  }
  return false;
}
