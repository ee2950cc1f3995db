import { NO_ENTRY } from "../../columns/hash-index.ts";
import { NumberLists } from "../../columns/number-lists.ts";
import { NumberedTexts } from "../../columns/numbered-texts.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";

/** Addresses that share a key, in insertion order. */
export interface Sharing {
  readonly key: string;
  readonly addresses: readonly number[];
}

/** Addresses by keys, in pages except for the first ones. */
export class SharedKeys {
  private readonly keys: NumberedTexts;
  private readonly addresses: NumberLists;

  constructor(memory: PagedMemory) {
    this.keys = new NumberedTexts(memory);
    this.addresses = new NumberLists(memory);
  }

  add(key: string, address: number): void {
    const number = this.keys.numberOf(key);
    if (number === this.addresses.length) this.addresses.begin(address);
    else this.addresses.add(number, address);
  }

  has(key: string): boolean {
    return this.keys.find(key) !== NO_ENTRY;
  }

  /** The addresses of a key. */
  of(key: string): readonly number[] {
    const number = this.keys.find(key);
    return number === NO_ENTRY ? [] : this.addresses.of(number);
  }

  /** Every key with its included addresses, in order of first appearance. */
  *all(isLeftOut: (address: number) => boolean): Generator<Sharing> {
    for (let number = 0; number < this.addresses.length; number++) {
      const addresses = this.addresses.of(number).filter((address) => !isLeftOut(address));
      if (addresses.length > 0) yield { key: this.keys.at(number), addresses };
    }
  }

  /** Every key shared by at least two included addresses, in order of first appearance. */
  *shared(isLeftOut: (address: number) => boolean): Generator<Sharing> {
    for (let number = 0; number < this.addresses.length; number++) {
      if (!this.addresses.hasMany(number)) continue;
      const addresses = this.addresses.of(number).filter((address) => !isLeftOut(address));
      if (addresses.length > 1) yield { key: this.keys.at(number), addresses };
    }
  }

  /** Removes everything and frees the memory. */
  clear(): void {
    for (const part of [this.keys, this.addresses]) part.clear();
  }
}
