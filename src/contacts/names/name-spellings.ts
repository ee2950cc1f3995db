import { isKnownGivenName } from "../../mail/words/given-names.ts";
import { namesAgree, type PersonName } from "./person-name.ts";

/** Minimum letters of a word in which one wrong letter is an error of spelling: shorter names differ by one. */
const MIN_SPELLED_LETTERS = 5;
/** Minimum letters of each half of a double family name. */
const MIN_HALF_LETTERS = 4;
/** Maximum letters of a given name that may be initials. */
const MAX_INITIALS = 2;

/**
 * True if two full names that were used with one address are spellings of one name: with a wrong letter, in the other
 * order, with initials, or with one of two family names. Names at different addresses need more evidence.
 */
export function areSpellingsOfOne(one: PersonName, other: PersonName): boolean {
  if (namesAgree(one, other)) return true;
  const turned = { ...one, given: one.family, family: one.given };
  if (namesAgree(turned, other)) return true;
  const isDouble = isDoubleName(one, other) || isDoubleName(other, one);
  const isFamily = isDouble || isMisspelled(one.family, other.family);
  return namesAgree(
    {
      ...one,
      given: isGivenSpelling(one.given, other.given) ? other.given : one.given,
      // The middle name of one may be the family name of the other.
      middle: isDouble ? "" : one.middle,
      family: isFamily ? other.family : one.family,
    },
    other,
  );
}

/** `Ann Wallace Modan` or `Ann Wallace-Modan` for Ann Wallace. */
function isDoubleName({ family, middle }: PersonName, { family: half }: PersonName): boolean {
  if (middle.split(" ").at(-1) === half) return true;
  if (half.length < MIN_HALF_LETTERS || family.length < half.length + MIN_HALF_LETTERS) return false;
  return family.startsWith(half) || family.endsWith(half);
}

/** Two known given names are those of two people, such as a couple. */
function isGivenSpelling(one: string, other: string): boolean {
  if (isKnownGivenName(one) && isKnownGivenName(other)) return false;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length <= MAX_INITIALS) return short.startsWith(long.charAt(0));
  // The last letter distinguishes names: `Erica` and `Eric`, `Julia` and `Julie`.
  return isMisspelled(one, other) && one.at(-1) === other.at(-1);
}

/** Minimum letters of a family name that differs from a similar one by an error rather than by chance. */
const MIN_FAMILY_LETTERS = 7;

/**
 * True if two full names of one organization are spellings of one, provided that nobody else there has either family
 * name: `Georganne` and `Georgeanne Quay`, `Bo Harbormann` and `Harbromann`, `Ann Van Reed` with one or two family names.
 */
export function areSpellingsOfRareName(one: PersonName, other: PersonName): boolean {
  if (one.family === other.family)
    return namesAgree({ ...one, given: isGivenVariant(one.given, other.given) ? other.given : one.given }, other);
  if (one.given === other.given && familyWords(one) === familyWords(other)) return one.generation === other.generation;
  const [short, long] = [one.family.length, other.family.length].sort((a, b) => a - b) as [number, number];
  const isError = short >= MIN_FAMILY_LETTERS && long - short <= 1 && isMisspelled(one.family, other.family);
  return isError && namesAgree({ ...one, family: other.family }, other);
}

const familyWords = ({ middle, family }: PersonName): string => middle.replaceAll(" ", "") + family;

/** A spelling, or a known given name with the same consonants: `Shelley` and `Shelly`, `Courtney` and `Courtenay`. */
function isGivenVariant(one: string, other: string): boolean {
  if (isGivenSpelling(one, other)) return Math.min(one.length, other.length) > MAX_INITIALS;
  if (Math.min(one.length, other.length) < MIN_SPELLED_LETTERS || Math.abs(one.length - other.length) > 1) return false;
  return one[0] === other[0] && one.at(-1) === other.at(-1) && consonantsOf(one) === consonantsOf(other);
}

const consonantsOf = (word: string): string => word.replaceAll(/[aeiouy]/g, "").replaceAll(/(.)\1/g, "$1");

/** True if two words differ in one letter, which one of them may lack, or in the order of two neighbors. */
export function isMisspelled(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < MIN_SPELLED_LETTERS || long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  const rest = long.slice(at + 1);
  if (short.slice(at) === rest || short.slice(at + 1) === rest) return true;
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
}
