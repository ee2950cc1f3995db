import { NO_ENTRY } from "./hash-index.ts";
import { textHash } from "./key-nodes.ts";
import { PagedHashIndex } from "./paged-hash-index.ts";
import type { PagedMemory } from "./paged-memory.ts";
import { PagedTextColumn } from "./paged-text-column.ts";

/**
 * Numbers distinct texts 0, 1, 2 … in order of first appearance. The first texts stay in memory, as fast as a map.
 * The others take about 50 bytes each plus the text, in pages of which memory caches a few.
 */
export class NumberedTexts {
  private readonly held = new Map<string, number>();
  private readonly heldTexts: string[] = [];
  /** Created on demand: most archives need few texts. */
  private further: FurtherTexts | null = null;

  constructor(private readonly memory: PagedMemory) {}

  get size(): number {
    return this.heldTexts.length + (this.further?.size ?? 0);
  }

  /** Returns the number of a text, and adds it if necessary. @param text may be kept without copying */
  numberOf(text: string): number {
    const held = this.held.get(text);
    if (held !== undefined) return held;
    if (this.heldTexts.length < this.memory.heldObjects) {
      this.held.set(text, this.heldTexts.length);
      return this.heldTexts.push(text) - 1;
    }
    this.further ??= new FurtherTexts(this.memory);
    return this.heldTexts.length + this.further.numberOf(text);
  }

  /** The number of a text, or NO_ENTRY. */
  find(text: string): number {
    const held = this.held.get(text);
    if (held !== undefined) return held;
    const further = this.further?.find(text) ?? NO_ENTRY;
    return further === NO_ENTRY ? NO_ENTRY : this.heldTexts.length + further;
  }

  /** The text of a number below `size`. */
  at(number: number): string {
    return this.heldTexts[number] ?? this.further!.at(number - this.heldTexts.length);
  }

  /** Removes all texts and frees their memory. */
  clear(): void {
    this.held.clear();
    this.heldTexts.length = 0;
    this.further?.clear();
    this.further = null;
  }
}

/** Texts stored in pages. */
class FurtherTexts {
  private readonly index: PagedHashIndex;
  private readonly texts: PagedTextColumn;

  constructor(memory: PagedMemory) {
    this.index = new PagedHashIndex(memory);
    this.texts = new PagedTextColumn(memory);
  }

  get size(): number {
    return this.index.size;
  }

  find(text: string): number {
    for (let entry = this.index.first(textHash(text)); entry !== NO_ENTRY; entry = this.index.next())
      if (this.texts.at(entry) === text) return entry;
    return NO_ENTRY;
  }

  numberOf(text: string): number {
    const known = this.find(text);
    if (known !== NO_ENTRY) return known;
    this.texts.push(text);
    return this.index.add();
  }

  at(entry: number): string {
    return this.texts.at(entry);
  }

  clear(): void {
    this.index.clear();
    this.texts.clear();
  }
}
