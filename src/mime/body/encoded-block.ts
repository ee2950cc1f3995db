import { CR, LF } from "../../mail/words/ascii.ts";

/** Maximum characters of a first line. */
export const MAX_BEGIN_LENGTH = 400;

/** A file written into the text of a body, as was usual before MIME: a first line, encoded lines, an end line. */
export interface EncodedBlock {
  /** As written, one character per byte. */
  readonly filename: string;
  /** Range of the block, from its first line to the line after its end. */
  readonly start: number;
  readonly end: number;
  /** The encoded lines. */
  readonly dataStart: number;
  readonly dataEnd: number;
  readonly isClosed: boolean;
}

/** An encoding of files in text. */
export interface BlockEncoding {
  /** The first block at or after an offset, or null. */
  find(bytes: Buffer, from: number): EncodedBlock | null;
  /** Decodes lines without frame. */
  decode(lines: Buffer): Buffer;
}

/** Decodes a block, or lines without frame; skips what precedes and follows the block. */
export function decodeBlock(bytes: Buffer, { find, decode }: BlockEncoding): Buffer {
  const block = find(bytes, 0);
  return decode(block === null ? bytes : bytes.subarray(block.dataStart, block.dataEnd));
}

export function endOfLine(bytes: Buffer, from: number): number {
  const lineFeed = bytes.indexOf(LF, from);
  return lineFeed < 0 ? bytes.length : lineFeed;
}

/** Offset of the next line that begins with a word, or -1. Old Macintosh programs end lines with CR. */
export function lineStart(bytes: Buffer, word: string, from: number): number {
  let at = bytes.indexOf(word, from, "latin1");
  while (at > 0 && bytes[at - 1] !== LF && bytes[at - 1] !== CR) at = bytes.indexOf(word, at + word.length, "latin1");
  return at;
}

/** The first block whose first line begins with a word. @param blockAt reads a block at the start of a line */
export function firstBlock(
  bytes: Buffer,
  { word, from }: { readonly word: string; readonly from: number },
  blockAt: (bytes: Buffer, start: number) => EncodedBlock | null,
): EncodedBlock | null {
  for (let at = lineStart(bytes, word, from); at >= 0; at = lineStart(bytes, word, at + word.length)) {
    const block = blockAt(bytes, at);
    if (block !== null) return block;
  }
  return null;
}
