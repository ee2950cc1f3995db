import { CR, LF, SPACE, TAB } from "../../mail/words/ascii.ts";

/** Commands of SMTP that a spool file or a trace has before the message (RFC 5321 4.1.1). */
const SMTP_COMMAND = /^(?:HELO |EHLO |MAIL F(?:ROM|rom):|RCPT T[Oo]:|DATA\r?\n)/;
const LONGEST_COMMAND = "MAIL FROM:".length;
const FIRST_LETTERS: ReadonlySet<number> = new Set(Buffer.from("HEMRD"));

function isSmtpCommand(bytes: Buffer, at: number): boolean {
  return FIRST_LETTERS.has(bytes[at]!) && SMTP_COMMAND.test(bytes.toString("latin1", at, at + LONGEST_COMMAND));
}

/** Start of the header, after a byte order mark, blank lines, SMTP commands and `From ` or `>From ` separator lines. */
export function endOfLeadIn(bytes: Buffer, start: number, end: number): number {
  let position = start;
  if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf && end - start >= 3)
    position += 3;
  while (position < end) {
    if (isOfField(bytes, position)) return position;
    const lineFeed = bytes.indexOf(LF, position);
    const lineEnd = lineFeed < 0 || lineFeed >= end ? end : lineFeed;
    if (!isBlank(bytes, position, lineEnd) && !isSeparatorLine(bytes, position) && !isSmtpCommand(bytes, position))
      return position;
    if (lineEnd === end) return end;
    position = lineEnd + 1;
  }
  return end;
}

/** True at most fields: no other line that is skipped has a capital and a small letter first, but `From `. */
function isOfField(bytes: Buffer, at: number): boolean {
  const first = bytes[at]!;
  return first > 0x40 && first !== LETTER_F && bytes[at + 1]! > 0x60;
}

const LETTER_F = 0x46;

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte !== SPACE && byte !== TAB && byte !== CR) return false;
  }
  return true;
}

function isSeparatorLine(bytes: Buffer, at: number): boolean {
  const from = bytes[at] === 0x3e ? at + 1 : at;
  return (
    bytes[from] === 0x46 &&
    bytes[from + 1] === 0x72 &&
    bytes[from + 2] === 0x6f &&
    bytes[from + 3] === 0x6d &&
    bytes[from + 4] === SPACE
  );
}
