import { wordSet } from "../mail/words/word-table.ts";
import { NAME_FORMS } from "./found-mention.ts";

/** A capitalized word, or an initial; not part of an address, path or longer word. */
const WORD =
  /(?<![\p{L}\p{N}_@./\\'’&-])(?:\p{Lu}(?:['’]\p{Lu})?\p{L}{0,2}\p{Ll}\p{L}{0,20}(?:-\p{Lu}\p{L}{1,20})?(?![\p{L}\p{N}_@/\\&-])|\p{Lu}\.(?= ?\p{Lu}))/gu;
/** The same for texts in ASCII, which most are: classes of Unicode take twice the time. */
const ASCII_WORD =
  /(?<![\w@./\\'&-])(?:[A-Z](?:'[A-Z])?[A-Za-z]{0,2}[a-z][A-Za-z]{0,20}(?:-[A-Z][A-Za-z]{1,20})?(?![\w@/\\&-])|[A-Z]\.(?= ?[A-Z]))/g;
const ASCII = /^[\x00-\x7f]*$/;
/** Words of one name or heading in a row; longer rows are headings. */
const MAX_ROW = 4;

const TITLES = wordSet("Mr Mrs Ms Dr Prof Herr Frau");

/** Capitalized words that do not begin or end a name. */
const NOT_NAMES = wordSet(
  "The This That These Those There Then They And But For From With Without Not Now New Please Thanks Thank Dear Hello Hi Hey " +
    "Regards Sincerely Cheers Best Kind Yours Re Fw Fwd To Cc Bcc Subject Sent Date On In At By Of Or If As Is It Its We Our " +
    "You Your He She His Her My Me All Any Some No Yes What When Where Who Why How Will Would Can Could Should Shall May Also " +
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April June July August September " +
    "October November December Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec " +
    "North South East West Northern Southern Eastern Western Central Street Avenue Road Drive Suite Floor Room Building " +
    "Inc Corp Corporation Company Co Ltd Limited Llc Group Bank Center Centre University College School Department Office " +
    "Commission Board Committee Council Association Institute Services Service Energy Power Gas Electric Oil Pipeline " +
    "International National American United States State County City Texas California Call Ask Tell See Meet Contact " +
    "President Director Manager Chairman Chief Senior Vice Executive Officer Senator Governor Judge Commissioner Secretary " +
    "Attached Fax Phone Tel Cell Mobile Email Mail Web Page Press Release News Report Park Hotel House Club Church Hall " +
    "Day Week Month Year Today Tomorrow Yesterday Happy Merry Good Great Microsoft Windows Word Excel Internet",
);
/** Words after a name that make it the name of something else. */
const NAMED_AFTER = wordSet(
  "Inc Corp Corporation Company Co Ltd Limited Llc Group Bank Center Centre University College School Foundation Street " +
    "Avenue Road Drive Park Hotel House Hall Museum Institute Associates Partners Award Prize Building Stadium Field Hospital " +
    "Library Church Energy Power Report Act Plan Gallery Theater Theatre Memorial Ranch Farm Winery Vineyards Restaurant Cup " +
    "Bowl Fund Trust Elementary Airport County Law Boulevard Lane Court Plaza Tower Trophy Show",
);

const wordsIn = (text: string): RegExp => (ASCII.test(text) ? ASCII_WORD : WORD);

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Candidates for names of people, most of them false: `mAnn Reed` and `mA. Reed`, `fAnn Reed` for `Reed, Ann`, and
 * `tReed` for `Ms. Reed`. Names in the archive decide (resolve-people.ts).
 */
export function* names(text: string): Generator<string> {
  let row: Word[] = [];
  for (const { 0: word, index } of text.matchAll(wordsIn(text))) {
    const next = { text: word, start: index, end: index + word.length };
    const last = row.at(-1);
    const gap = last === undefined ? "" : text.slice(last.end, index);
    if (last !== undefined && gap === ". " && TITLES.has(last.text)) {
      yield* namesOfRow(row.slice(0, -1));
      row = [last, next];
      continue;
    }
    if (gap === ", " && row.length === 1) yield* reversed(last!, next, text);
    if (last === undefined || gap === " " || (gap === "" && isInitial(last.text))) row.push(next);
    else {
      yield* namesOfRow(row);
      row = [next];
    }
  }
  yield* namesOfRow(row);
}

function* namesOfRow(row: readonly Word[]): Generator<string> {
  const [first, ...rest] = row.map(({ text }) => text);
  if (first === undefined) return;
  if (!TITLES.has(first)) yield* pairs([first, ...rest]);
  else if (rest.length === 1 && isName(rest[0]!)) yield NAME_FORMS.titled + rest[0]!;
  else yield* pairs(rest);
}

/** Given name or initial, and family name, wherever they are in a row; a middle initial between them is left out. */
function* pairs(words: readonly string[]): Generator<string> {
  if (words.length > MAX_ROW || NAMED_AFTER.has(words.at(-1) ?? "")) return;
  for (let at = 0; at + 1 < words.length; at++) {
    const given = words[at]!;
    if (isInitial(words[at + 1]!) && !isInitial(given)) at++;
    const family = words[at + 1] ?? "";
    // `J. Ann Reed` need not be Ann Reed.
    const isPrefixed = at > 0 && isInitial(words[at - 1]!) && !isInitial(given);
    if (!isPrefixed && isName(family) && (isInitial(given) || isName(given)))
      yield `${NAME_FORMS.full}${given} ${family}`;
  }
}

function* reversed(family: Word, given: Word, text: string): Generator<string> {
  if (isName(family.text) && isName(given.text) && !/^ \p{Lu}\p{Ll}/u.test(text.slice(given.end, given.end + 3)))
    yield `${NAME_FORMS.reversed}${given.text} ${family.text}`;
}

const isInitial = (word: string): boolean => word.endsWith(".");
const isName = (word: string): boolean =>
  !isInitial(word) && word.length > 1 && !NOT_NAMES.has(word) && !TITLES.has(word);
