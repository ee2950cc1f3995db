import { CharacterClass, composeCharacters, type FoldedCharacter, foldCharacter } from "./character-classes.ts";

/**
 * Longest token in bytes of folded UTF-8: no word of a language is longer, base64 and tracking links are. Of longer
 * ones the beginning is the token.
 */
export const MAX_TOKEN_BYTES = 64;

/** Value of ASCII_FOLD for bytes of a multi-byte character. */
export const MULTI_BYTE = 0x80;

/** Byte to folded byte: lower-case letter or digit, 0 for a separator, MULTI_BYTE beyond ASCII. */
export const ASCII_FOLD: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return MULTI_BYTE;
  const character = String.fromCharCode(byte);
  return /[0-9A-Za-z]/.test(character) ? character.toLowerCase().charCodeAt(0) : 0;
});

/** Shared, since creating one costs more than decoding; it keeps no state between texts. */
const DECODER = new TextDecoder();

/** U+FFFD for a byte that begins no valid UTF-8 sequence; a separator. */
const REPLACEMENT = 0xfffd;

/** Length of the UTF-8 sequence at `at`; 0 if it is malformed in a way that matters to the tokenizer. */
function sequenceLength(utf8: Uint8Array, at: number): number {
  const lead = utf8[at]!;
  const length =
    lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xc2 && lead < 0xe0 ? 2 : 0;
  if (length === 0 || at + length > utf8.length) return 0;
  for (let i = at + 1; i < at + length; i++) if ((utf8[i]! & 0xc0) !== 0x80) return 0;
  return length;
}

function codePointAt(utf8: Uint8Array, at: number, length: number): number {
  if (length === 2) return ((utf8[at]! & 0x1f) << 6) | (utf8[at + 1]! & 0x3f);
  if (length === 3) return ((utf8[at]! & 0x0f) << 12) | ((utf8[at + 1]! & 0x3f) << 6) | (utf8[at + 2]! & 0x3f);
  const codePoint =
    ((utf8[at]! & 0x07) << 18) |
    ((utf8[at + 1]! & 0x3f) << 12) |
    ((utf8[at + 2]! & 0x3f) << 6) |
    (utf8[at + 3]! & 0x3f);
  return codePoint > 0x10ffff ? REPLACEMENT : codePoint;
}

/** Length of the whole characters in a full buffer of folded UTF-8, whose last character may be cut. */
function wholeLength(bytes: Uint8Array): number {
  let lead = MAX_TOKEN_BYTES - 1;
  while ((bytes[lead]! & 0xc0) === 0x80) lead--;
  const byte = bytes[lead]!;
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return lead + length <= MAX_TOKEN_BYTES ? MAX_TOKEN_BYTES : lead;
}

/**
 * Cursor over the search tokens of UTF-8 text: runs of letters and digits, case and accents folded; runs of scripts
 * written without spaces as overlapping bigrams and their last character, so that each character begins a token.
 * Documents and queries use the same cursor. One scanner serves any number of texts: `reset`, then `next` until it
 * returns false. After `next` returned true the public fields describe the token until the next call.
 */
export class TokenScanner {
  /** Folded UTF-8 of the token; the first `length` bytes count. */
  readonly bytes: Uint8Array = new Uint8Array(MAX_TOKEN_BYTES);
  length = 0;
  /** Position of the token in the text: byte offsets, end exclusive. */
  start = 0;
  end = 0;

  private utf8: Uint8Array = new Uint8Array(0);
  private at = 0;
  /** Bytes of the current word, counted beyond MAX_TOKEN_BYTES. */
  private gathered = 0;
  /** The last two code points of a run of an unspaced script and their positions; 0 if there is none. */
  private older = 0;
  private newer = 0;
  private olderStart = 0;
  private newerStart = 0;
  private newerEnd = 0;
  /** Characters that one code point folded to, and how many of them are processed. */
  private folded: readonly FoldedCharacter[] = [];
  private foldedDone = 0;
  private foldedStart = 0;
  private readonly folds = new Map<number, readonly FoldedCharacter[]>();

  reset(utf8: Uint8Array): void {
    this.utf8 = utf8;
    this.at = 0;
    this.gathered = 0;
    this.older = 0;
    this.newer = 0;
    this.folded = [];
    this.foldedDone = 0;
  }

  /** Moves to the next token; returns false at the end of the text. */
  next(): boolean {
    this.gathered = 0;
    for (;;) {
      if (this.foldedDone < this.folded.length) {
        if (this.takeFolded()) return true;
        continue;
      }
      if (this.newer !== 0 && (this.at >= this.utf8.length || this.utf8[this.at]! < 0x80) && this.closeRun())
        return true;
      if (this.scanAscii()) return true;
      if (this.at >= this.utf8.length) return false;
      this.foldNext();
    }
  }

  /** The token as text. */
  text(): string {
    return DECODER.decode(this.bytes.subarray(0, this.length));
  }

