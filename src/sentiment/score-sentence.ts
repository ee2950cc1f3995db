import { BOOSTS, NEGATES, numberOf, TEXTS, UNKNOWN, VALENCES } from "./known-words.ts";
import type { SentenceWords } from "./sentence-words.ts";
import { DAMPENING_PAIRS, IDIOMS } from "./word-rules.ts";

/** Constants of VADER (Hutto & Gilbert 2014, and the reference implementation 3.3.2). */
const CAPITALS_BOOST = 0.733;
const NEGATION_FACTOR = -0.74;
const NEVER_SO_FACTOR = 1.25;
/** Share of a booster's effect that remains one, two and three words away. */
const DISTANCE_FACTORS = [1, 0.95, 0.9] as const;
const BEFORE_BUT = 0.5;
const AFTER_BUT = 1.5;
const EXCLAMATION_BOOST = 0.292;
const MAX_EXCLAMATIONS = 4;
const QUESTION_BOOST = 0.18;
const MANY_QUESTIONS_BOOST = 0.96;
/** Normalization: about the square of the largest expected sum. */
const ALPHA = 15;

/** Words that rules name. */
const [AT, BUT, DOUBT, KIND, LEAST] = [
  numberOf("at"),
  numberOf("but"),
  numberOf("doubt"),
  numberOf("kind"),
  numberOf("least"),
];
const [NEVER, NO, NOR, OF, OR] = [numberOf("never"), numberOf("no"), numberOf("nor"), numberOf("of"), numberOf("or")];
const [SO, THIS, VERY, WITHOUT] = [numberOf("so"), numberOf("this"), numberOf("very"), numberOf("without")];

/** Effect of the word at `index` on the rating of a later word. */
function boostFrom(sentence: SentenceWords, index: number, valence: number): number {
  const boost = BOOSTS[sentence.at(index)]!;
  if (boost === 0) return 0;
  const signed = valence < 0 ? -boost : boost;
  if (!sentence.isShouted(index) || !sentence.hasEmphasis) return signed;
  return signed + (valence > 0 ? CAPITALS_BOOST : -CAPITALS_BOOST);
}

/** True if the word is between two positions. */
function isBetween(sentence: SentenceWords, word: number, [after, before]: readonly [number, number]): boolean {
  for (let index = after + 1; index < before; index++) if (sentence.at(index) === word) return true;
  return false;
}

/** Factor by which the word at `at` negates or intensifies the rated word at `index`. */
function negationFactor(sentence: SentenceWords, index: number, at: number): number {
  const word = sentence.at(at);
  if (word === NEVER && (isBetween(sentence, SO, [at, index]) || isBetween(sentence, THIS, [at, index])))
    return NEVER_SO_FACTOR;
  if (word === WITHOUT && isBetween(sentence, DOUBT, [at, index])) return 1;
  return NEGATES[word] === 1 ? NEGATION_FACTOR : 1;
}

/** Last words of idioms and of two-word dampeners, by number: phrases are only looked up at these words. */
const ENDS_PHRASE: Uint8Array = new Uint8Array(TEXTS.length);
for (const phrase of [...IDIOMS.keys(), ...DAMPENING_PAIRS.keys()])
  ENDS_PHRASE[numberOf(phrase.split(" ").at(-1)!)] = 1;

/** Distance of an idiom from a rated word. */
const PHRASE_REACH = 3;

function hasPhraseEnd(sentence: SentenceWords, index: number): boolean {
  for (let at = index - PHRASE_REACH; at < index + PHRASE_REACH; at++)
    if (ENDS_PHRASE[sentence.at(at)] === 1) return true;
  return false;
}

/**
 * Key of a range of words as one number, with words as digits after a leading one. UNKNOWN_PHRASE if a word is
 * unknown.
 */
function phraseKey(sentence: SentenceWords, from: number, to: number): number {
  let key = 1;
  for (let at = from; at <= to; at++) {
    const word = sentence.at(at);
    if (word === UNKNOWN) return UNKNOWN_PHRASE;
    key = key * TEXTS.length + word;
  }
  return key;
}

const UNKNOWN_PHRASE = 0;

/** Values by `phraseKey` instead of text: three words of some thousand each fit into the 53 bits of a number. */
function byPhraseKey(phrases: ReadonlyMap<string, number>): ReadonlyMap<number, number> {
  const keyOf = (phrase: string): number =>
    phrase.split(" ").reduce((key, word) => key * TEXTS.length + numberOf(word), 1);
  return new Map(Array.from(phrases, ([phrase, value]) => [keyOf(phrase), value]));
}

