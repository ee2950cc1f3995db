import { rmSync } from "node:fs";
import { join } from "node:path";
import { addToOrdinal, type MessageOrdinal } from "../../mail/records/ordinal.ts";
import type { RedactedType } from "../../mail/records/provenance.ts";
import type { StagedSegment } from "../staging/staged-segment.ts";
import type { PreparedChunk, PrepareTask } from "../staging/task.ts";
import type { Errand, TaskRunner } from "../workers/worker-pool.ts";

/**
 * Minimum messages of a chunk, and maximum segments: the index of a chunk is one sorted run; larger chunks merge faster
 * and use more memory.
 */
const CHUNK_MESSAGES = 4_096;
const CHUNK_SEGMENTS = 16;

export interface FilledChunk {
  readonly segments: readonly StagedSegment[];
  readonly prepared: PreparedChunk;
}

/** Files of a chunk, deleted when the archive is written. */
export interface ChunkFiles {
  readonly segments: readonly StagedSegment[];
  readonly prepared: Pick<PreparedChunk, "rowsPath" | "termsPath" | "indexPaths">;
}

interface PrepareRequest {
  readonly stagingDirectory: string;
  readonly firstOrdinal: MessageOrdinal;
  readonly redact: readonly RedactedType[];
  readonly redactWords?: readonly string[] | undefined;
  readonly mentions: boolean;
  /** Maximum messages per range of the search index; absent for the default. */
  readonly rangeMessages?: number;
}

/** All staged text, or as the first pass stages it. */
export type Segments = Iterable<StagedSegment> | AsyncIterable<StagedSegment>;

/**
 * Second pass over all staged text, chunk by chunk. The cut into chunks depends only on the sources, so the result does
 * not depend on the workers.
 */
export async function* prepareSegments(
  segments: Segments,
  request: PrepareRequest,
  runner: TaskRunner,
): AsyncGenerator<FilledChunk> {
  for await (const { about, result } of runner.inOrder(errandsOf(segments, request))) {
    yield { segments: about, prepared: result };
    // Unredacted text is deleted as soon as it is no longer needed for repeating the chunk.
    if (request.redact.length > 0) for (const { path } of about) rmSync(path, { force: true });
  }
}

async function* errandsOf(
  segments: Segments,
  request: PrepareRequest,
): AsyncGenerator<Errand<PrepareTask, readonly StagedSegment[]>> {
  let firstOrdinal = request.firstOrdinal;
  let chunk: StagedSegment[] = [];
  let messages = 0;
  let number = 0;
  const errand = (): Errand<PrepareTask, readonly StagedSegment[]> => {
    number++;
    const task: PrepareTask = {
      kind: "prepare",
      segments: chunk.map(({ path, actions }) => ({ path, actions: actions.packed() })),
      firstOrdinal,
      base: join(request.stagingDirectory, `chunk-${number}`),
      redact: request.redact,
      redactWords: request.redactWords,
      mentions: request.mentions,
      ...(request.rangeMessages === undefined ? {} : { rangeMessages: request.rangeMessages }),
      range: null,
      unread: [],
    };
    const filled = { task, about: chunk };
    firstOrdinal = addToOrdinal(firstOrdinal, messages);
    chunk = [];
    messages = 0;
    return filled;
  };
  for await (const segment of segments) {
    chunk.push(segment);
    messages += segment.actions.messages;
    if (messages >= CHUNK_MESSAGES || chunk.length >= CHUNK_SEGMENTS) yield errand();
  }
  if (chunk.length > 0) yield errand();
}
