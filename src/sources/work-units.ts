import { fileUnits } from "./file-units.ts";
import { mboxUnits } from "./mbox/mbox-units.ts";
import { olmUnits } from "./olm/olm-units.ts";
import { pstUnits } from "./pst/pst-units.ts";
import type { ItemLoss, ItemPlace, SourceItem, UnitKind, WorkUnit } from "./reading/source.ts";

/** Operations on each kind of unit. Formats share kinds: every message file is in a unit of files. */
const UNIT_KINDS: { readonly [Kind in WorkUnit["kind"]]: UnitKind<Extract<WorkUnit, { kind: Kind }>> } = {
  mbox: mboxUnits,
  files: fileUnits,
  pst: pstUnits,
  olm: olmUnits,
};

function kindOf(unit: WorkUnit): UnitKind<WorkUnit> {
  return UNIT_KINDS[unit.kind];
}

/**
 * The items of a unit, in source order. The bytes of an item are valid until the next one is requested. Bad mail never
 * throws; a file that can no longer be opened throws the system error.
 */
export function readUnit(unit: WorkUnit): Promise<Iterable<SourceItem>> {
  return kindOf(unit).read(unit);
}

/**
 * Splits a unit into two nonempty units with the same items in the same order; null for a single item. Repeated halving
 * isolates the item that crashes a worker.
 * @throws the system error if a file can no longer be read.
 */
export function halveUnit(unit: WorkUnit): readonly [WorkUnit, WorkUnit] | null {
  return kindOf(unit).halve(unit);
}

/** The items of a unit as lost, with locations and fingerprints only. Items other than mail are unchanged. */
export function lostItems(unit: WorkUnit, loss: ItemLoss): Promise<Iterable<SourceItem>> {
  return kindOf(unit).lose(unit, loss);
}

/** Location of a unit's first item, if the unit contains it: for an item that cannot even be hashed. */
export function firstPlace(unit: WorkUnit): ItemPlace {
  return kindOf(unit).firstPlace(unit);
}

/** Bytes of mail in a unit; an upper bound if only its reader knows the number. */
export function unitBytes(unit: WorkUnit): number {
  return kindOf(unit).sizeBytes(unit);
}
