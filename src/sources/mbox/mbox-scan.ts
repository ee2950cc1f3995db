import type { ByteWindow } from "../reading/byte-window.ts";
import { startsWithFrom } from "../reading/header-line.ts";
import {
  afterLineEnd,
  BLANK_BEFORE,
  DATED,
  endsLine,
  HEADER_FOLLOWS,
  isPatchLine,
  isSeparator,
  judgeSeparator,
  type LineEnd,
  LOOKAHEAD_BYTES,
  mayEndLine,
  PATCH,
} from "./mbox-separator.ts";

/**
 * How separators are distinguished from text. Determined once per file, so that every unit of it yields the same
 * messages.
 */
export interface SeparatorRule {
  /** True when the file has dated separators: undated lines are then text. */
  readonly dated: boolean;
  readonly lineEnd: LineEnd;
}

/** One message of an mbox, in absolute offsets. */
export interface MessageSpan {
  /** Start of its separator line; equal to `start` for a message at the start of a file without one. */
  readonly separator: number;
  readonly start: number;
  readonly end: number;
}

/** A From line that has some marks of a separator and was still taken for text. */
interface RejectedSeparator {
  readonly offset: number;
  readonly reason: string;
}

/** Other observations of a scan, which determine the dialect. */
export interface ScanTally {
  /** Separators with a date, or Mozilla's. */
  dated: number;
  /** Number of separators by the rule for undated files. */
  undated: number;
  /** Number of body lines with `>From `, and of those with more than one `>`. */
  quotedOnce: number;
  quotedMore: number;
  /** Number of body lines that begin with an unquoted "From ". */
  unquoted: number;
  /** Messages delimited by their Content-Length. */
  measured: number;
  readonly rejected: RejectedSeparator[];
  rejectedCount: number;
}

export function emptyTally(): ScanTally {
  return {
    dated: 0,
    undated: 0,
    quotedOnce: 0,
    quotedMore: 0,
    unquoted: 0,
    measured: 0,
    rejected: [],
    rejectedCount: 0,
  };
}

/** Maximum rejected candidates listed: a mailbox with more has another format. */
const REJECTED_LISTED_MAX = 1000;

/** Bytes kept in view before a candidate: the blank line before it, and the `>` of a quoted one. */
const LOOKBEHIND_BYTES = 64;

/** Bytes of a header searched for Content-Length. */
const LENGTH_SEARCH_BYTES = 64 * 1024;

const FROM = Buffer.from("From ");
/**
 * The rare suffix of `Content-Length:`, twenty times faster to find than the whole name. All programs use this
 * spelling.
 */
const LENGTH_FIELD = Buffer.from("Length:");
const LENGTH_FIELD_HEAD = "content-";

const LF = 10;
const CR = 13;
const QUOTE = 0x3e;

/**
 * The messages whose separators are in [from, to). `from` must be a separator or the start of the file, `to` a
 * separator or the end of the file.
 */
export function* scanMessages(
  window: ByteWindow,
  range: { readonly from: number; readonly to: number; readonly tally: ScanTally },
  rule: SeparatorRule,
): Generator<MessageSpan> {
  const lengths = new LengthFields();
  let separator = range.from;
  while (separator < Math.min(range.to, window.size)) {
    keepInView(window, separator, LENGTH_SEARCH_BYTES + LOOKAHEAD_BYTES);
    const isPatch = isPatchLine(window.view, separator - window.base);
    const start = afterSeparatorLine(window, separator, rule.lineEnd);
    const measured = measuredEnd(window, start, lengths.find(window, start));
    if (measured !== null) range.tally.measured++;
    const next = Math.min(
      range.to,
      findSeparator(window, { from: start, ignoreUntil: measured?.next ?? 0, isPatch, tally: range.tally }, rule),
    );
    yield {
      separator,
      start,
      end: measured !== null ? Math.min(measured.end, next) : withoutBlankLine(window, start, next),
    };
    separator = next;
  }
}

/**
 * Position of the first separator at or after `from`, or the end of the file. Candidates before `ignoreUntil` are only
 * tallied, and so are patches unless the message they follow is one (`isPatch`).
 */
