/**
 * Slope of the pivoted length normalization (Singhal, Buckley and Mitra 1996): share of the length that counts against
 * a message.
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
 * Inverse document frequency; above 0 even if every message contains the term, so that stop words rank too (SMART `t`,
 * smoothed).
 */
export function inverseDocumentFrequency(documentCount: number, documentFrequency: number): number {
  return Math.log(1 + documentCount / documentFrequency);
}

/** Exponent of the coverage of a short query, and the maximum number of distinct terms of one. */
const COVERAGE_POWER = 3;
const SHORT_QUERY_TERMS = 5;

/**
 * The exponent of the coverage factor: 3 for the few words that people type, and less for more words. Users who type
 * three words mean all of them, but relevant messages lack some words of a pasted sentence.
 * @param termCount distinct terms of the query
 */
export function coveragePower(termCount: number): number {
  return COVERAGE_POWER * Math.min(1, SHORT_QUERY_TERMS / termCount);
}

/**
 * Factor of a score for missing words: the share of the query's weight that the message contains, to the power of
 * `coveragePower`. Without it, a message that repeats one word of three often ranks above one that contains all three.
 */
export function coverageFactor(held: number, asked: number, power: number): number {
  const share = held / asked;
  return power === COVERAGE_POWER ? share * share * share : share ** power;
}
