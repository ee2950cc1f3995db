import { wordSet } from "../../mail/words/word-table.ts";
import type { BodyLines } from "./body-lines.ts";

/** Maximum lines with text in a signature without a mark; company cards with four numbers have as many. */
const MAX_LINES = 10;
/** Maximum characters of such a line. */
const MAX_LENGTH = 64;
/** Maximum blank lines between two of them. */
const MAX_BLANKS = 2;
/** Maximum words of a name, and of a title or an address. */
const MAX_NAME_WORDS = 5;
const MAX_TITLE_WORDS = 8;
/** Maximum words of a line with an address: `My web page: https://…`. */
const MAX_ADDRESS_PIECES = 5;
/** Lower-case words next to a number: `direct`, `fax`; `after 5 pm` is already a sentence. */
const MAX_LABELS = 2;
/** Minimum digits of a telephone number, and maximum digits of an extension after an x. */
const MIN_NUMBER_DIGITS = 7;
/** Minimum letters of a word that identifies a name; shorter ones begin too many others. */
const MIN_NAME_LETTERS = 3;

/** Lower-case words between names and titles. */
const SMALL_WORDS = wordSet("of and to the for in at on a de da do der den des du di del la le und für von van y e et");
/** Closing words before the name on the same line. */
const CLOSINGS = wordSet("thanks thank thx thks regards cheers best sincerely yours gruß grüße mfg");

