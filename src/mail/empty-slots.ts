import type { Int32Column } from "./column.ts";

/** In a slot of a hash table that has no entry. */
const EMPTY_SLOT = -1;

/**
 * Makes a column so many empty slots of a hash table with open addressing. They take the place of those before, of which nothing is left:
 * the table enters its entries anew.
 */
export function emptySlots(column: Int32Column, count: number): Int32Array {
  column.extend(count);
  return column.view().fill(EMPTY_SLOT);
}
