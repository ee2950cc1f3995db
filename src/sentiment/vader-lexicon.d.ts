declare module "vader-sentiment/src/vader_lexicon.js" {
  /**
   * Mean rating of a lower-case word or emoticon, -4 (most negative) to 4 (most positive), by ten human raters (Hutto &
   * Gilbert 2014).
   */
  export const lexicon: Readonly<Record<string, number>>;
}
