import type { OlmUnit, UnitKind } from "../reading/source.ts";

/** Runs of files in an Outlook for Mac archive. Their reader is loaded on demand. */
export const olmUnits: UnitKind<OlmUnit> = {
  read: async (unit) => (await import("./olm-source.ts")).readOlmUnit(unit),
  halve: (unit) => {
    const middle = unit.files.length >>> 1;
    if (middle === 0) return null;
    return [
      { ...unit, files: unit.files.slice(0, middle) },
      { ...unit, files: unit.files.slice(middle) },
    ];
  },
  lose: async (unit, loss) => (await import("./olm-source.ts")).loseOlmUnit(unit, loss),
  firstPlace: ({ files }) => ({ mailbox: files[0]!.mailbox, location: files[0]!.member.name }),
  sizeBytes: ({ files }) => files.reduce((sum, { member }) => sum + (member.sizeBytes ?? member.packedBytes), 0),
};
