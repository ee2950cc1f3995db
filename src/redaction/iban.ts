import { DIGIT, hasClass, isWordCharacter, LETTER, type Span } from "./characters.ts";

/** Characters of an IBAN by country (ISO 13616, SWIFT's registry of IBAN formats): a country writes one length only. */
const LENGTHS: readonly (readonly [length: number, countries: string])[] = [
  [15, "NO"],
  [16, "BE"],
  [18, "DK FI FK FO GL NL SD"],
  [19, "MK SI"],
  [20, "AT BA EE KZ LT LU MN XK"],
  [21, "CH HR LI LV"],
  [22, "BG BH CR DE GB GE IE ME RS VA"],
  [23, "AE GI IL IQ OM SO TL"],
  [24, "AD CZ ES MD PK RO SA SE SK TN VG"],
  [25, "LY PT ST"],
  [26, "IS TR"],
  [27, "BI DJ FR GR IT MC MR SM"],
  [28, "AL AZ BY CY DO GT HN HU LB NI PL SV"],
  [29, "BR EG PS QA UA"],
  [30, "JO KW MU YE"],
  [31, "MT SC"],
  [32, "LC"],
  [33, "RU"],
];

const LENGTH_OF_COUNTRY: ReadonlyMap<string, number> = new Map(
  LENGTHS.flatMap(([length, countries]) => countries.split(" ").map((country) => [country, length] as const)),
);

/** Characters of a printed group. */
const GROUP = 4;
/** Country and check digits: the checksum is computed with them after the account number. */
const HEAD = 4;
/** Required remainder of a valid IBAN (ISO 7064, MOD 97-10). */
const MODULUS = 97;

/**
 * An international bank account number (ISO 13616) whose country code is at `start`, or null: with its country's
 * length and a valid checksum, without separators or in groups separated by single blanks, hyphens or dots. `floor`
 * is the end of the last redacted span.
 */
export function matchIban(text: string, start: number, floor: number): Span | null {
  if (start > floor && isWordCharacter(text.charCodeAt(start - 1))) return null;
  const length = LENGTH_OF_COUNTRY.get(text.slice(start, start + 2).toUpperCase());
  if (length === undefined) return null;
  let characters = "";
  let at = start;
  for (; characters.length < length; at++) {
    if (isGap(text, at, characters.length)) at++;
    if (!hasClass(text.charCodeAt(at), DIGIT | LETTER)) return null;
    characters += text[at];
  }
  return !isWordCharacter(text.charCodeAt(at)) && isValid(characters) ? { start, end: at } : null;
}

/**
 * True for one blank, hyphen or dot after a printed group, and for the first two between digits: banks print bank and
 * account as separate groups.
 */
function isGap(text: string, at: number, count: number): boolean {
  if (text[at] === ".") return count % GROUP === 0;
  if (text[at] !== " " && text[at] !== "-") return false;
  return count % GROUP === 0 || (hasClass(text.charCodeAt(at - 1), DIGIT) && hasClass(text.charCodeAt(at + 1), DIGIT));
}

/** True when the number of all characters, letters as 10 to 35, leaves 1. */
function isValid(characters: string): boolean {
  let rest = 0;
  for (const character of characters.slice(HEAD) + characters.slice(0, HEAD)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % MODULUS;
  }
  return rest === 1;
}
