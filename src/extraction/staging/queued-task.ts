import { basename, join } from "node:path";
import type { MessageOrdinal } from "../../mail/ordinal.ts";
import type { PiiType } from "../../mail/provenance.ts";
import type { ResultFile } from "../../store/task-queue.ts";
import { packValue, unpackValue } from "./packed-value.ts";
import type { PackedActions } from "./staged-segment.ts";
import type { ParseTask, PreparedChunk, PrepareTask } from "./task.ts";

/**
 * A task as it goes to another machine: what is read there of sources is named by path and size, what other tasks have
 * made by their numbers, and what is written is named when it comes back.
 */
export type QueuedBody =
  | {
      readonly kind: "parse";
      readonly unit: ParseTask["unit"];
      /** Tells what lies there (`unitContent`), as the run sees it. */
      readonly content: string;
      readonly savesAttachments: boolean;
      readonly attachmentText: boolean;
      readonly keepCopies: boolean;
      readonly redact: readonly PiiType[];
    }
  | {
      readonly kind: "prepare";
      /** The tasks that have made the segments. */
      readonly segments: readonly { readonly task: number; readonly actions: PackedActions }[];
      readonly firstOrdinal: MessageOrdinal;
      readonly redact: readonly PiiType[];
    };

export function packUnitTask(task: ParseTask, content: string): Uint8Array {
  const { unit, attachmentDirectory, attachmentText, keepCopies, redact } = task;
  const savesAttachments = attachmentDirectory !== null;
  const body: QueuedBody = {
    kind: "parse",
    ...{ unit, content, savesAttachments, attachmentText, keepCopies, redact },
  };
  return packValue(body);
}

/** @param tasks those that have made the segments, in their order */
export function packChunkTask({ segments, firstOrdinal, redact }: PrepareTask, tasks: readonly number[]): Uint8Array {
  const made = segments.map(({ actions }, at) => ({ task: tasks[at]!, actions }));
  const body: QueuedBody = { kind: "prepare", segments: made, firstOrdinal, redact };
  return packValue(body);
}

export function readQueuedTask(body: Uint8Array): QueuedBody {
  return unpackValue(body) as QueuedBody;
}

/** What the segment of a unit is called among the files of its result; attachments are called as they are staged. */
export const SEGMENT = "segment";

/** The files of a parsed unit, of which the attachments have these names. */
export function unitFiles(
  { segmentPath, attachmentDirectory }: ParseTask,
  attachments: readonly string[],
): readonly ResultFile[] {
  const saved = attachments.map((name) => ({ name, path: join(attachmentDirectory!, name) }));
  return [{ name: SEGMENT, path: segmentPath }, ...saved];
}

/** Names that a result may give its files: they become parts of paths. */
const STAGED_NAME = /^\d+-\d+$/;
const CHUNK_PART = /^\.(?:rows|terms|index-\d+)$/;

/** Where a file of a parsed unit belongs. Throws RangeError for a name that no unit gives. */
export function unitPath({ segmentPath, attachmentDirectory }: ParseTask, name: string): string {
  if (name === SEGMENT) return segmentPath;
  if (attachmentDirectory === null || !STAGED_NAME.test(name)) throw new RangeError(`no file of a unit: ${name}`);
  return join(attachmentDirectory, name);
}

/** Where a file of a prepared chunk belongs. Throws RangeError for a name that no chunk gives. */
export function chunkPath({ base }: PrepareTask, name: string): string {
  if (!CHUNK_PART.test(name)) throw new RangeError(`no file of a chunk: ${name}`);
  return base + name;
}

/** The files of a prepared chunk, each called by what follows the name of the chunk. */
export function chunkFiles(
  { base }: PrepareTask,
  { rowsPath, termsPath, indexPaths }: PreparedChunk,
): readonly ResultFile[] {
  const paths = [...(rowsPath === null ? [] : [rowsPath]), termsPath, ...indexPaths];
  return paths.map((path) => ({ name: basename(path).slice(basename(base).length), path }));
}

/** A prepared chunk whose files lie beside another base. */
export function movedChunk(chunk: PreparedChunk, from: string, to: string): PreparedChunk {
  const moved = (path: string): string => to + path.slice(from.length);
  return {
    ...chunk,
    rowsPath: chunk.rowsPath === null ? null : moved(chunk.rowsPath),
    termsPath: moved(chunk.termsPath),
    indexPaths: chunk.indexPaths.map(moved),
  };
}
