import { ASTERISK, COLON, isDigit, LESS_THAN } from "../../mail/words/ascii.ts";
import type { BodyLines } from "./body-lines.ts";
import { isMachineField, isTraceField } from "./machine-fields.ts";
import {
  ATTRIBUTION_VERBS,
  HEADER_LABELS,
  MAX_LABEL_LENGTH,
  REPLY_BEGINNINGS,
  ROLE,
  SEPARATOR_BEGINNINGS,
  SEPARATOR_PHRASES,
  type SeparatorKind,
  TELLING_LABELS,
} from "./mail-phrases.ts";

const FULLWIDTH_COLON = 0xff1a;

/** Characters that programs draw lines with: - _ = * ~ • – — and box drawing. */
const RULE_CODES: ReadonlySet<number> = new Set([45, 95, 61, 42, 126, 0x2022, 0x2013, 0x2014, 0x2015, 0x2500, 0x2501]);

/** Longest separator line in characters: Lotus writes 100; a longer line is prose between dashes. */
const MAX_SEPARATOR_LENGTH = 250;

/** Maximum lines of one field in a quoted header block: a To: field often has 40 lines of addresses. */
const MAX_FIELD_LINES = 60;

/**
 * Maximum blank lines inside a header block: HTML mail separates its fields, and Lotus leaves space for a letterhead.
 */
const MAX_BLANK_LINES = 6;

/** Maximum fields of a header block: more is a list of labels, which would be read again for each. */
const MAX_BLOCK_FIELDS = 100;

/** Maximum lines of a folded machine-written field; some programs lose the indentation. */
const MAX_FOLDED_LINES = 5;

/** Maximum lines of a name and address for answers, between date and fields of a Lotus header. */
const MAX_REPLY_LINES = 2;

/** Maximum lines of names above the date of a Lotus header. */
const MAX_NAME_LINES = 2;

/** Maximum characters of a name line; longer ones are prose. */
const MAX_NAME_LENGTH = 60;

/** A date with a time, as Lotus writes it: `01/02/2001 10:11 AM`. */
export const LOTUS_DATE = /\d\d?[/.-]\d\d?[/.-]\d\d(?:\d\d)?,? {1,4}\d\d?:\d\d/u;

/** The remainder of a label in a line wrapped too early. */
const BARE_TIME = /^\s*\d\d?:\d\d(?::\d\d)?(?: [ap]m)?\s*$/iu;
const ENDING_DATE = /\d\d?[/.-]\d\d?[/.-]\d\d(?:\d\d)?,?\s*$/u;

/** A Lotus header on one line: name and date before `To:`, copies or the subject after it. */
const FLAT_HEADER =
  /^[^>\n]{3,150}?\d\d?[/.-]\d\d?[/.-]\d\d(?:\d\d)? \d\d?:\d\d(?::\d\d)?(?: [AP]M)?[ \t]{1,20}To: [^\n]{0,300}[ \t](?:cc|Subject):/;
/** After a blank, which is so common that a search for it takes several times as long. */
const FLAT_FIELD = "To: ";
const BLANK = 32;

/**
 * Offset of the first line with a complete Lotus header (`Ann Reed 04/24/01 12:37 PM To: Bo Lund cc: Subject:
 * Berths`), as some programs write it above quotations, or -1. Checks only the few lines with a field name in the
 * middle.
 */
export function flatHeaderStart(body: string): number {
  for (let field = body.indexOf(FLAT_FIELD); field >= 0; field = body.indexOf(FLAT_FIELD, field + 1)) {
    const at = field - 1;
    if (body.charCodeAt(at) !== BLANK) continue;
    const before = body.slice(Math.max(0, at - MAX_SEPARATOR_LENGTH), at);
    let start = at - before.length + before.lastIndexOf("\n") + 1;
    while (body.charCodeAt(start) === 32 || body.charCodeAt(start) === 9) start++;
    if (FLAT_HEADER.test(body.slice(start, at + MAX_SEPARATOR_LENGTH))) return start;
  }
  return -1;
}

