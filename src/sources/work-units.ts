import { READERS } from "./formats.ts";
import type { SourceItem, WorkUnit } from "./source.ts";

/**
 * The items of a unit, in the order of the source. Bytes of an item are valid until the next one is asked for.
 * Bad mail never throws; a file that cannot be opened any more does, with the error of the system.
 */
export function readUnit(unit: WorkUnit): Iterable<SourceItem> {
  return READERS[unit.kind].read(unit);
}
