import {
  BACKSLASH,
  CLOSING_BRACKET,
  EQUALS,
  FULL_STOP,
  GREATER_THAN,
  isAsciiLetter,
  LESS_THAN,
  LF,
  OPENING_BRACKET,
  SPACE,
  TAB,
  UNDERSCORE,
} from "../../mail/words/ascii.ts";
import { TextUnits } from "../tokens/text-units.ts";
import {
  FunctionWords,
  LETTER_BITS,
  MAX_FUNCTION_WORD_LENGTH,
  RELATIVES,
  WORD_LANGUAGES,
  WORD_RADIX,
} from "./function-words.ts";
import { type LanguageNgrams, languageOfNgrams } from "./language-ngrams.ts";

const NINE = 57;
const BAR = 124;
const AT_SIGN = 64;

/**
 * Maximum analyzed letters, since more do not change the result and eld reads 350 bytes; and the characters searched
 * for them.
 */
const ENOUGH_LETTERS = 320;
const REACH = 2_000;

/** Minimum letters of words; below, any result is a guess. */
const MIN_LETTERS = 20;

/** N-grams name a language for any text, even names and headings, so they need this number of letters, */
const MIN_NGRAM_LETTERS = 60;
/** or fewer, but at least this number, with function words of one language or words with non-ASCII letters. */
const MIN_TELLING_WORDS = 2;

/**
 * Minimum wide gaps (several blanks), and single blanks per gap, of a table row: prose has few gaps, and only after
 * sentences.
 */
const MIN_TABLE_GAPS = 2;
const MAX_BLANKS_PER_GAP = 3;

/** Minimum share of the letters for a script to decide. */
const SCRIPT_SHARE = 0.5;

/** Share of kana among kana and Han letters from which a text is Japanese; Chinese text quotes single signs. */
const KANA_SHARE = 0.05;

/** Minimum function words for English, and their ratio to those of the next language. */
const MIN_ENGLISH_WORDS = 2;
const ENGLISH_LEAD = 2;

/** The other languages have near relatives, so they need more words. */
const MIN_FOREIGN_WORDS = 5;
const FOREIGN_LEAD = 2;

/** At least one function word per this many words. */
const MAX_WORDS_PER_FUNCTION_WORD = 6;

/**
 * Maximum words per function word for the n-gram result to count: prose has one in two or three. A list of names
 * resembles a language, such as German or Portuguese, without its function words.
 */
const MAX_WORDS_PER_CONFIRMING_WORD = 12;

/**
 * Scripts that one language uses by far most: first and last UTF-16 unit, ISO 639-1 code. Cyrillic, Arabic and
 * Devanagari have too many.
 */
const DECISIVE_SCRIPTS: readonly (readonly [first: number, last: number, language: string])[] = [
  [0x0370, 0x03ff, "el"],
  [0x0530, 0x058f, "hy"],
  [0x0590, 0x05ff, "he"],
  [0x0a00, 0x0a7f, "pa"],
  [0x0a80, 0x0aff, "gu"],
  [0x0b80, 0x0bff, "ta"],
  [0x0c00, 0x0c7f, "te"],
  [0x0c80, 0x0cff, "kn"],
  [0x0d00, 0x0d7f, "ml"],
  [0x0d80, 0x0dff, "si"],
  [0x0e00, 0x0e7f, "th"],
  [0x0e80, 0x0eff, "lo"],
  [0x10a0, 0x10ff, "ka"],
  [0x1200, 0x137f, "am"],
  [0x1780, 0x17ff, "km"],
  [0x1100, 0x11ff, "ko"],
  [0xac00, 0xd7af, "ko"],
  [0x3040, 0x30ff, "ja"],
  [0x3400, 0x9fff, "zh"],
];

/** Result of one pass over the beginning of a text. */
interface Sample {
  /** Letters of words, without addresses, file names and numbers. */
  letters: number;
  words: number;
  /** Words with a non-ASCII letter. */
  foreignWords: number;
  /** The counted words: start and end of each in the text. */
  readonly stretches: number[];
  /** Letters by decisive script, in the order of the table. */
  readonly scripts: Uint32Array;
  /** Function words by language, in the order of WORD_LANGUAGES. */
  readonly functionWords: Uint32Array;
}

