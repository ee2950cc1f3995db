import { COMMA, CR, LF, SPACE } from "../mail/words/ascii.ts";
import { commonName } from "./common-name.ts";
import { NAME_FORMS } from "./found-mention.ts";
import { isName, JOINED } from "./name-words.ts";
import { WORD_KINDS } from "./word-kinds.ts";
import { WordRow } from "./word-row.ts";

const { given, givenAndWord, initial, namedAfter, particle, title } = WORD_KINDS;
/**
 * A capitalized word, or an initial, within a name also without a period; not part of an address, path or longer word.
 * `A.Reed` has two. `w/Ann Reed`, `Quay--Ann Reed` and `Ann Reed/Vacation` contain a name, `Ann Reed/Kai Lund` two; `Ann Reed/HOU` is the
 * beginning of an address.
 */
const WORD =
  /(?=\p{Lu})(?<![\p{L}\p{N}_@\\'’&]|(?<![^\p{L}][Ww]|\p{Lu}\p{Ll}{1,20} \p{Lu}\p{Ll}{1,20})\/|(?<!-)-|(?:^|[^\p{Lu}]|[\p{L}\p{N}]\p{Lu})\.)(?:\p{Lu}(?:['’]\p{Lu})?\p{L}{0,2}\p{Ll}\p{L}{0,20}(?:-\p{Lu}\p{L}{1,20})?(?![\p{L}\p{N}_@\\&]|-(?!-)|\/(?! |\p{Lu}?\p{Ll}(?![\p{L}\p{N}_ ]{0,30}[/@])))|\p{Lu}\.(?= ?\p{Lu})|(?<=\p{Lu}\p{L}{0,20}\p{Ll} )[B-HJ-Z](?= \p{Lu}\p{L}?\p{Ll}))/u
    .source;
/** The same for texts in ASCII, which most are: classes of Unicode take twice the time. */
const ASCII_WORD =
  /(?=[A-Z])(?<![\w@\\'&]|(?<![^A-Za-z][Ww]|[A-Z][a-z]{1,20} [A-Z][a-z]{1,20})\/|(?<!-)-|(?:^|[^A-Z]|\w[A-Z])\.)(?:[A-Z](?:'[A-Z])?[A-Za-z]{0,2}[a-z][A-Za-z]{0,20}(?:-[A-Z][A-Za-z]{1,20})?(?![\w@\\&]|-(?!-)|\/(?! |[A-Z]?[a-z](?![\w ]{0,30}[/@])))|[A-Z]\.(?= ?[A-Z])|(?<=[A-Z][A-Za-z]{0,20}[a-z] )[B-HJ-Z](?= [A-Z][A-Za-z]?[a-z]))/
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

const row = new WordRow();

/**
 * Candidates for names of people, most of them false: `mAnn Reed` and `mA. Reed`, `wAnn Reed` if no other name is next
 * to it, `fAnn Reed` for `Reed, Ann`, and `tReed` for `Ms. Reed`. Names in the archive decide (person-index.ts).
 */
export function names(text: string): readonly string[] {
  const found: string[] = [];
  const patterns = ASCII.test(text) ? ASCII_PATTERNS : UNICODE_PATTERNS;
  const { next } = patterns;
  patterns.row.lastIndex = 0;
  for (let match = patterns.row.exec(text); match !== null; match = patterns.row.exec(text)) {
    const end = patterns.row.lastIndex;
    row.read(text, match.index, end);
    const gap = gapAt(end, text);
    if (gap === COMMA) addReversed(end, next, found);
    if (row.count > 1) addRows(end, found);
    if (gap === LF) addWrapped(end, next, found);
  }
  return found;
}

/** A comma, a line feed also for another end of a line, or null. */
function gapAt(end: number, text: string): typeof COMMA | typeof LF | null {
  let code = text.charCodeAt(end);
  if (code === COMMA) return COMMA;
  if (code === SPACE) code = text.charCodeAt(end + 1);
  return code === LF || code === CR ? LF : null;
}

/** Adds a name that a mail program may have wrapped. @param end of the line */
function addWrapped(end: number, next: RegExp, found: string[]): void {
  const last = row.count - 1;
  if (!row.isName(last) || end - row.text.lastIndexOf("\n", end - 1) <= WRAPPED) return;
  next.lastIndex = end;
  const family = next.exec(row.text)?.[2];
  if (family !== undefined && isName(family)) found.push(`${NAME_FORMS.full}${row.word(last)} ${family}`);
}

