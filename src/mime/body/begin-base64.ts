import { CR, EQUALS, isAsciiLetter, isDigit, PLUS, SLASH } from "../../mail/words/ascii.ts";
import { trimBytes } from "../syntax/byte-text.ts";
import { type BlockEncoding, type EncodedBlock, endOfLine, firstBlock, MAX_BEGIN_LENGTH } from "./encoded-block.ts";

/** Start of the first line; GNU `uuencode --encode-file-name` writes `begin-base64-encoded`. */
const BEGIN = "begin-base64";
/** The last line. */
const END = "====";

/** Files in text in the base64 format of POSIX uuencode: `begin-base64 <mode> <name>`, lines, `====`. */
export const BEGIN_BASE64: BlockEncoding = {
  find: (bytes, from) => firstBlock(bytes, { word: BEGIN, from }, blockAt),
  decode: (lines) => Buffer.from(lines.toString("latin1"), "base64"),
};

function blockAt(bytes: Buffer, start: number): EncodedBlock | null {
  const lineEnd = endOfLine(bytes, start);
  if (lineEnd - start > MAX_BEGIN_LENGTH || lineEnd >= bytes.length) return null;
  const header = /^begin-base64(-encoded)? [0-7]{3,4} +([^\t-\r ].*)$/.exec(
    trimBytes(bytes.toString("latin1", start, lineEnd)),
  );
  if (header === null) return null;
  const [, isEncoded, name] = header;
  const filename = isEncoded === undefined ? name! : Buffer.from(name!, "base64").toString("latin1");
  const dataStart = lineEnd + 1;
  for (let line = dataStart; line < bytes.length; ) {
    const next = endOfLine(bytes, line);
    if (trimBytes(bytes.toString("latin1", line, Math.min(next, line + MAX_BEGIN_LENGTH))) === END) {
      const end = Math.min(bytes.length, next + 1);
      return { filename, start, end, dataStart, dataEnd: line, isClosed: true };
    }
    if (!isDataLine(bytes, line, next)) return unclosed(filename, start, dataStart, line);
    line = next + 1;
  }
  return unclosed(filename, start, dataStart, bytes.length);
}

/** Without its last line, the block must have data: otherwise it is prose about the format. */
function unclosed(filename: string, start: number, dataStart: number, dataEnd: number): EncodedBlock | null {
  return dataEnd === dataStart ? null : { filename, start, end: dataEnd, dataStart, dataEnd, isClosed: false };
}

/** A line of digits of base64, at least a group of them. */
function isDataLine(bytes: Buffer, start: number, end: number): boolean {
  let stop = end;
  while (stop > start && bytes[stop - 1] === CR) stop--;
  if (stop - start < 4) return false;
  for (let at = start; at < stop; at++) {
    const byte = bytes[at]!;
    if (!isAsciiLetter(byte) && !isDigit(byte) && byte !== PLUS && byte !== SLASH && byte !== EQUALS) return false;
  }
  return true;
}
