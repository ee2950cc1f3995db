import { DEFAULT_PII_TYPES, NAMED_PII_TYPES, type PiiType, type RedactedType } from "../mail/records/provenance.ts";
import { HEX, hasClass, LETTER, type Span } from "./characters.ts";
import { continuesAfterLineBreak } from "./credit-card.ts";
import { chainEnd, type DigitGroups, digitGroups } from "./digit-groups.ts";
import { markerAt, markerOf } from "./marker.ts";
import { PII_ROWS, type PiiRow } from "./pii-rows.ts";

/** A found span and its type. */
interface PiiSpan extends Span {
  readonly type: PiiType;
}

/**
 * Maximum distance in characters that a rejected number or address was examined to its right: shape, cue word, domain
 * literal.
 */
const RIGHT_CONTEXT = 64;

type RowsOf<Trigger extends PiiRow["trigger"]> = readonly Extract<PiiRow, { trigger: Trigger }>[];

/** Rows by trigger, and the pattern of the triggers. */
interface ScanPlan {
  readonly number: RowsOf<"number">;
  readonly colon: RowsOf<"colon">;
  readonly at: RowsOf<"at">;
  readonly letters: RowsOf<"letters">;
  readonly pattern: string;
}

/** State of a scan. */
interface Scan {
  readonly text: string;
  readonly plan: ScanPlan;
  readonly spans: PiiSpan[];
  /** End and type of the last span or marker before it. */
  floor: number;
  lastType: RedactedType | null;
  /** End of the last rejected number or address. */
  rejectedEnd: number;
  /**
   * End of a run of colons and hexadecimal digits that contains nothing else, except possibly a match that begins
   * with letters.
   */
  runEnd: number;
  /** End of the last run of colons and hexadecimal digits in which an address was looked for. */
  colonRunEnd: number;
  isSettled: boolean;
}

/** Result of a scan. */
export interface ScanResult {
  readonly spans: readonly PiiSpan[];
  /** False if replacing a span by a marker may turn rejected text just before it into a match. */
  readonly isSettled: boolean;
}

function add(scan: Scan, span: Span, type: PiiType): number {
  scan.spans.push({ start: span.start, end: span.end, type });
  if (span.start - scan.rejectedEnd <= RIGHT_CONTEXT) scan.isSettled = false;
  scan.floor = span.end;
  scan.lastType = type;
  return span.end;
}

/** The first type that matches at a group. `isBroken` if digits continue after a tab or line break. */
function matchGroup(scan: Scan, groups: DigitGroups, group: number, isBroken: boolean): PiiSpan | null {
  for (const { type, match } of scan.plan.number) {
    const span = match(groups, group, scan, isBroken);
    if (span !== null) return { start: span.start, end: span.end, type };
  }
  return null;
}

/** Digits of the first group of most cards. */
const CARD_GROUP = 4;

/** Checks the chain of digit groups that begins at `start`; returns where the scan continues. */
function scanDigits(scan: Scan, start: number): number {
  const chain = chainEnd(scan.text, start);
  // Of chains too short for any number, only one group of four digits can begin a card that continues on the next
  // line.
  if (chain < 0 && (-chain !== start + CARD_GROUP || !continuesAfterLineBreak(scan.text, -chain))) return -chain;
  const extent = Math.abs(chain);
  const isBroken = chain < 0 || continuesAfterLineBreak(scan.text, extent);
  const groups = digitGroups(scan.text, start, extent);
  let position = extent;
  for (let group = 0; group < groups.starts.length; group++) {
    if (groups.starts[group]! < scan.floor) continue;
    const found = matchGroup(scan, groups, group, isBroken);
    if (found === null) scan.rejectedEnd = groups.ends[group]!;
    else position = Math.max(position, add(scan, found, found.type));
  }
  return position;
}

/** An address may have swallowed numbers found just before (`5551234567@sms.example`): they become part of it. */
function addAround(scan: Scan, span: Span, type: PiiType): number {
  let { start } = span;
  for (let last = scan.spans.at(-1); last !== undefined && last.end > start; last = scan.spans.at(-1)) {
    start = Math.min(start, last.start);
    scan.spans.pop();
  }
  return add(scan, { start, end: span.end }, type);
}

function scanColon(scan: Scan, colon: number): number {
  const { text, plan } = scan;
  const after = text.charCodeAt(colon + 1);
  if (after !== 0x3a && !hasClass(after, HEX)) return colon + 1;
  let skipTo = colon + 1;
  for (const { type, match } of plan.colon) {
    const found = match(text, colon, scan.floor, scan.colonRunEnd);
    if ("span" in found) return add(scan, found.span, type);
    scan.colonRunEnd = found.runEnd;
    skipTo = Math.max(skipTo, found.skipTo);
  }
  scan.rejectedEnd = skipTo;
  if (plan.letters.length === 0) return skipTo;
  scan.runEnd = skipTo;
  return colon + 1;
}

