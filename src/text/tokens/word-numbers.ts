import { HashIndex, NO_ENTRY } from "../../columns/hash-index.ts";
import { TextUnits } from "./text-units.ts";

/** 32-bit FNV-1a (draft-eastlake-fnv) over UTF-16 units: offset basis and prime. */
export const FNV_BASIS = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/** Mixes one more value into a hash. */
export function mixHash(hash: number, value: number): number {
  return Math.imul(hash ^ value, FNV_PRIME);
}

/** FNV-1a of a word, as a signed 32-bit integer. */
export function wordHash(word: string): number {
  let hash = FNV_BASIS;
  for (let index = 0; index < word.length; index++) hash = mixHash(hash, word.charCodeAt(index));
  return hash;
}

/** Slots per word: most words of a text are not in the list, and a sparse table rejects them at the first probe. */
const ROOM_PER_WORD = 2;

/** A fixed list of words with their indexes. Looks up a word of a text in place, without creating a string. */
export class WordNumbers {
  private readonly index: HashIndex;
  /** Word `n` is `spelling` from starts[n] to starts[n + 1]. */
  private readonly spelling: Uint16Array;
  private readonly starts: Uint32Array;

  /** @param words different words */
  constructor(words: readonly string[]) {
    this.index = new HashIndex(words.length * ROOM_PER_WORD);
    this.starts = new Uint32Array(words.length + 1);
    words.forEach((word, number) => {
      this.starts[number + 1] = this.starts[number]! + word.length;
      let other = this.index.first(wordHash(word));
      while (other !== NO_ENTRY) other = this.index.next();
      this.index.add();
    });
    const spelling = new TextUnits();
    spelling.load(words.join(""));
    this.spelling = spelling.units.slice(0, spelling.length);
  }

  /**
   * The index of the word in `units` from `start` to `end`, with the case folding of the list; NO_ENTRY (-1) if it is
   * missing. Without an object per word, since that would be a twentieth of all garbage of a worker.
   * @param hash its `wordHash`
   */
  find(units: Uint16Array, start: number, end: number, hash: number): number {
    let number = this.index.first(hash);
    while (number !== NO_ENTRY && !this.isSpelled(number, units, start, end)) number = this.index.next();
    return number;
  }

  private isSpelled(number: number, units: Uint16Array, start: number, end: number): boolean {
    const { spelling } = this;
    const first = this.starts[number]!;
    if (this.starts[number + 1]! - first !== end - start) return false;
    for (let index = start; index < end; index++) if (spelling[first + index - start] !== units[index]) return false;
    return true;
  }
}
