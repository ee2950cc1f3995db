import { BOOSTS, findWord, HAS_RULE, TEXTS, UNKNOWN, VALENCES } from "./known-words.ts";

/** The words of a sentence in columns. */
export interface SentenceWords {
  /** Lower case, without the punctuation around it; emoticons are kept whole. "" for a word that no rule speaks of. */
  readonly words: readonly string[];
  /** Number of each word that VADER has a rule for (known-words.ts); UNKNOWN for most. */
  readonly rules: readonly number[];
  /** Words written in capitals only. */
  readonly isShouted: readonly boolean[];
  /** True when some words are in capitals and some are not: only then capitals are emphasis. */
  readonly hasEmphasis: boolean;
  readonly exclamationMarks: number;
  readonly questionMarks: number;
  /** True when a word has a rating: else there is nothing to score. */
  readonly isRated: boolean;
}

/** Words of a sentence that are read; a "sentence" that is longer is a table or a list. */
const MAX_WORDS = 300;

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0;
const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;
const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a;
/** Punctuation of ASCII, and typographic quotes. */
const isPunctuation = (code: number): boolean =>
  (code > 0x20 && code < 0x30) ||
  (code > 0x39 && code < 0x41) ||
  (code > 0x5a && code < 0x61) ||
  (code > 0x7a && code < 0x7f) ||
  (code >= 0x2018 && code <= 0x201d) ||
  code === 0x2026;

/** Splits a sentence at white space. Punctuation is stripped unless two characters or fewer would be left: then it is an emoticon. */
export function sentenceWords(text: string): SentenceWords {
  const words: string[] = [];
  const rules: number[] = [];
  const isShouted: boolean[] = [];
  let shouted = 0;
  let exclamationMarks = 0;
  let questionMarks = 0;
  let isRated = false;
  let index = 0;
  while (index < text.length && words.length < MAX_WORDS) {
    while (index < text.length && isSpace(text.charCodeAt(index))) index++;
    const tokenStart = index;
    let hasUpper = false;
    let hasLower = false;
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (isLower(code)) hasLower = true;
      else if (isSpace(code)) break;
      else if (isUpper(code)) hasUpper = true;
      else if (code === 0x21) exclamationMarks++;
      else if (code === 0x3f) questionMarks++;
      else if (code > 0xbf && code < 0x2000) hasLower = true;
    }
    if (index === tokenStart) break;
    let start = tokenStart;
    let end = index;
    while (start < end && isPunctuation(text.charCodeAt(start))) start++;
    while (end > start && isPunctuation(text.charCodeAt(end - 1))) end--;
    const word = findWord(text, end - start <= 2 ? [tokenStart, index] : [start, end], hasUpper);
    const hasRule = word !== UNKNOWN && HAS_RULE[word] === 1;
    words.push(word === UNKNOWN ? "" : TEXTS[word]!);
    rules.push(hasRule ? word : UNKNOWN);
    if (hasRule && BOOSTS[word] === 0 && !Number.isNaN(VALENCES[word])) isRated = true;
    const isCapitals = hasUpper && !hasLower;
    isShouted.push(isCapitals);
    if (isCapitals) shouted++;
  }
  return { words, rules, isShouted, hasEmphasis: shouted > 0 && shouted < words.length, exclamationMarks, questionMarks, isRated };
}
