/** A text and how often it was seen. */
export interface CountedText {
  readonly text: string;
  readonly count: number;
}

/** Entries the columns hold before they grow the first time. */
const FIRST_CAPACITY = 1_024;
const NONE = -1;

/**
 * Counts the different texts of each owner (spellings of an address, names written beside it) in columns: an entry costs
 * 12 bytes and its text, where an object and a map for each owner would cost some 200. An owner keeps its first
 * `capacity` texts; further ones are let go, so that no address with a million names can slow down or fill the memory.
 */
export class CountedTexts {
  readonly #capacity: number;
  readonly #texts: string[] = [];
  #counts = new Uint32Array(FIRST_CAPACITY);
  #next = new Int32Array(FIRST_CAPACITY).fill(NONE);
  #heads = new Int32Array(FIRST_CAPACITY).fill(NONE);

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** @param owner dense index. @param times 0 keeps the text without counting it. */
  add(owner: number, text: string, times: number): void {
    if (owner >= this.#heads.length) this.#heads = grown(this.#heads, owner + 1);
    let last = NONE;
    let length = 0;
    for (let entry = this.#heads[owner]!; entry !== NONE; entry = this.#next[entry]!) {
      if (this.#texts[entry] === text) {
        this.#counts[entry]! += times;
        return;
      }
      last = entry;
      length++;
    }
    if (length >= this.#capacity) return;
    const entry = this.#append(text, times);
    if (last === NONE) this.#heads[owner] = entry;
    else this.#next[last] = entry;
  }

  #append(text: string, times: number): number {
    const entry = this.#texts.length;
    if (entry >= this.#counts.length) {
      const counts = new Uint32Array(entry * 2);
      counts.set(this.#counts);
      this.#counts = counts;
      this.#next = grown(this.#next, entry * 2);
    }
    this.#texts.push(detached(text));
    this.#counts[entry] = times;
    return entry;
  }

  /** True when the owner has the text already. */
  has(owner: number, text: string): boolean {
    let entry = owner < this.#heads.length ? this.#heads[owner]! : NONE;
    while (entry !== NONE && this.#texts[entry] !== text) entry = this.#next[entry]!;
    return entry !== NONE;
  }

  /** Texts of one owner in the order of first appearance. */
  of(owner: number): readonly CountedText[] {
    const texts: CountedText[] = [];
    let entry = owner < this.#heads.length ? this.#heads[owner]! : NONE;
    for (; entry !== NONE; entry = this.#next[entry]!) texts.push({ text: this.#texts[entry]!, count: this.#counts[entry]! });
    return texts;
  }
}

function grown(column: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(Math.max(least, column.length * 2)).fill(NONE);
  wider.set(column);
  return wider;
}

/** A copy that does not keep alive the header block it was sliced from (V8 slices share their parent's memory). */
export function detached(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
