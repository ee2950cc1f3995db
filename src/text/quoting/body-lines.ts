import { GREATER_THAN } from "../../mail/words/ascii.ts";

const LINE_FEED = "\n";

/**
 * Lines of a body that are classified as own, quoted or signature; the rest counts as own text. A list of subscribers
 * has about ten thousand; three numbers per line of a log file with millions of lines would need more memory than its
 * text.
 */
export const MAX_ANALYZED_LINES = 200_000;

function isBlankCode(code: number): boolean {
  if (code < 0x2000) return code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
  return isDirectionMark(code) || code === 0xfeff;
}

/** Marks of the Unicode Bidirectional Algorithm (UAX 9 2), which Gmail writes around the header of a quotation. */
function isDirectionMark(code: number): boolean {
  return code === 0x200e || code === 0x200f || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/** True if a body has more lines than are classified. */
export function exceedsAnalyzedLines(body: string): boolean {
  if (body.length <= MAX_ANALYZED_LINES) return false;
  let lines = 0;
  for (let at = 0; at < body.length; lines++) {
    if (lines === MAX_ANALYZED_LINES) return true;
    const lineFeed = body.indexOf(LINE_FEED, at);
    at = lineFeed < 0 ? body.length : lineFeed + 1;
  }
  return false;
}

/** The first lines of a body, at most MAX_ANALYZED_LINES, as offsets into it (UTF-16 units), without copying. */
export class BodyLines {
  /** Start of each line, followed by the end of the last one: line i is `body.slice(starts[i], starts[i + 1])`. */
  readonly starts: readonly number[];
  /** First non-blank character of each line, and its end; equal for a blank line. */
  readonly firsts: readonly number[];
  readonly ends: readonly number[];

  constructor(readonly body: string) {
    const starts: number[] = [];
    const firsts: number[] = [];
    const ends: number[] = [];
    let start = 0;
    while (start < body.length && firsts.length < MAX_ANALYZED_LINES) {
      const lineFeed = body.indexOf(LINE_FEED, start);
      const next = lineFeed < 0 ? body.length : lineFeed + 1;
      let first = start;
      let end = next;
      while (first < end && isBlankCode(body.charCodeAt(first))) first++;
      while (end > first && isBlankCode(body.charCodeAt(end - 1))) end--;
      starts.push(start);
      firsts.push(first);
      ends.push(end);
      start = next;
    }
    starts.push(start);
    this.starts = starts;
    this.firsts = firsts;
    this.ends = ends;
  }

  get count(): number {
    return this.firsts.length;
  }

  /** End of the last line: that of the body, unless it has more lines. */
  get end(): number {
    return this.starts[this.count]!;
  }

  isBlank(line: number): boolean {
    return this.firsts[line] === this.ends[line];
  }

  /** True for a line that begins with `>`. */
  isQuoted(line: number): boolean {
    const first = this.firsts[line]!;
    return first < this.ends[line]! && this.body.charCodeAt(first) === GREATER_THAN;
  }

  /** Characters between the outer white space. */
  length(line: number): number {
    return this.ends[line]! - this.firsts[line]!;
  }

  firstCode(line: number): number {
    return this.body.charCodeAt(this.firsts[line]!);
  }

  lastCode(line: number): number {
    return this.body.charCodeAt(this.ends[line]! - 1);
  }

  /** The line without outer white space. */
  text(line: number): string {
    return this.body.slice(this.firsts[line], this.ends[line]);
  }

  /** The next non-blank line after `line`; `count` if there is none within `reach` lines. */
  nextFilled(line: number, reach: number): number {
    const limit = Math.min(this.count, line + 1 + reach);
    for (let next = line + 1; next < limit; next++) if (!this.isBlank(next)) return next;
    return this.count;
  }
}
