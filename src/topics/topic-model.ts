import { OTHER_TOPIC } from "../mail/records/ids.ts";
import type { Partitions } from "./partitions.ts";
import type { PooledTerms } from "./pooled-terms.ts";
import { type Centroids, NearestCentroid } from "./spherical-k-means.ts";
import { ThreadPartitions } from "./thread-partitions.ts";
import { PartitionVectorizer, ThreadVectorizer, type VectorPartition, type VectorTable } from "./thread-vectors.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Minimum cosine with a centroid to belong to its topic. */
const MIN_COSINE = 0.04;

/** All data needed to assign further threads: frozen at the first training, kept in the store. */
export interface TopicModel {
  readonly vocabulary: Vocabulary;
  readonly centroids: Centroids;
  /** Topic ordinal of each cluster; several clusters may form one topic, and small ones belong to OTHER_TOPIC. */
  readonly topicOfCluster: Int32Array;
  /** Hashes of boilerplate lines, ascending. */
  readonly boilerplate: Uint32Array;
}

/**
 * Topic of each thread of the pool by a trained model; OTHER_TOPIC for a thread without known words or a similar topic.
 */
export function assignThreads(model: TopicModel, pool: PooledTerms, words: Partitions): Int32Array {
  const vectorizer = new PartitionVectorizer(new ThreadVectorizer(model.vocabulary));
  const partitions = new ThreadPartitions(pool, model.boilerplate, words);
  const vectors = function* (): Generator<VectorPartition> {
    for (const partition of partitions.read()) yield { first: partition.first, table: vectorizer.vectorsOf(partition) };
  };
  return assignVectors(model, vectors(), pool.threads);
}

/** The same for vectors in memory. */
export function assignVectors(
  model: Pick<TopicModel, "centroids" | "topicOfCluster">,
  vectors: Iterable<VectorPartition>,
  threads: number,
): Int32Array {
  const nearest = new NearestCentroid(model.centroids);
  const topics = new Int32Array(threads).fill(OTHER_TOPIC);
  if (model.centroids.clusters === 0) return topics;
  for (const { first, table } of vectors) {
    for (let row = 0; row < table.rows; row++) {
      nearest.find(table, table.starts[row]!, table.starts[row + 1]!);
      if (nearest.cosine >= MIN_COSINE) topics[first + row] = model.topicOfCluster[nearest.cluster]!;
    }
  }
  return topics;
}

/** The nearest cluster of each row, -1 if none is near enough. */
export function nearestClusters(centroids: Centroids, table: VectorTable): Int32Array {
  const nearest = new NearestCentroid(centroids);
  return Int32Array.from({ length: table.rows }, (_, row) => {
    nearest.find(table, table.starts[row]!, table.starts[row + 1]!);
    return nearest.cosine >= MIN_COSINE ? nearest.cluster : -1;
  });
}

/** First word of a serialized model: "ATM1". */
const MAGIC = 0x41544d31;

/**
 * The model as bytes for the store: 32-bit little-endian words; header (magic, terms, clusters, boilerplate lines),
 * then hashes, idf, centroids, topics and boilerplate.
 */
export function encodeTopicModel(model: TopicModel): Uint8Array {
  const { vocabulary, centroids, topicOfCluster, boilerplate } = model;
  const header = Uint32Array.of(MAGIC, vocabulary.hashes.length, centroids.clusters, boilerplate.length);
  const parts = [header, vocabulary.hashes, vocabulary.idf, centroids.weights, topicOfCluster, boilerplate];
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), offset);
    offset += part.byteLength;
  }
  return bytes;
}

/** Decodes the output of `encodeTopicModel`. @throws RangeError on other bytes */
export function decodeTopicModel(bytes: Uint8Array): TopicModel {
  const { buffer } = bytes.slice();
  if (buffer.byteLength < 16) throw new RangeError("not a topic model");
  const [magic, terms, clusters, lines] = new Uint32Array(buffer, 0, 4) as unknown as [number, number, number, number];
  if (magic !== MAGIC || buffer.byteLength !== 4 * (4 + 2 * terms + terms * clusters + clusters + lines))
    throw new RangeError("not a topic model");
  let offset = 16;
  const next = (length: number): number => {
    const start = offset;
    offset += length * 4;
    return start;
  };
  return {
    vocabulary: {
      hashes: new Uint32Array(buffer, next(terms), terms),
      idf: new Float32Array(buffer, next(terms), terms),
    },
    centroids: { clusters, weights: new Float32Array(buffer, next(terms * clusters), terms * clusters) },
    topicOfCluster: new Int32Array(buffer, next(clusters), clusters),
    boilerplate: new Uint32Array(buffer, next(lines), lines),
  };
}
