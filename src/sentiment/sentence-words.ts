import { BOOSTS, findWord, UNKNOWN, VALENCES } from "./known-words.ts";

/** Words of a sentence that are read; a "sentence" that is longer is a table or a list. */
const MAX_WORDS = 300;
/** What is left of a word must be longer, else it was an emoticon. */
const MAX_EMOTICON = 2;

const EXCLAMATION_MARK = 0x21;
const QUESTION_MARK = 0x3f;

/** What a character is to the words of a sentence. */
const OTHER = 0;
const SPACE = 1;
const LOWER = 2;
const UPPER = 3;
/** Punctuation of ASCII, and typographic quotes. */
const PUNCTUATION = 4;

const ASCII_KINDS: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return SPACE;
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  return /[!-/:-~]/.test(character) ? PUNCTUATION : OTHER;
});

function kindOf(code: number): number {
  if (code < 0x80) return ASCII_KINDS[code]!;
  if (code === 0xa0) return SPACE;
  if (code > 0xbf && code < 0x2000) return LOWER;
  return (code >= 0x2018 && code <= 0x201d) || code === 0x2026 ? PUNCTUATION : OTHER;
}

/** The words of a sentence in columns; those of one sentence are overwritten by the next one. */
export class SentenceWords {
  count = 0;
  exclamationMarks = 0;
  questionMarks = 0;
  /** True when a word has a rating: else there is nothing to score. */
  isRated = false;
  private readonly numbers = new Int16Array(MAX_WORDS);
  private readonly shouted = new Uint8Array(MAX_WORDS);
  private shoutedCount = 0;

  /** True when some words are in capitals and some are not: only then capitals are emphasis. */
  get hasEmphasis(): boolean {
    return this.shoutedCount > 0 && this.shoutedCount < this.count;
  }

  /** Number of the word that rules speak of at a place (known-words.ts); UNKNOWN for most, and beyond the sentence. */
  at(index: number): number {
    return index < 0 || index >= this.count ? UNKNOWN : this.numbers[index]!;
  }

  /** True for a word that is written in capitals only. */
  isShouted(index: number): boolean {
    return this.shouted[index] === 1;
  }

  /** True for a word with a rating of its own. */
  isRatedAt(index: number): boolean {
    const number = this.at(index);
    return number !== UNKNOWN && !Number.isNaN(VALENCES[number]);
  }

  /**
   * Reads the sentence that lies in `units` from `start` to `end`, and folds the words in there. They are parted by white space. Punctuation
   * around a word is left out unless two characters or fewer would be left: then it is an emoticon.
   */
  read(units: Uint16Array, start: number, end: number): void {
    this.count = 0;
    this.exclamationMarks = 0;
    this.questionMarks = 0;
    this.isRated = false;
    this.shoutedCount = 0;
    for (let at = start; at < end && this.count < MAX_WORDS; ) {
      while (at < end && kindOf(units[at]!) === SPACE) at++;
      if (at < end) at = this.readWord(units, at, end);
    }
  }

  /** Reads the word that begins at `start`; returns the place behind it. */
  private readWord(units: Uint16Array, start: number, limit: number): number {
    let hasUpper = false;
    let hasLower = false;
    let at = start;
    for (; at < limit; at++) {
      const code = units[at]!;
      const kind = kindOf(code);
      if (kind === LOWER) hasLower = true;
      else if (kind === SPACE) break;
      else if (kind === UPPER) hasUpper = true;
      else if (code === EXCLAMATION_MARK) this.exclamationMarks++;
      else if (code === QUESTION_MARK) this.questionMarks++;
    }
    let first = start;
    let end = at;
    while (first < end && kindOf(units[first]!) === PUNCTUATION) first++;
    while (end > first && kindOf(units[end - 1]!) === PUNCTUATION) end--;
    const isEmoticon = end - first <= MAX_EMOTICON;
    const number = findWord(units, isEmoticon ? start : first, isEmoticon ? at : end);
    this.numbers[this.count] = number;
    if (number !== UNKNOWN && BOOSTS[number] === 0 && !Number.isNaN(VALENCES[number])) this.isRated = true;
    const isShouted = hasUpper && !hasLower;
    this.shouted[this.count] = isShouted ? 1 : 0;
    if (isShouted) this.shoutedCount++;
    this.count++;
    return at;
  }
}
