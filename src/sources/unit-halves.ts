import { mboxSeparators } from "./mbox.ts";
import { messageFiles } from "./message-files.ts";
import type { FileRun, WorkUnit } from "./source.ts";

/**
 * A unit as two that hold its items in the same order, each at least one; null when it holds no more than one. By halves of halves the item
 * is found that a worker could not stand.
 * @throws the error of the system when a file cannot be read any more.
 */
export function halveUnit(unit: WorkUnit): readonly [WorkUnit, WorkUnit] | null {
  switch (unit.kind) {
    case "mbox": {
      const separators = mboxSeparators(unit);
      if (separators.length < 2) return null;
      const middle = separators[separators.length >>> 1]!;
      return [
        { ...unit, end: middle },
        { ...unit, start: middle },
      ];
    }
    case "files": {
      const count = messageFiles(unit).length;
      if (count < 2) return null;
      const [first, second] = cutRuns(unit.runs, count >>> 1);
      return [
        { ...unit, runs: first },
        { ...unit, runs: second },
      ];
    }
    case "pst": {
      const middle = unit.nodes.length >>> 1;
      if (middle === 0) return null;
      return [
        { ...unit, nodes: unit.nodes.slice(0, middle) },
        { ...unit, nodes: unit.nodes.slice(middle) },
      ];
    }
  }
}

/** Between the names of a run. */
const SEPARATOR = "\0";

/** The first `count` files of some runs, and the others. */
function cutRuns(runs: readonly FileRun[], count: number): readonly [readonly FileRun[], readonly FileRun[]] {
  const halves: readonly [FileRun[], FileRun[]] = [[], []];
  let room = count;
  for (const run of runs) {
    const names = run.names.split(SEPARATOR);
    const parts = [names.slice(0, room), names.slice(room)] as const;
    room -= parts[0].length;
    for (const [at, part] of parts.entries()) if (part.length > 0) halves[at]!.push({ ...run, names: part.join(SEPARATOR) });
  }
  return halves;
}
