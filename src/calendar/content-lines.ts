import type { Finding } from "../mail/records/message.ts";
import type { WarningCode } from "../mail/records/warning-codes.ts";

/**
 * Maximum characters read from one calendar: ten years of a busy calendar are 5 MB, and a message may carry anything.
 */
const MAX_CALENDAR_LENGTH = 16 * 1024 * 1024;

/** Characters of one unfolded line; longer ones (inline attachments) are cut. */
const MAX_LINE_LENGTH = 1024 * 1024;

/** Maximum parameters of a property; RFC 5545 has twenty. */
const MAX_PARAMETERS = 50;

/** A content line of RFC 5545 section 3.1. */
export interface ContentLine {
  /** Upper case. */
  readonly name: string;
  /** Values by upper-case name, quotes and RFC 6868 escapes undone. */
  readonly parameters: ReadonlyMap<string, string>;
  /** As written, with TEXT escapes. */
  readonly value: string;
}

/** Findings of one calendar, each kind once. */
export class CalendarFindings {
  private readonly findings = new Map<WarningCode, Finding>();

  add(code: WarningCode, message: string): void {
    if (!this.findings.has(code)) this.findings.set(code, { code, message });
  }

  list(): readonly Finding[] {
    return [...this.findings.values()];
  }
}

/**
 * Unfolds a calendar and cuts its lines into name, parameters and value. Accepts any line end. Drops invalid lines,
 * with a finding.
 */
export function* readContentLines(text: string, findings: CalendarFindings): Generator<ContentLine> {
  const source = text.length > MAX_CALENDAR_LENGTH ? text.slice(0, MAX_CALENDAR_LENGTH) : text;
  if (source !== text)
    findings.add("calendar-truncated", `calendar longer than ${MAX_CALENDAR_LENGTH} characters: the rest was ignored`);
  for (const line of unfold(source, findings)) {
    const content = parseLine(line);
    if (content !== null) yield content;
    else findings.add("calendar-bad-line", `calendar line without name and value: ${line.slice(0, 40)}`);
  }
}

/** Unfolded lines: continuations begin with a blank or tab, or follow a soft line break of vCalendar 1.0. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: folds, soft line ends and the limit meet in one pass over the lines
function* unfold(text: string, findings: CalendarFindings): Generator<string> {
  let pieces: string[] = [];
  let length = 0;
  let isSoft = false;
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    const end = endOfLine(text, at);
    const first = text.charCodeAt(at);
    const isFolded = first === 32 || first === 9;
    const piece = text.slice(isFolded ? at + 1 : at, end);
    if (pieces.length > 0 && !isFolded && !isSoft) {
      yield pieces.join("");
      pieces = [];
      length = 0;
    }
    isSoft = piece.endsWith("=") && (isSoft || isQuotedPrintable(pieces[0] ?? piece));
    const kept = isSoft ? piece.slice(0, -1) : piece;
    if (length + kept.length <= MAX_LINE_LENGTH) pieces.push(kept);
    else
      findings.add(
        "calendar-truncated",
        `calendar line longer than ${MAX_LINE_LENGTH} characters: the rest of the line was ignored`,
      );
    length += kept.length;
    at = text.startsWith("\r\n", end) ? end + 2 : end + 1;
    if (pieces.length === 1 && pieces[0]!.trim() === "") pieces = [];
  }
  if (pieces.length > 0) yield pieces.join("");
}

/** A single CR ends a line too, in old Macintosh exports. */
function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return text.length;
}

function isQuotedPrintable(line: string): boolean {
  return line.slice(0, 200).toUpperCase().includes("QUOTED-PRINTABLE");
}

function parseLine(line: string): ContentLine | null {
  let at = endOfName(line);
  const grouped = line.slice(0, at).trim().toUpperCase();
  // A vCard may name a group before the property: `item1.EMAIL`.
  const name = grouped.slice(grouped.indexOf(".") + 1);
  if (!/^[A-Z0-9-]+$/u.test(name)) return null;
  const parameters = new Map<string, string>();
  for (let count = 0; line.charAt(at) === ";"; count++) {
    if (count >= MAX_PARAMETERS) return null;
    const end = endOfParameter(line, at + 1);
    const equals = line.indexOf("=", at + 1);
    const nameEnd = equals > 0 && equals < end ? equals : end;
    addParameter(
      parameters,
      line
        .slice(at + 1, nameEnd)
        .trim()
        .toUpperCase(),
      readParameterValue(line.slice(nameEnd + 1, end)),
    );
    at = end;
  }
  return line.charAt(at) === ":" ? withWholeZone({ name, parameters, value: line.slice(at + 1) }) : null;
}

