import { CR } from "./ascii.ts";

/** UTF-16 units replaced at a time. V8 records every replacement and links the results: some hundred bytes each. */
const PIECE_UNITS = 1 << 20;

/** Normalizes line breaks in pieces that never split a CRLF. As a whole, 25 MB of one-letter lines took 600 MB. */
export function replaceLineEnds(text: string, replace: (piece: string) => string): string {
  if (text.length <= PIECE_UNITS) return replace(text);
  const pieces: string[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(text.length, start + PIECE_UNITS);
    while (end < text.length && text.charCodeAt(end - 1) === CR) end++;
    pieces.push(replace(text.slice(start, end)));
  }
  return pieces.join("");
}

/** Number of additions, and units, after which the text is flattened. V8 uses 32 bytes per addition. */
const MAX_ADDITIONS = 1 << 16;

/** A string builder. A string extended a million times takes 32 MB until it is read. */
export class StringBuilder {
  private readonly pieces: string[] = [];
  private piecesLength = 0;
  private tail = "";
  private additions = 0;

  /** In UTF-16 units. */
  get length(): number {
    return this.piecesLength + this.tail.length;
  }

  add(text: string): void {
    this.tail += text;
    this.additions++;
    if (this.additions >= MAX_ADDITIONS || this.tail.length >= PIECE_UNITS) this.settle();
  }

  toString(): string {
    return this.pieces.length === 0 ? this.tail : [...this.pieces, this.tail].join("");
  }

  private settle(): void {
    // Reading a character makes V8 flatten the concatenated text.
    if (Number.isNaN(this.tail.charCodeAt(0))) return;
    this.pieces.push(this.tail);
    this.piecesLength += this.tail.length;
    this.tail = "";
    this.additions = 0;
  }
}
