import { isLowerLetterOrDigit } from "../../mail/words/ascii.ts";
import { findAttribution } from "./attribution.ts";
import { BodyLines } from "./body-lines.ts";
import { ATTRIBUTION_OPENERS, ATTRIBUTION_VERBS, HEADER_LABELS, ROLE } from "./mail-phrases.ts";
import { headerBlockStart, headerLabel, isRule, LOTUS_DATE, nextField, separatorKind } from "./quote-markers.ts";
import { quotedMinutes, timeWithin } from "./quoted-date.ts";
import type { BodyParts } from "./split-body.ts";

/** Fields in the header of a quoted message. */
interface QuotedHeader {
  /** Name and address as written. */
  readonly author: string;
  /** Null if the header has no subject, like `On 3 May 2001, Ann wrote:`: then it is that of the quoting message. */
  readonly subject: string | null;
  /** Possible times from `quotedMinutes`. */
  readonly minutes: readonly number[];
  /** The first letters and digits of its text, in the form of `openingOf`. */
  readonly opening: string;
}

/**
 * Maximum headers read per message: a completely quoted conversation repeats mail that its other messages also quote.
 */
export const MAX_QUOTED_HEADERS = 4;
/** Maximum characters of quoted text per message: three headers with a page of text each. */
const MAX_QUOTED_LENGTH = 32_768;
/** Maximum quotations between answers. */
const MAX_QUOTATIONS = 8;
/** Letters and digits of an opening: about five words. */
const OPENING_LETTERS = 24;
/** Characters searched for an opening: text does not begin after a page of lines and dashes. */
const MAX_OPENING_LENGTH = 400;
/** Maximum characters of an author or subject. */
const MAX_FIELD_LENGTH = 400;

/** The first letters and digits above the first quotation of a body, the part of a text that quotations keep. */
export function openingOf(body: string, parts: BodyParts): string {
  return lettersOf(body, 0, parts.find(isOfOthers)?.start ?? body.length);
}

/** Runs for every message, so it reads letter by letter, and no more than needed. */
function lettersOf(text: string, start: number, end: number): string {
  const limit = Math.min(end, start + MAX_OPENING_LENGTH);
  let letters = "";
  for (let at = start; at < limit && letters.length < OPENING_LETTERS; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) {
      if (isLowerLetterOrDigit(code)) letters += text[at];
      else if (code >= 0x41 && code <= 0x5a) letters += String.fromCharCode(code | 0x20);
    } else if (LETTER.test(text[at]!)) letters += text[at]!.toLowerCase();
  }
  return letters.slice(0, OPENING_LETTERS);
}

/** Surrogate halves do not match. */
const LETTER = /[\p{L}\p{N}]/u;

function isOfOthers({ kind }: BodyParts[number]): boolean {
  return kind === "quoted" || kind === "forwarded";
}

/** The headers of the messages that a message quotes or forwards, in text order. */
export function readQuotedHeaders(body: string, parts: BodyParts): readonly QuotedHeader[] {
  const headers: QuotedHeader[] = [];
  let room = MAX_QUOTED_LENGTH;
  for (const part of parts.filter(isOfOthers).slice(0, MAX_QUOTATIONS)) {
    if (room <= 0 || headers.length >= MAX_QUOTED_HEADERS) break;
    const text = body.slice(part.start, Math.min(part.end, part.start + room));
    room -= text.length;
    readHeaders(new BodyLines(withoutMarks(text)), headers);
  }
  return headers;
}

/** Removes one `>` from every line. */
function withoutMarks(text: string): string {
  return text.startsWith(">") || text.includes("\n>") ? text.replace(/^[ \t]{0,4}> ?/gm, "") : text;
}

type OpenHeader = Omit<QuotedHeader, "opening">;

/** Adds the headers in a range of lines. The text of each extends to the next quotation mark. */
function readHeaders(lines: BodyLines, headers: QuotedHeader[]): void {
  let open: OpenHeader | null = null;
  let textStart = 0;
  const close = (end: number): void => {
    const from = lines.starts[Math.min(textStart, lines.count)]!;
    if (open !== null)
      headers.push({ ...open, opening: lettersOf(lines.body, from, lines.starts[Math.min(end, lines.count)]!) });
    open = null;
  };
  const colons = new Colons(lines);
  let line = 0;
  while (line < lines.count && headers.length < MAX_QUOTED_HEADERS) {
    if (lines.isBlank(line)) {
      line++;
      continue;
    }
    if (separatorKind(lines, line) !== null) {
      close(line);
      line++;
      continue;
    }
    const found = colons.isIn(line) ? headerAt(lines, line) : null;
    if (found === null) {
      line++;
      continue;
    }
    close(found.start);
    open = found.header;
    textStart = found.next;
    line = found.next;
  }
  if (headers.length < MAX_QUOTED_HEADERS) close(lines.count);
}

/** Finds lines with a colon, queried in ascending order: every header has one, and most lines have none. */
class Colons {
  private readonly hasWide: boolean;
  private next = -1;

  constructor(private readonly lines: BodyLines) {
    this.hasWide = lines.body.includes("：");
  }

  isIn(line: number): boolean {
    const first = this.lines.firsts[line]!;
    if (this.next < first) {
      const found = this.lines.body.indexOf(":", first);
      this.next = found < 0 ? this.lines.body.length : found;
    }
    return this.hasWide || this.next < this.lines.ends[line]!;
  }
}

