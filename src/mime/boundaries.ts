import { fieldCount, scanHeaderBlock } from "./header-block.ts";

/** A boundary line that was found (RFC 2046 section 5.1.1). */
export interface Delimiter {
  /** Index of the frame whose boundary it is. */
  readonly frame: number;
  readonly isClose: boolean;
  /** End of the content before it: the line break before the boundary belongs to the boundary. */
  readonly contentEnd: number;
  /** Start of the line after it. */
  readonly lineEnd: number;
}

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;
/** A boundary has 70 characters at most (RFC 2046 5.1.1); longer ones are seen and read up to this. */
const MAX_BOUNDARY_LENGTH = 2000;
/** Bytes of a body looked at to find which boundary it uses: preambles are a few lines. */
const GUESS_WINDOW_BYTES = 64 * 1024;

/**
 * The boundaries of all multiparts that are open. A line may close any of them, the outermost too; when it fits several, the
 * longest wins, and of equal ones the innermost.
 */
export class OpenBoundaries {
  readonly #boundaries: (string | null)[] = [];
  /** Frame indexes by boundary, innermost last. */
  readonly #framesOf = new Map<string, number[]>();
  /** What every delimiter begins with: line end, two dashes, and what all open boundaries have in common. */
  #needle = "";

  /** Opens the next frame; null for one that has no boundary of its own. */
  open(boundary: string | null): void {
    this.#boundaries.push(boundary);
    if (boundary === null) return;
    const frames = this.#framesOf.get(boundary);
    if (frames === undefined) this.#framesOf.set(boundary, [this.#boundaries.length - 1]);
    else frames.push(this.#boundaries.length - 1);
    this.#setNeedle();
  }

  /** Closes a frame and all inside it. */
  close(frame: number): void {
    if (this.#boundaries.length <= frame) return;
    while (this.#boundaries.length > frame) {
      const boundary = this.#boundaries.pop();
      if (boundary === null || boundary === undefined) continue;
      const frames = this.#framesOf.get(boundary)!;
      frames.pop();
      if (frames.length === 0) this.#framesOf.delete(boundary);
    }
    this.#setNeedle();
  }

  /** True for the text of a line, after its two dashes, that is a delimiter of an open multipart. */
  has(line: string): boolean {
    return this.#framesOf.has(line) || (line.endsWith("--") && this.#framesOf.has(line.slice(0, -2)));
  }

  /**
   * The next delimiter of any open boundary in a line at or after an offset; null when there is none. The line end before the
   * line must lie in the bytes, which it does for every body.
   */
  next(source: Buffer, from: number): Delimiter | null {
    if (this.#framesOf.size === 0) return null;
    let at = source.indexOf(this.#needle, Math.max(0, from - 1), "latin1");
    while (at >= 0) {
      const lineFeed = source.indexOf(LF, at + 1);
      const end = lineFeed < 0 ? source.length : lineFeed;
      const found = this.#match(source, at + 3, Math.min(end, at + 3 + MAX_BOUNDARY_LENGTH));
      if (found !== null) {
        const contentEnd = at > 0 && source[at - 1] === CR ? at - 1 : Math.max(0, at);
        return { ...found, contentEnd, lineEnd: Math.min(source.length, end + 1) };
      }
      at = source.indexOf(this.#needle, at + 1, "latin1");
    }
    return null;
  }

  #match(source: Buffer, start: number, end: number): { readonly frame: number; readonly isClose: boolean } | null {
    const line = source.toString("latin1", start, end).trimEnd();
    const open = this.#framesOf.get(line);
    if (open !== undefined) return { frame: open.at(-1)!, isClose: false };
    const closed = line.endsWith("--") ? this.#framesOf.get(line.slice(0, -2)) : undefined;
    return closed === undefined ? this.#matchPrefix(line) : { frame: closed.at(-1)!, isClose: true };
  }

  /** Other text may follow a boundary on its line (RFC 2046 5.1.1, note to implementors): after a blank, or after the closing dashes. */
  #matchPrefix(line: string): { readonly frame: number; readonly isClose: boolean } | null {
    let longest = "";
    for (const boundary of this.#framesOf.keys()) {
      if (boundary.length > longest.length && line.startsWith(boundary) && isEndOfBoundary(line, boundary.length)) longest = boundary;
    }
    if (longest === "") return null;
    return { frame: this.#framesOf.get(longest)!.at(-1)!, isClose: line.startsWith("--", longest.length) };
  }

  #setNeedle(): void {
    let common: string | null = null;
    for (const boundary of this.#framesOf.keys()) common = common === null ? boundary : commonStart(common, boundary);
    this.#needle = `\n--${common ?? ""}`;
  }
}

function isEndOfBoundary(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  return code <= 0x20 || (code === DASH && line.charCodeAt(at + 1) === DASH);
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && length < other.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return one.slice(0, length);
}

/**
 * The boundary a multipart body uses, when it is not the stated one ("" for none): the first line that begins with two dashes
 * and is followed by header fields or a blank line. Null when the stated one occurs, or none can be told.
 */
export function guessedBoundary(body: Buffer, stated: string, open: OpenBoundaries): string | null {
  const sample = body.subarray(0, GUESS_WINDOW_BYTES);
  if (stated !== "" && sample.includes(`\n--${stated}`, 0, "latin1")) return null;
  for (let at = sample.indexOf("\n--", 0, "latin1"); at >= 0; at = sample.indexOf("\n--", at + 1, "latin1")) {
    const lineFeed = sample.indexOf(LF, at + 1);
    if (lineFeed < 0) return null;
    const line = sample.toString("latin1", at + 3, lineFeed).trimEnd();
    // The part ends where its parent goes on: it has no parts of its own.
    if (open.has(line)) return null;
    if (line !== "" && line.length <= MAX_BOUNDARY_LENGTH && !line.includes(" ") && isPartStart(sample, lineFeed + 1, stated === ""))
      return line;
  }
  return null;
}

/** A part follows a boundary: fields, Content-… for certain when the guess contradicts the header. */
function isPartStart(body: Buffer, at: number, isLenient: boolean): boolean {
  const headers = scanHeaderBlock(body, at, body.length);
  if (fieldCount(headers) > 0) return isLenient || /^content-/i.test(headers.text);
  return isLenient && (body[at] === LF || body[at] === CR);
}
