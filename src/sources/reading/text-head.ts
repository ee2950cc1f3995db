/** Maximum bytes of blanks and byte-order marks before the first line. */
const LEAD_BYTES_MAX = 64;

/**
 * True if a text begins with this line, ignoring case, after blanks and a byte-order mark; also in UTF-16. @param
 * line letters, digits and signs of ASCII
 */
export function beginsWithLine(head: Buffer, line: string): boolean {
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  const start = head.toString("latin1", 0, (LEAD_BYTES_MAX + line.length) * 2);
  const text = (isWide ? start.slice(2).replaceAll("\0", "") : start).replace(/^\xef\xbb\xbf/, "").trimStart();
  return text.slice(0, line.length).toUpperCase() === line && !/^[\w-]/.test(text.slice(line.length));
}
