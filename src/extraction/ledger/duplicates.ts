import { NO_ENTRY } from "../../columns/hash-index.ts";
import { MarkedHashIndex } from "../../columns/marked-hash-index.ts";
import { PagedUint32Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { indexOf, type MessageIndex, type MessageOrdinal, ordinalAt } from "../../mail/records/ordinal.ts";
import type { DuplicateKey } from "../staging/duplicate-key.ts";

/**
 * Maps each key to the message that first had it, while mail is read: 8 to 10 bytes per message. Keys are stored in
 * files and read only to confirm a probable match. Entries have the indexes of messages.
 */
export class Duplicates {
  /** Index of messages by the first word of their keys. */
  private readonly index: MarkedHashIndex;
  /** The four words of each key, by message. */
  readonly words: readonly PagedUint32Column[];

  constructor(memory: PagedMemory) {
    this.words = Array.from({ length: 4 }, () => new PagedUint32Column(memory));
    this.index = new MarkedHashIndex(this.words[0]!);
  }

  /** The message that has this key already, or null: then the key belongs to the next message. */
  claim(key: DuplicateKey): MessageOrdinal | null {
    for (let entry = this.index.first(key[0]); entry !== NO_ENTRY; entry = this.index.next())
      if (key.every((word, at) => this.words[at]!.at(entry) === word)) return ordinalAt(entry as MessageIndex);
    this.words.forEach((column, at) => {
      column.push(key[at]!);
    });
    this.index.add();
    return null;
  }

  /** Indexes keys that were appended to `words`. */
  restore(): void {
    const [first] = this.words;
    for (const word of first!.values()) {
      for (let entry = this.index.first(word); entry !== NO_ENTRY; ) entry = this.index.next();
      this.index.add();
    }
  }

  /** Frees the index. No key may be claimed after this. */
  seal(): void {
    this.index.clear();
  }

  /** Removes all keys and frees their memory. */
  clear(): void {
    for (const part of [this.index, ...this.words]) part.clear();
  }

  /** The key of a message as 16 bytes. */
  keyOf(ordinal: MessageOrdinal): Uint8Array {
    const entry = indexOf(ordinal);
    const bytes = new DataView(new ArrayBuffer(16));
    this.words.forEach((column, at) => {
      bytes.setUint32(at * 4, column.at(entry), true);
    });
    return new Uint8Array(bytes.buffer);
  }
}
