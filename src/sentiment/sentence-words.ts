import { EXCLAMATION_MARK, FULL_STOP, isAsciiLetter, QUESTION_MARK, SPACE } from "../mail/words/ascii.ts";
import { FNV_BASIS, mixHash } from "../text/tokens/word-numbers.ts";
import { BOOSTS, findFoldedWord, findWord, plainCode, UNKNOWN, VALENCES } from "./known-words.ts";

/** Maximum words kept of a sentence; a longer "sentence" is a table or a list. */
const MAX_WORDS = 300;
/** Minimum length of the rest of a word; a shorter one was an emoticon. */
const MAX_EMOTICON = 2;

/** Character classes of sentences, as bits; digits have none. */
const WHITE = 1;
const LOWER = 2;
const UPPER = 4;
/** Punctuation of ASCII, and typographic quotes. */
const PUNCTUATION = 8;
/** Either kind of apostrophe; lookups use the ASCII one. */
const APOSTROPHE = 16;
/** An exclamation or question mark. */
const MARK = 32;
/** Does not fold to ASCII. */
const FOREIGN = 64;

const ASCII_KINDS: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return WHITE;
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (character === "'") return PUNCTUATION | APOSTROPHE;
  if (/[!?]/.test(character)) return PUNCTUATION | MARK;
  return /[!-/:-~]/.test(character) ? PUNCTUATION : 0;
});

function foreignKind(code: number): number {
  if (code === 0xa0) return WHITE;
  if (code === 0x2019) return PUNCTUATION | APOSTROPHE;
  if (code > 0xbf && code < 0x2000) return LOWER | FOREIGN;
  return (code >= 0x2018 && code <= 0x201d) || code === 0x2026 ? PUNCTUATION | FOREIGN : FOREIGN;
}

const kindOf = (code: number): number => (code < 0x80 ? ASCII_KINDS[code]! : foreignKind(code));

/** True for a character that ends a sentence before a blank or the end of the line. */
export const isEnd = (code: number): boolean =>
  code === FULL_STOP || code === EXCLAMATION_MARK || code === QUESTION_MARK;

/** True if two ASCII letters are adjacent. */
function hasLetters(units: Uint16Array, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) if (isAsciiLetter(units[at]!) && isAsciiLetter(units[at - 1]!)) return true;
  return false;
}

/** The words of a sentence in columns; those of one sentence are overwritten by the next one. */
export class SentenceWords {
  count = 0;
  exclamationMarks = 0;
  questionMarks = 0;
  /** True if a word has a rating; otherwise there is nothing to score. */
  isRated = false;
  /** True if two ASCII letters are adjacent: otherwise it consists of numbers or signs and is not a sentence. */
  hasLetters = false;
  private readonly numbers = new Int16Array(MAX_WORDS);
  private readonly shouted = new Uint8Array(MAX_WORDS);
  private shoutedCount = 0;

  /** True if some words, but not all, are in capitals: only then capitals are emphasis. */
  get hasEmphasis(): boolean {
    return this.shoutedCount > 0 && this.shoutedCount < this.count;
  }

  /** Number of the word at an index (known-words.ts); UNKNOWN for most, and beyond the sentence. */
  at(index: number): number {
    return index < 0 || index >= this.count ? UNKNOWN : this.numbers[index]!;
  }

  /** True for a word in capitals only. */
  isShouted(index: number): boolean {
    return this.shouted[index] === 1;
  }

  /** True for a word with its own rating. */
  isRatedAt(index: number): boolean {
    const number = this.at(index);
    return number !== UNKNOWN && !Number.isNaN(VALENCES[number]);
  }

  /** Clears the words of the previous sentence. */
  clear(): void {
    this.count = 0;
    this.exclamationMarks = 0;
    this.questionMarks = 0;
    this.isRated = false;
    this.hasLetters = false;
    this.shoutedCount = 0;
  }

  /**
   * Continues in the line in `units` from `start` to `end` until a sentence ends, and folds its words in place; returns
   * the position after the last one. White space separates words, a blank separates sentences. Punctuation around a
   * word is dropped unless two characters or fewer would remain: then it is an emoticon.
   */
  read(units: Uint16Array, start: number, end: number): number {
    for (let at = start; at < end; ) {
      while (at < end && kindOf(units[at]!) === WHITE) at++;
      if (at === end) break;
      const word = at;
      at = this.count < MAX_WORDS ? this.readWord(units, word, end) : endOfWord(units, word, end);
      if (!this.hasLetters) this.hasLetters = hasLetters(units, word, at);
      if (at < end && units[at] === SPACE && isEnd(units[at - 1]!)) return at;
    }
    return end;
  }

  /** Reads the word that begins at `start`; returns the offset after it. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: each character is looked at once: folded, hashed and judged
  private readWord(units: Uint16Array, start: number, limit: number): number {
    let first = start;
    for (let kind = 0; first < limit && (kind = kindOf(units[first]!)) & PUNCTUATION; first++)
      if (kind & MARK) this.countMark(units[first]!);
    let kinds = 0;
    let at = first;
    let end = first;
    let hash = FNV_BASIS;
    // Each character is read once: separate passes to find, fold and hash the word took twice the time.
    let hashAtEnd = hash;
    for (; at < limit; at++) {
      let code = units[at]!;
      const kind = kindOf(code);
      if (kind === WHITE) break;
      kinds |= kind;
      if (kind & (UPPER | APOSTROPHE)) units[at] = code = plainCode(code);
      hash = mixHash(hash, code);
      if (kind & PUNCTUATION) {
        if (kind & MARK) this.countMark(code);
        continue;
      }
      end = at + 1;
      hashAtEnd = hash;
    }
    const isEmoticon = end - first <= MAX_EMOTICON && at - start > end - first;
    if (isEmoticon) this.add(findWord(units, start, at), kinds);
    else if (kinds & FOREIGN) this.add(findWord(units, first, end), kinds);
    else this.add(findFoldedWord(units, first, end, hashAtEnd, (kinds & APOSTROPHE) !== 0), kinds);
    return at;
  }

  private countMark(code: number): void {
    if (code === EXCLAMATION_MARK) this.exclamationMarks++;
    else this.questionMarks++;
  }

  private add(number: number, kinds: number): void {
    this.numbers[this.count] = number;
    if (number !== UNKNOWN && BOOSTS[number] === 0 && !Number.isNaN(VALENCES[number])) this.isRated = true;
    const isShouted = (kinds & (UPPER | LOWER)) === UPPER;
    this.shouted[this.count] = isShouted ? 1 : 0;
    if (isShouted) this.shoutedCount++;
    this.count++;
  }
}

function endOfWord(units: Uint16Array, start: number, limit: number): number {
  let at = start;
  while (at < limit && kindOf(units[at]!) !== WHITE) at++;
  return at;
}
