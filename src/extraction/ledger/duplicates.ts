import { HashIndex, NO_ENTRY } from "../../columns/hash-index.ts";
import { PagedUint32Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { indexOf, type MessageIndex, type MessageOrdinal, ordinalAt } from "../../mail/ordinal.ts";
import type { DuplicateKey } from "../staging/duplicate-key.ts";

/**
 * Which message a key was first seen on: 4 bytes a message and the slots. The rest of a key is looked at when the first
 * word is known already, and lies in files. Entries have the indexes of messages.
 */
export class Duplicates {
  /** By the first word of the keys. */
  private readonly index = new HashIndex();
  private readonly further: readonly PagedUint32Column[];

  constructor(memory: PagedMemory) {
    this.further = Array.from({ length: 3 }, () => new PagedUint32Column(memory));
  }

  /** The message that has this key already, or null: then the key belongs to the next message. */
  claim([first, ...further]: DuplicateKey): MessageOrdinal | null {
    for (let entry = this.index.first(first); entry !== NO_ENTRY; entry = this.index.next()) {
      if (further.every((word, at) => this.further[at]?.at(entry) === word)) {
        return ordinalAt(entry as MessageIndex);
      }
    }
    this.index.add();
    this.further.forEach((column, at) => {
      column.push(further[at]!);
    });
    return null;
  }

  /** Forgets every key, and gives back its memory. */
  clear(): void {
    for (const part of [this.index, ...this.further]) part.clear();
  }

  /** The key of a message as 16 bytes. */
  keyOf(ordinal: MessageOrdinal): Uint8Array {
    const entry = indexOf(ordinal);
    const bytes = new DataView(new ArrayBuffer(16));
    [this.index.hashOf(entry), ...this.further.map((column) => column.at(entry))].forEach((word, at) => {
      bytes.setUint32(at * 4, word, true);
    });
    return new Uint8Array(bytes.buffer);
  }
}
