import { wordSet } from "../mail/words/word-table.ts";
import { commonName } from "./common-name.ts";
import { NAME_FORMS } from "./found-mention.ts";
import { isCommonGivenName } from "./given-names.ts";
import { isInitial, isName, NAMED_AFTER, TITLES, type Word } from "./name-words.ts";

/**
 * A capitalized word, or an initial; not part of an address, path or longer word. `A.Reed` has two. `w/Ann Reed`,
 * `Quay--Ann Reed` and `Ann Reed/Vacation` contain a name; `Ann Reed/HOU` is the beginning of an address.
 */
const WORD =
  /(?=\p{Lu})(?<![\p{L}\p{N}_@\\'’&]|(?<![^\p{L}][Ww])\/|(?<!-)-|(?:^|[^\p{Lu}]|[\p{L}\p{N}]\p{Lu})\.)(?:\p{Lu}(?:['’]\p{Lu})?\p{L}{0,2}\p{Ll}\p{L}{0,20}(?:-\p{Lu}\p{L}{1,20})?(?![\p{L}\p{N}_@\\&]|-(?!-)|\/(?! |\p{Lu}?\p{Ll}(?![\p{L}\p{N}_ ]{0,30}[/@])))|\p{Lu}\.(?= ?\p{Lu}))/gu;
/** The same for texts in ASCII, which most are: classes of Unicode take twice the time. */
const ASCII_WORD =
  /(?=[A-Z])(?<![\w@\\'&]|(?<![^A-Za-z][Ww])\/|(?<!-)-|(?:^|[^A-Z]|\w[A-Z])\.)(?:[A-Z](?:'[A-Z])?[A-Za-z]{0,2}[a-z][A-Za-z]{0,20}(?:-[A-Z][A-Za-z]{1,20})?(?![\w@\\&]|-(?!-)|\/(?! |[A-Z]?[a-z](?![\w ]{0,30}[/@])))|[A-Z]\.(?= ?[A-Z]))/g;
const ASCII = /^[\x00-\x7f]*$/;
/** Maximum words in a row of a name or heading; longer rows are headings. */
const MAX_ROW = 4;
/** Minimum characters of a line that a mail program may have wrapped within a name. */
const WRAPPED = 50;
const LINE_BREAK = / ?\r?\n/y;
/** Between the words of a family name. No-break space: names are pairs of words. */
const JOINED = "\u00a0";
/** Words that begin a family name: `Van Horn`, `St. Clair`, `De La Cruz`. */
const PARTICLES = wordSet("Van Von De Der Del Della Di Da Dos La Le Du Ten Ter St Saint Mac");

const [LINE_FEED, CARRIAGE_RETURN, SPACE, COMMA, PERIOD] = [0x0a, 0x0d, 0x20, 0x2c, 0x2e];
const isCapitalOrNotAscii = (code: number): boolean => (code >= 0x41 && code <= 0x5a) || code > 0x7f;

const wordsIn = (text: string): RegExp => (ASCII.test(text) ? ASCII_WORD : WORD);

/**
 * Candidates for names of people, most of them false: `mAnn Reed` and `mA. Reed`, `wAnn Reed` if no other name is next
 * to it, `fAnn Reed` for `Reed, Ann`, and `tReed` for `Ms. Reed`. Names in the archive decide (person-index.ts).
 */
export function names(text: string): readonly string[] {
  const found: string[] = [];
  let row: Word[] = [];
  for (const { 0: word, index } of text.matchAll(wordsIn(text))) {
    const end = index + word.length;
    // Most words are alone: they begin sentences.
    if (row.length === 0 && !precedesCapital(text, end) && !isWrapped(text, end)) continue;
    const next = { text: word, start: index, end };
    const last = row.at(-1);
    const gap = last === undefined ? " " : text.slice(last.end, index);
    if (gap === " " || (gap === "" && isInitial(last!.text))) row.push(next);
    else row = addEndedRow(row, gap, next, text, found);
  }
  addRow(row, text, found);
  return found;
}

