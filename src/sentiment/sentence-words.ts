import { NEGATION_RULE, WORD_RULES, type WordRule } from "./word-rules.ts";

/** The words of a sentence in columns, lower-case, without the punctuation around them; emoticons are kept whole. */
export interface SentenceWords {
  readonly words: readonly string[];
  /** What VADER knows of each word; null for most. */
  readonly rules: readonly (WordRule | null)[];
  /** Words written in capitals only. */
  readonly isShouted: readonly boolean[];
  /** True when some words are in capitals and some are not: only then capitals are emphasis. */
  readonly hasEmphasis: boolean;
  readonly exclamationMarks: number;
  readonly questionMarks: number;
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

function ruleOf(word: string): WordRule | null {
  const rule = WORD_RULES.get(word);
  if (rule !== undefined) return rule;
  return word.length > 3 && word.includes("n't") ? NEGATION_RULE : null;
}

/** Splits a sentence at white space. Punctuation is stripped unless two characters or fewer would be left: then it is an emoticon. */
export function sentenceWords(text: string): SentenceWords {
  const words: string[] = [];
  const rules: (WordRule | null)[] = [];
  const isShouted: boolean[] = [];
  let shouted = 0;
  let exclamationMarks = 0;
  let questionMarks = 0;
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
    const written = end - start <= 2 ? text.slice(tokenStart, index) : text.slice(start, end);
    const lower = hasUpper ? written.toLowerCase() : written;
    const word = lower.includes("’") ? lower.replaceAll("’", "'") : lower;
    words.push(word);
    rules.push(ruleOf(word));
    const isCapitals = hasUpper && !hasLower;
    isShouted.push(isCapitals);
    if (isCapitals) shouted++;
  }
  return { words, rules, isShouted, hasEmphasis: shouted > 0 && shouted < words.length, exclamationMarks, questionMarks };
}
