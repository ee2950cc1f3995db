import { loseMessages } from "../reading/lost-items.ts";
import type { UnitKind } from "../reading/source.ts";
import { type MboxUnit, mboxSeparators, readMboxUnit } from "./mbox.ts";

/** Bytes of an mbox. Halved at the separator in its middle. */
export const mboxUnits: UnitKind<MboxUnit> = {
  read: async (unit) => readMboxUnit(unit),
  halve: (unit) => {
    const separators = mboxSeparators(unit);
    if (separators.length < 2) return null;
    const middle = separators[separators.length >>> 1]!;
    return [
      { ...unit, end: middle },
      { ...unit, start: middle },
    ];
  },
  lose: async (unit, loss) => loseMessages(readMboxUnit(unit), loss),
  firstPlace: ({ mailbox, start }) => ({ mailbox, location: `offset:${start}` }),
  sizeBytes: ({ start, end }) => end - start,
};
