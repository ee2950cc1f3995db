import { type PackedUnit, packUnit } from "../staging/packed-unit.ts";
import type { FileHashes } from "../staging/skeleton.ts";
import type { FileHash, PreparedChunk, Task } from "../staging/task.ts";

/**
 * Does the work of one task, in whatever thread. Modules are loaded by the first task that needs them: a thread that
 * only hashes or hands out work must not hold the tables of languages and tone, which weigh 100 MB.
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
