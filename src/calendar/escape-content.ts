/** Maximum bytes of a line of iCalendar and vCard, without its end (RFC 5545 section 3.1, RFC 6350 section 3.2). */
const LINE_BYTES = 75;

/** A content line with its end, folded between characters. */
export function foldLine(line: string): string {
  if (line.length <= LINE_BYTES && Buffer.byteLength(line) <= LINE_BYTES) return `${line}\r\n`;
  const pieces: string[] = [];
  let piece: string[] = [];
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    // A continuation line begins with a blank, which counts toward the limit.
    if (bytes + size > LINE_BYTES - (pieces.length === 0 ? 0 : 1)) {
      pieces.push(piece.join(""));
      piece = [];
      bytes = 0;
    }
    piece.push(character);
    bytes += size;
  }
  pieces.push(piece.join(""));
  return `${pieces.join("\r\n ")}\r\n`;
}

/** A value of type TEXT (RFC 5545 section 3.3.11), or a part of a value of several (RFC 6350 section 3.4). */
export function escapeText(text: string): string {
  return escaped(text, /[\\;,]/g);
}

/** Escapes a single value of a vCard: semicolons stay, because not every program unescapes them. */
export function escapeCardText(text: string): string {
  return escaped(text, /[\\,]/g);
}

function escaped(text: string, special: RegExp): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "")
    .replace(special, "\\$&")
    .replaceAll("\n", "\\n");
}

/** Joins lines, so that no part of the text starts a new content line. */
export function oneLine(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]+/g, " ").trim();
}
