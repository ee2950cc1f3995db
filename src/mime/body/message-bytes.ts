import { CR, LF } from "../../mail/words/ascii.ts";

/** Maximum bytes of a UTF-16 message that is converted to UTF-8; larger ones are not read as UTF-16. */
const MAX_UTF16_BYTES = 64 << 20;
const UTF16_MARK = "\ufeff";

/** Normalizes a message: UTF-16 becomes UTF-8, and CR line breaks become LF. */
export function messageBytes(bytes: Buffer): Buffer {
  return withLineFeeds(withoutUtf16(bytes));
}

/** A message that a Windows program saved as UTF-16 text with a byte order mark. */
function withoutUtf16(bytes: Buffer): Buffer {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  if (!isLittle && !(bytes[0] === 0xfe && bytes[1] === 0xff)) return bytes;
  const even = bytes.subarray(0, Math.min(bytes.length, MAX_UTF16_BYTES) & ~1);
  const text = (isLittle ? even : Buffer.from(even).swap16()).toString("utf16le");
  return Buffer.from(text.slice(UTF16_MARK.length).toWellFormed());
}

/** Old Macintosh mail has CR line breaks; the converted copy has the same offsets. */
export function withLineFeeds(bytes: Buffer): Buffer {
  if (bytes.includes(LF) || !bytes.includes(CR)) return bytes;
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(CR); at >= 0; at = copy.indexOf(CR, at + 1)) copy[at] = LF;
  return copy;
}
