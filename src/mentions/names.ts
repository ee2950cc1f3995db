import { COMMA, CR, LF, SPACE } from "../mail/words/ascii.ts";
import { wordSet } from "../mail/words/word-table.ts";
import { commonName } from "./common-name.ts";
import { NAME_FORMS } from "./found-mention.ts";
import { isCommonGivenName } from "./given-names.ts";
import { matchesOf } from "./matches.ts";
import { GIVEN_NAMES_AND_WORDS, isInitial, isName, JOINED, NAMED_AFTER, type Row, TITLES } from "./name-words.ts";

/**
 * A capitalized word, or an initial, within a name also without a period; not part of an address, path or longer word.
 * `A.Reed` has two. `w/Ann Reed`, `Quay--Ann Reed` and `Ann Reed/Vacation` contain a name; `Ann Reed/HOU` is the
 * beginning of an address.
 */
const WORD =
  /(?<![\p{L}\p{N}_@\\'’&]|(?<![^\p{L}][Ww])\/|(?<!-)-|(?:^|[^\p{Lu}]|[\p{L}\p{N}]\p{Lu})\.)(?:\p{Lu}(?:['’]\p{Lu})?\p{L}{0,2}\p{Ll}\p{L}{0,20}(?:-\p{Lu}\p{L}{1,20})?(?![\p{L}\p{N}_@\\&]|-(?!-)|\/(?! |\p{Lu}?\p{Ll}(?![\p{L}\p{N}_ ]{0,30}[/@])))|\p{Lu}\.(?= ?\p{Lu})|(?<=\p{Lu}\p{L}{0,20}\p{Ll} )[B-HJ-Z](?= \p{Lu}\p{L}?\p{Ll}))/u
    .source;
/** The same for texts in ASCII, which most are: classes of Unicode take twice the time. */
const ASCII_WORD =
  /(?<![\w@\\'&]|(?<![^A-Za-z][Ww])\/|(?<!-)-|(?:^|[^A-Z]|\w[A-Z])\.)(?:[A-Z](?:'[A-Z])?[A-Za-z]{0,2}[a-z][A-Za-z]{0,20}(?:-[A-Z][A-Za-z]{1,20})?(?![\w@\\&]|-(?!-)|\/(?! |[A-Z]?[a-z](?![\w ]{0,30}[/@])))|[A-Z]\.(?= ?[A-Z])|(?<=[A-Z][A-Za-z]{0,20}[a-z] )[B-HJ-Z](?= [A-Z][A-Za-z]?[a-z]))/
    .source;
/** After a word, a word that may belong to the same name. Most words are alone: they begin sentences. */
const FOLLOWED = "(?=(?:,? |(?<=\\b(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|St))\\. | ?\\r?\\n|(?<=\\.))CAPITAL)";
/** Between the words of a row; nothing after an initial. */
const WITHIN = "(?: |(?<=\\.)|(?<=(?<!\\w-?)(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|St))\\. )";
/** Between two rows. */
const BETWEEN = "(, | ?\\r?\\n)";
interface RowPatterns {
  /** Words of a row. */
  readonly row: RegExp;
  /** The first word of the next row, after a gap. */
  readonly next: RegExp;
}
const ASCII_PATTERNS = patternsOf(ASCII_WORD, "[A-Z]", "");
const UNICODE_PATTERNS = patternsOf(WORD, "\\p{Lu}", "u");
const ASCII = /^[\x00-\x7f]*$/;
const WORDS_AND_INITIALS = /\p{Lu}\.|[^ .]+/gu;
/** A title within a row begins another one. */
const BEFORE_TITLE = / (?=(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau)\. )/;

function patternsOf(word: string, capital: string, flags: string): RowPatterns {
  return {
    row: new RegExp(`${word}${FOLLOWED.replace("CAPITAL", capital)}(?:${WITHIN}${word})*`, `g${flags}`),
    next: new RegExp(`${BETWEEN}(${word})`, `y${flags}`),
  };
}
/** Maximum words in a row of a name or heading; longer rows are headings. */
const MAX_ROW = 4;
/** Minimum characters of a line that a mail program may have wrapped within a name. */
const WRAPPED = 50;
/** Words that begin a family name: `Van Horn`, `St. Clair`, `De La Cruz`. */
const PARTICLES = wordSet("Van Von De Der Del Della Di Da Dos La Le Du Ten Ter St Saint Mac");

/**
 * Candidates for names of people, most of them false: `mAnn Reed` and `mA. Reed`, `wAnn Reed` if no other name is next
 * to it, `fAnn Reed` for `Reed, Ann`, and `tReed` for `Ms. Reed`. Names in the archive decide (person-index.ts).
 */
export function names(text: string): readonly string[] {
  const found: string[] = [];
  const { row, next } = ASCII.test(text) ? ASCII_PATTERNS : UNICODE_PATTERNS;
  for (const { 0: written, index } of matchesOf(row, text)) {
    const words = wordsOf(written);
    const end = index + written.length;
    const following = followingWord(text, end, next);
    if (following?.[1] === ", ") {
      const after = text.slice(next.lastIndex, next.lastIndex + 3);
      addReversed(words, { given: following[2]!, after }, found);
    }
    if (words.length > 1) addRows(words, { written, start: index }, text, found);
    if (following !== null && following[1] !== ", ") addWrapped(words.at(-1)!, following[2]!, text, end, found);
  }
  return found;
}

