const GREATER_THAN = 62;

function isBlankCode(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
}

/** The lines of a body as offsets into it (UTF-16 units); no line is copied. */
export class BodyLines {
  readonly body: string;
  /** Where each line begins, with the end of the body behind the last: line i is `body.slice(starts[i], starts[i + 1])`. */
  readonly starts: readonly number[];
  /** First character of each line that is no white space, and the place after the last; equal for a blank line. */
  readonly firsts: readonly number[];
  readonly ends: readonly number[];

  constructor(body: string) {
    const starts: number[] = [];
    const firsts: number[] = [];
    const ends: number[] = [];
    let start = 0;
    while (start < body.length) {
      const lineFeed = body.indexOf("\n", start);
      const next = lineFeed < 0 ? body.length : lineFeed + 1;
      let first = start;
      let end = next;
      while (first < end && isBlankCode(body.charCodeAt(first))) first += 1;
      while (end > first && isBlankCode(body.charCodeAt(end - 1))) end -= 1;
      starts.push(start);
      firsts.push(first);
      ends.push(end);
      start = next;
    }
    starts.push(body.length);
    this.body = body;
    this.starts = starts;
    this.firsts = firsts;
    this.ends = ends;
  }

  get count(): number {
    return this.firsts.length;
  }

  isBlank(line: number): boolean {
    return this.firsts[line] === this.ends[line];
  }

  /** True for a line behind `>`. */
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

  /** The next line after `line` that is not blank; `count` when there is none within `reach` lines. */
  nextFilled(line: number, reach: number): number {
    const limit = Math.min(this.count, line + 1 + reach);
    for (let next = line + 1; next < limit; next++) if (!this.isBlank(next)) return next;
    return this.count;
  }
}
