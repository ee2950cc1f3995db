import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { type LanguageNgrams, readWeights } from "../../text/language/language-ngrams.ts";

/**
 * Files of the package eld: n-grams, word separators, byte characters. Its version is pinned, and a test compares the
 * results.
 */
const WEIGHTS = "../ngrams/extrasmall.js";
const SEPARATORS = "../regexPatterns.js";
const SIGNS = "../dictionary.js";

/** The n-grams from the installed package, for runs from source and for the build, which packs them. */
export function readEldPackage(): LanguageNgrams {
  const entry = import.meta.resolve("eld/extrasmall");
  const load = createRequire(entry);
  const { separators } = load(SEPARATORS) as { readonly separators: RegExp };
  const { dictionary } = load(SIGNS) as { readonly dictionary: readonly string[] };
  return {
    ...readWeights(readFileSync(fileURLToPath(new URL(WEIGHTS, entry)), "utf8")),
    separators,
    signOfByte: dictionary,
  };
}
