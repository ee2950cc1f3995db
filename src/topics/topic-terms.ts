import { REDACTION_OPENING } from "../mail/records/provenance.ts";
import { APOSTROPHE, AT, BACKSLASH, COLON, EQUALS, HYPHEN, LF, OPENING_BRACKET, SLASH } from "../mail/words/ascii.ts";
import { withoutNotices } from "../text/quoting/legal-notice.ts";
import { TextUnits } from "../text/tokens/text-units.ts";
import { FNV_BASIS, mixHash, wordHash } from "../text/tokens/word-numbers.ts";
import { type TopicLanguage, TopicLanguages } from "./stop-words.ts";
import { ADJACENT, foldHash, LetterCase, LINE_END, PLURAL, packToken } from "./token.ts";

/** Maximum characters read of a message: its start shows the topic, and one long report must not outweigh a thread. */
const MAX_CHARACTERS = 3000;
/** Maximum characters read of quoted text: replies are often short and depend on it. */
export const MAX_QUOTED_CHARACTERS = 1500;
/** Subject, own and quoted text. */
const MAX_UNITS = 2 * MAX_CHARACTERS + MAX_QUOTED_CHARACTERS;
/** Maximum tokens of these: pairs of neighbors, or a word and a line end for every two characters. */
const MAX_TOKENS = MAX_UNITS + 2;
/**
 * Maximum units for spelling them: two per pair, or two per letter if lower case is longer; plus a word that proves too
 * long.
 */
const MAX_SPELLING = 3 * MAX_UNITS;
/** Shortest and longest word, in characters; shorter ones are initials and units, longer ones are encoded data. */
const MIN_WORD = 3;
const MAX_WORD = 25;
/** Shortest word that loses its plural -s. */
const MIN_PLURAL = 4;
/** Shortest word without a vowel that is a code. */
const MIN_CODE = 7;
/** First character of the scripts written without spaces; their runs are cut into pairs. */
const FIRST_UNSPACED = 0x2e80;

/** Not a character: a subject is one line. */
const NO_BREAK = -1;
const RIGHT_QUOTE = 0x2019;
const LETTER_E = 0x65;
const LETTER_I = 0x69;
const LETTER_S = 0x73;
const LETTER_U = 0x75;
const LETTER_W = 0x77;
const LETTER_Y = 0x79;
/** The first lower-case letter of ASCII, and the bit that makes a letter of it lower case. */
const LOWER_A = 0x61;
const LOWER_BIT = 0x20;

/** Character types of a word, as bits. Digits and the underscore make it a code. */
const LOWER = 1;
const UPPER = 2;
const VOWEL = 4;
const DIGIT = 8;
const FOREIGN = 16;

/** Bits of ASCII characters; 0 for those that end a word. */
const ASCII_BITS: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[0-9_]/.test(character)) return DIGIT;
  if (!/[A-Za-z]/.test(character)) return 0;
  return (/[a-z]/.test(character) ? LOWER : UPPER) | (/[aeiouy]/i.test(character) ? VOWEL : 0);
});

/** Approximate test for non-ASCII letters: excludes blocks of punctuation, symbols and forms. */
const isForeignLetter = (code: number): boolean =>
  (code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7) ||
  (code >= 0x2c00 && code < 0x2e00) ||
  (code >= 0x3040 && code < 0xd800) ||
  (code >= 0xf900 && code < 0xfb00);
const bitsOf = (code: number): number => (code < 0x80 ? ASCII_BITS[code]! : isForeignLetter(code) ? FOREIGN : 0);
const isCapital = (code: number): boolean => (bitsOf(code) & UPPER) !== 0;
const isLetter = (code: number): boolean => (bitsOf(code) & (LOWER | UPPER | FOREIGN)) !== 0;
const isSpace = (code: number): boolean => code <= 0x20 || code === 0xa0 || code === 0x3000;

/** Letters of "-ies", which "y" replaces. */
const IES = 3;

/**
 * Letters that an English or Romance plural loses, approximately: both forms only have to be equal, not correct.
 * @param letters the last three letters of the lower-case word before `end`
 */
function pluralLetters(length: number, letters: Uint16Array, end: number): number {
  if (length < MIN_PLURAL || letters[end - 1] !== LETTER_S) return 0;
  const before = letters[end - 2];
  if (before === LETTER_S || before === LETTER_U || before === LETTER_I) return 0;
  return length > MIN_PLURAL + 1 && before === LETTER_E && letters[end - 3] === LETTER_I ? IES : 1;
}

/** Possible normal forms of a lower-case word in any language, used to look up names. */
export function normalForms(lower: string): readonly string[] {
  const { length } = lower;
  const ending = Uint16Array.from([3, 2, 1], (back) => lower.charCodeAt(length - back));
  const letters = pluralLetters(length, ending, ending.length);
  return [lower, `${lower.slice(0, length - letters)}${letters === IES ? "y" : ""}`];
}

