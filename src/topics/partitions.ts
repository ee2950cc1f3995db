/**
 * Where columns of 32-bit words lie between two passes: in numbered partitions, each small enough to be held in memory
 * whole. Whoever runs the passes says where that is.
 */
export interface Partitions {
  /** Adds words behind those that a partition has; they are copied. */
  append(partition: number, words: Uint32Array): void;
  /** All words of a partition, in a buffer that the next read may reuse. */
  read(partition: number): Uint32Array;
}

/** The partitions that training fills. */
export interface TrainingPartitions {
  readonly words: Partitions;
  readonly vectors: Partitions;
}
