import { findAttribution, isFollowedByQuote } from "./attribution.ts";
import { BodyLines } from "./body-lines.ts";
import { flatHeaderStart, headerBlockStart, headerLabel, separatorKind } from "./quote-markers.ts";
import { signatureStart } from "./signature.ts";

export const BODY_PART_KINDS = ["own", "quoted", "forwarded", "signature"] as const;
type BodyPartKind = (typeof BODY_PART_KINDS)[number];

/** A range of a body: `body.slice(start, end)`, offsets in UTF-16 units. */
export interface BodyPart {
  readonly kind: BodyPartKind;
  readonly start: number;
  readonly end: number;
}

/** Parts of the body in order, without gaps: together they are the body. Adjacent parts differ in kind. */
export type BodyParts = readonly BodyPart[];

/** Start of an older message that extends to the end of the body. */
interface Cut {
  readonly offset: number;
  readonly kind: BodyPartKind;
}

/** Length of a quoted line that a program wrapped without a new `>`, so that the rest is recognized only by length. */
const MIN_BROKEN_LINE = 65;
const MAX_BROKEN_REST = 25;
/** Matches a line that begins in the middle of a sentence, and line ends after which no sentence continues. */
const GOES_ON = /^\p{Ll}/u;
const ENDS_OF_SENTENCES = new Set([...".!?:;"].map((mark) => mark.charCodeAt(0)));

/**
 * Separates what the author of a message wrote from what was quoted, forwarded or appended, by the marks of mail
 * programs (RFC 3676 section 4 for `>` and `-- `; the rest is convention). Text after MAX_ANALYZED_LINES counts as the
 * author's. Linear; never throws.
 * @param author name and address (`Ann Reed <areed@x.example>`), which identify a signature without a mark
 */
export function splitBody(body: string, author = ""): BodyParts {
  const lines = new BodyLines(body);
  const { kinds, ...marks } = quotationsOf(lines);
  markSignatures(lines, kinds, marks.end, author);
  return assembleParts(lines, kinds, marks);
}

/** The same without detecting signatures, for callers that need only the other parts. */
export function splitQuotations(body: string): BodyParts {
  const lines = new BodyLines(body);
  const { kinds, ...marks } = quotationsOf(lines);
  return assembleParts(lines, kinds, marks);
}

/** Classifies lines, except signatures. */
function quotationsOf(lines: BodyLines): Marks & { readonly kinds: BodyPartKind[] } {
  const kinds: BodyPartKind[] = new Array(lines.count).fill("own");
  /** Offsets inside a line at which a quotation starts. */
  const innerStarts = new Map<number, number>();
  const cut = markQuotes(lines, kinds, innerStarts);
  markBrokenLines(lines, kinds);
  const cutOffset = cut?.offset ?? lines.end;
  let end = kinds.length;
  while (end > 0 && lines.starts[end - 1]! >= cutOffset) end--;
  return { kinds, innerStarts, cut, end };
}

/** The text written by the author of a message, without quotations and signature, trimmed; "" for a mere forward. */
export function authorText(body: string, author = ""): string {
  return textOf(body, splitBody(body, author), "own");
}

/** The text of all parts of one kind, trimmed and separated by blank lines. */
export function textOf(body: string, parts: BodyParts, kind: BodyPartKind): string {
  const texts: string[] = [];
  for (const part of parts) {
    if (part.kind !== kind) continue;
    const text = body.slice(part.start, part.end).trim();
    if (text !== "") texts.push(text);
  }
  return texts.join("\n\n");
}

/** Marks lines with `>` and their attributions, and finds the start of an older message without such marks. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the rules of what ends own text, in the order in which they win
function markQuotes(lines: BodyLines, kinds: BodyPartKind[], innerStarts: Map<number, number>): Cut | null {
  const flatHeader = flatHeaderStart(lines.body);
  let firstOwn = lines.count;
  for (let line = 0; line < lines.count; line++) {
    if (lines.isBlank(line)) continue;
    if (lines.isQuoted(line)) {
      if (isEscapedFrom(lines, line)) firstOwn = Math.min(firstOwn, line);
      else kinds[line] = "quoted";
      continue;
    }
    const cut =
      lines.firsts[line] === flatHeader
        ? { offset: lines.starts[line]!, kind: firstOwn < line ? ("quoted" as const) : ("forwarded" as const) }
        : findCut(lines, line, firstOwn);
    const attribution = cut === null ? findAttribution(lines, line) : { start: cut.offset, line };
    if (attribution === null) {
      firstOwn = Math.min(firstOwn, line);
    } else if (isFollowedByQuote(lines, line)) {
      // The older message ends with its `>`: later text may be an answer below it.
      kinds.fill("quoted", attribution.line, line + 1);
      if (attribution.start > lines.starts[attribution.line]!) innerStarts.set(attribution.line, attribution.start);
    } else {
      return cut ?? { offset: attribution.start, kind: "quoted" };
    }
  }
  return null;
}

/**
 * Separators and header blocks: everything after them is the older message. Without text of the writer above, the
 * message was forwarded.
 */
