/**
 * Characters written as an apostrophe in words, for character classes: quotation marks, primes, accents, and the
 * modifier letters of Hawaiian, Ukrainian and romanized Arabic, which Unicode counts as letters.
 */
export const APOSTROPHES = "'`\\u00b4\\u02b9-\\u02bf\\u2018\\u2019\\u201b\\u2032\\ua78b\\ua78c\\uff07";
