import { scoreSentence } from "./score-sentence.ts";
import { toneSentences } from "./sentences.ts";

/** The lexicon is English. */
const LANGUAGE = "en";

/** Sentences of one message that are weighed: a tone is told long before, and what goes on longer is a newsletter or a log. */
const MAX_SENTENCES = 20;

const hasWord = (sentence: string): boolean => /[A-Za-z]{2}/.test(sentence);

/**
 * Tone of a message, -1…1: the mean compound score of the author's own sentences. One score over the whole text would saturate, as
 * politeness adds up with length.
 * @param ownText what the author wrote: no quotations, no signature
 * @param language ISO 639-1; null when unknown, which is read as English
 * @returns null when there is nothing to judge: another language, or no sentence with a word
 */
export function scoreText(ownText: string, language: string | null): number | null {
  if (language !== null && language !== LANGUAGE) return null;
  let sum = 0;
  let count = 0;
  for (const sentence of toneSentences(ownText)) {
    if (!hasWord(sentence)) continue;
    sum += scoreSentence(sentence);
    count++;
    if (count === MAX_SENTENCES) break;
  }
  return count === 0 ? null : sum / count;
}