/** Matches a colon before a date. */
const DATE_AFTER_COLON = /:(?=\d{4}-?\d\d-?\d\d(?:[T ,/]|$))/;
/** Characters of a value that are searched for the rest of a zone. */
const MAX_ZONE_REST = 1_000;

/** A zone may contain a colon without the required quotes: `TZID=GMT+05:30`, `TZID=tzone://Microsoft/Custom`. */
function withWholeZone(line: ContentLine): ContentLine {
  const { name, parameters, value } = line;
  const zone = parameters.get("TZID");
  if (zone === undefined || /^\d{4}-?\d\d-?\d\d/.test(value)) return line;
  const colon = value.slice(0, MAX_ZONE_REST).search(DATE_AFTER_COLON);
  if (colon < 0) return line;
  const rest = value.slice(0, colon).split(";", 1)[0]!;
  return { name, parameters: new Map(parameters).set("TZID", `${zone}:${rest}`), value: value.slice(colon + 1) };
}

/** vCards repeat a type (`TYPE=HOME;TYPE=FAX`); version 2.1 also has bare values (`HOME;FAX`), including encodings. */
function addParameter(parameters: Map<string, string>, name: string, value: string): void {
  const known = parameters.get(name);
  if (value === "" && name === "QUOTED-PRINTABLE") parameters.set("ENCODING", name);
  else if (name === "TYPE" && known !== undefined) parameters.set(name, `${known},${value}`);
  else parameters.set(name, value);
}

function endOfName(line: string): number {
  let at = 0;
  while (at < line.length && line.charAt(at) !== ":" && line.charAt(at) !== ";") at++;
  return at;
}

/** The next `;` or `:` outside quotes; a quote that is never closed counts as an ordinary character. */
function endOfParameter(line: string, from: number): number {
  let at = from;
  while (at < line.length) {
    const character = line.charAt(at);
    if (character === ";" || character === ":") return at;
    if (character === '"') {
      const close = line.indexOf('"', at + 1);
      if (close > 0) at = close;
    }
    at++;
  }
  return at;
}

/** Undoes quotes and the escapes of RFC 6868 (`^n`, `^'`, `^^`). */
function readParameterValue(value: string): string {
  const plain = value.trim().replaceAll('"', "");
  if (!plain.includes("^")) return plain;
  return plain.replace(/\^[n'^]/gu, (pair) => (pair === "^n" ? "\n" : pair === "^'" ? '"' : "^"));
}

/** TEXT of RFC 5545 section 3.3.11 without its escapes, or vCalendar's quoted-printable decoded. */
export function readText(line: ContentLine): string {
  const value =
    line.parameters.get("ENCODING")?.toUpperCase() === "QUOTED-PRINTABLE"
      ? decodeQuotedPrintable(line.value)
      : line.value;
  if (!value.includes("\\")) return value;
  return value.replace(/\\([nN\\;,:"])/gu, (_, escaped: string) =>
    escaped === "n" || escaped === "N" ? "\n" : escaped,
  );
}

/** Splits a list of TEXT values at unescaped commas. The values keep their escapes. */
export function splitTexts(value: string): readonly string[] {
  const texts: string[] = [];
  let start = 0;
  for (let at = 0; at < value.length; at++) {
    if (value[at] === "\\") at++;
    else if (value[at] === ",") {
      texts.push(value.slice(start, at));
      start = at + 1;
    }
  }
  texts.push(value.slice(start));
  return texts;
}

function decodeQuotedPrintable(value: string): string {
  const bytes = Buffer.from(value, "utf8");
  const decoded = Buffer.alloc(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const hex = bytes[at] === 0x3d ? Number.parseInt(bytes.toString("latin1", at + 1, at + 3), 16) : Number.NaN;
    decoded[length++] = Number.isNaN(hex) ? bytes[at]! : hex;
    if (!Number.isNaN(hex)) at += 2;
  }
  return decoded.toString("utf8", 0, length).replaceAll("\r\n", "\n");
}
