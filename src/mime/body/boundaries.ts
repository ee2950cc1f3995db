import { CR, HYPHEN, LF } from "../../mail/words/ascii.ts";
import { fieldCount, scanHeaderBlock } from "../syntax/header-block.ts";

/** A boundary line that was found (RFC 2046 section 5.1.1). */
export interface Delimiter {
  /** Index of the frame with the boundary. */
  readonly frame: number;
  readonly isClose: boolean;
  /** End of the content before it: the line break before the boundary belongs to the boundary. */
  readonly contentEnd: number;
  /** Start of the line after it. */
  readonly lineEnd: number;
}

/** Maximum length read of a boundary: RFC 2046 5.1.1 allows 70 characters, but longer ones occur. */
const MAX_BOUNDARY_LENGTH = 2000;
/** Bytes of a part that show whether it begins with a field. */
const PART_HEAD_BYTES = 20;
/** Bytes of a body searched for its boundary: preambles have a few lines. */
const GUESS_WINDOW_BYTES = 64 * 1024;

/** An open multipart; null for an enclosing message without a boundary. */
interface OpenBoundary {
  readonly boundary: string;
  readonly needle: string;
  /** Line start of its next known delimiter; the length of the bytes if there is none. */
  nextAt: number;
}

/**
 * The boundaries of all multiparts that are open. A line may close any of them, including the outermost. If several
 * match, the longest wins; of equal ones, the innermost. Each boundary is searched separately and its next position
 * cached, so that a hundred levels cost a hundred fast searches, not a comparison of every line with every boundary.
 */
export class OpenBoundaries {
  private readonly stack: (OpenBoundary | null)[] = [];

  constructor(private readonly source: Buffer) {}

  /** Opens the next frame; null for one without its own boundary. */
  open(boundary: string | null): void {
    this.stack.push(boundary === null ? null : { boundary, needle: `\n--${boundary}`, nextAt: -1 });
  }

  /** Closes a frame and all inside it. */
  close(frame: number): void {
    if (this.stack.length > frame) this.stack.length = frame;
  }

  /** True for the text of a line, after its two dashes, that is a delimiter of an open multipart. */
  has(line: string): boolean {
    return this.stack.some(
      (open) => open !== null && line.startsWith(open.boundary) && isEndOfBoundary(line, open.boundary.length),
    );
  }

  /**
   * The next delimiter line of any open boundary at or after an offset; null if there is none. The bytes must include
   * the line end before the line, as they do for every body.
   */
  next(from: number): Delimiter | null {
    let found = -1;
    let foundAt = this.source.length;
    for (let frame = 0; frame < this.stack.length; frame++) {
      const open = this.stack[frame];
      if (open === null || open === undefined) continue;
      if (open.nextAt < from) open.nextAt = nextLine(this.source, open.needle, from);
      if (open.nextAt >= this.source.length || open.nextAt > foundAt) continue;
      if (open.nextAt < foundAt || open.boundary.length >= this.stack[found]!.boundary.length) {
        found = frame;
        foundAt = open.nextAt;
      }
    }
    return found < 0 ? null : this.delimiter(found, foundAt);
  }

  /**
   * True if another part of the same multipart, with a header, follows its closing line at once. If an enclosing
   * multipart has the same boundary, the part is one of that.
   */
  isReopened({ frame, lineEnd }: Delimiter): boolean {
    const { source, stack } = this;
    const { boundary } = stack[frame]!;
    if (stack.findIndex((open) => open?.boundary === boundary) < frame) return false;
    let at = lineEnd;
    while (source[at] === LF || source[at] === CR) at++;
    if (source[at] !== HYPHEN || source[at + 1] !== HYPHEN) return false;
    const sample = source.toString("latin1", at, Math.min(source.length, at + MAX_BOUNDARY_LENGTH + PART_HEAD_BYTES));
    const [line = "", next = ""] = sample.split("\n", 2);
    return line.trimEnd() === `--${boundary}` && /^content-/i.test(next);
  }

  private delimiter(frame: number, line: number): Delimiter {
    const source = this.source;
    const after = line + 2 + this.stack[frame]!.boundary.length;
    const lineFeed = source.indexOf(LF, after);
    const contentEnd = line > 1 && source[line - 2] === CR ? line - 2 : line - 1;
    return {
      frame,
      isClose: source[after] === HYPHEN && source[after + 1] === HYPHEN,
      contentEnd,
      lineEnd: lineFeed < 0 ? source.length : lineFeed + 1,
    };
  }
}

/**
 * Start of the next line, at or after an offset, that is a delimiter of the boundary; without one, the length of the
 * bytes. @param needle a line end, two dashes and the boundary
 */
function nextLine(source: Buffer, needle: string, from: number): number {
  let at = source.indexOf(needle, Math.max(0, from - 1), "latin1");
  while (at >= 0) {
    const end = at + needle.length;
    const code = source[end];
    if (code === undefined || code <= 0x20 || (code === HYPHEN && source[end + 1] === HYPHEN)) return at + 1;
    at = source.indexOf(needle, at + 1, "latin1");
  }
  return source.length;
}

/**
 * Other text may follow a boundary on its line (RFC 2046 5.1.1, note to implementors): after a blank, or after the
 * closing dashes.
 */
function isEndOfBoundary(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  return at >= line.length || code <= 0x20 || (code === HYPHEN && line.charCodeAt(at + 1) === HYPHEN);
}

/** True if a line near the start of a body is the boundary. The body starts at the line end before it. */
export function usesBoundary(body: Buffer, boundary: string): boolean {
  const sample = body.subarray(0, GUESS_WINDOW_BYTES);
  return nextLine(sample, `\n--${boundary}`, 0) < sample.length;
}

/**
 * The boundary that a multipart body uses, if it differs from the stated one ("" for none): the first line that begins
 * with two dashes and is followed by header fields or a blank line. Null if the stated one occurs, or none is
 * recognizable; "" if the parts begin with two dashes alone.
 */
export function guessedBoundary(body: Buffer, stated: string, open: OpenBoundaries): string | null {
  if (stated !== "" && usesBoundary(body, stated)) return null;
  const sample = body.subarray(0, GUESS_WINDOW_BYTES);
  for (let at = sample.indexOf("\n--", 0, "latin1"); at >= 0; at = sample.indexOf("\n--", at + 1, "latin1")) {
    const lineFeed = sample.indexOf(LF, at + 1);
    if (lineFeed < 0) return null;
    const line = sample.toString("latin1", at + 3, lineFeed).trimEnd();
    // The part ends where its parent continues: it has no parts.
    if (open.has(line)) return null;
    // Two dashes alone also precede signatures.
    const isLenient = stated === "" && line !== "";
    const mayBeBoundary = line === "" ? stated === "" : line.length <= MAX_BOUNDARY_LENGTH && !line.includes(" ");
    if (mayBeBoundary && isPartStart(sample, lineFeed + 1, isLenient)) return line;
  }
  return null;
}

/** True if header fields follow a boundary. If the guess contradicts the header, a Content-… field is required. */
function isPartStart(body: Buffer, at: number, isLenient: boolean): boolean {
  const headers = scanHeaderBlock(body, at, body.length);
  if (fieldCount(headers) > 0) return isLenient || /^content-/i.test(headers.text);
  return isLenient && (body[at] === LF || body[at] === CR);
}
