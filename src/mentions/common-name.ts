import { COMMA, SPACE } from "../mail/words/ascii.ts";
import { JOINED } from "./name-words.ts";
import { WORD_KINDS } from "./word-kinds.ts";
import type { WordRow } from "./word-row.ts";

const { given, article, initial, doubled, neverFamily, namedAfter } = WORD_KINDS;
/** Characters next to a name that show whether it is the name of something else. */
const REACH = 16;
/** `the Ann Reed account`, `St. Ann Harbor`, `HARBOR Ann Reed`, `Quay & Ann Reed`. */
const BEFORE_OBJECT = /(?:\b(?:[Tt]he|an?|St\.?)|[A-Z0-9]{2,}| &) $/;
/** `Ann Reed LLP`, `Ann Reed & Co`, `Ann Reed and Associates`, `Ann Reed, Inc`. */
const AFTER_FIRM = /^,? (?:L\.?L\.?[CP]|Inc|Ltd|(?:&|and|und|et) (?:Co|Sons?|Assoc|Comp|Partners|Bro|Cie))/;
/** `Ann Reed DVD`, `Ann Reed & Harbor Board`: a name of something, or a person. */
const AFTER_UNCLEAR = /^ (?:[A-Z0-9]{2}|&)/;
/** Companies, brands, places and placeholders with the name of a person. */
const NOT_PEOPLE: ReadonlySet<string> = new Set([
  ...["Alex Brown", "Arthur Andersen", "Arthur Young", "Charles Schwab", "Edward Jones", "Frank Russell", "Henry Hub"],
  ...["Howard Weil", "John Deere", "John Hancock", "Philip Morris", "Raymond James", "Robert Half", "Thomas Weisel"],
  ...["William Blair", "Betty Crocker", "Calvin Klein", "Donna Karan", "Eddie Bauer", "Ethan Allen", "Fred Meyer"],
  ...["Harry Winston", "Herman Miller", "Jack Daniel", "Jack Daniels", "Jenny Craig", "Jim Beam", "Kate Spade"],
  ...["Laura Ashley", "Louis Shanks", "Louis Vuitton", "Marc Jacobs", "Mary Kay", "Paul Stuart", "Perry Ellis"],
  ...[
    "Pierre Cardin",
    "Ralph Lauren",
    "Sara Lee",
    "Steve Madden",
    "Tommy Hilfiger",
    "Ann Arbor",
    "Jane Doe",
    "John Doe",
  ],
  ...["Peter Pan", "Robin Hood", "Robert Rules"],
]);

/** A common given name and the word after it, which may be a family name. */
interface CommonName {
  readonly name: string;
  /** True where it begins a longer name: `Ann Reed Foundation`, `Ann Reed, Inc`. */
  readonly isPrefix: boolean;
}

/**
 * The common given name and family name in words of a row, after words such as `Senator`, or null.
 * @param to after the last word
 */
export function commonName(row: WordRow, first: number, to: number): CommonName | null {
  let from = first;
  // Only words that are not names may precede it.
  while (from < to && !row.is(from, given)) {
    if (row.is(from, article) || row.isName(from) || row.is(from, initial)) return null;
    from++;
  }
  if (from === to) return null;
  const isDoubled = hasTwoGivenNames(row, from, to);
  const at = isDoubled || (from + 1 < to && row.is(from + 1, initial)) ? from + 2 : from + 1;
  if (at >= to || !isFullName(row, from, at, isDoubled)) return null;
  const [start, end] = [row.starts[from]!, row.ends[at]!];
  if (isOfThing(row.text, start)) return null;
  const isPrefix = beginsLongerName(row, at + 1, to, end);
  if (isPrefix === null) return null;
  const name = isDoubled ? `${row.words(from, at, JOINED)} ${row.word(at)}` : row.pair(from, at);
  return { name, isPrefix };
}

/** True for `Ann Mary Reed`. */
function hasTwoGivenNames(row: WordRow, from: number, to: number): boolean {
  return from + 2 < to && row.is(from + 1, given) && row.isName(from + 2) && !row.is(from + 2, neverFamily);
}

function isFullName(row: WordRow, from: number, at: number, isDoubled: boolean): boolean {
  if (!isDoubled && row.is(from, doubled) && row.is(at, given)) return false;
  if (!row.isName(at) || row.is(at, neverFamily)) return false;
  return isDoubled || !NOT_PEOPLE.has(row.pair(from, at));
}

/** @param start of a name */
function isOfThing(text: string, start: number): boolean {
  return text.charCodeAt(start - 1) === SPACE && BEFORE_OBJECT.test(text.slice(Math.max(0, start - REACH), start));
}

/** @returns null if unclear. @param end of the name in the text */
function beginsLongerName(row: WordRow, further: number, to: number, end: number): boolean | null {
  if (further < to) return row.isName(further) || row.is(further, initial) || row.is(further, namedAfter) ? true : null;
  const code = row.text.charCodeAt(end);
  if (code !== SPACE && code !== COMMA) return false;
  const after = row.text.slice(end, end + REACH);
  if (AFTER_FIRM.test(after)) return true;
  return AFTER_UNCLEAR.test(after) ? null : false;
}
