import { keywordCoherence } from "./keyword-coherence.ts";
import type { Centroids, Clustering } from "./spherical-k-means.ts";
import type { VectorTable } from "./thread-vectors.ts";
import { topicKeywords } from "./topic-keyword-terms.ts";
import { nearestClusters } from "./topic-model.ts";

/**
 * Minimum coherence of a cluster (mean NPMI of the pairs of keywords, -1…1); below it, the cluster is a coincidence.
 */
const MIN_COHERENCE = 0.05;
/**
 * Minimum share of threads with two of the keywords: below, a cluster is a few threads plus unrelated ones. Private
 * letters, which share few words, reach a fifth.
 */
const MIN_COVERAGE = 0.15;
/** Clusters that absorb the threads of a dissolved one may become incoherent; a third round found none. */
const DISSOLVING_ROUNDS = 2;

/**
 * The centroids of coherent clusters, whose keywords occur together in their own threads; threads of other clusters
 * move to the nearest of these.
 */
export function coherentCentroids(clustering: Clustering, table: VectorTable): Centroids {
  let { centroids, clusterOf } = clustering;
  for (let round = 1; ; round++) {
    const kept = withoutIncoherent({ centroids, clusterOf }, table);
    if (kept.clusters === centroids.clusters || round === DISSOLVING_ROUNDS) return kept;
    centroids = kept;
    clusterOf = nearestClusters(centroids, table);
  }
}

/** The coherent clusters; all if none is coherent. */
function withoutIncoherent({ clusterOf, centroids }: Clustering, table: VectorTable): Centroids {
  const { clusters, weights } = centroids;
  const terms = weights.length / clusters;
  const grouped = { vectors: () => [{ first: 0, table }], topicOfThread: clusterOf, topics: clusters, terms };
  const coherence = keywordCoherence(grouped, topicKeywords(grouped));
  const kept = coherence.flatMap(({ mean, coverage }, cluster) =>
    mean < MIN_COHERENCE || coverage < MIN_COVERAGE ? [] : [cluster],
  );
  if (kept.length === clusters || kept.length === 0) return centroids;
  const chosen = new Float32Array(terms * kept.length);
  for (let term = 0; term < terms; term++) {
    kept.forEach((cluster, index) => {
      chosen[term * kept.length + index] = weights[term * clusters + cluster]!;
    });
  }
  return { clusters: kept.length, weights: chosen };
}