/** Adds the names of a row, of which a title begins another. */
function addRows(end: number, found: string[]): void {
  let from = 0;
  for (let at = 1; at < row.count; at++) {
    if (!row.is(at, title) || !beginsRow(at, end)) continue;
    addRow(from, at, found);
    from = at;
  }
  addRow(from, row.count, found);
}

/** True for a title after a blank and before a full stop. @param end of the row */
function beginsRow(at: number, end: number): boolean {
  const { text, starts, ends } = row;
  return text[starts[at]! - 1] === " " && ends[at]! + 1 < end && text.startsWith(". ", ends[at]);
}

function addRow(from: number, to: number, found: string[]): void {
  if (to - from < 2) return;
  const common = commonName(row, from, to);
  if (common?.isPrefix) found.push(NAME_FORMS.prefix + common.name);
  const isDoubled = common !== null && common.name.includes(JOINED);
  if (isDoubled) found.push(NAME_FORMS.prefix + common.name.slice(0, common.name.indexOf(" ")).replace(JOINED, " "));
  if (isDoubled && !common.isPrefix) found.push(NAME_FORMS.whole + common.name);
  const form = common?.isPrefix === false && !isDoubled ? NAME_FORMS.whole : NAME_FORMS.full;
  if (!row.is(from, title)) addPairs(from, to, form, found);
  else if (to - from === 2 && row.isName(from + 1)) found.push(NAME_FORMS.titled + row.word(from + 1));
  else addPairs(from + 1, to, form, found);
}

/** Given name or initial, and family name, wherever they are in a row; a middle initial between them is left out. */
function addPairs(from: number, to: number, form: string, found: string[]): void {
  if (to - from > MAX_ROW) return;
  const last = to - 1;
  // `Ann Hall` and `Ann March` may be people: a contact decides.
  if (last - from === 1 && row.is(from, given) && !row.is(last, initial) && !row.isName(last))
    found.push(NAME_FORMS.full + row.pair(from, last));
  if (row.is(last, namedAfter)) return;
  if (hasMiddleName(from, to)) found.push(`${NAME_FORMS.shortened}${row.word(from)} ${row.word(from + 2)}`);
  for (let at = from; at + 1 < to; at++) {
    const first = at;
    if (row.is(at + 1, initial) && !row.is(first, initial)) at++;
    // `J. Ann Reed` need not be Ann Reed, nor `J. A. Reed` another A. Reed.
    const isPrefixed = at > from && row.is(at - 1, initial);
    if (!isPrefixed) addPair(first, at + 1, to, form, found);
  }
}

/** @param family position of the first word of the family name */
function addPair(first: number, family: number, to: number, form: string, found: string[]): void {
  if (family >= to) return;
  const isWord = row.is(first, givenAndWord);
  if (!isWord && !row.is(first, initial) && !row.isName(first)) return;
  const used = isWord ? NAME_FORMS.full : form;
  if (row.is(family, particle)) addParticled(first, family, to, used, found);
  else if (row.isName(family)) found.push(used + row.pair(first, family));
}

/** Adds a name with a family name such as `Van Horn`. */
function addParticled(first: number, from: number, to: number, form: string, found: string[]): void {
  const family = familyName(from, to);
  if (isName(family)) found.push(`${form}${row.word(first)} ${family}`);
}

/** True for `Ann Kai Reed`. */
function hasMiddleName(from: number, to: number): boolean {
  if (to - from !== 3 || !row.is(from, given) || row.is(from + 1, particle)) return false;
  return row.isName(from) && row.isName(from + 1) && row.isName(from + 2);
}

/** The word at a position, with the particles that it begins with. */
function familyName(from: number, to: number): string {
  let end = from;
  while (end < to && row.is(end, particle)) end++;
  return end === from || end === to ? row.word(from) : row.words(from, end + 1, JOINED);
}

/** Adds `Reed, Ann`. @param end of the row before the comma */
function addReversed(end: number, next: RegExp, found: string[]): void {
  if (row.count > 1 && !row.is(0, particle)) return;
  const family = familyName(0, row.count);
  if (!isName(family) || family !== row.words(0, row.count, JOINED)) return;
  next.lastIndex = end;
  const first = next.exec(row.text)?.[2];
  if (first === undefined || !isName(first)) return;
  if (!/^ \p{Lu}\p{Ll}/u.test(row.text.slice(next.lastIndex, next.lastIndex + 3)))
    found.push(`${NAME_FORMS.reversed}${first} ${family}`);
}