  /** Reads ASCII until a token is complete (true), or to a multi-byte character or the end of the text (false). */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a token may end at a limit, a sign or the end of the text: one pass with its state in locals
  private scanAscii(): boolean {
    const { utf8, bytes } = this;
    const size = utf8.length;
    let at = this.at;
    let gathered = this.gathered;
    for (;;) {
      const from = at;
      while (at < size) {
        const folded = ASCII_FOLD[utf8[at]!]!;
        if (folded === 0 || folded === MULTI_BYTE) break;
        if (gathered < MAX_TOKEN_BYTES) bytes[gathered] = folded;
        gathered++;
        at++;
      }
      if (at > from) {
        if (gathered === at - from) this.start = from;
        this.end = at;
      }
      if (at < size && utf8[at]! >= 0x80) {
        this.at = at;
        this.gathered = gathered;
        return false;
      }
      if (gathered > 0) {
        this.at = at;
        this.gathered = gathered;
        return this.closeWord();
      }
      while (at < size && ASCII_FOLD[utf8[at]!] === 0) at++;
      if (at >= size) {
        this.at = at;
        this.gathered = 0;
        return false;
      }
    }
  }

  private foldNext(): void {
    const length = sequenceLength(this.utf8, this.at);
    const codePoint = length === 0 ? REPLACEMENT : codePointAt(this.utf8, this.at, length);
    let folded = this.folds.get(codePoint);
    if (folded === undefined) {
      folded = foldCharacter(codePoint);
      this.folds.set(codePoint, folded);
    }
    this.foldedStart = this.at;
    this.at += length === 0 ? 1 : length;
    this.folded = folded;
    this.foldedDone = 0;
  }

  /**
   * Processes one folded character; returns true when a token is complete. A character that only ends a token is left
   * for the next call.
   */
  private takeFolded(): boolean {
    const { codePoint, characterClass } = this.folded[this.foldedDone]!;
    if (characterClass === CharacterClass.ignored) {
      this.foldedDone++;
      return false;
    }
    if (characterClass === CharacterClass.letter) {
      if (this.newer !== 0) return this.closeRun();
      this.foldedDone++;
      this.gather(codePoint);
      return false;
    }
    if (this.gathered > 0) return this.closeWord();
    if (characterClass === CharacterClass.separator) {
      if (this.newer !== 0) return this.closeRun();
      this.foldedDone++;
      return false;
    }
    this.foldedDone++;
    return this.extendRun(codePoint, characterClass === CharacterClass.joining);
  }

  private gather(codePoint: number): void {
    if (this.gathered === 0) this.start = this.foldedStart;
    this.end = this.at;
    if (codePoint < 0x80) this.gatherByte(codePoint);
    else if (codePoint < 0x800) this.gatherByte(0xc0 | (codePoint >> 6));
    else if (codePoint < 0x10000) {
      this.gatherByte(0xe0 | (codePoint >> 12));
      this.gatherByte(0x80 | ((codePoint >> 6) & 0x3f));
    } else {
      this.gatherByte(0xf0 | (codePoint >> 18));
      this.gatherByte(0x80 | ((codePoint >> 12) & 0x3f));
      this.gatherByte(0x80 | ((codePoint >> 6) & 0x3f));
    }
    if (codePoint >= 0x80) this.gatherByte(0x80 | (codePoint & 0x3f));
  }

  private gatherByte(byte: number): void {
    if (this.gathered < MAX_TOKEN_BYTES) this.bytes[this.gathered] = byte;
    this.gathered++;
  }

  private closeWord(): boolean {
    const { gathered } = this;
    this.length = gathered > MAX_TOKEN_BYTES ? wholeLength(this.bytes) : gathered;
    this.gathered = 0;
    return gathered > 0;
  }

  /** Adds a code point to a run of an unspaced script; true when that completes a bigram. */
  private extendRun(codePoint: number, isJoining: boolean): boolean {
    if (isJoining && this.newer !== 0) {
      const composed = composeCharacters(this.newer, codePoint);
      if (composed !== null) {
        this.newer = composed;
        this.newerEnd = this.at;
        return false;
      }
    }
    const bigram = this.older !== 0;
    if (bigram) this.yieldRun(this.older, this.newer);
    this.older = this.newer;
    this.olderStart = this.newerStart;
    this.newer = codePoint;
    this.newerStart = this.foldedStart;
    this.newerEnd = this.at;
    return bigram;
  }

  /** Ends a run: its last bigram becomes a token, then, at the next call, its last character. */
  private closeRun(): boolean {
    this.yieldRun(this.older, this.newer);
    if (this.older === 0) this.newer = 0;
    this.older = 0;
    return true;
  }

  private yieldRun(older: number, newer: number): void {
    const { foldedStart, at } = this;
    this.foldedStart = older === 0 ? this.newerStart : this.olderStart;
    this.at = this.newerEnd;
    if (older !== 0) this.gather(older);
    this.gather(newer);
    this.closeWord();
    this.foldedStart = foldedStart;
    this.at = at;
  }
}

/** Search tokens of a short text such as a query, in order, including repeats. */
export function tokensOf(text: string): string[] {
  const scanner = new TokenScanner();
  scanner.reset(new TextEncoder().encode(text));
  const tokens: string[] = [];
  while (scanner.next()) tokens.push(scanner.text());
  return tokens;
}
