import { wordSet } from "../mail/word-table.ts";
import type { BodyLines } from "./body-lines.ts";

/** Lines with text of a signature that no mark stands above; cards of companies with four numbers have as many. */
const MAX_LINES = 10;
/** Characters of such a line. */
const MAX_LENGTH = 64;
/** Blank lines between two of them. */
const MAX_BLANKS = 2;
/** Words of a name, and of a title or an address. */
const MAX_NAME_WORDS = 5;
const MAX_TITLE_WORDS = 8;
/** Pieces between blanks of a line with an address: `My web page: https://…`. */
const MAX_ADDRESS_PIECES = 5;
/** Words in lower case beside a number: `direct`, `fax`, `after 5 pm` is a sentence already. */
const MAX_LABELS = 2;
/** Digits of a telephone number, and of an extension behind an x. */
const MIN_NUMBER_DIGITS = 7;
/** Letters of a word that tells whose name it is; shorter ones begin too many others. */
const MIN_NAME_LETTERS = 3;

/** What stands between the words of names and titles in lower case. */
const SMALL_WORDS = wordSet("of and to the for in at on a de da do der den des du di del la le und für von van y e et");
/** What closes a mail before the name, on the same line. */
const CLOSINGS = wordSet("thanks thank thx thks regards cheers best sincerely yours gruß grüße mfg");

const WORD = /[\p{L}\p{M}\p{N}'’]+/gu;
const CAPITALISED = /^[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u;
const LOWER = /^\p{Ll}/u;
const EXTENSION = /(?:^|[\s(])(?:x|ext\.?)[ -]?\d{3,6}\b/iu;
const DIGIT = /\d/gu;
const DIGIT_OR_SIGN = /[\d@/\\]/u;
const ADDRESS = /@|\bhttps?:|\bwww\./iu;
const WHITE_SPACE = /\s+/u;
/** Names of attachments, as mail programs and exports list them below the text. */
const ATTACHED_FILE = /^- [^\n]{1,200}\.[a-z0-9]{2,4}$/iu;

type LineKind = "contact" | "title" | "other";

/**
 * First line of a signature that no `-- ` stands above, at the end of a run of lines `[from, to)`; `to` when there is
 * none. It begins with the author's own name and goes on with how to reach or place him: numbers, addresses, titles.
 * A name alone is left to the text, and so is everything where the author's name is not known: a card at the end of a
 * mail may be somebody else's.
 * @param author name and address, such as `Ann Reed <areed@x.example>`
 */
export function personalSignatureStart(lines: BodyLines, from: number, to: number, author: string): number {
  let [contacts, titles] = [0, 0];
  for (const line of lastLines(lines, from, to)) {
    const text = lines.text(line);
    const own = contacts + titles === 0 ? 0 : ownNames(text, author);
    if (own > 0 && (contacts > 0 || own > 1)) return hasTextAbove(lines, from, line) ? line : to;
    const kind = kindOf(text);
    if (kind === "other") return to;
    if (kind === "contact") contacts++;
    else titles++;
  }
  return to;
}

/** The last lines with text that may be a card, the last first; names of attached files below it are left out. */
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

/** A mail that is nothing but a card tells somebody how to reach its author. */
function hasTextAbove(lines: BodyLines, from: number, line: number): boolean {
  for (let above = line - 1; above >= from; above--) if (!lines.isBlank(above)) return true;
  return false;
}

/** How many words of a line are the author's name, when the line is a name and no salutation; else 0. */
function ownNames(text: string, author: string): number {
  if (DIGIT_OR_SIGN.test(text) || ",:;?!".includes(text.at(-1)!)) return 0;
  const words = text.match(WORD) ?? [];
  const names = words.filter((word) => !CLOSINGS.has(word.toLowerCase()));
  if (names.length === 0 || words.length > MAX_NAME_WORDS) return 0;
  if (names.length > 1 && names.some((word) => !CAPITALISED.test(word))) return 0;
  const known = author.toLowerCase();
  const bracket = known.lastIndexOf("<");
  const localPart = known.slice(bracket + 1).split("@")[0]!;
  // The company is in the domain, and on a line of the card.
  const displayName = known.slice(0, Math.max(bracket, 0));
  const own = names.filter((word) => isOwnName(word.toLowerCase(), displayName, localPart));
  return own.length * 2 >= names.length ? own.length : 0;
}

/** A word of the display name or of the local part, or how that begins or ends (`areed`, `annr`). */
function isOwnName(word: string, displayName: string, localPart: string): boolean {
  if (word.length < MIN_NAME_LETTERS) return false;
  const isWordOf = (name: string): boolean => ((name.match(WORD) as readonly string[] | null) ?? []).includes(word);
  return localPart.startsWith(word) || localPart.endsWith(word) || isWordOf(displayName) || isWordOf(localPart);
}

/** A line of a card: how to reach its owner, what he is and where; or something else, such as the end of a sentence. */
function kindOf(text: string): LineKind {
  if ("?!:;".includes(text.at(-1)!)) return "other";
  if (ADDRESS.test(text)) return text.split(WHITE_SPACE).length <= MAX_ADDRESS_PIECES ? "contact" : "other";
  const words = text.match(WORD) ?? [];
  if ((text.match(DIGIT)?.length ?? 0) >= MIN_NUMBER_DIGITS || EXTENSION.test(text)) {
    return words.filter((word) => LOWER.test(word)).length <= MAX_LABELS ? "contact" : "other";
  }
  if (words.length === 0 || words.length > MAX_TITLE_WORDS) return "other";
  return words.every((word) => CAPITALISED.test(word) || SMALL_WORDS.has(word)) ? "title" : "other";
}