/** The word after a gap. */
function followingWord(text: string, end: number, next: RegExp): RegExpExecArray | null {
  const blanks = text.charCodeAt(end) === SPACE ? 1 : 0;
  const code = text.charCodeAt(end + blanks);
  if (code !== LF && code !== CR && (code !== COMMA || blanks > 0)) return null;
  next.lastIndex = end;
  return next.exec(text);
}

function wordsOf(written: string): readonly string[] {
  if (!written.includes(" ") && !written.includes(".")) return [written];
  return written.includes(".") ? written.match(WORDS_AND_INITIALS)! : written.split(" ");
}

/** A name that a mail program may have wrapped. @param end of the line */
function addWrapped(given: string, family: string, text: string, end: number, found: string[]): void {
  if (end - text.lastIndexOf("\n", end - 1) > WRAPPED && isName(given) && isName(family))
    found.push(`${NAME_FORMS.full}${given} ${family}`);
}

/** Adds the names of a row, of which a title begins another. */
function addRows(words: readonly string[], { written, start }: Row, text: string, found: string[]): void {
  const parts = written.includes(". ") ? written.split(BEFORE_TITLE) : [];
  if (parts.length < 2) {
    addRow(words, { written, start }, text, found);
    return;
  }
  let at = start;
  for (const part of parts) {
    addRow(wordsOf(part), { written: part, start: at }, text, found);
    at += part.length + 1;
  }
}

function addRow(words: readonly string[], row: Row, text: string, found: string[]): void {
  if (words.length < 2) return;
  const common = commonName(words, row, text);
  if (common?.isPrefix) found.push(NAME_FORMS.prefix + common.name);
  const isDoubled = common !== null && common.name.includes(JOINED);
  if (isDoubled) found.push(NAME_FORMS.prefix + common.name.slice(0, common.name.indexOf(" ")).replace(JOINED, " "));
  if (isDoubled && !common.isPrefix) found.push(NAME_FORMS.whole + common.name);
  const form = common?.isPrefix === false && !isDoubled ? NAME_FORMS.whole : NAME_FORMS.full;
  if (!TITLES.has(words[0]!)) addPairs(words, form, found);
  else if (words.length === 2 && isName(words[1]!)) found.push(NAME_FORMS.titled + words[1]!);
  else addPairs(words.slice(1), form, found);
}

/** Given name or initial, and family name, wherever they are in a row; a middle initial between them is left out. */
function addPairs(words: readonly string[], form: string, found: string[]): void {
  if (words.length > MAX_ROW) return;
  const [first, last] = words as readonly [string, string];
  // `Ann Hall` and `Ann March` may be people: a contact decides.
  if (words.length === 2 && !isInitial(last) && !isName(last) && isCommonGivenName(first))
    found.push(`${NAME_FORMS.full}${first} ${last}`);
  if (NAMED_AFTER.has(words.at(-1)!)) return;
  if (hasMiddleName(words)) found.push(`${NAME_FORMS.shortened}${first} ${words[2]}`);
  for (let at = 0; at + 1 < words.length; at++) {
    const given = words[at]!;
    if (isInitial(words[at + 1]!) && !isInitial(given)) at++;
    const family = familyName(words, at + 1);
    // `J. Ann Reed` need not be Ann Reed, nor `J. A. Reed` another A. Reed.
    const isPrefixed = at > 0 && isInitial(words[at - 1]!);
    if (!isPrefixed && isName(family)) addPair(given, family, form, found);
  }
}

function addPair(given: string, family: string, form: string, found: string[]): void {
  if (GIVEN_NAMES_AND_WORDS.has(given)) found.push(`${NAME_FORMS.full}${given} ${family}`);
  else if (isInitial(given) || isName(given)) found.push(`${form}${given} ${family}`);
}

/** True for `Ann Kai Reed`. */
function hasMiddleName(words: readonly string[]): boolean {
  const [first = "", middle = ""] = words;
  return words.length === 3 && isCommonGivenName(first) && !PARTICLES.has(middle) && words.every(isName);
}

/** The word at a position, with the particles that it begins with. */
function familyName(words: readonly string[], from: number): string {
  let end = from;
  while (end < words.length && PARTICLES.has(words[end]!)) end++;
  return end === from || end === words.length ? (words[from] ?? "") : words.slice(from, end + 1).join(JOINED);
}

function addReversed(words: readonly string[], { given, after }: GivenName, found: string[]): void {
  const family = familyName(words, 0);
  if (family !== words.join(JOINED)) return;
  if (isName(family) && isName(given) && !/^ \p{Lu}\p{Ll}/u.test(after))
    found.push(`${NAME_FORMS.reversed}${given} ${family}`);
}

/** A given name after a comma, and the text after it. */
interface GivenName {
  readonly given: string;
  readonly after: string;
}