/** Adds names of a row that another word follows, and returns the row of this word. */
function addEndedRow(row: readonly Word[], gap: string, next: Word, text: string, found: string[]): Word[] {
  const last = row.at(-1)!;
  if (gap === ". " && TITLES.has(last.text)) {
    addRow(row.slice(0, -1), text, found);
    return [last, next];
  }
  if (gap === ". " && last.text === "St") return [...row, next];
  if (gap === ", ") addReversed(row, next, text, found);
  addRow(row, text, found);
  if (gap.includes("\n") && isName(last.text) && isName(next.text) && isWrapped(text, last.end) === gap.length)
    found.push(`${NAME_FORMS.full}${last.text} ${next.text}`);
  return precedesCapital(text, next.end) ? [next] : [];
}

/** Length of the line break after a word at the end of a line that may have been wrapped; 0 if there is none. */
function isWrapped(text: string, end: number): number {
  const code = text.charCodeAt(end);
  if (code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== SPACE) return 0;
  LINE_BREAK.lastIndex = end;
  if (!LINE_BREAK.test(text) || !isCapitalOrNotAscii(text.charCodeAt(LINE_BREAK.lastIndex))) return 0;
  return end - text.lastIndexOf("\n", end - 1) > WRAPPED ? LINE_BREAK.lastIndex - end : 0;
}

/** True if a word that may belong to the same name follows. */
function precedesCapital(text: string, end: number): boolean {
  const code = text.charCodeAt(end);
  // After the period of an initial.
  if (isCapitalOrNotAscii(code)) return true;
  const at = code === SPACE ? end + 1 : (code === COMMA || code === PERIOD) && text[end + 1] === " " ? end + 2 : -1;
  return at !== -1 && isCapitalOrNotAscii(text.charCodeAt(at));
}

function addRow(row: readonly Word[], text: string, found: string[]): void {
  if (row.length < 2) return;
  const [first = "", ...rest] = row.map((word) => word.text);
  const common = commonName(row, text);
  if (common?.isPrefix) found.push(NAME_FORMS.prefix + common.name);
  const form = common?.isPrefix === false ? NAME_FORMS.whole : NAME_FORMS.full;
  if (!TITLES.has(first)) addPairs([first, ...rest], form, found);
  else if (rest.length === 1 && isName(rest[0]!)) found.push(NAME_FORMS.titled + rest[0]!);
  else addPairs(rest, form, found);
}

/** Given name or initial, and family name, wherever they are in a row; a middle initial between them is left out. */
function addPairs(words: readonly string[], form: string, found: string[]): void {
  if (words.length > MAX_ROW) return;
  const [first, last] = words as readonly [string, string];
  // `Ann Hall` and `Ann March` may be people: a contact decides.
  if (words.length === 2 && isCommonGivenName(first) && !isInitial(last) && !isName(last))
    found.push(`${NAME_FORMS.full}${first} ${last}`);
  if (NAMED_AFTER.has(words.at(-1)!)) return;
  for (let at = 0; at + 1 < words.length; at++) {
    const given = words[at]!;
    if (isInitial(words[at + 1]!) && !isInitial(given)) at++;
    const family = familyName(words.slice(at + 1));
    // `J. Ann Reed` need not be Ann Reed, nor `J. A. Reed` another A. Reed.
    const isPrefixed = isInitial(words[at - 1] ?? "");
    if (!isPrefixed && isName(family) && (isInitial(given) || isName(given))) found.push(`${form}${given} ${family}`);
  }
}

/** The first of some words, with the particles before it. */
function familyName(words: readonly string[]): string {
  const end = words.findIndex((word) => !PARTICLES.has(word));
  return end < 1 ? (words[0] ?? "") : words.slice(0, end + 1).join(JOINED);
}

function addReversed(row: readonly Word[], given: Word, text: string, found: string[]): void {
  const words = row.map((word) => word.text);
  const family = familyName(words);
  if (family !== words.join(JOINED)) return;
  if (isName(family) && isName(given.text) && !/^ \p{Lu}\p{Ll}/u.test(text.slice(given.end, given.end + 3)))
    found.push(`${NAME_FORMS.reversed}${given.text} ${family}`);
}
