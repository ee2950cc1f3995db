import type { Stemmer } from "./snowball-stemmers.ts";

/** Language whose words are stemmed if that of a text is unknown. */
export const DEFAULT_STEMS = "en";

let loaded: Readonly<Record<string, Stemmer>> = {};

/** Loads the stemmers: only queries that name a stem need them. */
export async function loadStems(): Promise<void> {
  loaded = (await import("./snowball-stemmers.ts")).STEMMERS;
}

/** The stemmer of a language by ISO 639-1 code; undefined if there is none, and before loading. */
export function stemmerOf(language: string): Stemmer | undefined {
  return Object.hasOwn(loaded, language) ? loaded[language] : undefined;
}
