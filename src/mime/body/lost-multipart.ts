import { HYPHEN } from "../../mail/words/ascii.ts";

/** A multipart whose header does not declare it: list archives and some stores keep only the body. */
export interface LostMultipart {
  readonly boundary: string;
  /** Start of the first part if its boundary line is damaged; null if it is intact. */
  readonly firstPart: number | null;
}

/** Bytes for the first boundary line (RFC 2046 5.1.1: 70 characters) and the name of a field. */
const FIRST_LINES_BYTES = 160;
/** A second dash may be lost if a program mistook the first for its own. */
const FIRST_BOUNDARY = /^(--?)(\S{1,70})[ \t]{0,8}\r?\n(?=content-(?:type|transfer-encoding|disposition)[ \t]{0,8}:)/i;

/** Bytes searched for the end of a preamble, the text for readers without MIME. */
const PREAMBLE_BYTES = 400;
/** A preamble has a few lines, in any language. */
const MAX_PREAMBLE_LINES = 5;
/** A word of preambles, which are not text of the message. */
export const PREAMBLE_WORD = "MIME";
/** A field or a reply that quotes a message, which also contains boundary lines. */
const QUOTED_FIELD = /^[\w-]{1,40}:|^>/m;

/** Start of the first boundary line after a preamble; -1 if there is none. */
function afterPreamble(source: Buffer, start: number): number {
  const sample = source.toString("latin1", start, start + PREAMBLE_BYTES);
  const line = sample.indexOf("\n--");
  if (line < 0) return -1;
  const text = sample.slice(0, line);
  const isPreamble =
    text.includes(PREAMBLE_WORD) && !QUOTED_FIELD.test(text) && text.split("\n").length <= MAX_PREAMBLE_LINES;
  return isPreamble ? start + line + 1 : -1;
}

/**
 * The multipart in a text that begins with a boundary line and a part header, and contains the boundary again;
 * otherwise null. The bytes must include the line end before the text.
 */
export function lostMultipart(source: Buffer, bodyStart: number): LostMultipart | null {
  let start = bodyStart;
  while (start < source.length && source[start]! <= 0x20) start++;
  if (source[start] !== HYPHEN) start = afterPreamble(source, start);
  if (start <= 0) return null;
  const first = FIRST_BOUNDARY.exec(source.toString("latin1", start, start + FIRST_LINES_BYTES));
  if (first === null) return null;
  const [line, dashes, boundary] = first;
  const partStart = start + line.length;
  if (!source.includes(`\n--${boundary}`, partStart, "latin1")) return null;
  return { boundary: boundary!, firstPart: dashes === "--" ? null : partStart };
}