/** Kind of the separator on a line (`-----Original Message-----`), or null. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the forms of separators, the cheapest test first: it looks at every line
export function separatorKind(lines: BodyLines, line: number): SeparatorKind | null {
  const hasColon = lines.lastCode(line) === COLON;
  if (lines.length(line) > MAX_SEPARATOR_LENGTH || (!hasColon && !RULE_CODES.has(lines.firstCode(line)))) return null;
  const { body } = lines;
  let first = lines.firsts[line]!;
  let end = lines.ends[line]!;
  while (first < end && (RULE_CODES.has(body.charCodeAt(first)) || body.charCodeAt(first) === 32)) first++;
  const isRuled = first - lines.firsts[line]! >= 2;
  while (end > first && isSeparatorEnd(body.charCodeAt(end - 1))) end--;
  if (first === end || (!isRuled && !hasColon)) return null;
  const phrase = body.slice(first, end).toLowerCase();
  const kind = SEPARATOR_PHRASES.get(phrase) ?? null;
  // Without dashes only Apple's `Begin forwarded message:` and its translations count.
  if (!isRuled) return kind === "forwarded" && phrase.includes(" ") ? kind : null;
  if (kind !== null) return kind;
  for (const [beginning, beginningKind] of SEPARATOR_BEGINNINGS) if (phrase.startsWith(beginning)) return beginningKind;
  const isClosed = end < lines.ends[line]! && RULE_CODES.has(lines.lastCode(line));
  return isClosed && ATTRIBUTION_VERBS.some((verb) => phrase.endsWith(verb)) ? "quoted" : null;
}

function isSeparatorEnd(code: number): boolean {
  return RULE_CODES.has(code) || code === 32 || code === COLON || code === FULLWIDTH_COLON;
}

/** True for a line of dashes, underscores or the like only. */
export function isRule(lines: BodyLines, line: number): boolean {
  const first = lines.firsts[line]!;
  const end = lines.ends[line]!;
  if (end - first < 3) return false;
  const code = lines.body.charCodeAt(first);
  if (!RULE_CODES.has(code)) return false;
  for (let at = first + 1; at < end; at++) if (lines.body.charCodeAt(at) !== code) return false;
  return true;
}

/** Header label at the start of a line (`From:`, `*Von:*`, `De :`), lower case; "" if there is none. */
export function headerLabel(lines: BodyLines, line: number): string {
  const { body } = lines;
  let first = lines.firsts[line]!;
  while (body.charCodeAt(first) === ASTERISK) first++;
  const limit = Math.min(lines.ends[line]!, first + MAX_LABEL_LENGTH);
  for (let at = first; at < limit; at++) {
    const code = body.charCodeAt(at);
    if (code !== COLON && code !== FULLWIDTH_COLON) continue;
    let end = at;
    while (
      end > first &&
      (body.charCodeAt(end - 1) === ASTERISK || body.charCodeAt(end - 1) <= 32 || body.charCodeAt(end - 1) === 0xa0)
    )
      end--;
    const label = body.slice(first, end).toLowerCase();
    return HEADER_LABELS.has(label) ? label : "";
  }
  return "";
}

/**
 * First line of the quoted header block whose first label is on `line`, or -1: several fields in a row, as Outlook
 * writes them above a quoted message, or Lotus with name and date above. A list of times and places (`From: Rome`, `To:
 * Oslo`) does not count.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: fields are read until one does not belong, with what each says of the block
export function headerBlockStart(lines: BodyLines, line: number, label: string): number {
  const above = filledAbove(lines, line);
  const roleAbove = above < 0 ? undefined : HEADER_LABELS.get(headerLabel(lines, above));
  if (roleAbove === ROLE.to || roleAbove === ROLE.copy) return -1;
  let roles = 0;
  let isTelling = false;
  let current = label;
  let at = line;
  for (let fields = 0; current !== "" && fields < MAX_BLOCK_FIELDS; fields++) {
    const role = HEADER_LABELS.get(current)!;
    if (role !== ROLE.other && (roles & role) !== 0) break;
    // A memo names the recipients first; mail programs begin with From, or omit it (Lotus has it in the line above).
    if (role === ROLE.from && (roles & ROLE.to) !== 0) return -1;
    roles |= role;
    isTelling ||= TELLING_LABELS.has(current) || fieldHasAddress(lines, at);
    if ((roles & ROLE.from) !== 0 && isTelling && isHeaderBlock(roles)) break;
    [at, current] = nextField(lines, at);
  }
  return isTelling && isHeaderBlock(roles) ? blockStart(lines, line) : -1;
}

/** Required roles: sender, and recipient, date or subject; or recipient, and date or subject. */
function isHeaderBlock(roles: number): boolean {
  if ((roles & ROLE.from) !== 0) return (roles & (ROLE.date | ROLE.to | ROLE.subject)) !== 0;
  return (roles & ROLE.to) !== 0 && (roles & (ROLE.date | ROLE.copy | ROLE.subject)) !== 0;
}

