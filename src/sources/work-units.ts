import { statSync } from "node:fs";
import { encodePath } from "../files/path-text.ts";
import type { Finding } from "../mail/records/message.ts";
import { type FilesUnit, messageFiles, readFilesUnit } from "./maildir/message-files.ts";
import { mboxUnits } from "./mbox/mbox-units.ts";
import { olmUnits } from "./olm/olm-units.ts";
import { pstUnits } from "./pst/pst-units.ts";
import { loseMessages } from "./reading/lost-items.ts";
import type { FileRun, ItemPlace, SourceItem, UnitKind, WorkUnit } from "./reading/source.ts";

/** Message files. Halved by their number. */
const fileUnits: UnitKind<FilesUnit> = {
  read: readFilesUnit,
  halve: (unit) => {
    const count = messageFiles(unit).length;
    if (count < 2) return null;
    const [first, second] = cutRuns(unit.runs, count >>> 1);
    return [
      { ...unit, runs: first },
      { ...unit, runs: second },
    ];
  },
  lose: async (unit, loss) => loseMessages(await readFilesUnit(unit), loss),
  firstPlace: ({ runs }) => {
    const { mailbox, prefix, names } = runs[0]!;
    return { mailbox, location: prefix + names };
  },
  sizeBytes: (unit) =>
    messageFiles(unit).reduce((sum, { relativePath }) => sum + fileBytes(unit.root, relativePath), 0),
};

/** Returns 0 for a missing file. */
function fileBytes(root: string, relativePath: string): number {
  return (
    statSync(encodePath(root === "" ? relativePath : `${root}/${relativePath}`), { throwIfNoEntry: false })?.size ?? 0
  );
}

/** Separator between the names of a run. */
const SEPARATOR = "\0";

/** Returns the first `count` files of some runs, and the rest. */
function cutRuns(runs: readonly FileRun[], count: number): readonly [readonly FileRun[], readonly FileRun[]] {
  const halves: readonly [FileRun[], FileRun[]] = [[], []];
  let room = count;
  for (const run of runs) {
    const names = run.names.split(SEPARATOR);
    const parts = [names.slice(0, room), names.slice(room)] as const;
    room -= parts[0].length;
    for (const [at, part] of parts.entries())
      if (part.length > 0) halves[at]!.push({ ...run, names: part.join(SEPARATOR) });
  }
  return halves;
}

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
export function lostItems(unit: WorkUnit, loss: Finding): Promise<Iterable<SourceItem>> {
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
