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
   * Sentiment of a message, -1…1: the mean compound score of the author's sentences. A single score over the whole
   * text would saturate, because politeness adds up with length. @param ownText text of the author, without
   * quotations and signature @param language ISO 639-1; null is treated as English @returns null for another
   * language, or without a sentence with a word
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
