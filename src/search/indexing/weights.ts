/**
 * Slope of the pivoted length normalisation (Singhal, Buckley and Mitra 1996): share of the length a message is charged
 * for.
 */
const SLOPE = 0.2;

/** Weight of a word that is only in attachments. With full weight, long files would rank above the relevant letters. */
const FILE_TERM_WEIGHT = 0.4;

/**
 * Double logarithm of the term frequency (SMART `d`). @param termFrequency 0 for a term that is only in attachments.
 */
export function termFrequencyWeight(termFrequency: number): number {
  if (termFrequency === 0) return FILE_TERM_WEIGHT;
  return 1 + Math.log(1 + Math.log(termFrequency));
}

/**
 * The average length of an archive's messages: the harmonic mean of `1 + length`, less 1. Lengths of mail span four
 * orders of magnitude, and a few long reports make the arithmetic mean twice the usual length. The weight of a word
 * falls with the reciprocal of the length, so that is averaged. @param reciprocals sum of 1 / (1 + length). @param
 * count messages; 0 gives 0.
 */
export function averageLength(reciprocals: number, count: number): number {
  return count === 0 ? 0 : count / reciprocals - 1;
}

/** Length normalization of a weight (SMART `b`). */
export function lengthNorm(length: number, averageLength: number): number {
  return averageLength > 0 ? 1 - SLOPE + (SLOPE * length) / averageLength : 1;
}

/**
 * Inverse document frequency; above 0 even when every message holds the term, so that stop words rank too (SMART `t`,
 * smoothed).
 */
export function inverseDocumentFrequency(documentCount: number, documentFrequency: number): number {
  return Math.log(1 + documentCount / documentFrequency);
}

/** Power of the coverage of a short query, and the number of its different terms up to which it is short. */
const COVERAGE_POWER = 3;
const SHORT_QUERY_TERMS = 5;

/**
 * The power of the coverage factor: the cube for as few words as people type, less and less for more. Who writes three
 * words means all of them; of a sentence or a whole message that was pasted, most messages that are meant lack some.
 * @param termCount different terms of the query
 */
export function coveragePower(termCount: number): number {
  return COVERAGE_POWER * Math.min(1, SHORT_QUERY_TERMS / termCount);
}

/**
 * Factor of a score for missing words: the share of the query's weight that the message contains, to the power of its
 * query. Without it, a message that repeats one word of three often ranks above one that contains all three.
 */
export function coverageFactor(held: number, asked: number, power: number): number {
  const share = held / asked;
  return power === COVERAGE_POWER ? share * share * share : share ** power;
}
