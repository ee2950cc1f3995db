import { Int32Column, Uint32Column } from "../columns/column.ts";

/** A text and how often it was seen. */
export interface CountedText {
  readonly text: string;
  readonly count: number;
  /** Times among them that the owner wrote it. */
  readonly own: number;
}

const NONE = -1;

/**
 * Counts the different texts of each owner (spellings of an address, names written beside it) in columns: an entry
 * costs 16 bytes and its text, where an object and a map for each owner would cost some 200. An owner keeps its first
 * `capacity` texts; further ones are let go, so that no address with a million names can slow down or fill the memory.
 */
export class CountedTexts {
  private readonly capacity: number;
  private readonly texts: string[] = [];
  private readonly counts = new Uint32Column();
  private readonly own = new Uint32Column();
  /** Entry of the same owner that came next. */
  private readonly next = new Int32Column();
  /** First entry of each owner. */
  private readonly heads = new Int32Column();

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /**
   * @param owner dense index. @param times 0 keeps the text without counting it. @param own how many of them the owner
   * wrote.
   */
  add(owner: number, text: string, times: number, own = 0): void {
    while (this.heads.length <= owner) this.heads.push(NONE);
    let last = NONE;
    let length = 0;
    for (let entry = this.heads.at(owner); entry !== NONE; entry = this.next.at(entry)) {
      if (this.texts[entry] === text) {
        this.counts.set(entry, this.counts.at(entry) + times);
        this.own.set(entry, this.own.at(entry) + own);
        return;
      }
      last = entry;
      length++;
    }
    if (length >= this.capacity) return;
    const entry = this.texts.push(detached(text)) - 1;
    this.counts.push(times);
    this.own.push(own);
    this.next.push(NONE);
    if (last === NONE) this.heads.set(owner, entry);
    else this.next.set(last, entry);
  }

  /** True when the owner has the text already. */
  has(owner: number, text: string): boolean {
    let entry = this.headOf(owner);
    while (entry !== NONE && this.texts[entry] !== text) entry = this.next.at(entry);
    return entry !== NONE;
  }

  /** Texts of one owner in the order of first appearance. */
  of(owner: number): readonly CountedText[] {
    const texts: CountedText[] = [];
    for (let entry = this.headOf(owner); entry !== NONE; entry = this.next.at(entry)) {
      texts.push({ text: this.texts[entry]!, count: this.counts.at(entry), own: this.own.at(entry) });
    }
    return texts;
  }

  private headOf(owner: number): number {
    return owner < this.heads.length ? this.heads.at(owner) : NONE;
  }
}

/** A copy that does not keep alive the header block it was sliced from (V8 slices share their parent's memory). */
export function detached(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