function fieldHasAddress(lines: BodyLines, line: number): boolean {
  return lines.text(line).includes("@");
}

/**
 * The next labeled line of a block and its label, skipping folded and blank lines; label "" at the end of the block.
 */
export function nextField(lines: BodyLines, from: number): [line: number, label: string] {
  const limit = Math.min(lines.count, from + 1 + MAX_FIELD_LINES);
  for (let at = from + 1; at < limit; at++) {
    if (lines.isBlank(at)) {
      const next = lines.nextFilled(at, MAX_BLANK_LINES);
      return [next, next < lines.count ? headerLabel(lines, next) : ""];
    }
    const label = headerLabel(lines, at);
    if (label !== "") return [at, label];
  }
  return [limit, ""];
}

/**
 * Includes lines directly above that belong to a header block: a rule, trace fields of a whole header, or the name
 * and date of a Lotus header.
 */
function blockStart(lines: BodyLines, line: number): number {
  const trace = traceStart(lines, line);
  if (trace < line) return ruledStart(lines, trace);
  const above = filledAbove(lines, replyLine(lines, line));
  const title = above < 0 ? -1 : lotusTitle(lines, above);
  return ruledStart(lines, title < 0 ? line : nameStart(lines, title));
}

/** The first of the trace lines directly above a header line; the line itself if there are none. */
function traceStart(lines: BodyLines, line: number): number {
  let start = line;
  let isTraced = false;
  for (let above = line - 1; above >= 0 && line - above <= MAX_FIELD_LINES; above--) {
    if (lines.isBlank(above) || start - above > MAX_FOLDED_LINES) break;
    const text = lines.text(above);
    if (!isMachineField(text)) continue;
    start = above;
    isTraced ||= isTraceField(text);
  }
  return isTraced ? start : line;
}

/** The line `Please respond to <ann@x>` above a line, which may be folded; the line itself if there is none. */
function replyLine(lines: BodyLines, line: number): number {
  let above = line;
  for (let count = 0; count < MAX_REPLY_LINES; count++) {
    above = filledAbove(lines, above);
    if (above < 0 || lines.length(above) > MAX_SEPARATOR_LENGTH) return line;
    const text = lines.text(above).toLowerCase();
    if (REPLY_BEGINNINGS.some((beginning) => text.startsWith(beginning))) return above;
  }
  return line;
}

/** The line with the date of a Lotus header that ends on `line`: the previous one if only the time is left. */
function lotusTitle(lines: BodyLines, line: number): number {
  if (lines.length(line) > MAX_SEPARATOR_LENGTH) return -1;
  const text = lines.text(line);
  if (LOTUS_DATE.test(text)) return line;
  if (!BARE_TIME.test(text) || line === 0 || lines.length(line - 1) > MAX_SEPARATOR_LENGTH) return -1;
  return ENDING_DATE.test(lines.text(line - 1)) ? line - 1 : -1;
}

/**
 * `Ann Example <ann@x> on` may be wrapped before the address or the date, with the name on a separate line above a bare
 * date, and with blank lines between if all lines have them: the first line of the name above `line`.
 */
function nameStart(lines: BodyLines, line: number): number {
  const code = lines.firstCode(line);
  if (!isDigit(code) && code !== LESS_THAN) return line;
  if (line >= 2 && lines.isBlank(line - 1) && lines.isBlank(line + 1)) return isName(lines, line - 2) ? line - 2 : line;
  let start = line;
  for (let name = 1; name <= MAX_NAME_LINES && start > 0 && isName(lines, start - 1); name++) start--;
  return start;
}

function isName(lines: BodyLines, line: number): boolean {
  if (lines.isBlank(line) || lines.isQuoted(line)) return false;
  const most = lines.text(line).endsWith(" on") ? MAX_SEPARATOR_LENGTH : MAX_NAME_LENGTH;
  return lines.length(line) <= most;
}

/** The line itself, or a rule above it. */
function ruledStart(lines: BodyLines, line: number): number {
  const above = filledAbove(lines, line);
  return above >= 0 && isRule(lines, above) ? above : line;
}

/** The line with text above a line, or -1 if it is farther away than a header block allows. */
function filledAbove(lines: BodyLines, line: number): number {
  for (let above = line - 1; above >= 0 && above >= line - 1 - MAX_BLANK_LINES; above--)
    if (!lines.isBlank(above)) return above;
  return -1;
}
