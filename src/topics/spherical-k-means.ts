import { latentVectors } from "./latent-space.ts";
import { leastKeys } from "./thread-sample.ts";
import type { VectorTable } from "./thread-vectors.ts";
import { columnAxes, varimaxAxes } from "./varimax.ts";

/** Threads along which the axes are turned at first, and how often; and how often then along all of the sample. */
const FEW_THREADS = 1500;
const FEW_ROUNDS = 14;
const ALL_ROUNDS = 4;
/** Iterations in latent space, from the axes on. More of them follow chance rather than the threads. */
const LATENT_ITERATIONS = 2;
/** Threads whose latent space is looked for clusters; more find no others. */
const LATENT_SAMPLE = 6000;
/** Iterations over the terms that complete what was found there. */
const TERM_ITERATIONS = 1;

/**
 * Unit centroids, term-major: the weight of term t in cluster c is weights[t * clusters + c], so that the inner loop
 * reads one stretch.
 */
export interface Centroids {
  readonly clusters: number;
  readonly weights: Float32Array;
}

/** Terms and weights of sparse vectors, one behind the other. */
type SparseEntries = Pick<VectorTable, "terms" | "weights">;

/** Entries of a vector that are multiplied in one pass over the clusters; more would not stay in the registers. */
const ENTRIES_AT_ONCE = 4;

/** The nearest cluster by cosine, and the cosine; the lower number on a tie. */
export class NearestCentroid {
  readonly centroids: Centroids;
  private readonly cosines: Float64Array;
  cluster = 0;
  cosine = 0;

  constructor(centroids: Centroids) {
    this.centroids = centroids;
    this.cosines = new Float64Array(centroids.clusters);
  }

  /** Looks the entries [start, end) of sparse vectors up; the answer is in `cluster` and `cosine`. */
  find(vectors: SparseEntries, start: number, end: number): void {
    const { cosines } = this;
    const { clusters } = this.centroids;
    const whole = end - ((end - start) % ENTRIES_AT_ONCE);
    cosines.fill(0);
    for (let entry = start; entry < whole; entry += ENTRIES_AT_ONCE) this.addEntries(vectors, entry);
    for (let entry = whole; entry < end; entry++) this.addEntry(vectors, entry);
    let nearest = 0;
    let cosine = cosines[0] ?? 0;
    for (let c = 1; c < clusters; c++) {
      if (cosines[c]! <= cosine) continue;
      cosine = cosines[c]!;
      nearest = c;
    }
    this.cluster = nearest;
    this.cosine = cosine;
  }

  private addEntry(vectors: SparseEntries, entry: number): void {
    const { cosines } = this;
    const { clusters, weights } = this.centroids;
    const weight = vectors.weights[entry]!;
    const base = vectors.terms[entry]! * clusters;
    for (let c = 0; c < clusters; c++) cosines[c] = cosines[c]! + weight * weights[base + c]!;
  }

  /** `addEntry` for ENTRIES_AT_ONCE of them: the sums are fetched and stored once, and added up in the same order. */
  private addEntries(vectors: SparseEntries, entry: number): void {
    const { cosines } = this;
    const { clusters, weights } = this.centroids;
    const w0 = vectors.weights[entry]!;
    const w1 = vectors.weights[entry + 1]!;
    const w2 = vectors.weights[entry + 2]!;
    const w3 = vectors.weights[entry + 3]!;
    const b0 = vectors.terms[entry]! * clusters;
    const b1 = vectors.terms[entry + 1]! * clusters;
    const b2 = vectors.terms[entry + 2]! * clusters;
    const b3 = vectors.terms[entry + 3]! * clusters;
    for (let c = 0; c < clusters; c++) {
      cosines[c] =
        cosines[c]! + w0 * weights[b0 + c]! + w1 * weights[b1 + c]! + w2 * weights[b2 + c]! + w3 * weights[b3 + c]!;
    }
  }
}

/** Vectors, the number of terms they are over, and that of their clusters. */
interface ClusteredVectors {
  readonly table: VectorTable;
  readonly terms: number;
  readonly clusters: number;
}

/**
 * Centroids of the rows by cluster, of unit length; a cluster that lost all rows keeps a zero centroid and gets none
 * back.
 */
