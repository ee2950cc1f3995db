import { isAscii } from "node:buffer";
import { isAsciiLetter, isDigit } from "../../mail/words/ascii.ts";
import { joinedAcrossLines, MIN_JOINED_LETTERS } from "../../text/tokens/hyphenated-words.ts";
import { MAX_TOKEN_BYTES, TokenScanner } from "../../text/tokens/tokens.ts";
import { isPattern, patternMatcher } from "../indexing/term-pattern.ts";

/** Words that must be adjacent, or near each other. */
export interface Phrase {
  /** Tokens as the tokenizer yields them, or patterns of them; at least one. */
  readonly tokens: readonly string[];
  /**
   * Signs required directly before the first token and directly after each token (`&`, `++`); "" allows anything. Empty
   * if there are none.
   */
  readonly signs: readonly string[];
  /** Maximum other words between the members, which may then be in any order; null if the tokens must be adjacent. */
  readonly distance: number | null;
  /** Tokens of each member, which are adjacent; if absent, each token is a member. */
  readonly members?: readonly number[];
}

/** True for a phrase of adjacent tokens with any text between them. */
function isPlain({ tokens, signs, distance }: Phrase): boolean {
  return signs.length === 0 && distance === null && !tokens.some(isPattern);
}

/** Tests whether UTF-8 text contains a phrase. */
export class PhraseMatcher {
  private readonly inAscii: PhraseTest;
  private readonly inAny: PhraseTest;
  private readonly isWanted: (joined: string) => boolean;
  /** False if no word of a joined ASCII text can be wanted. */
  private readonly isJoinedInAscii: boolean;

  constructor(phrase: Phrase) {
    this.isWanted = wantedWords([phrase]);
    this.isJoinedInAscii = !isPlain(phrase) || phrase.tokens.some((token) => token.length >= MIN_JOINED_LETTERS);
    if (phrase.distance !== null) this.inAny = new NearTokens(phrase, phrase.distance);
    else this.inAny = isPlain(phrase) ? new TokenPhrase(phrase.tokens) : new LoosePhrase(phrase);
    this.inAscii = isPlain(phrase) ? new AsciiPhrase(phrase.tokens) : this.inAny;
  }

  /** Words hyphenated at the end of a line also count as one. */
  occursIn(utf8: Uint8Array): boolean {
    const isPlainText = isAscii(utf8);
    const test = isPlainText ? this.inAscii : this.inAny;
    if (test.occursIn(utf8)) return true;
    if (isPlainText && !this.isJoinedInAscii) return false;
    const joined = joinedAcrossLines(utf8, this.isWanted);
    return joined !== null && test.occursIn(joined);
  }
}

interface PhraseTest {
  occursIn(utf8: Uint8Array): boolean;
}

/**
 * True for words, joined from two lines, that one of the phrases may depend on: nearly every long text has such words,
 * and is otherwise read once. A joined token contains the word unless it is cut, or has letters that fold.
 */
export function wantedWords(phrases: readonly Phrase[]): (joined: string) => boolean {
  const tokens = phrases.flatMap((phrase) => phrase.tokens);
  if (phrases.some(({ distance }) => distance !== null)) return () => true;
  if (tokens.some((token) => isPattern(token) || mayBeCut(token))) return () => true;
  const all = tokens.join(" ");
  return (joined) => !IS_ASCII.test(joined) || all.includes(joined.toLowerCase());
}

const IS_ASCII = /^[A-Za-z]*$/;

/** A token is cut before a character of up to four bytes. */
function mayBeCut(token: string): boolean {
  return Buffer.byteLength(token) > MAX_TOKEN_BYTES - 4;
}

/**
 * Most mail is ASCII, with tokens as runs of letters and digits. Finds the longest token of the phrase with the
 * native search and tokenizes only around it: five times faster than the tokenizer.
 */
