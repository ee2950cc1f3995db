import { joinedAcrossLines } from "../../text/tokens/hyphenated-words.ts";
import { MAX_TOKEN_BYTES, TokenScanner } from "../../text/tokens/tokens.ts";
import { isPattern } from "../indexing/term-pattern.ts";
import { type Phrase, wantedWords } from "../query/phrase.ts";

/** True for a phrase that a PhraseSet can test: without wildcards and signs, for proximity of different single tokens. */
export function isPlainPhrase({ tokens, signs, distance, members }: Phrase): boolean {
  if (members !== undefined || (distance !== null && new Set(tokens).size < tokens.length)) return false;
  return tokens.length > 1 && signs.length === 0 && !tokens.some(isPattern);
}

/** A phrase by the numbers of its tokens. */
interface NumberedPhrase {
  readonly phrase: number;
  readonly tokens: readonly number[];
  /** Position of the rarest pair of adjacent words. */
  readonly pair: number;
}

/**
 * Tests which of several phrases a text contains. The text is tokenized once, and a phrase is checked only at its
 * rarest pair of adjacent words.
 */
export class PhraseSet {
  private readonly scanner = new TokenScanner();
  private readonly vocabulary = new TokenNumbers();
  private readonly isWanted: (joined: string) => boolean;
  /** By both numbers of the pair. */
  private readonly pairs = new Map<number, NumberedPhrase[]>();
  private readonly near: (NumberedPhrase & { readonly distance: number })[] = [];
  /** Numbers of the tokens of the text, 0 for tokens outside all phrases. */
  private numbers = new Uint32Array(1024);

  /** @param phrases phrases that pass `isPlainPhrase` @param frequencyOf number of messages with a token */
  constructor(phrases: readonly Phrase[], frequencyOf: (token: string) => number) {
    this.isWanted = wantedWords(phrases);
    for (const [phrase, { tokens, distance }] of phrases.entries()) {
      const numbers = tokens.map((token) => this.vocabulary.add(token));
      if (distance !== null) {
        this.near.push({ phrase, tokens: numbers, pair: 0, distance });
        continue;
      }
      const pair = rarestPair(tokens.map(frequencyOf));
      const key = pairKey(numbers[pair]!, numbers[pair + 1]!);
      this.pairs.set(key, [...(this.pairs.get(key) ?? []), { phrase, tokens: numbers, pair }]);
    }
  }

  /**
   * Sets 1 at the index of each phrase that the UTF-8 text contains. Words hyphenated at the end of a line also count
   * as one.
   */
  mark(utf8: Uint8Array, held: Uint8Array): void {
    this.markWritten(utf8, held);
    const joined = joinedAcrossLines(utf8, this.isWanted);
    if (joined !== null) this.markWritten(joined, held);
  }

  private markWritten(utf8: Uint8Array, held: Uint8Array): void {
    const count = this.read(utf8);
    const { numbers, pairs } = this;
    for (let at = 1; at < count; at++) {
      if (numbers[at] === 0 || numbers[at - 1] === 0) continue;
      for (const phrase of pairs.get(pairKey(numbers[at - 1]!, numbers[at]!)) ?? [])
        if (held[phrase.phrase] === 0 && this.isAt(at - 1 - phrase.pair, count, phrase)) held[phrase.phrase] = 1;
    }
    for (const phrase of this.near) if (this.isNear(count, phrase)) held[phrase.phrase] = 1;
  }

  /** Splits a text into tokens; returns their number. */
  private read(utf8: Uint8Array): number {
    const { scanner, vocabulary } = this;
    let count = 0;
    scanner.reset(utf8);
    while (scanner.next()) {
      if (count === this.numbers.length) {
        const longer = new Uint32Array(2 * count);
        longer.set(this.numbers);
        this.numbers = longer;
      }
      this.numbers[count++] = vocabulary.of(scanner);
    }
    return count;
  }

  private isAt(first: number, count: number, { tokens }: NumberedPhrase): boolean {
    if (first < 0 || first + tokens.length > count) return false;
    for (let at = 0; at < tokens.length; at++) if (this.numbers[first + at] !== tokens[at]) return false;
    return true;
  }

  private isNear(count: number, { tokens, distance }: NumberedPhrase & { readonly distance: number }): boolean {
    const latest = tokens.map(() => Number.NEGATIVE_INFINITY);
    for (let place = 0; place < count; place++) {
      const at = this.numbers[place] === 0 ? -1 : tokens.indexOf(this.numbers[place]!);
      if (at < 0) continue;
      latest[at] = place;
      if (place - Math.min(...latest) + 1 - tokens.length <= distance) return true;
    }
    return false;
  }
}

function pairKey(left: number, right: number): number {
  return left * 2 ** 26 + right;
}

/** Position of the pair with the rarest token; in a tie, with the rarer other token. */
function rarestPair(frequencies: readonly number[]): number {
  let best = 0;
  for (let at = 1; at + 1 < frequencies.length; at++) if (comparePairs(frequencies, at, best) < 0) best = at;
  return best;
}

function comparePairs(frequencies: readonly number[], left: number, right: number): number {
  const [first, second] = [left, right].map((at) => [frequencies[at]!, frequencies[at + 1]!] as const);
  return Math.min(...first!) - Math.min(...second!) || Math.max(...first!) - Math.max(...second!);
}

/** Numbers tokens from 1. */
class TokenNumbers {
  private readonly numbers = new Map<string, number>();
  /** True if a token of this length can begin with this byte, which excludes most tokens without decoding them. */
  private readonly begins = new Uint8Array((MAX_TOKEN_BYTES + 1) * 256);

  add(token: string): number {
    const utf8 = Buffer.from(token);
    this.begins[utf8.length * 256 + utf8[0]!] = 1;
    const number = this.numbers.get(token) ?? this.numbers.size + 1;
    this.numbers.set(token, number);
    return number;
  }

  /** 0 for a token that was not added. */
  of(scanner: TokenScanner): number {
    const { bytes, length } = scanner;
    if (this.begins[length * 256 + bytes[0]!] === 0) return 0;
    return this.numbers.get(spelled(scanner)) ?? 0;
  }
}

/** Short tokens of ASCII, which nearly all are, are decoded faster here than by a decoder. */
const SHORT_BYTES = 8;

function spelled(scanner: TokenScanner): string {
  const { bytes, length } = scanner;
  if (length > SHORT_BYTES) return scanner.text();
  let text = "";
  for (let at = 0; at < length; at++) {
    if (bytes[at]! >= 0x80) return scanner.text();
    text += ASCII[bytes[at]!]!;
  }
  return text;
}

const ASCII: readonly string[] = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
