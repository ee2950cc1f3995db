import type { WorkUnit } from "../sources/source.ts";
import { hashFile } from "../sources/source-hash.ts";
import { hashUnit, type ParsedUnit, type ParseTask, parseUnit } from "./parse-unit.ts";
import { type PreparedChunk, type PrepareTask, prepareChunk } from "./prepare-chunk.ts";

/** Hashes the message files of a unit without reading them as mail. */
export interface HashTask {
  readonly kind: "hash";
  readonly unit: WorkUnit;
}

/** Hashes a source that is one file. */
export interface HashFileTask {
  readonly kind: "hash-file";
  readonly path: string;
}

export interface FileHash {
  readonly sha256: string;
  readonly sizeBytes: number;
}

export type Task = ParseTask | PrepareTask | HashTask | HashFileTask;
export type TaskResult<T extends Task> = T extends ParseTask
  ? ParsedUnit
  : T extends PrepareTask
    ? PreparedChunk
    : T extends HashFileTask
      ? FileHash
      : ParsedUnit["fileHashes"];

/** Does the work of one task, in whatever thread. */
export async function performTask(task: Task): Promise<ParsedUnit | PreparedChunk | FileHash | ParsedUnit["fileHashes"]> {
  switch (task.kind) {
    case "parse":
      return parseUnit(task);
    case "prepare":
      return prepareChunk(task);
    case "hash":
      return hashUnit(task.unit);
    case "hash-file":
      return hashFile(task.path);
  }
}
