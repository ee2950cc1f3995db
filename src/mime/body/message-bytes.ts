import { utf16Order } from "../../charset/utf-16.ts";
import { CR, LF, SPACE, TAB } from "../../mail/words/ascii.ts";

/** Maximum bytes of a UTF-16 message that is converted to UTF-8; larger ones are not read as UTF-16. */
const MAX_UTF16_BYTES = 64 << 20;
const UTF16_MARK = "\ufeff";

/** Normalizes a message: UTF-16 becomes UTF-8, CR line breaks become LF, and an indented header moves to the margin. */
export function messageBytes(bytes: Buffer): Buffer {
  return withoutIndent(withLineFeeds(withoutUtf16(bytes)));
}

/** A message that a Windows program saved as UTF-16 text, usually with a byte order mark. */
function withoutUtf16(bytes: Buffer): Buffer {
  // Mail in other encodings begins with two bytes of ASCII.
  const isAsciiStart = isAscii(bytes[0]) && isAscii(bytes[1]);
  const order = isAsciiStart ? null : utf16Order(bytes);
  if (order === null) return bytes;
  const even = bytes.subarray(0, Math.min(bytes.length, MAX_UTF16_BYTES) & ~1);
  const text = (order === "utf-16le" ? even : Buffer.from(even).swap16()).toString("utf16le");
  return Buffer.from((text.startsWith(UTF16_MARK) ? text.slice(UTF16_MARK.length) : text).toWellFormed());
}

function isAscii(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0 && byte < 0x80;
}

/** Old Macintosh mail has CR line breaks, some conversions write LF CR; the converted copy has the same offsets. */
export function withLineFeeds(bytes: Buffer): Buffer {
  const lineFeed = bytes.indexOf(LF);
  if (lineFeed >= 0) return endsWithReturn(bytes, lineFeed) ? withSwappedEnds(bytes) : bytes;
  if (!bytes.includes(CR)) return bytes;
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(CR); at >= 0; at = copy.indexOf(CR, at + 1)) copy[at] = LF;
  return copy;
}

/** True for LF CR at the end of the first two lines. */
function endsWithReturn(bytes: Buffer, first: number): boolean {
  const isPair = (at: number): boolean =>
    bytes[at - 1] !== CR && bytes[at + 1] === CR && (bytes[at + 2] !== LF || bytes[at + 3] === CR);
  if (!isPair(first)) return false;
  const second = bytes.indexOf(LF, first + 1);
  return second > first + 2 && isPair(second);
}

function withSwappedEnds(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf("\n\r"); at >= 0; at = copy.indexOf("\n\r", at + 2)) {
    copy[at] = CR;
    copy[at + 1] = LF;
  }
  return copy;
}

/** Maximum bytes of a header, and of a body, whose indentation is removed: people indent what they paste. */
const MAX_INDENTED_BYTES = 1 << 20;
/** Fields of which an indented header has two; other indented lines are text. */
const COMMON_FIELD = /^(?:from|to|subject|date|message-id|received|return-path|mime-version|content-type):/i;

/** Removes the indentation that all lines of a header have, and from the body if all its lines have it too. */
function withoutIndent(bytes: Buffer): Buffer {
  if (bytes[0] !== SPACE && bytes[0] !== TAB) return bytes;
  const text = bytes.toString("latin1", 0, MAX_INDENTED_BYTES);
  const indent = /^[ \t]+/.exec(text)![0];
  const blank = /\n[ \t]*\r?\n/.exec(text);
  const header = text.slice(0, blank === null ? text.length : blank.index + 1);
  const lines = header.split("\n").slice(0, -1);
  const isIndented = lines.every((line) => line.startsWith(indent));
  if (!isIndented || lines.filter((line) => COMMON_FIELD.test(line.slice(indent.length))).length < 2) return bytes;
  const body = text.slice(header.length);
  const isWhole = bytes.length <= MAX_INDENTED_BYTES && isAtIndent(body, indent);
  const rest = isWhole ? latin1Bytes(withoutLead(body, indent)) : bytes.subarray(header.length);
  return Buffer.concat([latin1Bytes(withoutLead(header, indent)), rest]);
}

function isAtIndent(text: string, indent: string): boolean {
  return text.split("\n").every((line) => line.startsWith(indent) || line.trim() === "");
}

function withoutLead(text: string, indent: string): string {
  return text
    .split("\n")
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join("\n");
}

function latin1Bytes(text: string): Buffer {
  return Buffer.from(text, "latin1");
}
