import type { WorkUnit } from "../../sources/source.ts";
import type { PreparedChunk, PrepareTask } from "../preparing/prepare-chunk.ts";
import type { FileHashes } from "../reading/file-hashes.ts";
import type { ParseTask } from "../reading/parse-unit.ts";
import { type PackedUnit, packUnit } from "../staging/packed-unit.ts";

/** Hashes the message files of a unit without reading them as mail. */
export interface HashTask {
  readonly kind: "hash";
  readonly unit: WorkUnit;
}

/** Hashes a source that is one file. */
export interface HashFileTask {
  readonly kind: "hash-file";
  readonly path: string;
  /** What it had when it was opened; what came behind is left alone. */
  readonly sizeBytes: number;
}

export interface FileHash {
  readonly sha256: string;
  readonly sizeBytes: number;
}

export type Task = ParseTask | PrepareTask | HashTask | HashFileTask;
export type TaskResult<T extends Task> = T extends ParseTask
  ? PackedUnit
  : T extends PrepareTask
    ? PreparedChunk
    : T extends HashFileTask
      ? FileHash
      : FileHashes;

/**
 * Does the work of one task, in whatever thread. Modules are loaded by the first task that needs them: a thread that only hashes or hands out
 * work must not hold the tables of languages and tone, which weigh 100 MB.
 */
export async function performTask(task: Task): Promise<PackedUnit | PreparedChunk | FileHash | FileHashes> {
  switch (task.kind) {
    case "parse":
      return packUnit((await import("../reading/parse-unit.ts")).parseUnit(task));
    case "prepare":
      return (await import("../preparing/prepare-chunk.ts")).prepareChunk(task);
    case "hash":
      return (await import("../reading/parse-unit.ts")).hashUnit(task.unit);
    case "hash-file":
      return (await import("../../sources/source-hash.ts")).hashFile(task.path, task.sizeBytes);
  }
}