function scanBracket(scan: Scan, bracket: number): number {
  const type = markerAt(scan.text, bracket);
  if (type === null) return bracket + 1;
  scan.floor = bracket + markerOf(type).length;
  scan.lastType = type;
  return scan.floor;
}

/** Looks for an address around an "@" that is `length` characters long: one, or several where it is percent-encoded. */
function scanAt(scan: Scan, at: number, length: number): number {
  for (const { type, match } of scan.plan.at) {
    const span = match(scan.text, at, at + length);
    if (span !== null) return addAround(scan, span, type);
  }
  scan.rejectedEnd = at + length;
  return at + 1;
}

function scanLetters(scan: Scan, start: number): number {
  for (const { type, match } of scan.plan.letters) {
    const span = match(scan.text, start, scan.floor);
    if (span !== null) return add(scan, span, type);
  }
  scan.rejectedEnd = Math.max(scan.rejectedEnd, start + 1);
  return start + 1;
}

/**
 * Triggers of the scan; the regular expression engine skips other text three times as fast as a loop. A digit is a
 * trigger if it can begin a chain of six digits, four numbers with dots, or a card number that continues in the next
 * line or column. "%40" is an "@". Every part has a bounded lookahead.
 */
const PATTERNS: Readonly<Record<PiiRow["trigger"] | "marker", string>> = {
  number: "[0-9](?=[0-9 ./()-]{5}|[0-9]{3}[ -]?[\\t\\r\\n][\\n >]{0,3}[0-9]{4})",
  marker: "\\[",
  at: "@|%(?=(?:25)?40)",
  colon: ":(?=[:0-9a-fA-F])",
  letters: "\\b[A-Za-z](?=[A-Za-z][0-9]{2})",
};

/**
 * One plan for each set of optional types. The other types are always scanned, because a match of one excludes the
 * rest.
 */
const PLANS: readonly ScanPlan[] = Array.from({ length: 1 << NAMED_PII_TYPES.length }, (_, mask) => {
  const found = new Set<PiiType>([
    ...DEFAULT_PII_TYPES,
    ...NAMED_PII_TYPES.filter((_type, bit) => (mask & (1 << bit)) !== 0),
  ]);
  const rows = PII_ROWS.filter(({ type }) => found.has(type));
  const rowsOf = <Trigger extends PiiRow["trigger"]>(trigger: Trigger) =>
    rows.filter((row): row is Extract<PiiRow, { trigger: Trigger }> => row.trigger === trigger);
  const triggers = (["number", "marker", "at", "colon", "letters"] as const).filter(
    (trigger) => trigger === "marker" || rowsOf(trigger).length > 0,
  );
  const pattern = triggers.map((trigger) => PATTERNS[trigger]).join("|");
  return { number: rowsOf("number"), colon: rowsOf("colon"), at: rowsOf("at"), letters: rowsOf("letters"), pattern };
});

function planOf(types: ReadonlySet<RedactedType>): ScanPlan {
  return PLANS[NAMED_PII_TYPES.reduce((mask, type, bit) => mask | (types.has(type) ? 1 << bit : 0), 0)]!;
}

/**
 * All personal data of a text without lookalikes, in order and without overlap. Single pass; every lookaround is
 * bounded or skipped afterwards, so that time is linear for any text.
 */
export function scanText(text: string, types: ReadonlySet<RedactedType>): ScanResult {
  const plan = planOf(types);
  const scan: Scan = {
    text,
    plan,
    spans: [],
    floor: 0,
    lastType: null,
    rejectedEnd: Number.NEGATIVE_INFINITY,
    runEnd: 0,
    colonRunEnd: 0,
    isSettled: true,
  };
  const trigger = new RegExp(plan.pattern, "g");
  while (trigger.test(text)) trigger.lastIndex = scanTrigger(scan, trigger.lastIndex - 1);
  return { spans: scan.spans, isSettled: scan.isSettled };
}

/** Checks a trigger; returns where the scan continues. */
function scanTrigger(scan: Scan, index: number): number {
  const { text } = scan;
  const code = text.charCodeAt(index);
  if (hasClass(code, LETTER)) return scanLetters(scan, index);
  if (index < scan.runEnd) return index + 1;
  if (code === 0x25) return scanAt(scan, index, text.charCodeAt(index + 1) === 0x34 ? 3 : 5);
  if (code < 0x3a) return scanDigits(scan, index);
  if (code === 0x3a) return scanColon(scan, index);
  if (code === 0x40) return scanAt(scan, index, 1);
  return scanBracket(scan, index);
}
