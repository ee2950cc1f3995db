import { statSync } from "node:fs";
import { encodePath } from "../files/path-text.ts";
import { type FilesUnit, messageFiles, readFilesUnit } from "./maildir/message-files.ts";
import { loseMessages } from "./reading/lost-items.ts";
import type { FileRun, UnitKind } from "./reading/source.ts";

/** Message files. Halved by their number. */
export const fileUnits: UnitKind<FilesUnit> = {
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
