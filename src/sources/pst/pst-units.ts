import type { PstUnit, UnitKind } from "../reading/source.ts";
import { placeOfNode } from "./pst-place.ts";

/** 128 MiB: estimated content of a run of PST nodes, because only the reader knows the size. */
const PST_UNIT_BYTES = 128 * 2 ** 20;

/** Runs of PST nodes. Their reader is loaded on demand. */
export const pstUnits: UnitKind<PstUnit> = {
  read: async (unit) => (await import("./pst-source.ts")).readPstUnit(unit),
  halve: (unit) => {
    const middle = unit.nodes.length >>> 1;
    if (middle === 0) return null;
    return [
      { ...unit, nodes: unit.nodes.slice(0, middle) },
      { ...unit, nodes: unit.nodes.slice(middle) },
    ];
  },
  lose: async (unit, loss) => (await import("./pst-source.ts")).losePstUnit(unit, loss),
  firstPlace: ({ nodes }) => placeOfNode(nodes[0]!),
  sizeBytes: () => PST_UNIT_BYTES,
};