function letterCaseOf(word: string, lower: string): LetterCase {
  if (word === lower) return LetterCase.lower;
  if (word === word.toUpperCase()) return LetterCase.upper;
  return word.slice(1) === lower.slice(1) ? LetterCase.title : LetterCase.mixed;
}

/** Parts of a message that show its topic, redacted if redaction is on. */
interface TopicText {
  readonly subject: string;
  /** The author's own text. */
  readonly ownText: string;
  /** Quoted or forwarded text. */
  readonly quotedText: string;
  /** ISO 639-1, null if unknown. */
  readonly language: string | null;
}

/**
 * Finds the words of a message that can show its topic: lower case, light plural stripping, without the stop words of
 * its language, addresses, links and redaction markers. One scanner serves any number of messages; each overwrites the
 * result of the one before.
 */
export class TopicTermScanner {
  /**
   * Packed tokens in text order, with LINE_END after each line (see token.ts); the first `count` are valid. The subject
   * is the first line.
   */
  readonly tokens: Uint32Array = new Uint32Array(MAX_TOKENS);
  count = 0;
  /**
   * The words of the tokens, concatenated: the normal form, or the written form if its capitals follow no rule. The
   * word of token n ends at wordEnds[n]; LINE_END has none.
   */
  readonly spelling: Uint16Array = new Uint16Array(MAX_SPELLING);
  readonly wordEnds: Uint32Array = new Uint32Array(MAX_TOKENS);

  private readonly languages = new TopicLanguages();
  private readonly loaded = new TextUnits();
  private language: TopicLanguage = this.languages.of(null);
  private text = "";
  /** Where the next word is written. */
  private spelled = 0;
  /** Tokens before the line. */
  private lineStart = 0;
  /** True if the previous word was kept and is adjacent. */
  private isAdjacent = false;

  scan({ subject, ownText, quotedText, language }: TopicText): void {
    this.language = this.languages.of(language);
    this.count = 0;
    this.spelled = 0;
    this.lineStart = 0;
    this.load(subject, MAX_CHARACTERS);
    this.scanLines(NO_BREAK);
    this.load(ownText, MAX_CHARACTERS);
    this.scanLines(LF);
    this.load(quotedText, MAX_QUOTED_CHARACTERS);
    this.scanLines(LF);
  }

  private load(text: string, limit: number): void {
    this.text = withoutNotices(text.length > limit ? text.slice(0, limit) : text);
    this.loaded.load(this.text);
  }

  /** Processes the loaded text as lines that end with `lineBreak`. */
  private scanLines(lineBreak: number): void {
    const { units, length } = this.loaded;
    this.isAdjacent = false;
    for (let at = 0; at < length; ) {
      const code = units[at]!;
      if (!isSpace(code)) {
        at = this.scanStretch(at, length);
        continue;
      }
      if (code === lineBreak) this.endLine();
      at++;
    }
    this.endLine();
  }

  private endLine(): void {
    if (this.count > this.lineStart || this.count === 0) this.addToken(LINE_END);
    this.lineStart = this.count;
    this.isAdjacent = false;
  }

  /**
   * Reads the words of text between blanks, split at everything that is not a letter; a word next to a digit is a code.
   * Returns the position after it. If the text turns out to be an address, a link, a path or a marker, its words are
   * removed.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the inner loop over all text: what a sign means depends on those before it
  private scanStretch(start: number, limit: number): number {
    const { units } = this.loaded;
    const { count, spelled } = this;
    let isReference = units[start] === EQUALS || (units[start] === LETTER_W && this.text.startsWith("www.", start));
    let at = start;
    while (!isReference) {
      at = this.scanWord(at, limit);
      if (at === limit || isSpace(units[at]!)) return at;
      const sign = units[at]!;
      if (sign <= BACKSLASH && sign >= SLASH) isReference = this.isReferenceAt(at, sign, limit);
      at++;
      // A hyphen inside a word joins its parts, an apostrophe ends one ("company's"); any other sign, and a dash
      // between blanks, keeps two words from being a phrase.
      if (sign === APOSTROPHE || sign === RIGHT_QUOTE) while (at < limit && isLetter(units[at]!)) at++;
      else if (sign !== HYPHEN || at === limit || !isLetter(units[at]!)) this.isAdjacent = false;
    }
    this.count = count;
    this.spelled = spelled;
    this.isAdjacent = false;
    while (at < limit && !isSpace(units[at]!)) at++;
    return at;
  }

  /** True if text between blanks is not prose, such as a link. */
  private isReferenceAt(at: number, code: number, limit: number): boolean {
    if (code === SLASH) return this.isPathAt(at, limit);
    if (code === AT || code === BACKSLASH) return true;
    return (
      (code === COLON && this.text.startsWith("://", at)) ||
      (code === OPENING_BRACKET && this.text.startsWith(REDACTION_OPENING, at))
    );
  }

