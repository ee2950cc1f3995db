import { readFileSync } from "node:fs";
import { type LanguageNgrams, readWeights } from "../text/language-ngrams.ts";

/** Files of the package eld: the n-grams, what parts words, the signs of bytes. Its version is pinned, and a test compares the answers. */
const WEIGHTS = "../ngrams/extrasmall.js";
const SEPARATORS = "../regexPatterns.js";
const SIGNS = "../dictionary.js";

async function loadNgrams(): Promise<LanguageNgrams> {
  const entry = import.meta.resolve("eld/extrasmall");
  const { separators } = (await import(new URL(SEPARATORS, entry).href)) as { readonly separators: RegExp };
  const { dictionary } = (await import(new URL(SIGNS, entry).href)) as { readonly dictionary: readonly string[] };
  return { ...readWeights(readFileSync(new URL(WEIGHTS, entry), "utf8")), separators, signOfByte: dictionary };
}

/** Loaded once in each thread that tells languages. */
export const LANGUAGE_NGRAMS: LanguageNgrams = await loadNgrams();
