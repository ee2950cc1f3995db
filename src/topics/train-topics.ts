import { sampleIndexes, seededRandom } from "../columns/seeded-random.ts";
import { OTHER_TOPIC } from "../mail/records/ids.ts";
import { findBoilerplate } from "./boilerplate.ts";
import { coherentCentroids } from "./coherent-clusters.ts";
import type { TrainingPartitions } from "./partitions.ts";
import type { PooledTerms } from "./pooled-terms.ts";
import { type Centroids, clusterVectors } from "./spherical-k-means.ts";
import { ThreadPartitions } from "./thread-partitions.ts";
import { ThreadVectorizer, VectorPartitions } from "./thread-vectors.ts";
import { findKeywords } from "./topic-keywords.ts";
import { assignVectors, type TopicModel } from "./topic-model.ts";
import { nameTopics } from "./topic-names.ts";
import { buildVocabulary } from "./vocabulary.ts";

/** Threads used for learning topics; more do not improve them. */
const MAX_SAMPLE = 20_000;
const SAMPLE_SEED = 20_011;
/**
 * Number of clusters: the root of the number of threads divided by two and a half, at most 60; one for a handful of
 * threads. This is 1.5 times the number of topics: threads that are similar by chance form separate clusters, which are
 * dissolved, instead of joining meaningful ones.
 */
const ROOT_DIVISOR = 2.5;
const MAX_CLUSTERS = 60;
/** Small archives contain more subjects: 1.5 times the root, up to 30 clusters. */
const SMALL_ROOT_FACTOR = 1.5;
const MAX_SMALL_CLUSTERS = 30;
const MIN_THREADS_FOR_CLUSTERS = 10;
/** Minimum cosine of centroids to merge clusters into one topic. */
const MERGE_COSINE = 0.5;
/** A topic has at least 3 threads and this share of all; smaller ones are "Other". */
const MIN_TOPIC_THREADS = 3;
const MIN_TOPIC_SHARE = 0.001;

/** A learned topic. */
export interface LearntTopic {
  /** Ordinal of its id. */
  readonly ordinal: number;
  readonly name: string;
  /** The most characteristic first, at most 10, in their most frequent form. */
  readonly keywords: readonly string[];
  /** Percent of its threads that mention one of the first keywords (MENTIONED_KEYWORDS). */
  readonly mentionPercent: number;
  readonly messages: number;
  readonly threads: number;
}

export interface LearntTopics {
  /** Topic ordinal of each thread; OTHER_TOPIC for one without words or a similar topic. */
  readonly topicOfThread: Int32Array;
  /** By ordinal: largest first, by messages. Excludes "Other". */
  readonly topics: readonly LearntTopic[];
  readonly model: TopicModel;
}

/** Parameters of training other than the texts. */
interface TrainingTask {
  readonly pool: PooledTerms;
  readonly partitions: TrainingPartitions;
  /** Contact names and mail domains: names are not topics. */
  readonly names: Iterable<string>;
  /** Ordinal of the first topic: 1, or after the last one ever assigned when an archive is trained again. */
  readonly firstOrdinal: number;
}

export function clusterCount(threads: number): number {
  if (threads < MIN_THREADS_FOR_CLUSTERS) return 1;
  const root = Math.sqrt(threads);
  const ofSmall = Math.min(MAX_SMALL_CLUSTERS, SMALL_ROOT_FACTOR * root);
  return Math.min(MAX_CLUSTERS, Math.round(Math.max(root / ROOT_DIVISOR, ofSmall)));
}

/** Threads with words of the vocabulary, in order. */
function usableThreads({ lengths }: VectorPartitions): Int32Array {
  const usable = new Int32Array(lengths.length);
  let count = 0;
  for (let thread = 0; thread < lengths.length; thread++) if (lengths[thread]! > 0) usable[count++] = thread;
  return usable.subarray(0, count);
}

const NO_CENTROIDS: Centroids = { clusters: 0, weights: new Float32Array(0) };

