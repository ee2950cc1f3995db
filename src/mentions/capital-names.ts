import { NAME_FORMS } from "./found-mention.ts";
import { isCommonGivenName } from "./given-names.ts";
import { matchesOf } from "./matches.ts";
import { isName } from "./name-words.ts";

/** Two or three words in capitals, without others next to them: `ANN REED`, `ANN K. REED`. */
const ROW =
  /\b(?<![A-Z0-9,;:&@'’/\\_.-] ?)([A-Z]{3,20})( [A-Z]\.?| [A-Z]{2,20})? ([A-Z]{3,20})\b(?![@&'’/\\_-]| ?[&\d]| [A-Z]{2})/g;
/** `REED, ANN` and `REED, ANN K`. */
const REVERSED_ROW =
  /\b(?<![A-Z0-9,;:&@'’/\\_.-] ?)([A-Z]{3,20}), ([A-Z]{3,20})(?: [A-Z]\b\.?)?(?![A-Z@&'’/\\_,-]| ?[&\d]| [A-Z]{2})/g;
/** Quick check: most texts have no two words in capitals. */
const TWO_WORDS = /[A-Z]{2},? [A-Z][A-Z. ]/;

/** Candidates for names of people in capitals, which must have a common given name. */
export function capitalNames(text: string): readonly string[] {
  if (!TWO_WORDS.test(text)) return [];
  const found: string[] = [];
  for (const [, given, middle = "", family] of matchesOf(ROW, text)) {
    addName(given!, family!, middle === "" ? NAME_FORMS.full : NAME_FORMS.shortened, found);
    if (middle !== "") addName(middle.trim(), family!, NAME_FORMS.full, found);
  }
  for (const [, family, given] of matchesOf(REVERSED_ROW, text)) addName(given!, family!, NAME_FORMS.reversed, found);
  return found;
}

function addName(given: string, family: string, form: string, found: string[]): void {
  const [first, last] = [capitalized(given), capitalized(family)];
  if (isCommonGivenName(first) && isName(last)) found.push(`${form}${first} ${last}`);
}

const capitalized = (word: string): string => word[0]! + word.slice(1).toLowerCase();
