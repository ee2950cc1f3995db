import { utf16Order } from "../../charset/utf-16.ts";

/** Maximum bytes of blanks and byte-order marks before the first line. */
const LEAD_BYTES_MAX = 64;

/**
 * True if a text begins with this line, ignoring case, after blanks and a byte-order mark; also in UTF-16. @param
 * line letters, digits and signs of ASCII
 */
export function beginsWithLine(head: Buffer, line: string): boolean {
  const start = head.toString("latin1", 0, (LEAD_BYTES_MAX + line.length) * 2);
  const narrow = utf16Order(head) === null ? start : start.replaceAll("\0", "");
  const text = narrow.replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "").trimStart();
  return text.slice(0, line.length).toUpperCase() === line && !/^[\w-]/.test(text.slice(line.length));
}