const WORD = /[\p{L}\p{M}\p{N}'’]+/gu;
const CAPITALIZED = /^[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u;
const LOWER = /^\p{Ll}/u;
const EXTENSION = /(?:^|[\s(])(?:x|ext\.?) {0,2}-?\d(?:-?\d){2,5}\b/iu;
/** Separators between a name and a number on one line: `Ann Reed - ext. 35512`, `Ann  555-0101`. */
const BEHIND_NAME = /[\s,(|/:#–—-]*(?:\b(?:x|ext|tel|phone|cell|office|direct)\.?[ :#-]*)?[+(]?\d/iu;
const DIGIT = /\d/gu;
const DIGIT_OR_SIGN = /[\d@/\\]/u;
const ADDRESS = /@|\bhttps?:|\bwww\./iu;
/** People write this number on request, but never on a card. */
const SOCIAL_SECURITY_NUMBER = /\b\d{3}-\d{2}-\d{4}\b/u;
/** The domain name of a company, as a line of a card. */
const BARE_HOST = /^[\p{L}\p{N}-]{2,40}(?:\.[\p{L}\p{N}-]{2,40}){0,2}\.(?:com|net|org|edu|gov|[a-z]{2})$/iu;
const WHITE_SPACE = /\s+/u;
/** Names of attachments, as mail programs and exports list them below the text. */
const ATTACHED_FILE = /^- [^\n]{1,200}\.[a-z0-9]{2,4}$/iu;

type LineKind = "contact" | "title" | "other";

/**
 * First line of a signature without a `-- ` line, at the end of the lines `[from, to)`; `to` if there is none. It
 * begins with the author's own name and continues with contact data or position: numbers, addresses, titles. A name
 * alone stays text, and so does everything if the author's name is unknown: a card at the end may belong to another
 * person. @param author name and address, such as `Ann Reed <areed@x.example>`
 */
export function personalSignatureStart(lines: BodyLines, from: number, to: number, author: string): number {
  const start = cardStart(lines, from, to, author);
  return start < to && hasTextAbove(lines, from, start) ? start : to;
}

function cardStart(lines: BodyLines, from: number, to: number, author: string): number {
  const below = { contact: 0, title: 0 };
  for (const line of lastLines(lines, from, to)) {
    const text = lines.text(line);
    const isLast = below.contact + below.title === 0;
    if (isLast && isCardOfOneLine(text, author)) return isList(lines, from, line) ? to : line;
    if (!isLast && beginsCard(text, author, below.contact > 0)) return line;
    const kind = kindOf(text);
    if (kind === "other") return to;
    below[kind]++;
  }
  return to;
}

/** True for the author's name; it needs two words if no contact data follows. */
function beginsCard(text: string, author: string, isReachable: boolean): boolean {
  const own = ownNames(text, author);
  return own > 1 || (own > 0 && isReachable);
}

/** The last lines with text that may be a card, the last first; excludes names of attached files below it. */
function* lastLines(lines: BodyLines, from: number, to: number): Generator<number> {
  let [filled, blanks] = [0, 0];
  for (let line = to - 1; line >= from; line--) {
    if (lines.isBlank(line)) {
      blanks++;
      continue;
    }
    if (filled > 0 && blanks > MAX_BLANKS) return;
    blanks = 0;
    if (lines.length(line) > MAX_LENGTH || filled === MAX_LINES) return;
    if (filled === 0 && ATTACHED_FILE.test(lines.text(line))) continue;
    filled++;
    yield line;
  }
}

/** `Ann Reed - ext. 35512` below a mail by Ann Reed. */
function isCardOfOneLine(text: string, author: string): boolean {
  if (ADDRESS.test(text) || kindOf(text) !== "contact") return false;
  const number = BEHIND_NAME.exec(text);
  return number !== null && number.index > 0 && ownNames(text.slice(0, number.index), author) > 0;
}

/** The text above also ends with a number: a list of people that includes the author. */
function isList(lines: BodyLines, from: number, line: number): boolean {
  let above = line - 1;
  while (above >= from && lines.isBlank(above)) above--;
  return above >= from && kindOf(lines.text(above)) === "contact";
}

/** A message that consists only of a card shares the author's contact data. */
function hasTextAbove(lines: BodyLines, from: number, line: number): boolean {
  for (let above = line - 1; above >= from; above--) if (!lines.isBlank(above)) return true;
  return false;
}

/** Number of words in a line with only the author's name, without salutation; otherwise 0. */
function ownNames(text: string, author: string): number {
  if (DIGIT_OR_SIGN.test(text) || ",:;?!".includes(text.at(-1)!)) return 0;
  const words = text.match(WORD) ?? [];
  // Initials are ignored: `Ann B. Reed` at `areed` is the same name as `Ann Reed`.
  const names = words.filter((word) => word.length > 1 && !CLOSINGS.has(word.toLowerCase()));
  if (names.length === 0 || words.length > MAX_NAME_WORDS) return 0;
  if (names.length > 1 && names.some((word) => !CAPITALIZED.test(word))) return 0;
  const known = author.toLowerCase();
  const bracket = known.lastIndexOf("<");
  const localPart = known.slice(bracket + 1).split("@")[0]!;
  // The company's name is in the domain, and on a line of the card.
  const displayName = known.slice(0, Math.max(bracket, 0));
  const own = names.filter((word) => isOwnName(word.toLowerCase(), displayName, localPart));
  return own.length * 2 >= names.length ? own.length : 0;
}

/** A word of the display name or local part, or the beginning or end of the latter (`areed`, `annr`). */
function isOwnName(word: string, displayName: string, localPart: string): boolean {
  if (word.length < MIN_NAME_LETTERS) return false;
  const isWordOf = (name: string): boolean => ((name.match(WORD) as readonly string[] | null) ?? []).includes(word);
  return localPart.startsWith(word) || localPart.endsWith(word) || isWordOf(displayName) || isWordOf(localPart);
}

/** A line of a card: contact data, position or location; other lines, such as the end of a sentence, are not. */
function kindOf(text: string): LineKind {
  if ("?!:;".includes(text.at(-1)!) || SOCIAL_SECURITY_NUMBER.test(text)) return "other";
  if (BARE_HOST.test(text)) return "contact";
  if (ADDRESS.test(text)) return text.split(WHITE_SPACE).length <= MAX_ADDRESS_PIECES ? "contact" : "other";
  const words = text.match(WORD) ?? [];
  if ((text.match(DIGIT)?.length ?? 0) >= MIN_NUMBER_DIGITS || EXTENSION.test(text)) {
    return words.filter((word) => LOWER.test(word)).length <= MAX_LABELS ? "contact" : "other";
  }
  if (words.length === 0 || words.length > MAX_TITLE_WORDS) return "other";
  return words.every((word) => CAPITALIZED.test(word) || SMALL_WORDS.has(word) || /\p{N}/u.test(word))
    ? "title"
    : "other";
}
