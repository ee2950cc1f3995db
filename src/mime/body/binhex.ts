import { decodeByStandard } from "../../charset/standard-tables.ts";
import { COLON, CR, LF, SPACE, TAB } from "../../mail/words/ascii.ts";
import { type BlockEncoding, type EncodedBlock, firstBlock } from "./encoded-block.ts";

/** Start of the line before a file; the version follows. */
export const BINHEX_NOTICE = "(This file must be converted with BinHex";
/** The 64 digits of the encoding, by value. */
const DIGITS = "!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr";
const VALUES: Int8Array = Int8Array.from({ length: 256 }, (_, byte) => DIGITS.indexOf(String.fromCharCode(byte)));
/** Between a repeated byte and its count; a count of 0 is the marker itself. */
const REPEAT = 0x90;
/** Maximum bytes of a name on a Macintosh. */
const MAX_NAME_BYTES = 63;
/** Bytes of the header after the name: version, type, creator, flags, lengths of both forks, checksum. */
const HEADER_BYTES = 1 + 4 + 4 + 2 + 4 + 4 + 2;
/** Offset of the length of the data fork after the name. */
const DATA_LENGTH_OFFSET = 11;
/** Digits that encode the longest header: four in three bytes, up to two bytes for one of the header. */
const MAX_HEADER_DIGITS = 3 * (1 + MAX_NAME_BYTES + HEADER_BYTES);
/**
 * Maximum bytes of a decoded file. Repeats can expand a text 95 times; files were far smaller than this when Macintosh
 * programs sent them as text.
 */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Macintosh files in text, BinHex 4.0. The data fork is the file; the resource fork is skipped. */
export const BINHEX: BlockEncoding = {
  find: (bytes, from) => firstBlock(bytes, { word: BINHEX_NOTICE, from }, blockAt),
  decode: (lines) => readFile(lines)?.bytes() ?? lines,
};

function blockAt(bytes: Buffer, start: number): EncodedBlock | null {
  let dataStart = start + BINHEX_NOTICE.length;
  while (dataStart < bytes.length && bytes[dataStart] !== LF && bytes[dataStart] !== CR) dataStart++;
  while (isBlank(bytes[dataStart])) dataStart++;
  if (bytes[dataStart] !== COLON) return null;
  let dataEnd = dataStart + 1;
  while (dataEnd < bytes.length && (VALUES[bytes[dataEnd]!]! >= 0 || isBlank(bytes[dataEnd]))) dataEnd++;
  const isClosed = bytes[dataEnd] === COLON;
  const file = readFile(bytes.subarray(dataStart, dataEnd));
  if (file === null) return null;
  const end = isClosed ? afterLineEnd(bytes, dataEnd + 1) : dataEnd;
  return { filename: file.filename, start, end, dataStart, dataEnd, isClosed };
}

/** Offset after the line end at an offset, if there is one. */
function afterLineEnd(bytes: Buffer, at: number): number {
  const afterReturn = bytes[at] === CR ? at + 1 : at;
  return bytes[afterReturn] === LF ? afterReturn + 1 : afterReturn;
}

interface MacintoshFile {
  /** UTF-8, one character per byte. */
  readonly filename: string;
  bytes(): Buffer;
}

/** Reads the header of an encoded file. Returns null if it is invalid. */
function readFile(lines: Buffer): MacintoshFile | null {
  const header = expand(sixBitBytes(lines, MAX_HEADER_DIGITS), 1 + MAX_NAME_BYTES + HEADER_BYTES);
  const nameLength = header[0] ?? 0;
  const nameEnd = 1 + nameLength;
  if (nameLength === 0 || nameLength > MAX_NAME_BYTES || header.length < nameEnd + HEADER_BYTES) return null;
  const length = header.readUInt32BE(nameEnd + DATA_LENGTH_OFFSET);
  const dataStart = nameEnd + HEADER_BYTES;
  return {
    filename: Buffer.from(decodeByStandard("macintosh", header.subarray(1, nameEnd))).toString("latin1"),
    bytes: () =>
      expand(sixBitBytes(lines, lines.length), dataStart + Math.min(length, MAX_FILE_BYTES)).subarray(dataStart),
  };
}

/** The bytes of up to `digits` digits; other characters are skipped. */
function sixBitBytes(lines: Buffer, digits: number): Buffer {
  const output = Buffer.allocUnsafe(Math.ceil((Math.min(lines.length, digits) * 3) / 4));
  let written = 0;
  let bits = 0;
  let count = 0;
  for (let at = 0; at < lines.length && count < digits; at++) {
    const value = VALUES[lines[at]!]!;
    if (value < 0) continue;
    bits = ((bits << 6) | value) & 0xffff;
    count++;
    // The first digit of four has no whole byte yet; each of the others completes one.
    const left = 6 - 2 * ((count - 1) % 4);
    if (left < 6) output[written++] = (bits >> left) & 0xff;
  }
  return output.subarray(0, written);
}

/** Undoes repeats, up to `bytesMax` bytes. */
function expand(packed: Buffer, bytesMax: number): Buffer {
  const output = Buffer.alloc(Math.min(bytesMax, expandedLength(packed)));
  let written = 0;
  for (let at = 0; at < packed.length && written < output.length; at++) {
    const byte = packed[at]!;
    const count = byte === REPEAT ? packed[at + 1] : undefined;
    if (count === undefined) {
      if (byte !== REPEAT) output[written++] = byte;
      continue;
    }
    at++;
    if (count === 0) output[written++] = REPEAT;
    else if (written > 0) {
      const end = Math.min(output.length, written + count - 1);
      output.fill(output[written - 1]!, written, end);
      written = end;
    }
  }
  return output.subarray(0, written);
}

/** An upper bound of the bytes without repeats. */
function expandedLength(packed: Buffer): number {
  let length = packed.length;
  for (let at = packed.indexOf(REPEAT); at >= 0; at = packed.indexOf(REPEAT, at + 2)) length += packed[at + 1] ?? 0;
  return length;
}

function isBlank(byte: number | undefined): boolean {
  return byte === LF || byte === CR || byte === SPACE || byte === TAB;
}
