import type { BodyLines } from "./body-lines.ts";
import { DEVICE_SIGNATURES, NOTICE_BEGINNINGS, NOTICE_WORDS } from "./mail-phrases.ts";
import { personalSignatureStart } from "./personal-signature.ts";
import { isRule } from "./quote-markers.ts";

/**
 * Maximum lines below `-- ` of a signature; more is a text that contains a dash line. RFC 3676 section 4.3 sets no
 * limit, netiquette says 4.
 */
const MAX_SIGNATURE_LINES = 30;

/** Maximum lines with text after `Sent from my …`. */
const MAX_LINES_AFTER_DEVICE = 2;

/** Maximum lines of a list's or web mailer's footer below a line of underscores. */
const MAX_FOOTER_LINES = 12;

/**
 * Minimum underscores of such a line: Mailman writes 47, web mailers 50 and more; Outlook's 32 also precede
 * quotations.
 */
const MIN_FOOTER_RULE = 40;

/** Maximum characters of a `Sent from …` line. */
const MAX_DEVICE_LENGTH = 120;

/** Characters of a legal notice that must contain its typical words. */
const NOTICE_REACH = 1_500;

const LONGEST_BEGINNING = 60;

/**
 * First line of the signature at the end of the lines `[from, to)`, or `to`: text after `-- `, footers of phones, web
 * mailers and mailing lists, a legal notice, the author's name and numbers. @param author as in
 * `personalSignatureStart`; "" if unknown
 */
export function signatureStart(lines: BodyLines, from: number, to: number, author: string): number {
  let start = to;
  let filled = 0;
  const limit = Math.max(from, to - MAX_SIGNATURE_LINES);
  for (let line = to - 1; line >= limit; line--) {
    if (lines.isBlank(line)) continue;
    if (
      isDelimiter(lines, line) ||
      isDeviceLine(lines, line, filled) ||
      isFooterRule(lines, line, filled) ||
      isNotice(lines, line, from)
    ) {
      start = line;
    }
    filled++;
  }
  if (start > from && start < to && isRule(lines, start - 1)) start--;
  return author === "" ? start : personalSignatureStart(lines, from, start, author);
}

/** `-- ` of RFC 3676; the blank is often lost in transit. */
function isDelimiter(lines: BodyLines, line: number): boolean {
  const first = lines.firsts[line]!;
  return lines.length(line) === 2 && first === lines.starts[line] && lines.body.startsWith("--", first);
}

function isDeviceLine(lines: BodyLines, line: number, filledBelow: number): boolean {
  if (filledBelow > MAX_LINES_AFTER_DEVICE || lines.length(line) > MAX_DEVICE_LENGTH) return false;
  const head = beginning(lines, line);
  return DEVICE_SIGNATURES.some((phrase) => head.startsWith(phrase));
}

function isFooterRule(lines: BodyLines, line: number, filledBelow: number): boolean {
  return (
    filledBelow <= MAX_FOOTER_LINES &&
    lines.length(line) >= MIN_FOOTER_RULE &&
    lines.firstCode(line) === 95 &&
    isRule(lines, line)
  );
}

/** A paragraph with the beginning and wording of a legal notice. */
function isNotice(lines: BodyLines, line: number, from: number): boolean {
  const isParagraphStart = line === from || lines.isBlank(line - 1) || isRule(lines, line - 1);
  // A message that consists only of the notice is about it (`This message is intended for all …`).
  const isBelowText = from > 0 || lines.nextFilled(from - 1, line - from + 1) < line;
  if (!isParagraphStart || !isBelowText) return false;
  const head = beginning(lines, line);
  if (!NOTICE_BEGINNINGS.some((phrase) => head.startsWith(phrase))) return false;
  const first = lines.firsts[line]!;
  const text = lines.body.slice(first, first + NOTICE_REACH).toLowerCase();
  return NOTICE_WORDS.some((word) => text.includes(word));
}

/** The first characters of a line in lower case, without leading stars, brackets and dashes. */
function beginning(lines: BodyLines, line: number): string {
  let first = lines.firsts[line]!;
  const end = lines.ends[line]!;
  while (first < end && " *[(<-_\"'".includes(lines.body.charAt(first))) first++;
  return lines.body.slice(first, Math.min(end, first + LONGEST_BEGINNING)).toLowerCase();
}