function findCut(lines: BodyLines, line: number, firstOwn: number): Cut | null {
  const separator = separatorKind(lines, line);
  if (separator !== null) return { offset: lines.starts[line]!, kind: firstOwn < line ? separator : "forwarded" };
  const label = headerLabel(lines, line);
  if (label === "") return null;
  const start = headerBlockStart(lines, line, label);
  if (start < 0) return null;
  return { offset: lines.starts[start]!, kind: firstOwn < start ? "quoted" : "forwarded" };
}

/** A single `>From ` among unquoted lines is an mbox escape, not a quotation. */
function isEscapedFrom(lines: BodyLines, line: number): boolean {
  if (!lines.body.startsWith(">From ", lines.starts[line])) return false;
  const isLone = (neighbor: number): boolean => neighbor < 0 || neighbor >= lines.count || !lines.isQuoted(neighbor);
  return isLone(line - 1) && isLone(line + 1);
}

/** Also marks blank lines between quoted lines, and the remainders of long quoted lines that a program wrapped. */
function markBrokenLines(lines: BodyLines, kinds: BodyPartKind[]): void {
  let lastQuoted = -1;
  for (let line = 0; line < kinds.length; line++) {
    if (kinds[line] !== "quoted") {
      if (!lines.isBlank(line) && !isBrokenRest(lines, kinds, line)) lastQuoted = -1;
      continue;
    }
    if (lastQuoted >= 0) kinds.fill("quoted", lastQuoted + 1, line);
    lastQuoted = line;
  }
}

function isBrokenRest(lines: BodyLines, kinds: readonly BodyPartKind[], line: number): boolean {
  if (line === 0 || kinds[line - 1] !== "quoted" || kinds[line + 1] !== "quoted") return false;
  if (!lines.isQuoted(line - 1) || lines.length(line - 1) < MIN_BROKEN_LINE) return false;
  if (lines.length(line) <= MAX_BROKEN_REST) return true;
  return (
    !ENDS_OF_SENTENCES.has(lines.lastCode(line - 1)) &&
    GOES_ON.test(lines.body.slice(lines.firsts[line]!, lines.firsts[line]! + 2))
  );
}

/** Marks the signature of every run of own lines before the cut. @param end number of lines before it */
function markSignatures(lines: BodyLines, kinds: BodyPartKind[], end: number, author: string): void {
  let from = 0;
  while (from < end) {
    let to = from;
    while (to < end && kinds[to] === "own") to++;
    const signature = signatureStart(lines, from, to, author);
    if (signature < to) kinds.fill("signature", signature, to);
    from = to + 1;
  }
}

interface Marks {
  readonly innerStarts: ReadonlyMap<number, number>;
  readonly cut: Cut | null;
  /** Number of lines that begin before the cut. */
  readonly end: number;
}

function assembleParts(lines: BodyLines, kinds: readonly BodyPartKind[], marks: Marks): BodyParts {
  const parts: { kind: BodyPartKind; start: number; end: number }[] = [];
  const add = (kind: BodyPartKind, start: number, end: number): void => {
    const last = parts.at(-1);
    if (start === end) return;
    if (last !== undefined && last.kind === kind) last.end = end;
    else parts.push({ kind, start, end });
  };
  const limit = marks.cut?.offset ?? lines.end;
  for (let line = 0; line < marks.end; line++) {
    const start = lines.starts[line]!;
    const end = Math.min(lines.starts[line + 1]!, limit);
    const inner = marks.innerStarts.get(line);
    if (inner !== undefined) add("own", start, inner);
    add(kinds[line]!, inner ?? start, end);
  }
  add(marks.cut?.kind ?? "own", limit, lines.body.length);
  return parts;
}
