import { APOSTROPHE } from "../mail/words/ascii.ts";
import { FNV_BASIS, mixHash, WordNumbers } from "../text/tokens/word-numbers.ts";
import { DAMPENING_PAIRS, IDIOMS, NEGATION_RULE, NO_RULE, WORD_RULES, type WordRule } from "./word-rules.ts";

/** Words that phrase rules name (score-sentence.ts). */
const NAMED = "at but doubt kind least never no nor of or so this very without".split(" ");

const RIGHT_QUOTE = 0x2019;
const LETTER_N = 0x6e;
const LETTER_T = 0x74;
const LAST_ASCII = 0x7f;

function buildTexts(): readonly string[] {
  const parts = [...IDIOMS.keys(), ...DAMPENING_PAIRS.keys()].flatMap((phrase) => phrase.split(" "));
  return [NEGATED_TEXT, ...new Set([...WORD_RULES.keys(), ...NAMED, ...parts])];
}

/** Represents every word that only negates by its ending; not an actual word. */
const NEGATED_TEXT = "";
const NEGATED = 0;

/** A word without a rule; the score treats them all alike. */
export const UNKNOWN = -1;

/** Words with rules, in lower case, by number. */
export const TEXTS: readonly string[] = buildTexts();

const rules: readonly WordRule[] = TEXTS.map((text) =>
  text === NEGATED_TEXT ? NEGATION_RULE : (WORD_RULES.get(text) ?? NO_RULE),
);

/**
 * The rules in columns, by word number. Objects with integers and fractions would have different shapes in V8, which
 * then recompiled the reading code 150 times per run.
 */
export const VALENCES: Float64Array = Float64Array.from(rules, (rule) => rule.valence);
export const BOOSTS: Float64Array = Float64Array.from(rules, (rule) => rule.boost);
export const NEGATES: Uint8Array = Uint8Array.from(rules, (rule) => (rule.isNegation ? 1 : 0));

const WORDS = new WordNumbers(TEXTS);
const NUMBERS: ReadonlyMap<string, number> = new Map(TEXTS.map((text, number) => [text, number]));

/** Number of a lower-case word; UNKNOWN without a rule. */
export function numberOf(text: string): number {
  return NUMBERS.get(text) ?? UNKNOWN;
}

/** Lower case of ASCII; a typographic apostrophe becomes ASCII. Folds words for lookups. */
export function plainCode(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code | 0x20;
  return code === RIGHT_QUOTE ? APOSTROPHE : code;
}

/** Number of the word in `units` from `start` to `end`; UNKNOWN if no rule has it. Folds its case in place. */
export function findWord(units: Uint16Array, start: number, end: number): number {
  let hash = FNV_BASIS;
  let hasApostrophe = false;
  for (let at = start; at < end; at++) {
    const code = plainCode(units[at]!);
    if (code > LAST_ASCII) return findForeignWord(units.subarray(start, end));
    if (code === APOSTROPHE) hasApostrophe = true;
    units[at] = code;
    hash = mixHash(hash, code);
  }
  return findFoldedWord(units, start, end, hash, hasApostrophe);
}

/** The same for an ASCII word that is already folded and hashed. */
export function findFoldedWord(
  units: Uint16Array,
  start: number,
  end: number,
  hash: number,
  hasApostrophe: boolean,
): number {
  const number = WORDS.find(units, start, end, hash);
  return number === UNKNOWN && hasApostrophe && hasNegation(units, start, end) ? NEGATED : number;
}

/** A word with characters that only JavaScript's own function folds. */
function findForeignWord(units: Uint16Array): number {
  if (units.length > MAX_FOREIGN_WORD) return UNKNOWN;
  const word = String.fromCharCode(...units)
    .toLowerCase()
    .replaceAll("’", "'");
  const number = numberOf(word);
  return number === UNKNOWN && word.length > MIN_NEGATED && word.includes("n't") ? NEGATED : number;
}

/**
 * Maximum length of a word that is looked up by letter. In a script without spaces a page may be one word, without
 * any rule.
 */
const MAX_FOREIGN_WORD = 256;

/** Letters of "n't", which does not negate alone. */
const MIN_NEGATED = 3;

/** True for "n't" anywhere in a longer, folded word. */
function hasNegation(units: Uint16Array, start: number, end: number): boolean {
  if (end - start <= MIN_NEGATED) return false;
  for (let at = start + 1; at < end - 1; at++) {
    if (units[at] === APOSTROPHE && units[at - 1] === LETTER_N && units[at + 1] === LETTER_T) return true;
  }
  return false;
}
