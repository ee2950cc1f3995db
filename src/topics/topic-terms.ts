import { type TopicLanguage, topicLanguage } from "./stop-words.ts";
import { ADJACENT, LetterCase, LINE_END, PLURAL, packToken, termHash } from "./token.ts";

/** Characters of a message that are read: what it is about stands at its head, and one long report must not outweigh a thread. */
const MAX_CHARACTERS = 3000;
/** Shortest and longest word, in characters; shorter ones are initials and units, longer ones are encoded data. */
const MIN_WORD = 3;
const MAX_WORD = 25;
/** Shortest word that loses its plural -s. */
const MIN_PLURAL = 4;
/** First character of the scripts written without spaces; their runs are cut into pairs. */
const FIRST_UNSPACED = 0x2e80;
const REDACTION_MARKER = "[REDACTED:";

/** The words of a message that can tell its topic. */
export interface TopicTerms {
  /** Packed tokens in the order of the text, LINE_END behind each line (see token.ts). The subject is the first line. */
  readonly tokens: readonly number[];
  /** The word of each token: its normal form, or as it was written when its capitals follow no rule; "" for LINE_END. */
  readonly words: readonly string[];
}

interface Collector {
  readonly language: TopicLanguage;
  readonly tokens: number[];
  readonly words: string[];
  /** True when the word before was kept and nothing stood between. */
  isAdjacent: boolean;
}

const isAsciiLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
/** Letters beyond ASCII, near enough: blocks of punctuation, symbols and forms are left out. */
const isForeignLetter = (code: number): boolean =>
  (code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7) ||
  (code >= 0x2c00 && code < 0x2e00) ||
  (code >= 0x3040 && code < 0xd800) ||
  (code >= 0xf900 && code < 0xfb00);
const isLetter = (code: number): boolean => isAsciiLetter(code) || isForeignLetter(code);
const isSpace = (code: number): boolean => code <= 0x20 || code === 0xa0 || code === 0x3000;

function letterCase(word: string, lower: string): LetterCase {
  if (word === lower) return LetterCase.lower;
  if (word === word.toUpperCase()) return LetterCase.upper;
  return word.slice(1) === lower.slice(1) ? LetterCase.title : LetterCase.mixed;
}

/** Normal forms that a lower-case word may have in the text of any language: names are looked for by all of them. */
export function normalForms(lower: string): readonly string[] {
  return [lower, singular(lower)];
}

/** Singular of an English or Romance plural, near enough: both forms have to meet, not to be right. */
function singular(word: string): string {
  if (word.length < MIN_PLURAL || !word.endsWith("s")) return word;
  const before = word[word.length - 2];
  if (before === "s" || before === "u" || before === "i") return word;
  return word.length > MIN_PLURAL + 1 && word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

/** True for letters that encode data: no vowel in a long word. */
const isCode = (lower: string): boolean => lower.length > 6 && /^[b-df-hj-np-tv-xz]+$/.test(lower);

function addWord(collector: Collector, written: string): void {
  const { language } = collector;
  const lower = written.toLowerCase();
  if (written.length > MAX_WORD || written.length < MIN_WORD || language.stopWords.has(lower) || isCode(lower)) {
    collector.isAdjacent = false;
    return;
  }
  const stem = language.hasPluralS ? singular(lower) : lower;
  if (stem !== lower && (stem.length < MIN_WORD || language.stopWords.has(stem))) {
    collector.isAdjacent = false;
    return;
  }
  const form = letterCase(written, lower);
  const flags = (stem === lower ? 0 : PLURAL) | (collector.isAdjacent ? ADJACENT : 0);
  collector.tokens.push(packToken(termHash(stem), form, flags));
  collector.words.push(form === LetterCase.mixed ? (stem === lower ? written : written.slice(0, stem.length)) : stem);
  collector.isAdjacent = true;
}

/** Pairs of neighbours stand for the words of a script without spaces. */
function addPairs(collector: Collector, run: string): void {
  for (let index = 0; index + 1 < run.length; index++) {
    const pair = run.slice(index, index + 2);
    if (collector.language.stopWords.has(pair)) continue;
    collector.tokens.push(packToken(termHash(pair), LetterCase.lower, 0));
    collector.words.push(pair);
  }
  collector.isAdjacent = false;
}

/** True for text between blanks that is no prose: an address, a link, a marker. */
const isReference = (text: string): boolean =>
  text.includes("@") ||
  text.includes("://") ||
  text.startsWith("www.") ||
  text.includes(REDACTION_MARKER) ||
  text.includes("\\") ||
  text.startsWith("=");

/** Words of text between blanks, cut at everything that is no letter; a word that touches a digit is a code. */
function addWords(collector: Collector, text: string): void {
  let index = 0;
  while (index < text.length) {
    const start = index;
    let hasDigit = false;
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (isDigit(code) || code === 0x5f) hasDigit = true;
      else if (!isLetter(code)) break;
    }
    if (index > start) {
      if (hasDigit) collector.isAdjacent = false;
      else if (text.charCodeAt(start) >= FIRST_UNSPACED) addPairs(collector, text.slice(start, index));
      else addWord(collector, text.slice(start, index));
    }
    // A hyphen joins words, an apostrophe ends one ("company's"); any other sign keeps two words from being a phrase.
    const sign = text[index];
    if (sign === "'" || sign === "’") index = skipLetters(text, index + 1);
    else {
      if (sign !== undefined && sign !== "-") collector.isAdjacent = false;
      index++;
    }
  }
}

function skipLetters(text: string, index: number): number {
  while (index < text.length && isLetter(text.charCodeAt(index))) index++;
  return index;
}

function addLine(collector: Collector, line: string): void {
  const before = collector.tokens.length;
  collector.isAdjacent = false;
  let index = 0;
  while (index < line.length) {
    while (index < line.length && isSpace(line.charCodeAt(index))) index++;
    const start = index;
    while (index < line.length && !isSpace(line.charCodeAt(index))) index++;
    const text = line.slice(start, index);
    if (isReference(text)) collector.isAdjacent = false;
    else if (text !== "") addWords(collector, text);
  }
  if (collector.tokens.length === before) return;
  collector.tokens.push(LINE_END);
  collector.words.push("");
}

/**
 * Words of a message for its topic: lower case, light plural strip, without the stop words of its language, addresses, links and
 * redaction markers.
 * @param ownText what the author wrote, redacted when redaction is on; of a mere forward the forwarded text
 * @param language ISO 639-1, null when unknown
 */
export function topicTerms(subject: string, ownText: string, language: string | null): TopicTerms {
  const collector: Collector = { language: topicLanguage(language), tokens: [], words: [], isAdjacent: false };
  addLine(collector, subject.slice(0, MAX_CHARACTERS));
  for (const line of ownText.slice(0, MAX_CHARACTERS).split("\n")) addLine(collector, line);
  return collector;
}