class AsciiPhrase {
  /** Position of the longest token, usually the rarest. */
  private readonly anchor: number;
  /** Finds it in any case: a lower-case copy of each text would cost more. */
  private readonly finder: RegExp;

  constructor(private readonly tokens: readonly string[]) {
    const longest = Math.max(...tokens.map((token) => token.length));
    this.anchor = tokens.findIndex((token) => token.length === longest);
    this.finder = new RegExp(tokens[this.anchor]!, "gi");
  }

  occursIn(ascii: Uint8Array): boolean {
    const { finder, tokens } = this;
    const text = Buffer.from(ascii.buffer, ascii.byteOffset, ascii.length).toString("latin1");
    const anchor = tokens[this.anchor]!;
    finder.lastIndex = 0;
    while (finder.test(text)) {
      const at = finder.lastIndex - anchor.length;
      if (isRun(text, at, anchor) && this.surrounds(text, at)) return true;
    }
    return false;
  }

  /** True when the other tokens are before and after the anchor. */
  private surrounds(text: string, start: number): boolean {
    let at = start;
    for (let i = this.anchor + 1; i < this.tokens.length; i++) {
      at = startOfNext(text, endOfRun(text, at));
      if (!isRun(text, at, this.tokens[i]!)) return false;
    }
    at = start;
    for (let i = this.anchor - 1; i >= 0; i--) {
      at = startOfLast(text, at);
      if (at < 0 || !isRun(text, at, this.tokens[i]!)) return false;
    }
    return true;
  }
}

/**
 * True if exactly the token starts there, not a part of a longer run. The longest tokens may be the beginning of one.
 */
function isRun(text: string, at: number, token: string): boolean {
  for (let i = 0; i < token.length; i++) if (lowerCodeAt(text, at + i) !== token.charCodeAt(i)) return false;
  return (
    !isLetterOrDigitAt(text, at - 1) &&
    (token.length === MAX_TOKEN_BYTES || !isLetterOrDigitAt(text, at + token.length))
  );
}

function lowerCodeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return isAsciiLetter(code) ? code | 0x20 : code;
}

function isLetterOrDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isAsciiLetter(code) || isDigit(code);
}

function endOfRun(text: string, start: number): number {
  let at = start;
  while (at < text.length && isLetterOrDigitAt(text, at)) at++;
  return at;
}

function startOfNext(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isLetterOrDigitAt(text, at)) at++;
  return at;
}

/** Start of the last run before one that starts at `to`; -1 if there is none. */
function startOfLast(text: string, to: number): number {
  let at = to;
  while (at > 0 && !isLetterOrDigitAt(text, at - 1)) at--;
  if (at === 0) return -1;
  while (at > 0 && isLetterOrDigitAt(text, at - 1)) at--;
  return at;
}

/** The sequence among the tokens of any text (Knuth, Morris and Pratt 1977), which never backtracks. */
class TokenPhrase {
  private readonly scanner = new TokenScanner();
  private readonly tokens: readonly Uint8Array[];
  private readonly borders: readonly number[];

  constructor(tokens: readonly string[]) {
    this.tokens = tokens.map((token) => new TextEncoder().encode(token));
    this.borders = bordersOf(tokens);
  }

  occursIn(utf8: Uint8Array): boolean {
    const { scanner, tokens, borders } = this;
    let matched = 0;
    scanner.reset(utf8);
    while (scanner.next()) {
      while (matched > 0 && !this.isToken(matched)) matched = borders[matched - 1]!;
      if (this.isToken(matched)) matched++;
      if (matched === tokens.length) return true;
    }
    return false;
  }

  private isToken(index: number): boolean {
    const expected = this.tokens[index]!;
    const { bytes, length } = this.scanner;
    if (expected.length !== length) return false;
    for (let i = 0; i < length; i++) if (bytes[i] !== expected[i]) return false;
    return true;
  }
}

/**
 * For each prefix of the sequence, the length of its longest proper prefix that is also its suffix
 * (Knuth-Morris-Pratt).
 */