const IDIOM_VALENCES = byPhraseKey(IDIOMS);
const PAIR_BOOSTS = byPhraseKey(DAMPENING_PAIRS);

/** Possible positions of an idiom relative to the rated word: first and last word. The first match counts. */
const IDIOM_FROM: Int8Array = Int8Array.of(0, 0, -1, -2, -2, -3, -3);
const IDIOM_TO: Int8Array = Int8Array.of(1, 2, 0, 0, -1, -1, -2);

/** Rating of the idiom around the word at `index`, else of the word. */
function idiomValence(sentence: SentenceWords, index: number, valence: number): number {
  for (let place = 0; place < IDIOM_FROM.length; place++) {
    const found = IDIOM_VALENCES.get(phraseKey(sentence, index + IDIOM_FROM[place]!, index + IDIOM_TO[place]!));
    if (found !== undefined) return found;
  }
  return valence;
}

/** Idioms around the word at `index`, and two-word dampeners before it. */
function applyIdioms(sentence: SentenceWords, index: number, valence: number): number {
  if (!hasPhraseEnd(sentence, index)) return valence;
  const farther = PAIR_BOOSTS.get(phraseKey(sentence, index - 3, index - 2)) ?? 0;
  const nearer = PAIR_BOOSTS.get(phraseKey(sentence, index - 2, index - 1)) ?? 0;
  return idiomValence(sentence, index, valence) + farther + nearer;
}

/** "no" has its own rating only if alone; before a rated word it negates. */
function initialValence(sentence: SentenceWords, index: number): number {
  const word = sentence.at(index);
  const valence = VALENCES[word]!;
  if (word === NO) return sentence.isRatedAt(index + 1) ? 0 : valence;
  const before = sentence.at(index - 1);
  const isDenied =
    before === NO ||
    sentence.at(index - 2) === NO ||
    (sentence.at(index - 3) === NO && (before === OR || before === NOR));
  return isDenied ? valence * NEGATION_FACTOR : valence;
}

function isLeast(sentence: SentenceWords, index: number): boolean {
  const before = sentence.at(index - 2);
  return sentence.at(index - 1) === LEAST && before !== AT && before !== VERY;
}

/** Rating of the rated word at `index`, by the words around it. */
function valenceAt(sentence: SentenceWords, index: number): number {
  let valence = initialValence(sentence, index);
  if (sentence.isShouted(index) && sentence.hasEmphasis) valence += valence > 0 ? CAPITALS_BOOST : -CAPITALS_BOOST;
  for (let distance = 0; distance < PHRASE_REACH && distance < index; distance++) {
    const at = index - distance - 1;
    if (sentence.isRatedAt(at)) continue;
    if (sentence.at(at) !== UNKNOWN) {
      valence += boostFrom(sentence, at, valence) * DISTANCE_FACTORS[distance]!;
      valence *= negationFactor(sentence, index, at);
    }
    if (distance === 2) valence = applyIdioms(sentence, index, valence);
  }
  return isLeast(sentence, index) ? valence * NEGATION_FACTOR : valence;
}

/** Emphasis that exclamation and question marks add to the sum. */
function punctuationEmphasis({ exclamationMarks, questionMarks }: SentenceWords): number {
  const exclamation = Math.min(exclamationMarks, MAX_EXCLAMATIONS) * EXCLAMATION_BOOST;
  if (questionMarks < 2) return exclamation;
  return exclamation + (questionMarks <= 3 ? questionMarks * QUESTION_BOOST : MANY_QUESTIONS_BOOST);
}

/**
 * VADER's compound score of one English sentence, -1 (most negative) to 1; 0 if no word of it is rated.
 * @see Hutto, Gilbert: VADER, a parsimonious rule-based model for sentiment analysis of social media text, ICWSM 2014.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the rules of the paper in their order, over one sentence
export function scoreSentence(sentence: SentenceWords): number {
  if (!sentence.isRated) return 0;
  let but = -1;
  let sum = 0;
  for (let index = 0; index < sentence.count && but === -1; index++) if (sentence.at(index) === BUT) but = index;
  for (let index = 0; index < sentence.count; index++) {
    const word = sentence.at(index);
    if (word === UNKNOWN || BOOSTS[word] !== 0 || Number.isNaN(VALENCES[word])) continue;
    if (word === KIND && sentence.at(index + 1) === OF) continue;
    const valence = valenceAt(sentence, index);
    sum += but === -1 || index === but ? valence : valence * (index < but ? BEFORE_BUT : AFTER_BUT);
  }
  if (sum === 0) return 0;
  sum += sum > 0 ? punctuationEmphasis(sentence) : -punctuationEmphasis(sentence);
  return sum / Math.sqrt(sum * sum + ALPHA);
}
