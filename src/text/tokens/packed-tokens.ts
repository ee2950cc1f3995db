import { ASCII_FOLD, MAX_TOKEN_BYTES, MULTI_BYTE, TokenScanner } from "./tokens.ts";

/** Bytes of a word. */
export const WORD_BYTES = 4;
/** Bit offset of the first byte of a word. */
const FIRST_SHIFT = 8 * (WORD_BYTES - 1);
/** Words of the longest token. */
const MAX_TOKEN_WORDS = MAX_TOKEN_BYTES / WORD_BYTES;
/** Tokens per batch, as many as fit into the L1 cache. */
const BATCH_TOKENS = 512;
/** An odd number whose bits are spread: 2^32 divided by the golden ratio (Knuth, TAOCP 6.4). */
const SPREAD = 0x9e3779b1;

/**
 * Mixes one more word into the hash of a token; a hash begins with 0. Both steps can be undone: different words mix to
 * different hashes.
 */
export function mixWord(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, SPREAD);
  return mixed ^ (mixed >>> 15);
}

/** True for the folded byte of an ASCII letter or digit. */
function isOfToken(folded: number): boolean {
  return (folded & ~MULTI_BYTE) !== 0;
}

/**
 * Search tokens of UTF-8 text in batches, packed for the index: four bytes in a 32-bit word, the first one highest, the
 * last word padded with zeros. Words are hashed, compared and sorted as a whole instead of four bytes. The tokens are
 * those of TokenScanner; ASCII ranges are split here, nearly twice as fast. One object serves any number of texts:
 * `reset`, then `next` until it returns false.
 */
export class PackedTokens {
  /** Tokens of the batch. */
  count = 0;
  /** Token `n` ends at the word ends[n], and begins at the end of the previous one. */
  readonly words: Int32Array = new Int32Array(BATCH_TOKENS * MAX_TOKEN_WORDS);
  readonly ends: Uint32Array = new Uint32Array(BATCH_TOKENS);
  readonly hashes: Int32Array = new Int32Array(BATCH_TOKENS);

  private utf8: Uint8Array = new Uint8Array(0);
  private at = 0;
  /** Reads non-ASCII text up to `foreignEnd`. */
  private readonly scanner = new TokenScanner();
  private foreignEnd = 0;

  reset(utf8: Uint8Array): void {
    this.utf8 = utf8;
    this.at = 0;
    this.foreignEnd = 0;
  }

  /** Moves to the next batch; returns false if no tokens are left. */
  next(): boolean {
    this.count = 0;
    while (this.count < BATCH_TOKENS && this.at < this.utf8.length) {
      if (this.foreignEnd > this.at) this.packForeign();
      else this.packAscii();
    }
    return this.count > 0;
  }

  /** Packs tokens until the batch is full, the text ends, or a token with a non-ASCII byte begins. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: tokens are folded, packed and hashed in one pass: it reads all text of an archive
  private packAscii(): void {
    const { utf8, words, ends, hashes } = this;
    const size = utf8.length;
    let { at, count } = this;
    let to = count === 0 ? 0 : ends[count - 1]!;
    while (count < BATCH_TOKENS) {
      let folded = 0;
      while (at < size && (folded = ASCII_FOLD[utf8[at]!]!) === 0) at++;
      if (at >= size) break;
      const start = at;
      const limit = to + MAX_TOKEN_WORDS;
      let hash = 0;
      while (isOfToken(folded)) {
        let word = 0;
        for (let shift = FIRST_SHIFT; shift >= 0 && isOfToken(folded); shift -= 8) {
          word |= folded << shift;
          at++;
          folded = at < size ? ASCII_FOLD[utf8[at]!]! : 0;
        }
        if (to >= limit) continue;
        words[to++] = word;
        hash = mixWord(hash, word);
      }
      if (folded === MULTI_BYTE) {
        at = start;
        this.beginForeign(start);
        break;
      }
      ends[count] = to;
      hashes[count] = hash;
      count++;
    }
    this.at = at;
    this.count = count;
  }

  /** Non-ASCII text, with adjacent letters and digits, is left to the scanner: no token crosses an ASCII separator. */
  private beginForeign(start: number): void {
    const { utf8 } = this;
    let end = start;
    while (end < utf8.length && ASCII_FOLD[utf8[end]!] !== 0) end++;
    this.foreignEnd = end;
    this.scanner.reset(utf8.subarray(start, end));
  }

  private packForeign(): void {
    const { scanner, words } = this;
    while (this.count < BATCH_TOKENS) {
      if (!scanner.next()) {
        this.at = this.foreignEnd;
        return;
      }
      let to = this.count === 0 ? 0 : this.ends[this.count - 1]!;
      let hash = 0;
      for (let from = 0; from < scanner.length; from += WORD_BYTES) {
        let word = 0;
        for (let index = from; index < from + WORD_BYTES; index++)
          word = (word << 8) | (index < scanner.length ? scanner.bytes[index]! : 0);
        words[to++] = word;
        hash = mixWord(hash, word);
      }
      this.ends[this.count] = to;
      this.hashes[this.count] = hash;
      this.count++;
    }
  }
}
