/** Slope of the pivoted length normalisation (Singhal, Buckley and Mitra 1996): share of the length a message is charged for. */
const SLOPE = 0.2;

/** Double logarithm of the term frequency (SMART `d`). @param termFrequency at least 1. */
export function termFrequencyWeight(termFrequency: number): number {
  return 1 + Math.log(1 + Math.log(termFrequency));
}

/** What a weight is divided by for the length of its message (SMART `b`). */
export function lengthNorm(length: number, averageLength: number): number {
  return averageLength > 0 ? 1 - SLOPE + (SLOPE * length) / averageLength : 1;
}

/** Inverse document frequency; above 0 even when every message holds the term, so that stop words rank too (SMART `t`, smoothed). */
export function inverseDocumentFrequency(documentCount: number, documentFrequency: number): number {
  return Math.log(1 + documentCount / documentFrequency);
}
