import { lexicon } from "vader-sentiment/src/vader_lexicon.js";

/** VADER's data for a word: a rating, a booster or dampener, a negation, or several. */
export interface WordRule {
  /** Rating -4…4; NaN for a word that is not in the lexicon. */
  readonly valence: number;
  /** Amount added to the next rated word (the sign is inverted for negative ratings); 0 for none. */
  readonly boost: number;
  readonly isNegation: boolean;
}

/** Mean increase of a rating by a booster word, empirically (Hutto & Gilbert 2014, section 3.2). */
const BOOST = 0.293;

const words = (list: string): readonly string[] => list.split(" ");

const BOOSTERS = words(
  "absolutely amazingly awfully completely considerable considerably decidedly deeply effing enormous enormously entirely especially exceptional " +
    "exceptionally extreme extremely fabulously flipping flippin frackin fracking fricking frickin frigging friggin fully fuckin fucking fuggin fugging " +
    "greatly hella highly hugely incredible incredibly intensely major majorly more most particularly purely quite really remarkably so substantially " +
    "thoroughly total totally tremendous tremendously uber unbelievably unusually utter utterly very",
);
const DAMPENERS = words(
  "almost barely hardly kinda kindof kind-of less little marginal marginally occasional occasionally partly scarce scarcely slight slightly somewhat " +
    "sorta sortof sort-of",
);
const NEGATIONS = words(
  "aint arent cannot cant couldnt darent didnt doesnt dont hadnt hasnt havent isnt mightnt mustnt neither neednt never none nope nor not nothing " +
    "nowhere oughtnt shant shouldnt uhuh uh-uh wasnt werent without wont wouldnt rarely seldom despite",
);

/** Two-word dampeners before a rated word. */
export const DAMPENING_PAIRS: ReadonlyMap<string, number> = new Map(
  ["just enough", "kind of", "sort of"].map((pair) => [pair, -BOOST]),
);

/** Idioms with their own rating. */
export const IDIOMS: ReadonlyMap<string, number> = new Map([
  ["the shit", 3],
  ["the bomb", 3],
  ["bad ass", 1.5],
  ["bus stop", 0],
  ["yeah right", -2],
  ["kiss of death", -1.5],
  ["to die for", 3],
  ["beating heart", 3.1],
  ["broken heart", -2.9],
]);

/** Entries of the lexicon that are initials and list markers in mail, not feelings. */
const NEUTRAL_IN_MAIL: ReadonlySet<string> = new Set(["l"]);

/** A word that matters only in combination with others. */
export const NO_RULE: WordRule = { valence: Number.NaN, boost: 0, isNegation: false };

function buildRules(): ReadonlyMap<string, WordRule> {
  const rules = new Map<string, WordRule>();
  const add = (word: string, change: Partial<WordRule>): void => {
    rules.set(word, { ...(rules.get(word) ?? NO_RULE), ...change });
  };
  for (const [word, valence] of Object.entries(lexicon))
    if (!NEUTRAL_IN_MAIL.has(word)) add(word.toLowerCase(), { valence });
  for (const word of BOOSTERS) add(word, { boost: BOOST });
  for (const word of DAMPENERS) add(word, { boost: -BOOST });
  for (const word of NEGATIONS) add(word, { isNegation: true });
  return rules;
}

/** Rules by lower-case word. */
export const WORD_RULES: ReadonlyMap<string, WordRule> = buildRules();

/**
 * A word without its own rule that negates by its ending: "won't", "mustn't've" (also with a typographic apostrophe).
 */
export const NEGATION_RULE: WordRule = { valence: Number.NaN, boost: 0, isNegation: true };
