import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ArchiveError } from "../../errors.ts";
import { firstPlace, halveUnit } from "../../sources/work-units.ts";
import type { ParsedUnit } from "../staging/message-header-record.ts";
import { type PackedUnit, packUnit, unpackUnit } from "../staging/packed-unit.ts";
import { countStaged } from "../staging/staged-segment.ts";
import type { EntryRange, ParseTask, PreparedChunk, PrepareTask, Task, TaskResult } from "../staging/task.ts";
import { WorkerStop } from "./worker-stop.ts";

/** Runs a task while no other is running. Throws WorkerStop each time it stops its worker. */
type Attempt = <T extends Task>(task: T) => Promise<TaskResult<T>>;

/**
 * Repeats a task that stopped its worker, halving it repeatedly until the cause is isolated. A message that stops every
 * worker that reads it is lost, and accounted for; if analyzing its text stops workers, it is kept without analysis.
 * @throws ArchiveError INTERNAL_ERROR for a task that reads no mail.
 */
export async function recoverTask<T extends Task>(task: T, stop: WorkerStop, attempt: Attempt): Promise<TaskResult<T>> {
  const lasting: Task = task;
  if (lasting.kind === "parse") return (await recoverUnit(lasting, attempt)) as TaskResult<T>;
  if (lasting.kind === "prepare") return (await recoverChunk(lasting, attempt)) as TaskResult<T>;
  throw new ArchiveError("INTERNAL_ERROR", `a worker stopped: ${stop.message}`, { cause: stop });
}

/** The result of a task, or what stopped it. Anything else is thrown. */
async function outcomeOf<T extends Task>(task: T, attempt: Attempt): Promise<TaskResult<T> | WorkerStop> {
  try {
    return await attempt(task);
  } catch (error) {
    if (error instanceof WorkerStop) return error;
    throw error;
  }
}

/** First pass. The parts append to the one segment of the unit. */
async function recoverUnit(task: ParseTask, attempt: Attempt): Promise<PackedUnit> {
  const parts: ParsedUnit[] = [];
  let continues = { bytes: 0, records: 0 };
  const take = (part: ParsedUnit): void => {
    parts.push(part);
    continues = { bytes: statSync(task.segmentPath).size, records: continues.records + part.records.length };
  };
  // A unit of one item is retried once: memory may have been full from another worker's task.
  const pending = [...(halveUnit(task.unit) ?? [task.unit])].reverse();
  for (let unit = pending.pop(); unit !== undefined; unit = pending.pop()) {
    const part: ParseTask = { ...task, unit, continues };
    const outcome = await outcomeOf(part, attempt);
    if (!(outcome instanceof WorkerStop)) {
      take(unpackUnit(outcome));
      continue;
    }
    const halves = halveUnit(unit);
    if (halves === null) take(await lostUnit(part, outcome, attempt));
    else pending.push(halves[1], halves[0]);
  }
  return packUnit(joinUnits(parts));
}

/** A unit of one item that is not parsed as mail: only its location is recorded, and its hash if possible. */
async function lostUnit(task: ParseTask, { code, message }: WorkerStop, attempt: Attempt): Promise<ParsedUnit> {
  const lost = { code, message };
  const outcome = await outcomeOf({ ...task, lost }, attempt);
  if (!(outcome instanceof WorkerStop)) return unpackUnit(outcome);
  return {
    records: [{ kind: "damaged", ...lost, ...firstPlace(task.unit), sha256: null }],
    fileHashes: [null],
    bytes: 0,
  };
}

function joinUnits(parts: readonly ParsedUnit[]): ParsedUnit {
  return {
    records: parts.flatMap(({ records }) => records),
    fileHashes: parts.flatMap(({ fileHashes }) => fileHashes),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/**
 * Second pass. Finds the record that stops a worker by attempts whose results are discarded, then processes the chunk
 * without it.
 */
async function recoverChunk(task: PrepareTask, attempt: Attempt): Promise<PreparedChunk> {
  const count = task.segments.reduce((sum, { actions }) => sum + countStaged(actions), 0);
  const unread: number[] = [];
  const pending = [...(halveRange({ from: 0, to: count }) ?? [{ from: 0, to: count }])].reverse();
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const outcome = await outcomeOf({ ...task, base: `${task.base}-try`, range }, attempt);
    removeOutputs(`${task.base}-try`);
    if (!(outcome instanceof WorkerStop)) continue;
    const halves = halveRange(range);
    if (halves === null) unread.push(range.from);
    else pending.push(halves[1], halves[0]);
  }
  removeOutputs(task.base);
  const outcome = await outcomeOf({ ...task, unread }, attempt);
  if (!(outcome instanceof WorkerStop)) return outcome;
  // Each can be read alone, but not all together: none is read.
  removeOutputs(task.base);
  return attempt({ ...task, unread: Array.from({ length: count }, (_, entry) => entry) });
}

function halveRange({ from, to }: EntryRange): readonly [EntryRange, EntryRange] | null {
  if (to - from < 2) return null;
  const middle = (from + to) >>> 1;
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

/** Removes the files of an unfinished attempt, which have its name and a dot as a prefix. */
function removeOutputs(base: string): void {
  const directory = dirname(base);
  for (const name of readdirSync(directory)) if (name.startsWith(`${basename(base)}.`)) rmSync(join(directory, name));
}
