import { fileUnits } from "./file-units.ts";
import { mboxUnits } from "./mbox/mbox-units.ts";
import { olmUnits } from "./olm/olm-units.ts";
import { pstUnits } from "./pst/pst-units.ts";
import type { ItemLoss, ItemPlace, SourceItem, UnitKind, WorkUnit } from "./reading/source.ts";

/**
 * What is done with each kind of unit. Formats share kinds: every message file, of whatever directory, is in a unit of
 * files.
 */
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
 * The items of a unit, in the order of the source. Bytes of an item are valid until the next one is asked for.
 * Bad mail never throws; a file that cannot be opened any more does, with the error of the system.
 */
export function readUnit(unit: WorkUnit): Promise<Iterable<SourceItem>> {
  return kindOf(unit).read(unit);
}

/**
 * A unit as two that hold its items in the same order, each at least one; null when it holds no more than one. By
 * halves of halves the item is found that a worker could not stand.
 * @throws the error of the system when a file cannot be read any more.
 */
export function halveUnit(unit: WorkUnit): readonly [WorkUnit, WorkUnit] | null {
  return kindOf(unit).halve(unit);
}

/**
 * The items of a unit with nothing but their places and fingerprints, as items that are lost. What is no mail is given
 * as it is.
 */
export function lostItems(unit: WorkUnit, loss: ItemLoss): Promise<Iterable<SourceItem>> {
  return kindOf(unit).lose(unit, loss);
}

/** The place of a unit's first item, as far as the unit itself tells: for an item that cannot even be hashed. */
export function firstPlace(unit: WorkUnit): ItemPlace {
  return kindOf(unit).firstPlace(unit);
}

/** Bytes of mail in a unit; a bound where only its reader learns how many. */
export function unitBytes(unit: WorkUnit): number {
  return kindOf(unit).sizeBytes(unit);
}
