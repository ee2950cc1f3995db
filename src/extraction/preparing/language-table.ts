import { isFromSource, readBuiltFile } from "../../built-files.ts";
import { type LanguageNgrams, unpackNgrams } from "../../text/language/language-ngrams.ts";
import { readEldPackage } from "./eld-package.ts";

/** Path of the n-grams below `dist/`. */
export const NGRAMS_FILE = "data/language-ngrams.bin";

/** Loaded once in each thread that detects languages. */
export const LANGUAGE_NGRAMS: LanguageNgrams = isFromSource
  ? readEldPackage()
  : unpackNgrams(readBuiltFile(NGRAMS_FILE));
