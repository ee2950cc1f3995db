import { fullGivenNames } from "../../mail/words/given-names.ts";
import { wordSet } from "../../mail/words/word-table.ts";
import { isRoleWord } from "./role-address.ts";

/** A full name, with at least a given and a family name. All parts folded to lower-case letters without accents. */
export interface PersonName {
  readonly given: string;
  /** Middle names or initials joined by blanks, or "". */
  readonly middle: string;
  readonly family: string;
  /** Distinguishes a father from his son: `jr`, `sr`, `ii`, `iii`, `iv`, or "". */
  readonly generation: string;
  /** Display form: given name first, without quotes or path. */
  readonly shown: string;
}

/** Longest display name read; longer ones are text, not names. */
const MAX_NAME_CHARACTERS = 120;
/** Maximum words of a name, including particles. */
const MAX_NAME_WORDS = 6;

const TITLES = wordSet("mr mrs ms miss dr prof sir rev hon herr frau mme");
const GENERATIONS = wordSet("jr sr ii iii iv");
const SUFFIXES = wordSet("jr sr ii iii iv phd md esq cpa pe mba jd cfa dds");
const PARTICLES = wordSet("van von der den de del della di da dos la le du ten ter bin ibn al el st saint mac");
/** Words of page and list titles, which are never names of people. */
const NOT_NAMES = wordSet(
  "the and of for to via behalf your our my from at in on with by or undisclosed unknown no com net org www",
);

/**
 * Reads a display name as a full name: `Doe, Jane M. (E-mail)`, `"Jane Doe" <x@y>@ORG`, `Jane Doe/HOU/ORG@ORG`, `Dr
 * Jane van Doe Jr.`. Returns null for anything other than the full name of one person: one word, initials only, digits,
 * an address, a function, a list.
 */
