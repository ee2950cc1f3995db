import { COLON, COMMA, GREATER_THAN, HYPHEN, isDigit, SPACE } from "../../mail/words/ascii.ts";
import type { BodyLines } from "./body-lines.ts";
import { ATTRIBUTION_OPENERS, ATTRIBUTION_VERBS } from "./mail-phrases.ts";

const FULLWIDTH_COLON = 0xff1a;

/** Maximum lines of a wrapped attribution. */
const MAX_ATTRIBUTION_LINES = 4;

/** Maximum characters of an attribution including wrapped lines; bounds the work per candidate. */
const MAX_ATTRIBUTION_LENGTH = 500;

/** Maximum length of an attribution, in characters. */
const LONGEST_OPENER = 25;

/** A year, or a numeric date. These expressions repeat nothing, so they are linear. */
const DATE_SIGN = /(?:19|20)\d\d|\d[./-] ?\d\d?[./-] ?\d\d/u;
const TIME_SIGN = /\d[:.]\d\d/u;

/** Words after `On` in the middle of a line: a weekday, a month or a number. */
const ENGLISH_DATE_START = /^(?:\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/u;

interface Attribution {
  /** Start in the body, possibly inside a line. */
  readonly start: number;
  readonly line: number;
}

/** A line that may end an attribution. */
interface Ending {
  readonly line: number;
  /** The first line that may belong to it. */
  readonly top: number;
  readonly hasVerb: boolean;
  readonly isColon: boolean;
  readonly isBeforeQuote: boolean;
}

/**
 * The attribution (`On 3 May 2001, Ann wrote:`) that ends on a line, or null. It may be wrapped over several lines, and
 * some programs append it to the author's last words. Without quoted lines below it needs more evidence, because
 * everything after it counts as quoted.
 */
export function findAttribution(lines: BodyLines, line: number): Attribution | null {
  if (!mayEndAttribution(lines, line)) return null;
  const last = lines.lastCode(line);
  const isColon = last === COLON || last === FULLWIDTH_COLON;
  const isBeforeQuote = isFollowedByQuote(lines, line);
  const top = topOfParagraph(lines, line);
  if (top < 0 || !(isColon || isBeforeQuote)) return null;
  const text = lines.body.slice(lines.firsts[top], lines.ends[line]);
  const isDated = DATE_SIGN.test(text) || TIME_SIGN.test(text);
  // Nearly every line that ends in a colon is checked here, before its words are compared with the verbs of all
  // languages.
  if (!isDated && !isBeforeQuote && !lines.text(line).includes("@")) return null;
  const ending: Ending = { line, top, hasVerb: isColon && hasAttributionVerb(lines, line), isColon, isBeforeQuote };
  if (!isDated) return undatedAttribution(lines, ending);
  return openedAttribution(lines, ending) ?? innerAttribution(lines, ending) ?? unopenedAttribution(lines, ending);
}

/** True if the next line with text, after at most one blank line, begins with `>`. */
export function isFollowedByQuote(lines: BodyLines, line: number): boolean {
  const next = lines.nextFilled(line, 2);
  return next < lines.count && lines.isQuoted(next);
}

/** Fast check: a colon ends the line, or an address after a digit does. */
function mayEndAttribution(lines: BodyLines, line: number): boolean {
  const last = lines.lastCode(line);
  return last === COLON || last === FULLWIDTH_COLON || (last === GREATER_THAN && startsWithDigit(lines, line));
}

/** The first line on which an attribution that ends on `line` may begin, or -1 if the line is too long for one. */
function topOfParagraph(lines: BodyLines, line: number): number {
  let top = line;
  const end = lines.ends[line]!;
  if (lines.length(line) > MAX_ATTRIBUTION_LENGTH) return -1;
  while (line - top < MAX_ATTRIBUTION_LINES - 1 && top > 0 && !lines.isBlank(top - 1) && !lines.isQuoted(top - 1)) {
    if (end - lines.firsts[top - 1]! > MAX_ATTRIBUTION_LENGTH) break;
    top--;
  }
  return top;
}

/** An attribution that begins with a word such as `On` and has a date and an author. */
function openedAttribution(lines: BodyLines, ending: Ending): Attribution | null {
  for (let start = ending.line; start >= ending.top; start--) {
    const head = lines.body.slice(lines.firsts[start], lines.firsts[start]! + LONGEST_OPENER).toLowerCase();
    if (!ATTRIBUTION_OPENERS.some((opener) => head.startsWith(opener))) continue;
    const text = lines.body.slice(lines.firsts[start], lines.ends[ending.line]);
    const hasAddress = text.includes("@");
    const isDated = DATE_SIGN.test(text) || ((hasAddress || ending.isBeforeQuote) && TIME_SIGN.test(text));
    if (isDated && (hasAddress || ending.hasVerb)) return { start: lines.starts[start]!, line: start };
  }
  return null;
}

/** `see you On Mon, 3 May 2001 Ann wrote:`: the client forgot the line end. */
function innerAttribution(lines: BodyLines, ending: Ending): Attribution | null {
  if (!ending.hasVerb) return null;
  const from = lines.firsts[ending.top]!;
  const text = lines.body.slice(from, lines.ends[ending.line]);
  let at = text.lastIndexOf("On ");
  if (at <= 0 || !isGap(text.charCodeAt(at - 1))) return null;
  if (!ENGLISH_DATE_START.test(text.slice(at + 3, at + 6).toLowerCase()) || !DATE_SIGN.test(text.slice(at)))
    return null;
  while (at > 0 && isGap(text.charCodeAt(at - 1))) at--;
  let line = ending.line;
  while (lines.starts[line]! > from + at) line--;
  return { start: from + at, line };
}

function isGap(code: number): boolean {
  return code === SPACE || code === HYPHEN;
}

/**
 * `2014-10-17 11:28 Ann <ann@example.org>:`, `Ann <ann@example.org> wrote:`, and other forms directly above quoted
 * lines.
 */
function unopenedAttribution(lines: BodyLines, ending: Ending): Attribution | null {
  const { line, top, hasVerb, isColon, isBeforeQuote } = ending;
  for (let start = line; start >= top; start--) {
    const text = lines.body.slice(lines.firsts[start], lines.ends[line]);
    const mayBegin = hasVerb || (startsWithDigit(lines, start) && (isColon || isBeforeQuote));
    if (mayBegin && text.includes("@") && DATE_SIGN.test(text)) return { start: lines.starts[start]!, line: start };
  }
  const text = lines.text(line);
  const isDated = DATE_SIGN.test(text);
  const isTimed = TIME_SIGN.test(text);
  const isMeant = (hasVerb && isDated && isTimed) || (isBeforeQuote && isColon && (isDated || isTimed));
  return isMeant ? { start: lines.starts[line]!, line } : undatedAttribution(lines, ending);
}

/** `ann@example.org writes to the Harbor List:`, which mailing lists add above a message. */
const TO_LIST = /\bwrites to the .{1,100} [Ll]ist ?:$/u;

/** `Ann <ann@example.org> wrote:`, and other lines with an address or a verb directly above quoted lines. */
function undatedAttribution(lines: BodyLines, { line, hasVerb, isColon, isBeforeQuote }: Ending): Attribution | null {
  const hasAddress = lines.text(line).includes("@");
  const isMeant =
    (hasVerb && hasAddress && !TO_LIST.test(lines.text(line).trimEnd())) ||
    (isBeforeQuote && isColon && (hasVerb || hasAddress));
  return isMeant ? { start: lines.starts[line]!, line } : null;
}

function hasAttributionVerb(lines: BodyLines, line: number): boolean {
  const text = ` ${lines.body
    .slice(lines.firsts[line], lines.ends[line]! - 1)
    .trimEnd()
    .toLowerCase()}`;
  return ATTRIBUTION_VERBS.some((verb) => {
    const at = text.lastIndexOf(verb);
    if (at < 0) return false;
    const next = text.charCodeAt(at + verb.length);
    return Number.isNaN(next) || isGap(next) || next === COMMA;
  });
}

function startsWithDigit(lines: BodyLines, line: number): boolean {
  return isDigit(lines.firstCode(line));
}
