import { commonName } from "./common-name.ts";
import { NAME_FORMS } from "./found-mention.ts";
import { isInitial, isName, NAMED_AFTER, TITLES, type Word } from "./name-words.ts";

/** A capitalized word, or an initial; not part of an address, path or longer word. */
const WORD =
  /(?<![\p{L}\p{N}_@./\\'’&-])(?:\p{Lu}(?:['’]\p{Lu})?\p{L}{0,2}\p{Ll}\p{L}{0,20}(?:-\p{Lu}\p{L}{1,20})?(?![\p{L}\p{N}_@/\\&-])|\p{Lu}\.(?= ?\p{Lu}))/gu;
/** The same for texts in ASCII, which most are: classes of Unicode take twice the time. */
const ASCII_WORD =
  /(?<![\w@./\\'&-])(?:[A-Z](?:'[A-Z])?[A-Za-z]{0,2}[a-z][A-Za-z]{0,20}(?:-[A-Z][A-Za-z]{1,20})?(?![\w@/\\&-])|[A-Z]\.(?= ?[A-Z]))/g;
const ASCII = /^[\x00-\x7f]*$/;
/** Maximum words in a row of a name or heading; longer rows are headings. */
const MAX_ROW = 4;

const wordsIn = (text: string): RegExp => (ASCII.test(text) ? ASCII_WORD : WORD);

/**
 * Candidates for names of people, most of them false: `mAnn Reed` and `mA. Reed`, `wAnn Reed` if no other name is next
 * to it, `fAnn Reed` for `Reed, Ann`, and `tReed` for `Ms. Reed`. Names in the archive decide (person-index.ts).
 */
export function* names(text: string): Generator<string> {
  let row: Word[] = [];
  for (const { 0: word, index } of text.matchAll(wordsIn(text))) {
    const next = { text: word, start: index, end: index + word.length };
    const last = row.at(-1);
    const gap = last === undefined ? "" : text.slice(last.end, index);
    if (last !== undefined && gap === ". " && TITLES.has(last.text)) {
      yield* namesOfRow(row.slice(0, -1), text);
      row = [last, next];
      continue;
    }
    if (gap === ", " && row.length === 1) yield* reversed(last!, next, text);
    if (last === undefined || gap === " " || (gap === "" && isInitial(last.text))) row.push(next);
    else {
      yield* namesOfRow(row, text);
      row = [next];
    }
  }
  yield* namesOfRow(row, text);
}

function* namesOfRow(row: readonly Word[], text: string): Generator<string> {
  if (row.length < 2) return;
  const [first = "", ...rest] = row.map((word) => word.text);
  const common = commonName(row, text);
  if (common?.isPrefix) yield NAME_FORMS.prefix + common.name;
  const form = common?.isPrefix === false ? NAME_FORMS.whole : NAME_FORMS.full;
  if (!TITLES.has(first)) yield* pairs([first, ...rest], form);
  else if (rest.length === 1 && isName(rest[0]!)) yield NAME_FORMS.titled + rest[0]!;
  else yield* pairs(rest, form);
}

/** Given name or initial, and family name, wherever they are in a row; a middle initial between them is left out. */
function* pairs(words: readonly string[], form: string): Generator<string> {
  if (words.length > MAX_ROW || NAMED_AFTER.has(words.at(-1) ?? "")) return;
  for (let at = 0; at + 1 < words.length; at++) {
    const given = words[at]!;
    if (isInitial(words[at + 1]!) && !isInitial(given)) at++;
    const family = words[at + 1] ?? "";
    // `J. Ann Reed` need not be Ann Reed.
    const isPrefixed = at > 0 && isInitial(words[at - 1]!) && !isInitial(given);
    if (!isPrefixed && isName(family) && (isInitial(given) || isName(given))) yield `${form}${given} ${family}`;
  }
}

function* reversed(family: Word, given: Word, text: string): Generator<string> {
  if (isName(family.text) && isName(given.text) && !/^ \p{Lu}\p{Ll}/u.test(text.slice(given.end, given.end + 3)))
    yield `${NAME_FORMS.reversed}${given.text} ${family.text}`;
}
