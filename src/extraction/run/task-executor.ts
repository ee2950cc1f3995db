import { FileTextReader } from "../../file-text/file-text-reader.ts";
import type { LearntTopics } from "../../topics/train-topics.ts";
import { AttachmentTexts } from "../reading/attachment-text.ts";
import type { FileHashes } from "../staging/message-header-record.ts";
import { type PackedUnit, packUnit } from "../staging/packed-unit.ts";
import type { FileHash, ParseTask, PreparedChunk, PrepareTask, Task } from "../staging/task.ts";

/** Executes tasks. Caches attachments from one task to the next. */
export function createTaskExecutor(): (task: Task) => Promise<TaskResults> {
  const fileTexts = new AttachmentTexts(new FileTextReader());
  return (task) => performTask(task, fileTexts);
}

type TaskResults = PackedUnit | PreparedChunk | LearntTopics | FileHash | FileHashes;

/**
 * Executes one task in any thread. Modules are loaded by the first task that needs them: a thread that only hashes or
 * distributes work must not load the language and sentiment tables, which take 100 MB.
 */
async function performTask(task: Task, fileTexts: AttachmentTexts): Promise<TaskResults> {
  switch (task.kind) {
    case "parse":
      return parse(task, fileTexts);
    case "prepare":
      return prepare(task);
    case "learn":
      return (await import("../preparing/learn-topics.ts")).learnTopics(task);
    case "hash":
      return (await import("../reading/hash-source.ts")).hashUnit(task.unit);
    case "hash-file":
      return (await import("../../sources/reading/source-hash.ts")).hashFile(task.path, task.sizeBytes);
  }
}

async function prepare(task: PrepareTask): Promise<PreparedChunk> {
  const { prepareChunk } = await import("../preparing/prepare-chunk.ts");
  const find = task.mentions ? (await import("../../mentions/find-mentions.ts")).findMentions : null;
  return prepareChunk(task, find);
}

async function parse(task: ParseTask, fileTexts: AttachmentTexts): Promise<PackedUnit> {
  const { parseUnit } = await import("../reading/parse-unit.ts");
  const { unitState } = await import("../../sources/unit-state.ts");
  const inputs = unitState(task.unit);
  return packUnit(await parseUnit(task, fileTexts), inputs);
}
