import { type Random, sampleIndexes, seededRandom } from "../columns/seeded-random.ts";
import { latentVectors } from "./latent-space.ts";
import type { VectorTable } from "./thread-vectors.ts";

const SEED = 1;
/**
 * Iterations in latent space. Neither more iterations nor the best of three runs improved topics in five seeds, and
 * both took a third more time.
 */
const LATENT_ITERATIONS = 6;
/** Training ends when less than this share of the vectors changes cluster. */
const SETTLED_SHARE = 0.001;
/** Threads whose latent space is clustered; more find no others. */
const LATENT_SAMPLE = 6000;
const LATENT_SEED = 6;
/** Iterations over the terms that complete the result. */
const TERM_ITERATIONS = 2;
/** Candidates for each further center of greedy k-means++ (Arthur & Vassilvitskii 2007). */
const CANDIDATES = 4;
/** Vectors among which the first centers are selected. */
const SEEDING_SAMPLE = 1000;

/**
 * Unit centroids, term-major: the weight of term t in cluster c is weights[t * clusters + c], so that the inner loop
 * reads contiguous memory.
 */
export interface Centroids {
  readonly clusters: number;
  readonly weights: Float32Array;
}

/** Terms and weights of sparse vectors, concatenated. */
type SparseEntries = Pick<VectorTable, "terms" | "weights">;

/** Entries of a vector that are multiplied in one pass over the clusters; more would not stay in the registers. */
const ENTRIES_AT_ONCE = 4;

/** The nearest cluster by cosine, and the cosine; the lower number on a tie. */
export class NearestCentroid {
  private readonly cosines: Float64Array;
  cluster = 0;
  cosine = 0;

  constructor(readonly centroids: Centroids) {
    this.cosines = new Float64Array(centroids.clusters);
  }

