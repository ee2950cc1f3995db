import { GIVEN_NAMES } from "./given-names.ts";
import {
  ARTICLES,
  DOUBLED,
  GIVEN_NAMES_AND_WORDS,
  NAMED_AFTER,
  NEVER_FAMILY,
  NOT_NAMES,
  PARTICLES,
  TITLES,
} from "./name-words.ts";

/** Kinds of words in rows, as bits. */
export const WORD_KINDS = {
  /** A common given name. */
  given: 1,
  notName: 2,
  title: 4,
  namedAfter: 8,
  particle: 16,
  givenAndWord: 32,
  article: 64,
  doubled: 128,
  neverFamily: 256,
  initial: 512,
} as const;

const WORDS_OF_KIND: readonly (readonly [kind: number, words: ReadonlySet<string>])[] = [
  [WORD_KINDS.given, GIVEN_NAMES],
  [WORD_KINDS.notName, NOT_NAMES],
  [WORD_KINDS.title, TITLES],
  [WORD_KINDS.namedAfter, NAMED_AFTER],
  [WORD_KINDS.particle, PARTICLES],
  [WORD_KINDS.givenAndWord, GIVEN_NAMES_AND_WORDS],
  [WORD_KINDS.article, ARTICLES],
  [WORD_KINDS.doubled, DOUBLED],
  [WORD_KINDS.neverFamily, NEVER_FAMILY],
];

/** Slots, a power of two: four times the words, so that most other words meet an empty slot. */
const SLOTS = 8192;
const words: string[] = [""];
const kinds: number[] = [0];
/** Number of a word by its hash; 0 in empty slots. */
const slots = new Uint16Array(SLOTS);

for (const [kind, list] of WORDS_OF_KIND)
  for (const word of list) {
    const slot = slotOf(word, 0, word.length);
    if (slots[slot] === 0) [slots[slot], kinds[words.length]] = [words.push(word) - 1, 0];
    kinds[slots[slot]!]! |= kind;
  }

/** Kinds of the word at a position of a text. Compares in place: most words need no string of their own. */
export function kindsOf(text: string, start: number, end: number): number {
  return kinds[slots[slotOf(text, start, end)]!]!;
}

/** The slot of a word, or the empty slot where its search ends. */
function slotOf(text: string, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  let slot = (hash ^ (hash >>> 13)) & (SLOTS - 1);
  while (slots[slot] !== 0 && !isAt(text, start, end, words[slots[slot]!]!)) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

function isAt(text: string, start: number, end: number, word: string): boolean {
  if (word.length !== end - start) return false;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) !== word.charCodeAt(at - start)) return false;
  return true;
}
