import { scoreSentence } from "./score-sentence.ts";
import { SentenceWords } from "./sentence-words.ts";
import { ToneSentences } from "./sentences.ts";

/** The lexicon is English. */
const LANGUAGE = "en";

/** Limit of scored sentences per message: the tone is clear long before, and a longer text is a newsletter or a log. */
const MAX_SENTENCES = 20;

/** Scores texts one after the other. */
export class ToneScorer {
  private readonly sentences = new ToneSentences();
  private readonly words = new SentenceWords();

  /**
   * Tone of a message, -1…1: the mean compound score of the author's own sentences. One score over the whole text would
   * saturate, as politeness adds up with length.
   * @param ownText what the author wrote: no quotations, no signature
   * @param language ISO 639-1; null when unknown, which is read as English
   * @returns null when there is nothing to judge: another language, or no sentence with a word
   */
  score(ownText: string, language: string | null): number | null {
    if (language !== null && language !== LANGUAGE) return null;
    const { sentences, words } = this;
    let sum = 0;
    let count = 0;
    sentences.load(ownText);
    while (count < MAX_SENTENCES && sentences.next(words)) {
      if (!words.hasLetters) continue;
      sum += scoreSentence(words);
      count++;
    }
    return count === 0 ? null : sum / count;
  }
}
