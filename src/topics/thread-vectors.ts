import { growArray } from "../columns/grow-array.ts";
import { HashCounter } from "../columns/hash-counter.ts";
import type { Partitions } from "./partitions.ts";
import type { ThreadPartition, ThreadPartitions } from "./thread-partitions.ts";
import { hashOfToken } from "./token.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Maximum terms of a thread, by weight: more slow down the training with nearly the same result. */
const MAX_TERMS_PER_THREAD = 60;

/** A unit vector over the vocabulary, sparse: the first `length` entries of the columns count. */
interface SparseVector {
  readonly terms: Int32Array;
  readonly weights: Float32Array;
  readonly length: number;
}

/** Turns threads into TF-IDF vectors, (1+ln tf) * idf with unit length. The vector is overwritten by the next one. */
export class ThreadVectorizer {
  private readonly termOfHash: HashCounter;
  private readonly frequency: Uint32Array;
  private readonly seen: number[] = [];
  private readonly terms = new Int32Array(MAX_TERMS_PER_THREAD);
  private readonly weights = new Float32Array(MAX_TERMS_PER_THREAD);

  constructor(private readonly vocabulary: Vocabulary) {
    this.termOfHash = new HashCounter(1 << 16);
    vocabulary.hashes.forEach((hash, term) => {
      this.termOfHash.set(hash, term + 1);
    });
    this.frequency = new Uint32Array(vocabulary.hashes.length);
  }

  /** Term of a packed token, -1 if it is not in the vocabulary. */
  termOf(token: number): number {
    return this.termOfHash.get(hashOfToken(token)) - 1;
  }

  /** @param tokens of a thread */
  vectorOf(tokens: Uint32Array): SparseVector {
    this.countTerms(tokens);
    const { frequency, seen, terms, weights } = this;
    if (seen.length > MAX_TERMS_PER_THREAD) seen.sort((a, b) => this.weightOf(b) - this.weightOf(a) || a - b);
    const length = Math.min(seen.length, MAX_TERMS_PER_THREAD);
    let squares = 0;
    for (let i = 0; i < length; i++) {
      const weight = this.weightOf(seen[i]!);
      terms[i] = seen[i]!;
      weights[i] = weight;
      squares += weight * weight;
    }
    const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
    for (let i = 0; i < length; i++) weights[i] = weights[i]! * scale;
    for (let i = 0; i < seen.length; i++) frequency[seen[i]!] = 0;
    return { terms, weights, length };
  }

  /** Fills `seen` with the terms of a thread in order of appearance, and `frequency`. */
  private countTerms(tokens: Uint32Array): void {
    const { frequency, seen } = this;
    seen.length = 0;
    for (let index = 0; index < tokens.length; index++) {
      const term = this.termOf(tokens[index]!);
      if (term < 0) continue;
      if (frequency[term] === 0) seen.push(term);
      frequency[term] = frequency[term]! + 1;
    }
  }

  private weightOf(term: number): number {
    const frequency = this.frequency[term]!;
    const logarithm = frequency < LOGARITHMS.length ? LOGARITHMS[frequency]! : Math.log(frequency);
    return (1 + logarithm) * this.vocabulary.idf[term]!;
  }
}

/** Logarithms of the most common frequencies. */
const LOGARITHMS: Float64Array = Float64Array.from({ length: 64 }, (_, frequency) => Math.log(frequency));

/** Vectors of several threads in compressed rows: row r is [starts[r], starts[r + 1]) of the columns. */
export interface VectorTable {
  readonly rows: number;
  readonly starts: Uint32Array;
  readonly terms: Int32Array;
  readonly weights: Float32Array;
}

/** Initial capacity in entries. */
const INITIAL_ENTRIES = 1 << 16;

/** Builds the vectors of each partition in reused columns, to avoid garbage. */
export class PartitionVectorizer {
  private terms = new Int32Array(INITIAL_ENTRIES);
  private weights = new Float32Array(INITIAL_ENTRIES);

  constructor(private readonly vectorizer: ThreadVectorizer) {}

  /** The vectors of the threads of a partition; overwritten by the next call. */
  vectorsOf(partition: ThreadPartition): VectorTable {
    const rows = partition.end - partition.first;
    const starts = new Uint32Array(rows + 1);
    let length = 0;
    for (let row = 0; row < rows; row++) {
      const vector = this.vectorizer.vectorOf(partition.tokensOf(partition.first + row));
      if (length + vector.length > this.terms.length) {
        this.terms = growArray(this.terms);
        this.weights = growArray(this.weights);
      }
      const { terms, weights } = this;
      for (let entry = 0; entry < vector.length; entry++) {
        terms[length] = vector.terms[entry]!;
        weights[length++] = vector.weights[entry]!;
      }
      starts[row + 1] = length;
    }
    return { rows, starts, terms: this.terms.subarray(0, length), weights: this.weights.subarray(0, length) };
  }
}

/** The vectors of consecutive threads: row r is that of thread `first + r`. */
export interface VectorPartition {
  readonly first: number;
  readonly table: VectorTable;
}

/** The vectors of all threads: each is needed several times, and reading the words of a thread is slower. */
export class VectorPartitions {
  /** Terms of each thread. */
  readonly lengths: Uint8Array;
  /** First thread of each partition. */
  private readonly firsts: number[] = [];

  constructor(
    threads: ThreadPartitions,
    vectorizer: ThreadVectorizer,
    private readonly columns: Partitions,
  ) {
    this.lengths = new Uint8Array(threads.threads);
    const partitionVectorizer = new PartitionVectorizer(vectorizer);
    for (const partition of threads.read()) {
      const { rows, starts, terms, weights } = partitionVectorizer.vectorsOf(partition);
      for (let row = 0; row < rows; row++) this.lengths[partition.first + row] = starts[row + 1]! - starts[row]!;
      for (const column of [starts, terms, weights]) {
        columns.append(this.firsts.length, new Uint32Array(column.buffer, column.byteOffset, column.length));
      }
      this.firsts.push(partition.first);
    }
  }

  /** In thread order. A partition is valid until the next one is requested. */
  *read(): Generator<VectorPartition> {
    for (const [partition, first] of this.firsts.entries()) {
      const words = this.columns.read(partition);
      const rows = (this.firsts[partition + 1] ?? this.lengths.length) - first;
      const starts = words.subarray(0, rows + 1);
      const entries = starts[rows]!;
      const at = words.byteOffset + starts.byteLength;
      const terms = new Int32Array(words.buffer, at, entries);
      yield {
        first,
        table: { rows, starts, terms, weights: new Float32Array(words.buffer, at + terms.byteLength, entries) },
      };
    }
  }

  /** The vectors of some threads, in ascending order. */
  select(threads: Int32Array): VectorTable {
    const selected = new Uint32Array(threads.length + 1);
    for (let index = 0; index < threads.length; index++)
      selected[index + 1] = selected[index]! + this.lengths[threads[index]!]!;
    const entries = selected[threads.length]!;
    const table = {
      rows: threads.length,
      starts: selected,
      terms: new Int32Array(entries),
      weights: new Float32Array(entries),
    };
    let index = 0;
    for (const {
      first,
      table: { rows, starts, terms, weights },
    } of this.read()) {
      for (; index < threads.length && threads[index]! < first + rows; index++) {
        const row = threads[index]! - first;
        table.terms.set(terms.subarray(starts[row], starts[row + 1]), selected[index]);
        table.weights.set(weights.subarray(starts[row], starts[row + 1]), selected[index]);
      }
    }
    return table;
  }
}
