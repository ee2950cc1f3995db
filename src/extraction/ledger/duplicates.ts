import { Uint32Column } from "../../columns/column.ts";
import { HashIndex, NO_ENTRY } from "../../columns/hash-index.ts";
import type { DuplicateKey } from "../staging/duplicate-key.ts";

/**
 * Which message a key was first seen on: 16 bytes a message plus the slots. Entry n belongs to the message of ordinal n
 * + 1.
 */
export class Duplicates {
  /** By the first word of the keys. */
  private readonly index = new HashIndex();
  private readonly further = [new Uint32Column(), new Uint32Column(), new Uint32Column()] as const;

  /**
   * The ordinal of the message that has this key already, or null: then the key belongs to the next ordinal, from 1.
   */
  claim([first, ...further]: DuplicateKey): number | null {
    for (let entry = this.index.first(first); entry !== NO_ENTRY; entry = this.index.next()) {
      if (further.every((word, at) => this.further[at]?.at(entry) === word)) return entry + 1;
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
  keyOf(ordinal: number): Uint8Array {
    const entry = ordinal - 1;
    const bytes = new DataView(new ArrayBuffer(16));
    [this.index.hashOf(entry), ...this.further.map((column) => column.at(entry))].forEach((word, at) => {
      bytes.setUint32(at * 4, word, true);
    });
    return new Uint8Array(bytes.buffer);
  }
}
