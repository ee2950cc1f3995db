import { wordSet } from "../mail/words/word-table.ts";
import { isCommonGivenName } from "./given-names.ts";
import { isInitial, isName, JOINED, NAMED_AFTER, type Row } from "./name-words.ts";

const ARTICLES = wordSet("The A An");
/** Characters next to a name that show whether it is the name of something else. */
const REACH = 16;
/** `the Ann Reed account`, `St. Ann Harbor`, `HARBOR Ann Reed`, `Quay & Ann Reed`. */
const BEFORE_THING = /(?:\b(?:[Tt]he|an?|St\.?)|[A-Z0-9]{2,}| &) $/;
/** `Ann Reed LLP`, `Ann Reed & Co`, `Ann Reed and Associates`, `Ann Reed, Inc`. */
const AFTER_FIRM = /^,? (?:L\.?L\.?[CP]|Inc|Ltd|(?:&|and|und|et) (?:Co|Sons?|Assoc|Comp|Partners|Bro|Cie))/;
/** `Ann Reed DVD`, `Ann Reed & Harbor Board`: a name of something, or a person. */
const AFTER_UNCLEAR = /^ (?:[A-Z0-9]{2}|&)/;
/** Given names that often precede another given name: `Mary Ann` is not a full name. */
const DOUBLED = wordSet("Mary Anna Anne Ann Billy Bobby Jean Juan Lou Sue");
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
/** Words after a given name that are not a family name: parts of longer names, places, teams, products and events. */
const NEVER_FAMILY = wordSet(
  "Qaeda Qaida Jazeera Town Actives Reserves Vacation Rubbed Forgot Pay Payment Payments Crude Return Returns Update Updates Lecture Lectures Well Properties " +
    "Van Von De Der Del Della Di Da La Le El St Mac Mc Bin Jr Sr And Or Of The " +
    "Hub River Lake Bay Beach Island Creek Springs Falls Valley Hills Hill Mountain Ridge Canyon County Square Bridge Station Basin " +
    "Fair Festival Open Classic Tournament Expo Summit Conference Day Days Week Night Show Tour Series Live Bowl Cup Prize Medal " +
    "Society Foundation Fund Trust Brothers Bros Sons Press Books Magazine Times Journal Post Tribune Herald Gazette Chronicle " +
    "Products Foods Motors Airlines Securities Investments Consulting Systems Software Technologies Tech Media Music Records Studio " +
    "Team Crew Band Estate Plaza Apartments Condominiums Realty Homes Jewelers Winery Wines Cellars Brewing",
);

/** A common given name and the word after it, which may be a family name. */
interface CommonName {
  readonly name: string;
  /** True where it begins a longer name: `Ann Reed Foundation`, `Ann Reed, Inc`. */
  readonly isPrefix: boolean;
}

/**
 * The common given name and family name in a row of capitalized words, after words such as `Senator`; null if there is
 * none.
 */
export function commonName(words: readonly string[], row: Row, text: string): CommonName | null {
  const from = words.findIndex(isCommonGivenName);
  if (from === -1) return null;
  const isDoubled = hasTwoGivenNames(words, from);
  const at = isDoubled || isInitial(words[from + 1] ?? "") ? from + 2 : from + 1;
  const given = isDoubled ? `${words[from]}${JOINED}${words[from + 1]}` : words[from]!;
  const [family, further] = [words[at], words[at + 1]];
  if (family === undefined || !isFullName(given, family)) return null;
  if (words.slice(0, from).some((word) => ARTICLES.has(word) || isName(word) || isInitial(word))) return null;
  const start = startOf(from, words, row);
  if (BEFORE_THING.test(text.slice(Math.max(0, start - REACH), start))) return null;
  const end = startOf(at, words, row) + family.length;
  const isPrefix = beginsLongerName(further, text.slice(end, end + REACH));
  return isPrefix === null ? null : { name: `${given} ${family}`, isPrefix };
}

/** True for `Ann Mary Reed`. */
function hasTwoGivenNames(words: readonly string[], from: number): boolean {
  const family = words[from + 2];
  return (
    isCommonGivenName(words[from + 1] ?? "") && family !== undefined && isName(family) && !NEVER_FAMILY.has(family)
  );
}

/** Position in the text of a word of a row. */
function startOf(at: number, words: readonly string[], { written, start }: Row): number {
  let from = 0;
  for (const word of words.slice(0, at)) from = written.indexOf(word, from) + word.length;
  return start + written.indexOf(words[at]!, from);
}

function isFullName(given: string, family: string): boolean {
  if (DOUBLED.has(given) && isCommonGivenName(family)) return false;
  return isName(family) && !NEVER_FAMILY.has(family) && !NOT_PEOPLE.has(`${given} ${family}`);
}

/** @returns null if unclear */
function beginsLongerName(further: string | undefined, after: string): boolean | null {
  if (further !== undefined) return isName(further) || isInitial(further) || NAMED_AFTER.has(further) ? true : null;
  if (AFTER_FIRM.test(after)) return true;
  return AFTER_UNCLEAR.test(after) ? null : false;
}
