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
  /(?<![\p{L}\p{N}_@\\'’&]|(?<![^\p{L}][Ww])\/|(?<!-)-|(?:^|[^\p{Lu}]|[\p{L}\p{N}]\p{Lu})\.)(?:\p{Lu}(?:['’]\p{Lu})?\p{L}{0,2}\p{Ll}\p{L}{0,20}(?:-\p{Lu}\p{L}{1,20})?(?![\p{L}\p{N}_@\\&]|-(?!-)|\/(?! |\p{Lu}?\p{Ll}(?![\p{L}\p{N}_ ]{0,30}[/@])))|\p{Lu}\.(?= ?\p{Lu}))/u
    .source;
/** The same for texts in ASCII, which most are: classes of Unicode take twice the time. */
const ASCII_WORD =
  /(?<![\w@\\'&]|(?<![^A-Za-z][Ww])\/|(?<!-)-|(?:^|[^A-Z]|\w[A-Z])\.)(?:[A-Z](?:'[A-Z])?[A-Za-z]{0,2}[a-z][A-Za-z]{0,20}(?:-[A-Z][A-Za-z]{1,20})?(?![\w@\\&]|-(?!-)|\/(?! |[A-Z]?[a-z](?![\w ]{0,30}[/@])))|[A-Z]\.(?= ?[A-Z]))/
    .source;
/** After a word, a word that may belong to the same name. Most words are alone: they begin sentences. */
const FOLLOWED = "(?=(?:,? |(?<=\\b(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|St))\\. | ?\\r?\\n|(?<=\\.))CAPITAL)";
/** Between the words of a row. */
const GAPS = "( |, |\\. | ?\\r?\\n|)";
interface WordPatterns {
  /** The first word of a row. */
  readonly first: RegExp;
  /** The next word of a row, after a gap. */
  readonly next: RegExp;
}
const ASCII_PATTERNS = patternsOf(ASCII_WORD, "[A-Z]", "");
const UNICODE_PATTERNS = patternsOf(WORD, "\\p{Lu}", "u");
const ASCII = /^[\x00-\x7f]*$/;

function patternsOf(word: string, capital: string, flags: string): WordPatterns {
  return {
    first: new RegExp(`${word}${FOLLOWED.replace("CAPITAL", capital)}`, `g${flags}`),
    next: new RegExp(`${GAPS}(${word})`, `y${flags}`),
  };
}
/** Maximum words in a row of a name or heading; longer rows are headings. */
const MAX_ROW = 4;
/** Minimum characters of a line that a mail program may have wrapped within a name. */
const WRAPPED = 50;
/** Between the words of a family name. No-break space: names are pairs of words. */
const JOINED = "\u00a0";
/** Words that begin a family name: `Van Horn`, `St. Clair`, `De La Cruz`. */
const PARTICLES = wordSet("Van Von De Der Del Della Di Da Dos La Le Du Ten Ter St Saint Mac");

/**
 * Candidates for names of people, most of them false: `mAnn Reed` and `mA. Reed`, `wAnn Reed` if no other name is next
 * to it, `fAnn Reed` for `Reed, Ann`, and `tReed` for `Ms. Reed`. Names in the archive decide (person-index.ts).
 */
export function names(text: string): readonly string[] {
  const found: string[] = [];
  const { first, next } = ASCII.test(text) ? ASCII_PATTERNS : UNICODE_PATTERNS;
  first.lastIndex = 0;
  for (let word = first.exec(text); word !== null; word = first.exec(text)) {
    let row: Word[] = [{ text: word[0], start: word.index, end: first.lastIndex }];
    while (row.length > 0) {
      const { end } = row.at(-1)!;
      first.lastIndex = next.lastIndex = end;
      const following = next.exec(text);
      if (following === null) addRow(row, text, found);
      row = following === null ? [] : longerRow(row, following, text, found);
    }
  }
  return found;
}

/** The row with the next word. If the word belongs to another name, adds the names of the row and begins another. */
function longerRow(row: Word[], [, gap, word]: RegExpExecArray, text: string, found: string[]): Word[] {
  const last = row.at(-1)!;
  const start = last.end + gap!.length;
  const next = { text: word!, start, end: start + word!.length };
  if (gap === " " || (gap === "" && isInitial(last.text)) || (gap === ". " && last.text === "St")) {
    row.push(next);
    return row;
  }
  if (gap === ". " && TITLES.has(last.text)) {
    addRow(row.slice(0, -1), text, found);
    return [last, next];
  }
  if (gap === ", ") addReversed(row, next, text, found);
  addRow(row, text, found);
  if (gap!.includes("\n") && isName(last.text) && isName(next.text) && isWrapped(text, last.end))
    found.push(`${NAME_FORMS.full}${last.text} ${next.text}`);
  return [next];
}

/** True for a word at the end of a line that may have been wrapped. */
function isWrapped(text: string, end: number): boolean {
  return end - text.lastIndexOf("\n", end - 1) > WRAPPED;
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