  /**
   * True at the first slash of an absolute path such as `"/usr/lib` or `../lib/x`, and of a Notes name such as
   * `Name/HOU/ECT`, followed by two capitalized parts.
   */
  private isPathAt(at: number, limit: number): boolean {
    const { units } = this.loaded;
    let next = at + 1;
    while (next < limit && next - at <= MAX_WORD && bitsOf(units[next]!) !== 0) next++;
    if (next === at + 1 || next + 1 >= limit || units[next] !== SLASH) return false;
    const isAfterWord = at > 0 && bitsOf(units[at - 1]!) !== 0;
    return !isAfterWord || (isCapital(units[at + 1]!) && isCapital(units[next + 1]!));
  }

  /** Reads letters and digits from `start` on, and returns the position after them. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the inner loop over all text: what a sign means depends on those before it
  private scanWord(start: number, limit: number): number {
    const { units } = this.loaded;
    const { spelling } = this;
    let bits = 0;
    let capitals = 0;
    let hash = FNV_BASIS;
    let to = this.spelled;
    let at = start;
    for (; at < limit; at++) {
      const code = units[at]!;
      const kind = bitsOf(code);
      if (kind === 0) break;
      bits |= kind;
      if (kind & UPPER) capitals++;
      spelling[to++] = code | LOWER_BIT;
      hash = mixHash(hash, code | LOWER_BIT);
    }
    if (bits & DIGIT) this.isAdjacent = false;
    else if (bits & FOREIGN) this.addForeign(start, at);
    else if (at > start) {
      const isTitle = capitals === 1 && units[start]! < LOWER_A;
      const capitalized = (bits & LOWER) === 0 ? LetterCase.upper : isTitle ? LetterCase.title : LetterCase.mixed;
      const isCode = (bits & VOWEL) === 0 && at - start >= MIN_CODE;
      if (isCode) this.isAdjacent = false;
      else this.addWord(start, at, to, hash, capitals === 0 ? LetterCase.lower : capitalized);
    }
    return at;
  }

  /**
   * Adds the word of the text from `from` to `to` unless it is meaningless. In lower case it is appended to the words
   * before, up to `end`.
   */
  private addWord(from: number, to: number, end: number, hash: number, letterCase: LetterCase): void {
    const { spelling, spelled: start, isAdjacent } = this;
    const { stopWords, hasPluralS } = this.language;
    const length = to - from;
    this.isAdjacent = false;
    if (length < MIN_WORD || length > MAX_WORD || stopWords.find(spelling, start, end, hash) >= 0) return;
    const plural = hasPluralS ? pluralLetters(end - start, spelling, end) : 0;
    let stemEnd = end - plural;
    let stemHash = hash;
    if (plural > 0) {
      if (plural === IES) spelling[stemEnd++] = LETTER_Y;
      stemHash = FNV_BASIS;
      for (let at = start; at < stemEnd; at++) stemHash = mixHash(stemHash, spelling[at]!);
      if (stemEnd - start < MIN_WORD || stopWords.find(spelling, start, stemEnd, stemHash) >= 0) return;
    }
    if (letterCase === LetterCase.mixed) stemEnd = this.respell(from, Math.min(to, from + stemEnd - start));
    this.spelled = stemEnd;
    this.addToken(packToken(foldHash(stemHash), letterCase, (plural > 0 ? PLURAL : 0) | (isAdjacent ? ADJACENT : 0)));
    this.isAdjacent = true;
  }

  /** Spells a word with the capitals it was written with; returns where it ends. */
  private respell(start: number, end: number): number {
    const { units } = this.loaded;
    let to = this.spelled;
    for (let at = start; at < end; at++) this.spelling[to++] = units[at]!;
    return to;
  }

  /** A run of letters with non-ASCII ones: a word, or several in a script without spaces. */
  private addForeign(start: number, end: number): void {
    if (this.loaded.units[start]! >= FIRST_UNSPACED) {
      this.addPairs(start, end);
      return;
    }
    const text = this.text.slice(start, end);
    const lower = text.toLowerCase();
    for (let index = 0; index < lower.length; index++) this.spelling[this.spelled + index] = lower.charCodeAt(index);
    this.addWord(start, end, this.spelled + lower.length, wordHash(lower), letterCaseOf(text, lower));
  }

  /** In scripts without spaces, pairs of adjacent characters serve as words. */
  private addPairs(from: number, to: number): void {
    const { units } = this.loaded;
    this.isAdjacent = false;
    for (let start = from; start + 1 < to; start++) {
      const hash = mixHash(mixHash(FNV_BASIS, units[start]!), units[start + 1]!);
      if (this.language.stopWords.find(units, start, start + 2, hash) >= 0) continue;
      this.spelling[this.spelled++] = units[start]!;
      this.spelling[this.spelled++] = units[start + 1]!;
      this.addToken(packToken(foldHash(hash), LetterCase.lower, 0));
    }
  }

  private addToken(token: number): void {
    this.tokens[this.count] = token;
    this.wordEnds[this.count] = this.spelled;
    this.count++;
  }
}