export function parsePersonName(displayName: string): PersonName | null {
  if (displayName.length > MAX_NAME_CHARACTERS * 2) return null;
  const bare = bareDisplayName(displayName);
  if (bare === "" || bare.length > MAX_NAME_CHARACTERS || /[\d@[\]{}|;:!?*=_#&\uFFFD]/.test(bare)) return null;
  const pieces = bare.split(",").map((piece) => piece.trim());
  while (pieces.length > 1 && isSuffix(pieces[pieces.length - 1]!)) pieces.pop();
  if (pieces.length > 2 || pieces.some((piece) => piece === "")) return null;
  const family = pieces.length === 2 ? wordsOf(pieces[0]!) : [];
  if (family.length === 2 && isSuffix(family[1]!)) family.pop();
  const name = assembleName(wordsOf(pieces[pieces.length - 1]!), family, generationIn(bare.split(/[\s,.]+/)));
  if (name === null || family.length === 0) return name;
  // A name that parses differently from its display form ("Jane a, Jane") is no evidence.
  return assembleName(wordsOf(name.shown), [], "")?.given === name.given ? name : null;
}

function generationIn(words: readonly string[]): string {
  for (let at = 1; at < words.length; at++) {
    const word = foldName(words[at]!);
    if (GENERATIONS.has(word)) return word;
  }
  return "";
}

/** The full name in a local part (`jane.m.doe`, `jane_doe`), or null. @param local lower case */
export function nameFromLocalPart(local: string): PersonName | null {
  if (local.length > MAX_NAME_CHARACTERS || !/^[\p{L}._'-]+$/u.test(local)) return null;
  const words = local.split(/[._]+/).filter((word) => word !== "");
  const generation = generationIn(words);
  if (words.length > 1 && isSuffix(words[words.length - 1]!)) words.pop();
  // `mike.van` is the beginning of a name truncated by a directory.
  if (PARTICLES.has(words[words.length - 1] ?? "")) return null;
  // `m.van.reed` may be truncated as well.
  if (words.length < 2 || words.length > 4 || /^[a-z]$/.test(words[0]!)) return null;
  return assembleName(words.map(capitalized), [], generation);
}

/** The most common case, without anything to remove. */
const PLAIN_NAME = /^[A-Za-z]+[,.]?(?: [A-Za-z]+[,.]?)*$/;

/**
 * Returns a display name without additions of mail programs: addresses, directory paths, quotes, remarks in
 * parentheses.
 */
export function bareDisplayName(displayName: string): string {
  if (PLAIN_NAME.test(displayName)) return displayName;
  let bare = displayName;
  const marks = [bare.indexOf("<"), bare.search(/\[mailto:/i), bare.search(/\/o=/i)].filter((at) => at >= 0);
  if (marks.length > 0) bare = bare.slice(0, Math.min(...marks));
  bare = withoutParentheses(bare);
  const slash = bare.indexOf("/");
  if (slash > 0) bare = bare.slice(0, slash);
  bare = bare.replace(/@[\p{L}\d]*$/u, "");
  return bare
    .replace(/(?<![\p{L}])['"`‘’“”\\]+|['"`‘’“”\\]+(?![\p{L}])/gu, "")
    .trim()
    .replaceAll(/\s+/g, " ");
}

function withoutParentheses(text: string): string {
  let kept = "";
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    else if (character === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += character;
  }
  return kept;
}

function wordsOf(text: string): string[] {
  const words = text.split(/[\s.]+/).filter((word) => word !== "");
  while (words.length > 0 && TITLES.has(foldName(words[0]!))) words.shift();
  // "Jane Doe aka Janie": a nickname follows.
  const alias = words.findIndex((word) => word === "aka" || word === "AKA");
  if (alias > 0) words.length = alias;
  while (words.length > 2 && isSuffix(words[words.length - 1]!)) words.pop();
  return words;
}

function isSuffix(word: string): boolean {
  return SUFFIXES.has(foldName(word));
}

/** @param words given names, and the family name too when `family` is empty. */
function assembleName(words: readonly string[], family: readonly string[], generation: string): PersonName | null {
  const length = words.length + family.length;
  if (length < 2 || length > MAX_NAME_WORDS || words.length === 0) return null;
  const all = words.concat(family);
  const folded = foldedWords(all);
  if (folded === null) return null;
  let start = words.length;
  if (family.length === 0) {
    start = length - 1;
    while (start > 1 && PARTICLES.has(folded[start - 1]!)) start--;
  }
  const at = start > 1 && LEADING_INITIAL.test(`${all[0]} ${all[1]}`) ? 1 : 0;
  const given = folded[at]!;
  const familyName = joinRange(folded, start, length, "");
  if (!isWholeName(given) || !isWholeName(familyName)) return null;
  const others = joinRange(folded, at + 1, start, " ");
  const middle = at === 0 ? others : others === "" ? folded[0]! : `${folded[0]} ${others}`;
  return { given, middle, family: familyName, generation, shown: shownName(all, start, at > 0) };
}

/** Null if one of the words cannot belong to a name. A loop: V8 would compile array methods with it, many times. */
function foldedWords(words: readonly string[]): readonly string[] | null {
  const folded: string[] = [];
  for (const word of words) {
    const letters = foldName(word);
    // "Jane M- Sales Doe": a dash at a word marks a remark that a directory added to distinguish namesakes.
    if (letters === "" || NOT_NAMES.has(letters) || isRoleWord(letters) || OUTER_DASH.test(word)) return null;
    folded.push(letters);
  }
  return folded;
}

const OUTER_DASH = /^[-–]|[-–]$/;

/** Adds a period to initials before the family name, which begins at `start`. */
function shownName(words: readonly string[], start: number, hasLeadingInitial: boolean): string {
  let shown = words[0]!;
  if (shown.length === 1 && hasLeadingInitial) shown += ".";
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    shown += word.length === 1 && at < start ? ` ${word}.` : ` ${word}`;
  }
  return shown;
}

function joinRange(words: readonly string[], start: number, end: number, separator: string): string {
  let joined = start < end ? words[start]! : "";
  for (let at = start + 1; at < end; at++) joined += separator + words[at]!;
  return joined;
}

/** `W. David Reed` is called David. `A` and `I` begin titles. */
const LEADING_INITIAL = /^[B-HJ-Z] \p{Lu}/u;

/** At least two letters; one is enough in scripts that write a name with one character. */
function isWholeName(folded: string): boolean {
  return folded.length >= 2 || folded.charCodeAt(0) > 0x2e7f;
}

/** Folds to lower-case letters: accents, apostrophes, hyphens and periods do not distinguish names. */
export function foldName(word: string): string {
  if (/^[a-z]+$/.test(word)) return word;
  if (/^[A-Za-z]+$/.test(word)) return word.toLowerCase();
  return word
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, "")
    .replaceAll("ß", "ss");
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Minimum equal first letters of two short forms of one name: `Jim` and `Jimmy`, but not `Cathy` and `Kathy`. */
const ALIKE_LETTERS = 3;

/**
 * True if both may belong to one person: same family name, matching given names, no different middle names or
 * generations.
 */
export function namesAgree(one: PersonName, other: PersonName): boolean {
  if (one.family !== other.family || !middleNamesAgree(one.middle, other.middle)) return false;
  if (one.generation !== other.generation && one.generation !== "" && other.generation !== "") return false;
  return one.given === other.given || givenNamesAgree(one.given, other.given);
}

function givenNamesAgree(one: string, other: string): boolean {
  const ones = fullGivenNames(one);
  const others = fullGivenNames(other);
  if (ones.includes(other) || others.includes(one)) return true;
  return areAlike(one, other) && ones.some((name) => others.includes(name));
}

/** True for short forms with the same beginning. */
export function areAlike(one: string, other: string): boolean {
  return one.slice(0, ALIKE_LETTERS) === other.slice(0, ALIKE_LETTERS);
}

function middleNamesAgree(one: string, other: string): boolean {
  if (one === "" || other === "" || one === other) return true;
  const ones = one.split(" ");
  const others = other.split(" ");
  const length = Math.min(ones.length, others.length);
  for (let at = 0; at < length; at++) {
    const [short, long] = ones[at]!.length < others[at]!.length ? [ones[at]!, others[at]!] : [others[at]!, ones[at]!];
    if (short.length > 1 ? short !== long : !long.startsWith(short)) return false;
  }
  return true;
}
