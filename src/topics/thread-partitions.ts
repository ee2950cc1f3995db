import { Uint32Column } from "../columns/column.ts";
import { groupByKey } from "../columns/grouping.ts";
import { seededRandom } from "../columns/seeded-random.ts";
import { ContentFilter, subjectEnd } from "./boilerplate.ts";
import type { Partitions } from "./partitions.ts";
import { MAX_MESSAGES_POOLED, type PooledTerms } from "./pooled-terms.ts";
import { SubjectSample } from "./subject-phrases.ts";

const SUBJECTS_SEED = 20_021;
/** Words per partition (4 MiB), the memory limit. A thread is never split, so very long messages make a larger one. */
const PARTITION_WORDS = 1 << 20;
/** Prefix of the words of a message: the number of the thread in its partition, and the number of words. */
const RECORD_HEAD = 2;

/** The content of threads and its partitioning. */
interface PartitionPlan {
  /** Number of messages of each thread. */
  readonly messages: Uint32Array;
  /** First thread of each partition, followed by the number of threads. */
  readonly firsts: Uint32Array;
}

function planPartitions(pool: PooledTerms): PartitionPlan {
  const messages = new Uint32Array(pool.threads);
  const words = new Uint32Array(pool.threads);
  for (const { segment, threadOf } of pool.segments()) {
    for (let message = 0; message < segment.messages; message++) {
      const thread = threadOf[message]!;
      if (thread < 0) continue;
      if (messages[thread]! < MAX_MESSAGES_POOLED) {
        words[thread] = words[thread]! + RECORD_HEAD + segment.starts[message + 1]! - segment.starts[message]!;
      }
      messages[thread] = messages[thread]! + 1;
    }
  }
  const firsts = [0];
  let filled = 0;
  for (let thread = 0; thread < pool.threads; thread++) {
    if (filled > 0 && filled + words[thread]! > PARTITION_WORDS) {
      firsts.push(thread);
      filled = 0;
    }
    filled += words[thread]!;
  }
  if (pool.threads > 0) firsts.push(pool.threads);
  return { messages, firsts: Uint32Array.from(firsts) };
}

/** Partition of each thread, by its number. */
function partitionOfThreads({ firsts, messages }: PartitionPlan): Uint32Array {
  const partitionOf = new Uint32Array(messages.length);
  for (let partition = 0; partition + 1 < firsts.length; partition++)
    partitionOf.fill(partition, firsts[partition], firsts[partition + 1]);
  return partitionOf;
}

/** Writes the first messages of each thread, without boilerplate, to the partition of the thread. */
function distribute(
  pool: PooledTerms,
  plan: PartitionPlan,
  {
    boilerplate,
    records,
    subjects,
  }: { readonly boilerplate: Uint32Array; readonly records: Partitions; readonly subjects: SubjectSample },
): void {
  const content = new ContentFilter(boilerplate);
  const partitionOf = partitionOfThreads(plan);
  const pooled = new Uint8Array(pool.threads);
  let record = new Uint32Array(1 << 10);
  for (const { segment, threadOf } of pool.segments()) {
    const { tokens, starts } = segment;
    for (let message = 0; message < segment.messages; message++) {
      const thread = threadOf[message]!;
      if (thread < 0 || pooled[thread] === MAX_MESSAGES_POOLED) continue;
      pooled[thread]!++;
      const [start, end] = [starts[message]!, starts[message + 1]!];
      subjects.offer(thread, tokens, start, subjectEnd(tokens, start, end));
      if (RECORD_HEAD + 2 * (end - start) > record.length) record = new Uint32Array(RECORD_HEAD + 4 * (end - start));
      const length = content.copyContent(tokens, [start, end], { words: record, at: RECORD_HEAD });
      if (length === RECORD_HEAD) continue;
      const partition = partitionOf[thread]!;
      record[0] = thread - plan.firsts[partition]!;
      record[1] = length - RECORD_HEAD;
      records.append(partition, record.subarray(0, length));
    }
  }
}

/** The words of consecutive threads. */
export class ThreadPartition {
  /** Offsets of the records of thread `first + n`: those from recordOf[starts[n]] to recordOf[starts[n + 1]]. */
  private readonly starts: Uint32Array;
  private readonly recordOf: Uint32Array;
  private words = new Uint32Array(1 << 10);

  constructor(
    private readonly records: Uint32Array,
    /** Number of the first thread, and the end, exclusive. */
    readonly first: number,
    readonly end: number,
  ) {
    const threads = new Uint32Column();
    const places = new Uint32Column();
    for (let at = 0; at < records.length; at += RECORD_HEAD + records[at + 1]!) {
      threads.push(records[at]!);
      places.push(at);
    }
    const { starts, members } = groupByKey(threads.view(), end - first);
    this.starts = starts;
    this.recordOf = members.map((record) => places.at(record));
  }

  /**
   * Tokens of a thread without line breaks and boilerplate; overwritten by the next call. Hot path: runs several times
   * for every word of the archive.
   */
  tokensOf(thread: number): Uint32Array {
    const { records, recordOf } = this;
    const last = this.starts[thread - this.first + 1]!;
    let length = 0;
    for (let slot = this.starts[thread - this.first]!; slot < last; slot++) {
      const start = recordOf[slot]! + RECORD_HEAD;
      const end = start + records[start - 1]!;
      if (length + end - start > this.words.length) this.makeRoom(length + end - start);
      for (let index = start; index < end; index++) this.words[length++] = records[index]!;
    }
    return this.words.subarray(0, length);
  }

  private makeRoom(length: number): void {
    const larger = new Uint32Array(2 * length);
    larger.set(this.words);
    this.words = larger;
  }
}

/** The text of threads in partitions that are read one at a time. */
export class ThreadPartitions {
  private readonly plan: PartitionPlan;
  /** Subjects of a sample of threads. */
  readonly subjects: SubjectSample;

  /** @param boilerplate keys of shingles to omit */
  constructor(
    pool: PooledTerms,
    boilerplate: Uint32Array,
    private readonly records: Partitions,
  ) {
    this.plan = planPartitions(pool);
    this.subjects = new SubjectSample(pool.threads, seededRandom(SUBJECTS_SEED));
    distribute(pool, this.plan, { boilerplate, records, subjects: this.subjects });
  }

  get threads(): number {
    return this.plan.messages.length;
  }

  /** Number of messages of a thread. */
  messageCount(thread: number): number {
    return this.plan.messages[thread]!;
  }

  /** The threads in order. A partition is valid until the next one is requested. */
  *read(): Generator<ThreadPartition> {
    const { firsts } = this.plan;
    for (let partition = 0; partition + 1 < firsts.length; partition++) {
      yield new ThreadPartition(this.records.read(partition), firsts[partition]!, firsts[partition + 1]!);
    }
  }
}
