import { statSync } from "node:fs";
import { unitBytes } from "../../sources/work-units.ts";
import type { Task } from "../staging/task.ts";

const MIB = 1 << 20;

/**
 * Old-generation heap limit of a worker, in MiB. V8 ends the whole process if one allocation exceeds the limit by
 * more than 16 MB, so it is far above the limit of the watchdog. From 2,048, V8 would wait four times as long before
 * it collects garbage.
 */
export const WORKER_HEAP_MB = 2_000;

/** Limits of a worker per task. Ordinary mail stays far below: 2 MiB take 50 ms and 100 MB. */
export interface WorkerLimits {
  /** Maximum resident memory of one worker in bytes, in addition to the allowance for the size of its task. */
  readonly memoryBytes: number;
  /** The limit for each additional concurrent worker: one hostile worker must not use the memory of all. */
  readonly furtherBytes: number;
  /** Bytes of memory for each byte of mail, which is read, decoded and written, each in a separate buffer or text. */
  readonly memoryFactor: number;
  /** Seconds per task, in addition to those for its size: the machine may be busy. */
  readonly seconds: number;
  /** Seconds per MiB of mail: a hundred times the usual duration. */
  readonly secondsPerMib: number;
}

export const WORKER_LIMITS: WorkerLimits = {
  memoryBytes: 600 * MIB,
  furtherBytes: 300 * MIB,
  memoryFactor: 4,
  seconds: 30,
  secondsPerMib: 10,
};

/** Bytes of mail that a task reads. Infinite for tasks without a limit, which always end: hashing and learning topics. */
export function taskBytes(task: Task): number {
  if (task.kind === "parse") return unitBytes(task.unit);
  if (task.kind === "prepare") return task.segments.reduce((sum, { path }) => sum + fileBytes(path), 0);
  return Number.POSITIVE_INFINITY;
}

/** Returns 0 for a missing file. */
function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