function bordersOf(tokens: readonly string[]): readonly number[] {
  const borders: number[] = [0];
  let border = 0;
  for (let i = 1; i < tokens.length; i++) {
    while (border > 0 && tokens[i] !== tokens[border]) border = borders[border - 1]!;
    if (tokens[i] === tokens[border]) border++;
    borders.push(border);
  }
  return borders;
}

type TokenTest = (token: string) => boolean;

function tokenTest(token: string): TokenTest {
  return isPattern(token) ? patternMatcher(token) : (other) => other === token;
}

/** A sequence with patterns or signs: each position of the text is tried. */
class LoosePhrase {
  private readonly scanner = new TokenScanner();
  private readonly tests: readonly TokenTest[];
  private readonly signs: readonly Buffer[];

  constructor({ tokens, signs }: Phrase) {
    this.tests = tokens.map(tokenTest);
    this.signs = (signs.length === 0 ? [...tokens, ""].map(() => "") : signs).map((sign) => Buffer.from(sign));
  }

  occursIn(utf8: Uint8Array): boolean {
    const { scanner, tests } = this;
    // Lengths of the beginnings of the phrase that end at the token before, ascending.
    let begun: number[] = [];
    scanner.reset(utf8);
    while (scanner.next()) {
      const token = scanner.text();
      const next: number[] = [];
      for (const length of [0, ...begun]) if (this.continues(utf8, length, token)) next.push(length + 1);
      if (next.at(-1) === tests.length) return true;
      begun = next;
    }
    return false;
  }

  private continues(utf8: Uint8Array, length: number, token: string): boolean {
    const { signs, scanner } = this;
    return (
      this.tests[length]!(token) &&
      (length > 0 || isWritten(utf8, scanner.start - signs[0]!.length, signs[0]!)) &&
      isWritten(utf8, scanner.end, signs[length + 1]!)
    );
  }
}

function isWritten(utf8: Uint8Array, at: number, sign: Buffer): boolean {
  return at >= 0 && sign.equals(utf8.subarray(at, at + sign.length));
}

/** A member of a proximity phrase, which may be named several times. */
interface NearMember {
  readonly tests: readonly TokenTest[];
  /** Positions of its latest occurrences, the oldest first: as many as the phrase names it. */
  readonly latest: number[];
}

/** Members in any order with few other tokens between them. */
class NearTokens {
  private readonly scanner = new TokenScanner();
  private readonly members: readonly NearMember[];
  private readonly longest: number;
  private readonly size: number;

  constructor(
    { tokens, members = tokens.map(() => 1) }: Phrase,
    private readonly distance: number,
  ) {
    const byText = new Map<string, NearMember>();
    let end = 0;
    for (const count of members) {
      const sequence = tokens.slice(end, (end += count));
      const member = byText.get(sequence.join(" ")) ?? { tests: sequence.map(tokenTest), latest: [] };
      member.latest.push(Number.NEGATIVE_INFINITY);
      byText.set(sequence.join(" "), member);
    }
    this.members = [...byText.values()];
    this.longest = Math.max(...members);
    this.size = tokens.length;
  }

  occursIn(utf8: Uint8Array): boolean {
    const { scanner, members, longest, size } = this;
    for (const { latest } of members) latest.fill(Number.NEGATIVE_INFINITY);
    const read: string[] = [];
    scanner.reset(utf8);
    for (let place = 0; scanner.next(); place++) {
      read.push(scanner.text());
      if (read.length > longest) read.shift();
      let isOne = false;
      for (const { tests, latest } of members) {
        const start = read.length - tests.length;
        if (start < 0 || !tests.every((test, at) => test(read[start + at]!))) continue;
        latest.push(place + 1 - tests.length);
        latest.shift();
        isOne = true;
      }
      if (isOne && place + 1 - Math.min(...members.map(({ latest }) => latest[0]!)) - size <= this.distance)
        return true;
    }
    return false;
  }
}
