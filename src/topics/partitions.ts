/**
 * Storage of columns of 32-bit words between two passes: numbered partitions, each small enough for memory. The caller
 * chooses the location.
 */
export interface Partitions {
  /** Appends a copy of words to a partition. */
  append(partition: number, words: Uint32Array): void;
  /** All words of a partition, in a buffer that the next read may reuse. */
  read(partition: number): Uint32Array;
}

/** The partitions that training fills. */
export interface TrainingPartitions {
  readonly words: Partitions;
  readonly vectors: Partitions;
}
