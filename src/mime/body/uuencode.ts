import { BACKTICK, CR, LF, SPACE } from "../../mail/words/ascii.ts";
import { trimBytes } from "../syntax/byte-text.ts";
import { type BlockEncoding, type EncodedBlock, endOfLine, firstBlock, MAX_BEGIN_LENGTH } from "./encoded-block.ts";

/** Maximum bytes of a uuencoded line. */
const MAX_LINE_BYTES = 45;
/** Start of the first line. */
const BEGIN = "begin ";

/** Files in text in POSIX uuencode format: `begin <mode> <name>`, lines, `end`. */
export const UUENCODE: BlockEncoding = {
  find: (bytes, from) => firstBlock(bytes, { word: BEGIN, from }, blockAt),
  decode: decodeLines,
};

function blockAt(bytes: Buffer, start: number): EncodedBlock | null {
  const lineEnd = endOfLine(bytes, start);
  if (lineEnd - start > MAX_BEGIN_LENGTH || lineEnd >= bytes.length) return null;
  const match = /^begin [0-7]{3,4}(?: +([^\t-\r ].*))?$/.exec(trimBytes(bytes.toString("latin1", start, lineEnd)));
  if (match === null) return null;
  const filename = match[1] ?? "";
  let line = lineEnd + 1;
  let lines = 0;
  while (line < bytes.length) {
    const next = endOfLine(bytes, line);
    if (isEndLine(bytes, line)) {
      const end = Math.min(bytes.length, next + 1);
      return { filename, start, end, dataStart: lineEnd + 1, dataEnd: line, isClosed: true };
    }
    if (!isDataLine(bytes, line, next)) break;
    lines++;
    line = next + 1;
  }
  // Without `end`, requires a name and at least one complete line: otherwise it is prose with "begin 644 something".
  const dataEnd = Math.min(line, bytes.length);
  return lines === 0 || filename === ""
    ? null
    : { filename, start, end: dataEnd, dataStart: lineEnd + 1, dataEnd, isClosed: false };
}

function isEndLine(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== 0x65 || bytes[at + 1] !== 0x6e || bytes[at + 2] !== 0x64) return false;
  const after = bytes[at + 3];
  return after === undefined || after === LF || after === CR || after === SPACE;
}

/** A line whose first character is the length; trailing blanks may be missing, a checksum may be added. */
function isDataLine(bytes: Buffer, start: number, end: number): boolean {
  let stop = end;
  while (stop > start && bytes[stop - 1] === CR) stop--;
  const first = bytes[start]!;
  if (stop === start) return false;
  if (first < SPACE || first > BACKTICK) return false;
  const count = (first - SPACE) & 63;
  const characters = stop - start - 1;
  const whole = Math.ceil(count / 3) * 4;
  if (count > MAX_LINE_BYTES || characters > whole + 2) return false;
  if (characters < whole && (count === 0 || characters * 4 < whole)) return false;
  for (let at = start + 1; at < stop; at++) if (bytes[at]! < SPACE || bytes[at]! > BACKTICK) return false;
  return true;
}

function decodeLines(bytes: Buffer): Buffer {
  const output = Buffer.alloc(Math.ceil((bytes.length * 3) / 4) + MAX_LINE_BYTES);
  let written = 0;
  let line = 0;
  while (line < bytes.length) {
    const end = endOfLine(bytes, line);
    if (isDataLine(bytes, line, end)) written = decodeLine(bytes, line, output, written);
    line = end + 1;
  }
  return output.subarray(0, written);
}

function decodeLine(bytes: Buffer, line: number, output: Buffer, from: number): number {
  const count = (bytes[line]! - SPACE) & 63;
  let written = from;
  let at = line + 1;
  for (let left = count; left > 0; left -= 3, at += 4) {
    const group =
      (sixBits(bytes, at) << 18) |
      (sixBits(bytes, at + 1) << 12) |
      (sixBits(bytes, at + 2) << 6) |
      sixBits(bytes, at + 3);
    output[written++] = group >> 16;
    if (left > 1) output[written++] = (group >> 8) & 0xff;
    if (left > 2) output[written++] = group & 0xff;
  }
  return written;
}

/** A trimmed blank at the line end counts as zero. */
function sixBits(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? SPACE;
  return byte < SPACE ? 0 : (byte - SPACE) & 63;
}