/** Detects the language of texts. */
export class LanguageDetector {
  private readonly functionWords = new FunctionWords();
  private readonly text = new TextUnits();
  private readonly sample: Sample = {
    letters: 0,
    words: 0,
    foreignWords: 0,
    stretches: [],
    scripts: new Uint32Array(DECISIVE_SCRIPTS.length),
    functionWords: new Uint32Array(WORD_LANGUAGES.length),
  };

  constructor(private readonly ngrams: LanguageNgrams) {}

  /**
   * Language of a text (ISO 639-1), from the author's own words: no quotations or signatures. Placeholders (`[IMAGE]`),
   * addresses, numbers and table rows do not count. Null if the rest is too short. Scripts and function words decide
   * for most mail; n-grams decide for the rest and cost several times as much per text.
   */
  detect(ownText: string): string | null {
    const text = ownText.slice(0, REACH);
    const { sample } = this;
    this.takeSample(text);
    if (sample.letters < MIN_LETTERS) return null;
    const language = languageOfScript(sample) ?? languageOfWords(sample);
    if (language !== null || !isTelling(sample)) return language;
    const guessed = languageOfNgrams(wordsOf(text, sample), this.ngrams);
    return guessed !== null && isConfirmed(guessed, sample) ? guessed : null;
  }

  private takeSample(text: string): void {
    const { sample } = this;
    sample.letters = 0;
    sample.words = 0;
    sample.foreignWords = 0;
    sample.stretches.length = 0;
    sample.scripts.fill(0);
    sample.functionWords.fill(0);
    this.text.load(text);
    const { units, length } = this.text;
    for (let start = 0; start < length && sample.letters < ENOUGH_LETTERS; ) {
      let end = start;
      while (end < length && units[end] !== LF) end++;
      if (!isTableRow(units, start, end)) this.countLine(start, end);
      start = end + 1;
    }
  }

  private countLine(from: number, to: number): void {
    const { units } = this.text;
    for (let start = from; start < to && this.sample.letters < ENOUGH_LETTERS; ) {
      let end = start;
      let isNoise = false;
      for (; end < to && units[end]! > SPACE; end++) if (isNoiseAt(units, end, to)) isNoise = true;
      if (!isNoise && end > start) {
        this.sample.stretches.push(start, end);
        this.countToken(start, end);
      }
      start = end + 1;
    }
  }

  /** Counts letters, words and function words of a token; apostrophes, hyphens and the like separate words. */
  private countToken(from: number, to: number): void {
    const { units } = this.text;
    let number = 0;
    let length = 0;
    let isForeign = false;
    for (let at = from; at <= to; at++) {
      const code = at < to ? units[at]! : 0;
      if (isAsciiLetter(code)) {
        // Beyond the longest function word, the number is meaningless.
        number = (number * WORD_RADIX + (code & LETTER_BITS)) | 0;
        length++;
      } else if (isOtherLetter(code)) {
        isForeign = true;
        length++;
        countScript(code, this.sample.scripts);
      } else {
        if (length > 0) this.countWord(isForeign ? 0 : number, length);
        number = 0;
        length = 0;
        isForeign = false;
      }
    }
  }

  /** @param number 0 for a word with a letter that no function word has */
  private countWord(number: number, length: number): void {
    const { sample } = this;
    sample.letters += length;
    sample.words++;
    if (number === 0) sample.foreignWords++;
    if (length > MAX_FUNCTION_WORD_LENGTH || number === 0) return;
    const languages = this.functionWords.languagesOf(number);
    for (let at = 0; languages >>> at !== 0; at++) if ((languages >>> at) & 1) sample.functionWords[at]!++;
  }
}

/** True if there is enough text for n-grams. */
function isTelling({ letters, foreignWords, functionWords }: Sample): boolean {
  return (
    letters >= MIN_NGRAM_LETTERS ||
    foreignWords >= MIN_TELLING_WORDS ||
    functionWords.some((count) => count >= MIN_TELLING_WORDS)
  );
}

/** True unless function words of the language are known and the text has almost none of them. */
function isConfirmed(language: string, { words, functionWords }: Sample): boolean {
  const known = functionWords[WORD_LANGUAGES.indexOf(language)];
  return known === undefined || known * MAX_WORDS_PER_CONFIRMING_WORD >= words;
}

/** The counted words, without the text in between. */
function wordsOf(text: string, { stretches }: Sample): string {
  let words = "";
  for (let at = 0; at < stretches.length; at += 2) words += `${text.slice(stretches[at], stretches[at + 1])} `;
  return words;
}