/** Representative of each cluster after merging close ones. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: pairs of centroids over columns: a triangle, then the joining
function mergeClusters({ clusters, weights }: Centroids): Int32Array {
  const cosines = new Float64Array(clusters * clusters);
  for (let base = 0; base < weights.length; base += clusters) {
    for (let a = 0; a < clusters; a++) {
      const weight = weights[base + a]!;
      if (weight === 0) continue;
      for (let b = 0; b < a; b++) cosines[a * clusters + b] = cosines[a * clusters + b]! + weight * weights[base + b]!;
    }
  }
  const representative = Int32Array.from({ length: clusters }, (_, c) => c);
  for (let a = 0; a < clusters; a++) {
    for (let b = 0; b < a; b++) {
      if (cosines[a * clusters + b]! <= MERGE_COSINE) continue;
      const [from, to] = [representative[a]!, representative[b]!];
      if (from !== to) for (let c = 0; c < clusters; c++) if (representative[c] === from) representative[c] = to;
    }
  }
  return representative;
}

/** Threads and messages of one group of clusters. */
interface GroupSize {
  readonly group: number;
  threads: number;
  messages: number;
}

function groupSizes(groupOfThread: Int32Array, threads: ThreadPartitions, clusters: number): readonly GroupSize[] {
  const sizes: GroupSize[] = Array.from({ length: clusters }, (_, group) => ({ group, threads: 0, messages: 0 }));
  groupOfThread.forEach((group, thread) => {
    if (group < 0) return;
    const size = sizes[group]!;
    size.threads++;
    size.messages += threads.messageCount(thread);
  });
  return sizes;
}

/** Groups large enough to be topics, by messages. */
function rankGroups(sizes: readonly GroupSize[], threads: number): readonly GroupSize[] {
  const least = Math.min(Math.max(MIN_TOPIC_THREADS, threads * MIN_TOPIC_SHARE), Math.max(1, threads));
  return sizes
    .filter((size) => size.threads >= least)
    .sort((a, b) => b.messages - a.messages || b.threads - a.threads || a.group - b.group);
}

/**
 * Learns the topics of an archive from the pooled words of its threads. Deterministic: the same messages in the same
 * order give the same topics, bit for bit, however many workers read them.
 */
export function trainTopics({ pool, partitions, names, firstOrdinal }: TrainingTask): LearntTopics {
  const boilerplate = findBoilerplate(pool);
  const threads = new ThreadPartitions(pool, boilerplate, partitions.words);
  const vocabulary = buildVocabulary(threads, names);
  const vectorizer = new ThreadVectorizer(vocabulary);
  const vectors = new VectorPartitions(threads, vectorizer, partitions.vectors);
  const usable = usableThreads(vectors);
  const clusters = usable.length === 0 ? 0 : clusterCount(usable.length);
  const sample = sampleIndexes(usable.length, MAX_SAMPLE, seededRandom(SAMPLE_SEED)).map((index) => usable[index]!);
  const table = vectors.select(sample);
  const centroids =
    clusters === 0
      ? NO_CENTROIDS
      : coherentCentroids(clusterVectors({ table, terms: vocabulary.hashes.length, clusters }), table);

  // Clusters are numbered from 1 here, because OTHER_TOPIC is 0.
  const groupOfCluster = mergeClusters(centroids);
  const draft: TopicModel = {
    vocabulary,
    centroids,
    topicOfCluster: groupOfCluster.map((group) => group + 1),
    boilerplate,
  };
  const groupOfThread = assignVectors(draft, vectors.read(), pool.threads).map((group) => group - 1);
  const ranked = rankGroups(groupSizes(groupOfThread, threads, centroids.clusters), usable.length);
  const rankOfGroup = new Int32Array(centroids.clusters).fill(-1);
  ranked.forEach(({ group }, rank) => {
    rankOfGroup[group] = rank;
  });
  const rankOfThread = groupOfThread.map((group) => (group < 0 ? -1 : rankOfGroup[group]!));
  const ordinalOf = (rank: number): number => (rank < 0 ? OTHER_TOPIC : firstOrdinal + rank);
  const found = findKeywords({
    pool,
    threads,
    vectorizer,
    vectors,
    vocabulary,
    topicOfThread: rankOfThread,
    topics: ranked.length,
  });
  const namesOfTopics = nameTopics(found);
  return {
    topicOfThread: rankOfThread.map(ordinalOf),
    topics: ranked.map(({ threads, messages }, rank) => ({
      ordinal: ordinalOf(rank),
      name: namesOfTopics[rank]!,
      keywords: found[rank]!.keywords.map(({ text }) => text),
      mentionPercent: found[rank]!.mentionPercent,
      messages,
      threads,
    })),
    model: { ...draft, topicOfCluster: groupOfCluster.map((group) => ordinalOf(rankOfGroup[group]!)) },
  };
}