/** A header: its first line, and the first line after it. */
interface FoundHeader {
  readonly header: OpenHeader;
  readonly start: number;
  readonly next: number;
}

function headerAt(lines: BodyLines, line: number): FoundHeader | null {
  const label = headerLabel(lines, line);
  if (label !== "") {
    const start = headerBlockStart(lines, line, label);
    if (start >= 0) return readBlock(lines, { start, line, label });
  }
  const attribution = findAttribution(lines, line);
  if (attribution === null) return null;
  const header = readAttribution(lines.body.slice(attribution.start, lines.ends[line]).slice(0, MAX_FIELD_LENGTH));
  return { header, start: attribution.line, next: line + 1 };
}

/**
 * The fields of a block whose first label is on `line`. Lotus has author and date above them, or the date after the
 * author.
 */
function readBlock(
  lines: BodyLines,
  { start, line, label }: { readonly start: number; readonly line: number; readonly label: string },
): FoundHeader {
  const fields = new Map<number, string>();
  let at = line;
  let current = label;
  let next = line;
  while (current !== "") {
    const role = HEADER_LABELS.get(current)!;
    if (role !== ROLE.other && fields.has(role)) break;
    const [following, followingLabel] = nextField(lines, at);
    fields.set(role, fieldBody(lines, at, role));
    next = role === ROLE.to || role === ROLE.copy ? firstBlank(lines, at, following) : at + 1;
    at = following;
    current = followingLabel;
  }
  const above = titleAbove(lines, start, line);
  const from = fields.get(ROLE.from) ?? "";
  const written = quotedMinutes(fields.get(ROLE.date) ?? "");
  const minutes = written.length > 0 ? written : datedMinutes(from === "" ? above : `${from} ${above}`);
  const author = withoutDate(from === "" ? above : from);
  return { header: { author, subject: fields.get(ROLE.subject) ?? null, minutes }, start, next };
}

/** Recipients may be folded over many lines; the text begins after a blank line. */
function firstBlank(lines: BodyLines, from: number, to: number): number {
  for (let line = from + 1; line < to; line++) if (lines.isBlank(line)) return line;
  return to;
}

function fieldBody(lines: BodyLines, line: number, role: number): string {
  const text = lines.text(line).slice(0, MAX_FIELD_LENGTH);
  const colon = text.search(/[:：]/u);
  const body = text
    .slice(colon + 1)
    .replace(/^\*+/, "")
    .trim();
  // `From: Ann Example`, and on the next line the address and the date that Lotus aligns with it.
  if (role !== ROLE.from || line + 1 >= lines.count || lines.isBlank(line + 1) || headerLabel(lines, line + 1) !== "")
    return body;
  return `${body} ${lines.text(line + 1).slice(0, MAX_FIELD_LENGTH)}`;
}

/** The text above the first field of a block, without rules: name and date of a Lotus header. */
function titleAbove(lines: BodyLines, start: number, line: number): string {
  const texts: string[] = [];
  for (let above = start; above < line; above++) {
    if (!lines.isBlank(above) && !isRule(lines, above)) texts.push(lines.text(above).slice(0, MAX_FIELD_LENGTH));
  }
  return texts.join(" ");
}

function datedMinutes(text: string): readonly number[] {
  const at = text.search(LOTUS_DATE);
  return at < 0 ? [] : quotedMinutes(text.slice(at));
}

/** The name and address before a date (`Ann Example on 05/14/2001 04:39 PM`). */
function withoutDate(text: string): string {
  const at = text.search(LOTUS_DATE);
  return (at < 0 ? text : text.slice(0, at)).trim().replace(/ on$/i, "").slice(0, MAX_FIELD_LENGTH);
}

/** What can follow the time: seconds, a.m. or p.m., the zone, the date, and a link to the name. */
const AFTER_TIME =
  /^[\d:.]*\s?에?(?:[ap]\.?\s?m\.?\b|uhr\b)?,?\s*(?:\(?(?:gmt|utc|[a-z]{2,4}t)\b\)?)?\s*(?:[+-]\d\d:?\d\d)?\s*(?:\([^()]{0,40}\))?(?:\s?de \d\d?\/\d\d?\/\d{2,4})?[\s,;:)]*/i;

/**
 * Reads `On Monday, 3 May 2001 at 10:33, Ann <ann@x.example> wrote:`: the name follows the time, or precedes the verb.
 */
function readAttribution(text: string): OpenHeader {
  const flat = text.replace(/\s+/g, " ").replace(/[:：]\s*$/u, "");
  const time = timeWithin(flat);
  const minutes = quotedMinutes(flat);
  const rest = time === null ? flat : flat.slice(time.end).replace(AFTER_TIME, "");
  const author = withoutVerb(rest);
  return {
    author: author === "" ? withoutOpener(flat.slice(0, time?.start ?? flat.length)) : author,
    subject: null,
    minutes,
  };
}

/** The text before the verb, or after a verb in first position (`schrieb Ann`). */
function withoutVerb(text: string): string {
  const lower = ` ${text.toLowerCase()}`;
  for (const verb of ATTRIBUTION_VERBS) {
    const at = lower.lastIndexOf(verb);
    if (at === 0) return text.slice(verb.length).trim();
    if (at > 0) return text.slice(0, at - 1).trim();
  }
  return text.trim();
}

function withoutOpener(text: string): string {
  const lower = text.toLowerCase();
  const opener = ATTRIBUTION_OPENERS.find((words) => lower.startsWith(words));
  return withoutVerb(opener === undefined ? text : text.slice(opener.length));
}