export function findSeparator(
  window: ByteWindow,
  search: {
    readonly from: number;
    readonly ignoreUntil: number;
    readonly isPatch: boolean;
    readonly tally: ScanTally;
  },
  rule: SeparatorRule,
): number {
  const { ignoreUntil, isPatch, tally } = search;
  for (let from = search.from; ; from += FROM.length) {
    from = findFrom(window, from);
    if (from === window.size) return from;
    const found = from - window.base;
    const before = found === 0 ? rule.lineEnd : window.view[found - 1]!;
    if (before === QUOTE) tallyQuoted(window.view, found - 1, tally);
    if (!mayEndLine(before)) continue;
    keepInView(window, from, LOOKAHEAD_BYTES);
    const evidence = judgeSeparator(window.view, from - window.base, rule.lineEnd);
    const isText = (evidence & PATCH) !== 0 && !isPatch;
    if (from === ignoreUntil || (from > ignoreUntil && !isText && isSeparator(evidence, rule.dated))) {
      tallyAccepted(evidence, tally);
      return from;
    }
    tallyRejected(from, evidence, tally);
  }
}

/** Position of the next "From " from a position, within the window; the end of the file if there is none. */
function findFrom(window: ByteWindow, from: number): number {
  let position = from;
  for (;;) {
    if (position < window.base || position > window.limit) window.moveTo(Math.max(0, position - LOOKBEHIND_BYTES));
    const found = window.view.indexOf(FROM, position - window.base);
    if (found >= 0) return window.base + found;
    if (window.atEnd) return window.size;
    position = Math.max(position, window.limit - FROM.length + 1);
    window.moveTo(Math.max(0, position - LOOKBEHIND_BYTES));
  }
}

/** Moves the window to include `ahead` bytes from `position`, and the bytes before it. */
function keepInView(window: ByteWindow, position: number, ahead: number): void {
  const isInView =
    position >= window.base && (position === 0 || position > window.base) && position + ahead <= window.limit;
  if (isInView || (window.atEnd && position > window.base)) return;
  window.moveTo(Math.max(0, position - LOOKBEHIND_BYTES));
}

function tallyAccepted(evidence: number, tally: ScanTally): void {
  if ((evidence & DATED) !== 0) tally.dated++;
  else tally.undated++;
}

/** A line that lacks only one mark is worth a note; prose ("From the desk of…") is only counted. */
function tallyRejected(offset: number, evidence: number, tally: ScanTally): void {
  tally.unquoted++;
  if (isSeparator(evidence, false)) tally.undated++;
  const reason = rejectionReason(evidence);
  if (reason === null) return;
  tally.rejectedCount++;
  if (tally.rejected.length < REJECTED_LISTED_MAX) tally.rejected.push({ offset, reason });
}

function rejectionReason(evidence: number): string | null {
  if ((evidence & PATCH) !== 0) return "it begins a patch in a message";
  if ((evidence & DATED) !== 0) {
    return (evidence & HEADER_FOLLOWS) !== 0 ? "it is inside the Content-Length of a message" : "no header follows";
  }
  return (evidence & HEADER_FOLLOWS) !== 0 && (evidence & BLANK_BEFORE) !== 0 ? "it has no date" : null;
}

/** Counts a line of one or more `>` directly before "From "; `last` is the `>` nearest to it. */
function tallyQuoted(bytes: Buffer, last: number, tally: ScanTally): void {
  let first = last;
  while (first > 0 && bytes[first - 1] === QUOTE) first--;
  if (first > 0 && bytes[first - 1] !== LF && bytes[first - 1] !== CR) return;
  if (first === last) tally.quotedOnce++;
  else tally.quotedMore++;
}

/** Start of the message: after the separator line, or at once if the file begins without one. */
function afterSeparatorLine(window: ByteWindow, separator: number, lineEnd: LineEnd): number {
  const at = separator - window.base;
  if (!startsWithFrom(window.view, at)) return separator;
  let end = at;
  const { view } = window;
  while (end < view.length && (view[end]! > CR || !endsLine(view, end, lineEnd))) end++;
  return Math.min(window.limit, window.base + afterLineEnd(view, end));
}

