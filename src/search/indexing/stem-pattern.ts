import { stemmerOf } from "../../text/language/word-stems.ts";

/**
 * A pattern for terms with the same stem: a word, a tilde, and the languages with that stem (`contract~en,de`).
 * Tokens never contain a tilde.
 */
const STEM_SIGN = "~";
/** Minimum letters of a stemmed term. */
const MAX_START = 3;
/** Longer terms are not words with endings. */
const MAX_LETTERS = 40;

export function isStem(term: string): boolean {
  return term.includes(STEM_SIGN);
}

/** A token as a pattern of its stem, with the languages still unknown. Numbers and patterns have no stem. */
export function stemPattern(token: string): string {
  return /^\p{L}+$/u.test(token) ? token + STEM_SIGN : token;
}

/** The same pattern for terms of these languages. */
export function stemIn(pattern: string, languages: readonly string[]): string {
  return pattern.slice(0, pattern.indexOf(STEM_SIGN) + 1) + languages.join(",");
}

interface StemParts {
  /** Mark of a field of the index, "" for a word of the text. */
  readonly mark: string;
  readonly word: string;
  readonly languages: readonly string[];
}

function partsOf(pattern: string): StemParts {
  const at = pattern.indexOf(STEM_SIGN);
  const mark = pattern.startsWith(":") ? pattern.slice(0, 2) : "";
  return { mark, word: pattern.slice(mark.length, at), languages: pattern.slice(at + 1).split(",") };
}

/**
 * Common start of all terms with the stem: its first letters, without the last, which an ending may change (`city`,
 * `cities`).
 */
export function stemStart(pattern: string): string {
  const { mark, word, languages } = partsOf(pattern);
  const shortest = Math.min(...languages.map((language) => stemmerOf(language)!(word).length));
  return mark + word.slice(0, Math.max(1, Math.min(MAX_START, shortest - 1)));
}

/** Tests whether a term has the stem, in any of the languages. */
export function stemMatcher(pattern: string): (term: string) => boolean {
  const { mark, word, languages } = partsOf(pattern);
  const stems = languages.map((language) => {
    const stemmer = stemmerOf(language)!;
    const stem = stemmer(word);
    return (term: string) => stemmer(term) === stem;
  });
  return (term) => {
    if (!term.startsWith(mark)) return false;
    const other = term.slice(mark.length);
    return other.length <= MAX_LETTERS && /^\p{L}+$/u.test(other) && stems.some((hasStem) => hasStem(other));
  };
}
