import { groupByKey } from "../../columns/grouping.ts";
import { PagedUint32Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";

/** Pairs that are sorted by their contacts at a time, as near as contacts can be parted: 20 bytes of memory each. */
const PAIRS_SORTED = 1 << 20;
/** The ends of all parts are in memory while pairs are put into them. */
const MOST_PARTS = 128;

/** The entries of one contact. */
export interface OwnEntries {
  readonly contact: number;
  /** May be changed. */
  readonly entries: Uint32Array;
}

/** Contacts and entries in any order, most of them in a file, until they are asked for by contact. */
export class ContactPairs {
  readonly contacts: PagedUint32Column;
  readonly entries: PagedUint32Column;
  private readonly memory: PagedMemory;
  private highest = 0;

  constructor(memory: PagedMemory) {
    this.memory = memory;
    this.contacts = new PagedUint32Column(memory);
    this.entries = new PagedUint32Column(memory);
  }

  get length(): number {
    return this.entries.length;
  }

  push(contact: number, entry: number): void {
    this.contacts.push(contact);
    this.entries.push(entry);
    if (contact > this.highest) this.highest = contact;
  }

  clear(): void {
    this.contacts.clear();
    this.entries.clear();
  }

  /** The contacts that have entries, ascending: parts with as many contacts each are sorted one after the other. */
  *byContact(pairsSorted = PAIRS_SORTED): Generator<OwnEntries> {
    const parts = Math.max(1, Math.min(MOST_PARTS, Math.ceil(this.length / pairsSorted)));
    const width = Math.ceil((this.highest + 1) / parts);
    for (const [number, part] of this.inParts(parts, width).entries()) {
      const first = number * width;
      const { starts, members } = groupByKey(
        part.contacts.slice().map((contact) => contact - first),
        width,
      );
      const entries = part.entries.slice();
      for (let at = 0; at < width; at++) {
        const own = members.subarray(starts[at], starts[at + 1]);
        if (own.length > 0) yield { contact: first + at, entries: own.map((member) => entries[member]!) };
      }
      if (part !== this) part.clear();
    }
  }

  /** @param width contacts of a part */
  private inParts(parts: number, width: number): readonly ContactPairs[] {
    if (parts === 1) return [this];
    const made = Array.from({ length: parts }, () => new ContactPairs(this.memory));
    for (let at = 0; at < this.length; at++) {
      const contact = this.contacts.at(at);
      made[Math.floor(contact / width)]!.push(contact, this.entries.at(at));
    }
    return made;
  }
}