  /** Looks up the entries [start, end) of sparse vectors; the result is in `cluster` and `cosine`. */
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

/** Vectors, their number of terms, and the requested number of clusters. */
interface ClusteringTask {
  readonly table: VectorTable;
  readonly terms: number;
  readonly clusters: number;
}

/**
 * Raises `best` to the cosine with the row `center` wherever that is larger; returns the sum of 1 - best. Works on the
 * rows of `rows`.
 */
function coverWith(
  task: ClusteringTask,
  rows: Int32Array,
  state: { readonly center: number; readonly best: Float64Array; readonly dense: Float32Array },
): number {
  const { starts, terms, weights } = task.table;
  const { center, best, dense } = state;
  for (let e = starts[center]!; e < starts[center + 1]!; e++) dense[terms[e]!] = weights[e]!;
  const distance = raiseBest(task.table, rows, { best, dense });
  for (let e = starts[center]!; e < starts[center + 1]!; e++) dense[terms[e]!] = 0;
  return distance;
}

/**
 * The long loop of `coverWith` as a separate function: if it were compiled while it runs, the code after it would be
 * compiled before it ever ran.
 */
function raiseBest(
  { starts, terms, weights }: VectorTable,
  rows: Int32Array,
  { best, dense }: { readonly best: Float64Array; readonly dense: Float32Array },
): number {
  let distance = 0;
  for (let r = 0; r < rows.length; r++) {
    let cosine = 0;
    for (let e = starts[rows[r]!]!, end = starts[rows[r]! + 1]!; e < end; e++)
      cosine += weights[e]! * dense[terms[e]!]!;
    if (cosine > best[r]!) best[r] = cosine;
    distance += Math.max(0, 1 - best[r]!);
  }
  return distance;
}

/** Index into `best` drawn with probability proportional to the distance 1 - best. */
function drawFar(best: Float64Array, distance: number, random: Random): number {
  let rest = random() * distance;
  for (let r = 0; r < best.length; r++) {
    rest -= Math.max(0, 1 - best[r]!);
    if (rest <= 0) return r;
  }
  return best.length - 1;
}

/** Rows that serve as first centers: greedy k-means++ over a sample. */
function chooseCenters(task: ClusteringTask, random: Random): readonly number[] {
  const rows = sampleIndexes(task.table.rows, SEEDING_SAMPLE, random);
  const dense = new Float32Array(task.terms);
  let best = new Float64Array(rows.length);
  const first = rows[Math.floor(random() * rows.length)]!;
  const centers = [first];
  let distance = coverWith(task, rows, { center: first, best, dense });
  while (centers.length < task.clusters) {
    let chosen = { distance: Number.POSITIVE_INFINITY, best, center: first };
    for (let candidate = 0; candidate < CANDIDATES; candidate++) {
      const center = rows[drawFar(best, distance, random)]!;
      const covered = best.slice();
      const left = coverWith(task, rows, { center, best: covered, dense });
      if (left < chosen.distance) chosen = { distance: left, best: covered, center };
    }
    centers.push(chosen.center);
    ({ best, distance } = chosen);
  }
  return centers;
}

/**
 * Centroids of the rows by cluster, of unit length; a cluster that lost all rows keeps a zero centroid and gets none
 * back.
 * @param sums overwritten by the weights, to save memory
 */
function centroidsOf(
  task: ClusteringTask,
  clusterOf: Int32Array,
  sums: Float32Array = new Float32Array(task.terms * task.clusters),
): Centroids {
  const { clusters } = task;
  const { starts, terms, weights, rows } = task.table;
  sums.fill(0);
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

/** State of a run: cluster of each row, centroids of these clusters, and the sum of cosines of the last iteration. */
interface Run {
  readonly clusterOf: Int32Array;
  centroids: Centroids;
  cosine: number;
  isSettled: boolean;
}

function startRun(task: ClusteringTask, random: Random): Run {
  const clusterOf = new Int32Array(task.table.rows).fill(-1);
  chooseCenters(task, random).forEach((row, cluster) => {
    clusterOf[row] = cluster;
  });
  return { clusterOf, centroids: centroidsOf(task, clusterOf), cosine: 0, isSettled: false };
}

/** Moves every row to its nearest centroid, then updates the centroids, up to `iterations` times. */
function iterate(task: ClusteringTask, run: Run, iterations: number): void {
  const { table } = task;
  for (let iteration = 0; iteration < iterations && !run.isSettled; iteration++) {
    const nearest = new NearestCentroid(run.centroids);
    let changed = 0;
    run.cosine = 0;
    for (let row = 0; row < table.rows; row++) {
      nearest.find(table, table.starts[row]!, table.starts[row + 1]!);
      run.cosine += nearest.cosine;
      if (run.clusterOf[row] === nearest.cluster) continue;
      run.clusterOf[row] = nearest.cluster;
      changed++;
    }
    run.centroids = centroidsOf(task, run.clusterOf, run.centroids.weights);
    run.isSettled = changed < table.rows * SETTLED_SHARE;
  }
}

/**
 * Spherical k-means (Dhillon & Modha 2001) from seeded centers: the cluster of each row. Sums are in row order: the
 * same input gives the same clusters, bit for bit.
 */
function clusterRows(task: ClusteringTask): Run {
  const run = startRun(task, seededRandom(SEED));
  iterate(task, run, LATENT_ITERATIONS);
  return run;
}

/** Selects rows of a table, ascending. */
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

/**
 * Clusters vectors over terms. K-means over terms does not leave its start, because the unique words of a thread
 * dominate its centroid. So clusters are found in the latent space of a sample, and k-means over the terms only
 * completes them.
 */
export function clusterVectors(task: ClusteringTask): Clustering {
  const { table, terms, clusters } = task;
  const random = seededRandom(LATENT_SEED);
  const sample = sampleIndexes(table.rows, LATENT_SAMPLE, random);
  const latent = latentVectors(selectRows(table, sample), terms, random);
  const found = clusterRows({ table: latent, terms: latent.starts[1] ?? 0, clusters });
  const clusterOf = new Int32Array(table.rows).fill(-1);
  sample.forEach((row, index) => {
    clusterOf[row] = found.clusterOf[index]!;
  });
  const run: Run = { clusterOf, centroids: centroidsOf(task, clusterOf), cosine: 0, isSettled: false };
  iterate(task, run, TERM_ITERATIONS);
  return run;
}
