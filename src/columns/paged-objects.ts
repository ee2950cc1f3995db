import type { PagedMemory } from "./paged-memory.ts";
import { PagedTextColumn } from "./paged-text-column.ts";

/** Bytes by which an object can grow in place, usually by a digit of a number. */
const ROOM_BYTES = 32;

/**
 * A growable list of JSON-compatible objects. The first stay in memory; the others are stored in pages and parsed at
 * every access.
 */
export class PagedObjects<T extends object> {
  private readonly held: T[] = [];
  private readonly further: PagedTextColumn;

  constructor(private readonly memory: PagedMemory) {
    this.further = new PagedTextColumn(memory);
  }

  get length(): number {
    return this.held.length + this.further.length;
  }

  /** True if `at` returns the object itself and not a copy. */
  holds(index: number): boolean {
    return index < this.held.length;
  }

  /** True if the next object stays in memory. */
  get hasRoom(): boolean {
    return this.further.length === 0 && this.held.length < this.memory.heldObjects;
  }

  push(object: T): void {
    if (this.hasRoom) this.held.push(object);
    else this.further.push(JSON.stringify(object));
  }

  /** An index whose object is set later. */
  reserve(): void {
    this.further.push("");
  }

  /** The object at an index below `length`. */
  at(index: number): T {
    return this.held[index] ?? (JSON.parse(this.further.at(index - this.held.length)) as T);
  }

  set(index: number, object: T): void {
    if (this.holds(index)) this.held[index] = object;
    else this.further.set(index - this.held.length, roomy(JSON.stringify(object)));
  }

  /** Empties the list and frees its memory. */
  clear(): void {
    this.held.length = 0;
    this.further.clear();
  }
}

function roomy(json: string): string {
  return json.padEnd(Math.ceil(json.length / ROOM_BYTES) * ROOM_BYTES);
}
