import { FULL_STOP, SPACE } from "../mail/words/ascii.ts";
import { kindsOf, WORD_KINDS } from "./word-kinds.ts";

const { initial, notName } = WORD_KINDS;
const HIGH_SURROGATES = [0xd800, 0xdbff] as const;

/** A row of capitalized words and initials in a text, by positions: most rows have no name. Reused for all rows. */
export class WordRow {
  text = "";
  /** Number of words. */
  count = 0;
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  private readonly kinds: number[] = [];

  /** Reads the words between two positions of a text. */
  read(text: string, start: number, end: number): void {
    this.text = text;
    this.count = 0;
    let at = start;
    while (at < end) {
      const code = text.charCodeAt(at);
      if (code === SPACE || code === FULL_STOP) {
        at++;
        continue;
      }
      const to = wordEnd(text, at, end);
      this.starts[this.count] = at;
      this.ends[this.count] = to;
      const isInitial = to === at + 1 || text.charCodeAt(to - 1) === FULL_STOP;
      this.kinds[this.count] = isInitial ? initial : kindsOf(text, at, to);
      this.count++;
      at = to;
    }
  }

  word(at: number): string {
    return this.text.slice(this.starts[at], this.ends[at]);
  }

  is(at: number, kind: number): boolean {
    return (this.kinds[at]! & kind) !== 0;
  }

  /** True for a word that a name may have. */
  isName(at: number): boolean {
    return (this.kinds[at]! & (initial | notName)) === 0;
  }

  /** Words next to each other, without the signs between them. */
  words(from: number, to: number, between: string): string {
    let joined = this.word(from);
    for (let at = from + 1; at < to; at++) joined += between + this.word(at);
    return joined;
  }

  /** Two words of a name. */
  pair(given: number, family: number): string {
    const start = this.ends[given]!;
    return this.starts[family] === start + 1 && this.text.charCodeAt(start) === SPACE
      ? this.text.slice(this.starts[given], this.ends[family])
      : `${this.word(given)} ${this.word(family)}`;
  }
}

/** End of the word or initial at a position. */
function wordEnd(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  const second = code >= HIGH_SURROGATES[0] && code <= HIGH_SURROGATES[1] ? at + 2 : at + 1;
  if (text.charCodeAt(second) === FULL_STOP) return second + 1;
  let to = second;
  while (to < end && text.charCodeAt(to) !== SPACE && text.charCodeAt(to) !== FULL_STOP) to++;
  return to;
}