/** True for a line in columns: several gaps, or bars between cells. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: gaps and blanks are counted in one pass over a line
function isTableRow(units: Uint16Array, from: number, to: number): boolean {
  let start = from;
  let end = to;
  while (start < end && units[start]! <= SPACE) start++;
  while (end > start && units[end - 1]! <= SPACE) end--;
  let gaps = 0;
  let blanks = 0;
  for (let at = start; at < end; at++) {
    const code = units[at]!;
    if (code === BAR) gaps++;
    if (code > SPACE) continue;
    const isWide = code === TAB || units[at + 1]! <= SPACE;
    if (isWide && !SENTENCE_ENDS.has(units[at - 1]!)) gaps++;
    else blanks++;
    while (units[at + 1]! <= SPACE) at++;
  }
  return gaps >= MIN_TABLE_GAPS && gaps * MAX_BLANKS_PER_GAP >= blanks;
}

/** Punctuation that many writers follow with two blanks. */
const SENTENCE_ENDS: ReadonlySet<number> = new Set([FULL_STOP, 33, 63, 58, 44, 59]);

function languageOfScript(sample: Sample): string | null {
  if (sample.scripts.every((letters) => letters === 0)) return null;
  const totals = new Map<string, number>();
  for (const [at, [, , language]] of DECISIVE_SCRIPTS.entries()) {
    const letters = sample.scripts[at] ?? 0;
    if (letters > 0) totals.set(language, (totals.get(language) ?? 0) + letters);
  }
  const kana = totals.get("ja") ?? 0;
  const han = totals.get("zh") ?? 0;
  if (kana + han >= sample.letters * SCRIPT_SHARE) return kana >= (kana + han) * KANA_SHARE ? "ja" : "zh";
  for (const [language, letters] of totals) if (letters >= sample.letters * SCRIPT_SHARE) return language;
  return null;
}

function languageOfWords(sample: Sample): string | null {
  let best = 0;
  let second = 0;
  let bestAt = 0;
  for (let at = 0; at < sample.functionWords.length; at++) {
    const count = sample.functionWords[at]!;
    if (count > best) {
      second = best;
      best = count;
      bestAt = at;
    } else if (count > second) {
      second = count;
    }
  }
  const language = WORD_LANGUAGES[bestAt] ?? "en";
  if (RELATIVES.has(language)) return null;
  const isEnglish = language === "en";
  const isEnough =
    best >= (isEnglish ? MIN_ENGLISH_WORDS : MIN_FOREIGN_WORDS) && best * MAX_WORDS_PER_FUNCTION_WORD >= sample.words;
  return isEnough && best >= second * (isEnglish ? ENGLISH_LEAD : FOREIGN_LEAD) ? language : null;
}

/**
 * True at a character of something with letters that is not a word: an address, a path, a file name, encoded text, a
 * number.
 */
function isNoiseAt(units: Uint16Array, at: number, length: number): boolean {
  const code = units[at]!;
  if (code > UNDERSCORE) return code === BAR;
  if (code === LESS_THAN || code === GREATER_THAN || code === OPENING_BRACKET || code === CLOSING_BRACKET) return true;
  if (
    (code > FULL_STOP && code <= NINE) ||
    code === AT_SIGN ||
    code === EQUALS ||
    code === BACKSLASH ||
    code === UNDERSCORE
  )
    return true;
  return code === FULL_STOP && at + 1 < length && isAsciiLetter(units[at + 1]!);
}

function countScript(code: number, scripts: Uint32Array): void {
  for (let at = 0; at < DECISIVE_SCRIPTS.length; at++) {
    const [first, last] = DECISIVE_SCRIPTS[at]!;
    if (code >= first && code <= last) {
      scripts[at] = (scripts[at] ?? 0) + 1;
      return;
    }
  }
}

/** Approximate test for a non-ASCII letter: excludes symbols, punctuation and surrogates. */
function isOtherLetter(code: number): boolean {
  if (code < 0xc0 || code === 0xd7 || code === 0xf7) return false;
  if (code >= 0x2000 && code <= 0x303f) return code >= 0x2c00 && code <= 0x2dff;
  return (
    !(code >= 0xd800 && code <= 0xf8ff) && !(code >= 0xfe00 && code <= 0xfe6f) && !(code >= 0xff00 && code <= 0xff20)
  );
}
