import { ReusableFileReader } from "../../files/read-fully.ts";
import type { PooledSegment, PooledTerms } from "../../topics/pooled-terms.ts";
import { decodeTermSegment } from "../../topics/term-segment.ts";
import { type LearntTopics, trainTopics } from "../../topics/train-topics.ts";
import { unpackTexts } from "../staging/packed-texts.ts";
import { PartitionFiles } from "../staging/partition-files.ts";
import type { LearnTask } from "../staging/task.ts";

/** Learns topics, in any thread. */
export function learnTopics(task: LearnTask): LearntTopics {
  const words = new PartitionFiles(`${task.base}-words`);
  const vectors = new PartitionFiles(`${task.base}-vectors`);
  try {
    return trainTopics({
      pool: pooledTerms(task),
      partitions: { words, vectors },
      names: unpackTexts(task.names),
      firstOrdinal: task.firstOrdinal,
    });
  } finally {
    words.remove();
    vectors.remove();
  }
}

/** The terms of the messages of a run with the indexes of their threads. */
export function pooledTerms({
  termsPaths,
  threadOf,
  threads,
}: Pick<LearnTask, "termsPaths" | "threadOf" | "threads">): PooledTerms {
  const reader = new ReusableFileReader();
  function* segments(): Generator<PooledSegment> {
    let message = 0;
    for (const path of termsPaths) {
      const segment = decodeTermSegment(reader.read(path));
      yield { segment, threadOf: threadOf.subarray(message, message + segment.messages) };
      message += segment.messages;
    }
  }
  return { threads, segments };
}
