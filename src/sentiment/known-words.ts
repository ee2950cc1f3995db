import { DAMPENING_PAIRS, IDIOMS, NEGATION_RULE, NO_RULE, WORD_RULES, type WordRule } from "./word-rules.ts";

/** Words that the rules of phrases ask for by name (score-sentence.ts). */
const NAMED = "at but doubt kind least never no nor of or so this very without".split(" ");

/** 32-bit FNV-1a (draft-eastlake-fnv): offset basis and prime. */
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const RIGHT_QUOTE = 0x2019;
const APOSTROPHE = 0x27;

function wordHash(text: string, start: number, end: number): number {
  let hash = FNV_BASIS;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ plainCode(text.charCodeAt(index)), FNV_PRIME);
  return hash;
}

/** Lower case of ASCII; a typographic apostrophe is one. */
function plainCode(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code | 0x20;
  return code === RIGHT_QUOTE ? APOSTROPHE : code;
}

function buildTexts(): readonly string[] {
  const parts = [...IDIOMS.keys(), ...DAMPENING_PAIRS.keys()].flatMap((phrase) => phrase.split(" "));
  return [NEGATED_TEXT, ...new Set([...WORD_RULES.keys(), ...NAMED, ...parts])];
}

/** Stands for every word that is no rule itself but negates by its ending; no word is spelled so. */
const NEGATED_TEXT = "";
const NEGATED = 0;

/** A word that no rule speaks of: to the score these are all alike. */
export const UNKNOWN = -1;

/** The words that rules speak of, lower case, by number. */
export const TEXTS: readonly string[] = buildTexts();

const rules: readonly WordRule[] = TEXTS.map((text) => (text === NEGATED_TEXT ? NEGATION_RULE : (WORD_RULES.get(text) ?? NO_RULE)));

/**
 * The rules in columns, by number of the word. As numbers in objects they would be integers in some and fractions in others, which V8 keeps in
 * objects of different shape: the code that reads them was compiled anew 150 times a run.
 */
export const VALENCES: Float64Array = Float64Array.from(rules, (rule) => rule.valence);
export const BOOSTS: Float64Array = Float64Array.from(rules, (rule) => rule.boost);
export const NEGATES: Uint8Array = Uint8Array.from(rules, (rule) => (rule.isNegation ? 1 : 0));
export const HAS_RULE: Uint8Array = Uint8Array.from(rules, (rule) => (rule === NO_RULE ? 0 : 1));

const NUMBERS: ReadonlyMap<string, number> = new Map(TEXTS.map((text, number) => [text, number]));

/** Open addressing, a quarter full: most words are none of these, and a word is refused at the first look. */
const SLOT_COUNT = 1 << 15;
const SLOTS: Int16Array = buildSlots();
const HASHES: Int32Array = Int32Array.from(TEXTS, (text) => wordHash(text, 0, text.length));

function buildSlots(): Int16Array {
  const slots = new Int16Array(SLOT_COUNT).fill(UNKNOWN);
  for (let word = NEGATED + 1; word < TEXTS.length; word++) {
    let slot = firstSlot(wordHash(TEXTS[word]!, 0, TEXTS[word]!.length));
    while (slots[slot] !== UNKNOWN) slot = (slot + 1) % SLOT_COUNT;
    slots[slot] = word;
  }
  return slots;
}

function firstSlot(hash: number): number {
  return (hash ^ (hash >>> 15)) & (SLOT_COUNT - 1);
}

/** True for ASCII and the typographic apostrophe, which `plainCode` folds as well as the language would. */
function isPlain(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f && code !== RIGHT_QUOTE) return false;
  }
  return true;
}

/**
 * Number of the word in `text` from `start` to `end`, UNKNOWN when no rule speaks of it. No string is made of a word.
 * @param hasUpper true when it has capital letters of ASCII: only then it is folded
 */
export function findWord(text: string, [start, end]: readonly [number, number], hasUpper: boolean): number {
  if (!isPlain(text, start, end)) return findForeignWord(text.slice(start, end), hasUpper);
  const hash = wordHash(text, start, end);
  for (let slot = firstSlot(hash); ; slot = (slot + 1) % SLOT_COUNT) {
    const word = SLOTS[slot]!;
    if (word === UNKNOWN) break;
    if (HASHES[word] === hash && isSpelled(TEXTS[word]!, text, start, end)) return word;
  }
  return end - start > 3 && hasNegation(text, start, end) ? NEGATED : UNKNOWN;
}

function findForeignWord(written: string, hasUpper: boolean): number {
  const word = (hasUpper ? written.toLowerCase() : written).replaceAll("’", "'");
  return NUMBERS.get(word) ?? (word.length > 3 && word.includes("n't") ? NEGATED : UNKNOWN);
}

function isSpelled(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let index = 0; index < word.length; index++) if (word.charCodeAt(index) !== plainCode(text.charCodeAt(start + index))) return false;
  return true;
}

/** True for "n't" anywhere in the word. */
function hasNegation(text: string, start: number, end: number): boolean {
  for (let index = start + 1; index < end - 1; index++) {
    if (plainCode(text.charCodeAt(index)) !== APOSTROPHE) continue;
    if (plainCode(text.charCodeAt(index - 1)) === 0x6e && plainCode(text.charCodeAt(index + 1)) === 0x74) return true;
  }
  return false;
}
