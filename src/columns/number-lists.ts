import { PagedInt32Column } from "./paged-column.ts";
import type { PagedMemory } from "./paged-memory.ts";

const NONE = -1;

/**
 * Growing lists of numbers, numbered from 0, partly in memory: 4 bytes for a list of one number; for others, 8 more
 * per list and per number.
 */
export class NumberLists {
  /** By list: its only number, NONE if it is empty, or a value below NONE for the chain of its numbers. */
  private readonly heads: PagedInt32Column;
  /** By chain: its first and last link. */
  private readonly first: PagedInt32Column;
  private readonly last: PagedInt32Column;
  /** By link: its number, and the next link. */
  private readonly numbers: PagedInt32Column;
  private readonly next: PagedInt32Column;

  constructor(memory: PagedMemory) {
    this.heads = new PagedInt32Column(memory);
    this.first = new PagedInt32Column(memory);
    this.last = new PagedInt32Column(memory);
    this.numbers = new PagedInt32Column(memory);
    this.next = new PagedInt32Column(memory);
  }

  /** Number of lists. */
  get length(): number {
    return this.heads.length;
  }

  /** Extends to a minimum number of lists; the new ones are empty. */
  extend(length: number): void {
    this.heads.extend(length, NONE);
  }

  /** Adds a list with a number. */
  begin(number: number): void {
    this.heads.push(number);
  }

  /** Appends a number to a list. */
  add(list: number, number: number): void {
    const head = this.heads.at(list);
    if (head === NONE) this.heads.set(list, number);
    else this.link(head < NONE ? chainOf(head) : this.chain(list, head), number);
  }

  /** True for a list of several numbers. */
  hasMany(list: number): boolean {
    return this.heads.at(list) < NONE;
  }

  /** The numbers of a list in insertion order. */
  of(list: number): readonly number[] {
    const head = this.heads.at(list);
    if (head >= NONE) return head === NONE ? [] : [head];
    const numbers: number[] = [];
    for (let link = this.first.at(chainOf(head)); link !== NONE; link = this.next.at(link))
      numbers.push(this.numbers.at(link));
    return numbers;
  }

  /** Removes all lists and frees their memory. */
  clear(): void {
    for (const part of [this.heads, this.first, this.last, this.numbers, this.next]) part.clear();
  }

  /** A chain for a list of one number. */
  private chain(list: number, only: number): number {
    const chain = this.first.length;
    this.heads.set(list, chainOf(chain));
    this.first.push(this.numbers.length);
    this.last.push(this.numbers.length);
    this.numbers.push(only);
    this.next.push(NONE);
    return chain;
  }

  private link(chain: number, number: number): void {
    const link = this.numbers.length;
    this.numbers.push(number);
    this.next.push(NONE);
    this.next.set(this.last.at(chain), link);
    this.last.set(chain, link);
  }
}

/** Converts between a head and its chain. */
function chainOf(head: number): number {
  return NONE - 1 - head;
}