function centroidsOf(task: ClusteredVectors, clusterOf: Int32Array): Centroids {
  const { clusters, terms: size } = task;
  const { starts, terms, weights, rows } = task.table;
  const sums = new Float32Array(size * clusters);
  for (let row = 0; row < rows; row++) {
    const cluster = clusterOf[row]!;
    if (cluster < 0) continue;
    for (let e = starts[row]!; e < starts[row + 1]!; e++) {
      const at = terms[e]! * clusters + cluster;
      sums[at] = sums[at]! + weights[e]!;
    }
  }
  const squares = new Float64Array(clusters);
  for (let base = 0; base < sums.length; base += clusters) {
    for (let c = 0; c < clusters; c++) squares[c] = squares[c]! + sums[base + c]! * sums[base + c]!;
  }
  const scales = squares.map((square) => (square === 0 ? 0 : 1 / Math.sqrt(square)));
  for (let base = 0; base < sums.length; base += clusters)
    for (let c = 0; c < clusters; c++) sums[base + c] = sums[base + c]! * scales[c]!;
  return { clusters, weights: sums };
}

/** Clusters of rows, and their centroids. */
export interface Clustering {
  /** Cluster of each row. */
  readonly clusterOf: Int32Array;
  readonly centroids: Centroids;
}

/** Moves every row to its nearest centroid and the centroids after them, several times. */
function iterate(task: ClusteredVectors, first: Centroids, iterations: number): Clustering {
  const { table } = task;
  const clusterOf = new Int32Array(table.rows);
  let centroids = first;
  for (let iteration = 0; iteration < iterations; iteration++) {
    const nearest = new NearestCentroid(centroids);
    for (let row = 0; row < table.rows; row++) {
      nearest.find(table, table.starts[row]!, table.starts[row + 1]!);
      clusterOf[row] = nearest.cluster;
    }
    centroids = centroidsOf(task, clusterOf);
  }
  return { clusterOf, centroids };
}

/** Some rows of a table, ascending. */
function selectRows({ starts, terms, weights }: VectorTable, rows: Int32Array): VectorTable {
  const selected = new Uint32Array(rows.length + 1);
  rows.forEach((row, index) => {
    selected[index + 1] = selected[index]! + starts[row + 1]! - starts[row]!;
  });
  const table = {
    rows: rows.length,
    starts: selected,
    terms: new Int32Array(selected[rows.length]!),
    weights: new Float32Array(selected[rows.length]!),
  };
  rows.forEach((row, index) => {
    table.terms.set(terms.subarray(starts[row], starts[row + 1]), selected[index]);
    table.weights.set(weights.subarray(starts[row], starts[row + 1]), selected[index]);
  });
  return table;
}

/** Clusters of dense vectors: spherical k-means (Dhillon & Modha 2001) from the axes of varimax on. */
function clusterLatent(table: VectorTable, keys: Uint32Array): Clustering {
  const clusters = table.starts[1] ?? 0;
  const few = selectRows(table, leastKeys(keys, FEW_THREADS));
  const roughly = varimaxAxes(few.weights, clusters, columnAxes(clusters), FEW_ROUNDS);
  const weights = Float32Array.from(varimaxAxes(table.weights, clusters, roughly, ALL_ROUNDS));
  return iterate({ table, terms: clusters, clusters }, { clusters, weights }, LATENT_ITERATIONS);
}

/** Vectors, and the number of clusters wanted of them. */
export interface ClusteringTask {
  readonly table: VectorTable;
  /** Random number of each vector, by which a sample is drawn. */
  readonly keys: Uint32Array;
  /** Hash of each term that the vectors are over. */
  readonly hashes: Uint32Array;
  readonly clusters: number;
}

/**
 * Clusters of vectors over terms; fewer than wanted where the vectors have fewer directions. K-means over terms sticks
 * where it starts: the words that a thread alone has hold its centroid. So the clusters are found in the latent space of
 * a sample, and k-means over the terms only completes them. Nothing is drawn but by the words themselves, and sums are
 * taken in the order of the rows: the same input gives the same clusters, bit for bit, and little else gives nearly the
 * same.
 */
export function clusterVectors({ table, keys, hashes, clusters }: ClusteringTask): Clustering {
  const sample = leastKeys(keys, LATENT_SAMPLE);
  const sampled = selectRows(table, sample);
  const found = clusterLatent(
    latentVectors(sampled, hashes, clusters),
    Uint32Array.from(sample, (row) => keys[row]!),
  );
  const task = { terms: hashes.length, clusters: found.centroids.clusters };
  return iterate({ ...task, table }, centroidsOf({ ...task, table: sampled }, found.clusterOf), TERM_ITERATIONS);
}
