import { fieldNameLength } from "../reading/header-line.ts";

const SPACE = 0x20;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;

/** Kind of a run of lines: no header, a mail header, or one that only mail programs write. */
const NO_BLOCK = 0;
export const MAIL_BLOCK = 1;
export const MACHINE_BLOCK = 2;

/** Mail fields that people also write in texts; a header needs another field. In lower case. */
const MAIL_FIELDS: ReadonlySet<string> = new Set([
  "from",
  "to",
  "cc",
  "date",
  "subject",
  "reply-to",
  "sender",
  "references",
]);

/** Fields that mail programs write and people do not, in lower case. */
const MACHINE_FIELDS: ReadonlySet<string> = new Set([
  "message-id",
  "received",
  "return-path",
  "delivered-to",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
  "x-mailer",
  "x-mozilla-status",
  "x-gmail-labels",
  "x-status",
  "status",
  "in-reply-to",
  "newsgroups",
  "list-id",
  "dkim-signature",
  "arc-seal",
  "authentication-results",
  "content-length",
  "x-uid",
  "x-uidl",
  "x-keywords",
]);

/** Start of the names of extension fields, in lower case: they count like the fields of any mail. */
const EXTENSION = "x-";

/** The range searched for a header. */
interface BlockRange {
  readonly start: number;
  readonly end: number;
  readonly lineEnd: 10 | 13;
}

/**
 * Judges the lines in [start, end): fields and their folded lines up to an empty line, or up to `end`. Any other line
 * before that makes them text.
 */
export function headerBlockAt(bytes: Buffer, range: BlockRange): number {
  let block = NO_BLOCK;
  let at = range.start;
  while (at < range.end && bytes[at] !== LF && bytes[at] !== CR) {
    const next = nextLine(bytes, at, range);
    if (at === range.start || !isFolded(bytes[at])) {
      const field = fieldBlock(bytes, at);
      // The last line may be cut in the middle of its name.
      if (field < 0) return next === range.end ? block : NO_BLOCK;
      block = Math.max(block, field);
    }
    at = next;
  }
  return block;
}

function nextLine(bytes: Buffer, at: number, range: BlockRange): number {
  const found = bytes.indexOf(range.lineEnd, at);
  return found < 0 || found >= range.end ? range.end : found + 1;
}

function isFolded(first: number | undefined): boolean {
  return first === SPACE || first === TAB;
}

/** Evidence from the field at `at`; -1 if there is none. */
function fieldBlock(bytes: Buffer, at: number): number {
  const length = fieldNameLength(bytes, at);
  if (length === 0) return -1;
  const name = bytes.toString("latin1", at, at + length).toLowerCase();
  if (MACHINE_FIELDS.has(name)) return MACHINE_BLOCK;
  return MAIL_FIELDS.has(name) || name.startsWith(EXTENSION) ? MAIL_BLOCK : NO_BLOCK;
}
