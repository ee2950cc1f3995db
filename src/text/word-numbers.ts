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

/** A word as it lies in an array, folded as the words are that it is looked up among; `hash` is `wordHash` of it. */
export interface WordSpan {
  readonly units: Uint16Array;
  readonly start: number;
  readonly end: number;
  readonly hash: number;
}

/** Slots a word: nearly every word of a text is none of those looked for, and is refused at the first look. */
const SLOTS_PER_WORD = 4;

/** A fixed list of words, each with its place in it. A word of a text is looked up where it lies, without a string of it. */
export class WordNumbers {
  private readonly slots: Int16Array;
  private readonly hashes: Int32Array;
  /** Word `n` is spelled by `spelling` from starts[n] to starts[n + 1]. */
  private readonly spelling: Uint16Array;
  private readonly starts: Uint32Array;

  /** @param words different words, 32,767 at most */
  constructor(words: readonly string[]) {
    this.slots = new Int16Array(2 ** Math.ceil(Math.log2(Math.max(1, words.length) * SLOTS_PER_WORD))).fill(-1);
    this.hashes = Int32Array.from(words, wordHash);
    this.starts = new Uint32Array(words.length + 1);
    words.forEach((word, number) => {
      this.starts[number + 1] = this.starts[number]! + word.length;
    });
    const spelling = new TextUnits();
    spelling.load(words.join(""));
    this.spelling = spelling.units.slice(0, spelling.length);
    this.hashes.forEach((hash, number) => {
      this.slots[this.freeSlot(hash)] = number;
    });
  }

  /** The place of the word in the list, -1 when it is none of them. */
  find(word: WordSpan): number {
    const { slots, hashes } = this;
    const mask = slots.length - 1;
    for (let slot = firstSlot(word.hash); ; slot++) {
      const number = slots[slot & mask]!;
      if (number < 0) return -1;
      if (hashes[number] === word.hash && this.isSpelled(number, word)) return number;
    }
  }

  private isSpelled(number: number, { units, start, end }: WordSpan): boolean {
    const { spelling } = this;
    const first = this.starts[number]!;
    if (this.starts[number + 1]! - first !== end - start) return false;
    for (let index = start; index < end; index++) if (spelling[first + index - start] !== units[index]) return false;
    return true;
  }

  private freeSlot(hash: number): number {
    const mask = this.slots.length - 1;
    let slot = firstSlot(hash) & mask;
    while (this.slots[slot]! >= 0) slot = (slot + 1) & mask;
    return slot;
  }
}

/** FNV-1a is weak in its low bits for short words: the upper half is mixed in. */
function firstSlot(hash: number): number {
  return hash ^ (hash >>> 15);
}