/** End of [start, next) without the empty line that mbox puts between a message and the next separator. */
function withoutBlankLine(window: ByteWindow, start: number, next: number): number {
  if (next - start < 4) return next;
  const isInView = next - 4 >= window.base && next <= window.limit;
  const tail = isInView ? window.view : window.peek(next - 4);
  const last = isInView ? next - window.base - 1 : 3;
  if (tail[last] === LF && tail[last - 1] === LF) return next - 1;
  if (tail[last] === LF && tail[last - 1] === CR && tail[last - 2] === LF) return next - 2;
  return tail[last] === CR && tail[last - 1] === CR ? next - 1 : next;
}

/**
 * End of the message at `start` by its Content-Length, if that is plausible: at the end of the file or before a From
 * line. Any other length is stale (mail edited after delivery) and ignored.
 */
function measuredEnd(
  window: ByteWindow,
  start: number,
  value: number,
): { readonly end: number; readonly next: number } | null {
  if (value < 0) return null;
  const body = bodyStart(
    window.view,
    start - window.base,
    Math.min(window.view.length, start - window.base + LENGTH_SEARCH_BYTES),
  );
  if (body < 0 || window.base + body <= value) return null;
  const length = readLength(window.view, value - window.base);
  const end = window.base + body + length;
  if (length < 0 || end > window.size) return null;
  const around = window.peek(end - 1);
  let at = 1;
  while (at < 5 && (around[at] === LF || around[at] === CR)) at++;
  const next = end - 1 + at;
  if (next >= window.size) return { end, next: window.size };
  const isLineStart = around[at - 1] === LF || around[at - 1] === CR;
  return isLineStart && startsWithFrom(around, at) ? { end, next } : null;
}

/** Start of the body: after the first empty line; -1 when the header does not end within the bytes given. */
function bodyStart(bytes: Buffer, start: number, end: number): number {
  let line = start;
  while (line < end) {
    if (bytes[line] === LF) return line + 1;
    if (bytes[line] === CR && bytes[line + 1] === LF) return line + 2;
    const lineFeed = bytes.indexOf(LF, line);
    if (lineFeed < 0) return -1;
    line = lineFeed + 1;
  }
  return -1;
}

/** Number of digits of a length, at most 15; -1 if there are none. */
function readLength(bytes: Buffer, at: number): number {
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at++;
  let value = -1;
  for (let digits = 0; digits < 15; digits++) {
    const digit = bytes[at + digits]! - 0x30;
    if (!(digit >= 0 && digit <= 9)) break;
    value = Math.max(0, value) * 10 + digit;
  }
  return value;
}

/**
 * Finds Content-Length fields and caches the range known to contain none, for one pass over the file instead of one per
 * message.
 */
class LengthFields {
  /** The next field value in [from, until) is at `at`; -1 if there is none. */
  private from = 0;
  private until = -1;
  private at = -1;

  /**
   * Absolute position after the colon of the first field in the header that begins at `start`, or -1. The header is in
   * view.
   */
  find(window: ByteWindow, start: number): number {
    const needed = Math.min(start + LENGTH_SEARCH_BYTES, window.size) - LENGTH_FIELD.length;
    const isKnown = start >= this.from && (this.at >= 0 ? start < this.at : needed <= this.until);
    if (!isKnown) this.search(window, start);
    return this.at >= 0 && this.at - start < LENGTH_SEARCH_BYTES ? this.at : -1;
  }

  private search(window: ByteWindow, start: number): void {
    const { view, base } = window;
    this.from = start;
    this.until = window.limit - LENGTH_FIELD.length;
    let found = view.indexOf(LENGTH_FIELD, start - base);
    while (found >= 0 && !isFieldAt(view, found - LENGTH_FIELD_HEAD.length))
      found = view.indexOf(LENGTH_FIELD, found + 1);
    this.at = found < 0 ? -1 : base + found + LENGTH_FIELD.length;
  }
}

/** True if a line starts with `Content-` here. */
function isFieldAt(bytes: Buffer, at: number): boolean {
  if (at < 1 || (bytes[at - 1] !== LF && bytes[at - 1] !== CR)) return false;
  return bytes.toString("latin1", at, at + LENGTH_FIELD_HEAD.length).toLowerCase() === LENGTH_FIELD_HEAD;
}
