import { BOOSTS, NEGATES, UNKNOWN, VALENCES } from "./known-words.ts";
import { type SentenceWords, sentenceWords } from "./sentence-words.ts";
import { DAMPENING_PAIRS, IDIOMS } from "./word-rules.ts";

/** Constants of VADER (Hutto & Gilbert 2014, and the reference implementation 3.3.2). */
const CAPITALS_BOOST = 0.733;
const NEGATION_FACTOR = -0.74;
const NEVER_SO_FACTOR = 1.25;
/** How much of a booster's effect is left one, two and three words away. */
const DISTANCE_FACTORS = [1, 0.95, 0.9] as const;
const BEFORE_BUT = 0.5;
const AFTER_BUT = 1.5;
const EXCLAMATION_BOOST = 0.292;
const MAX_EXCLAMATIONS = 4;
const QUESTION_BOOST = 0.18;
const MANY_QUESTIONS_BOOST = 0.96;
/** Normalisation: about the square of the largest sum to be expected. */
const ALPHA = 15;

const isRated = (sentence: SentenceWords, index: number): boolean => {
  const rule = sentence.rules[index] ?? UNKNOWN;
  return rule !== UNKNOWN && !Number.isNaN(VALENCES[rule]);
};

/** What the word `distance` (0…2) further left than the direct neighbour adds to a rating. */
function boostFrom(sentence: SentenceWords, index: number, valence: number): number {
  const boost = BOOSTS[sentence.rules[index]!]!;
  if (boost === 0) return 0;
  const signed = valence < 0 ? -boost : boost;
  if (!sentence.isShouted[index] || !sentence.hasEmphasis) return signed;
  return signed + (valence > 0 ? CAPITALS_BOOST : -CAPITALS_BOOST);
}

/** Factor by which a word before the rated word at `index` turns or strengthens it. */
function negationFactor(sentence: SentenceWords, index: number, distance: number): number {
  const { words } = sentence;
  const at = index - distance - 1;
  if (distance > 0 && (words[at] === "never" || words[at] === "without")) {
    const between = words.slice(at + 1, index);
    if (words[at] === "never" && (between.includes("so") || between.includes("this"))) return NEVER_SO_FACTOR;
    if (words[at] === "without" && between.includes("doubt")) return 1;
  }
  return NEGATES[sentence.rules[at]!] === 1 ? NEGATION_FACTOR : 1;
}

/** Last words of idioms and of two-word dampeners: where none stands there is no phrase to look for. */
const PHRASE_ENDS: ReadonlySet<string> = new Set([...IDIOMS.keys(), ...DAMPENING_PAIRS.keys()].map((phrase) => phrase.split(" ").at(-1)!));

/** Idioms around the word at `index`, and two-word dampeners before it. */
function applyIdioms(sentence: SentenceWords, index: number, valence: number): number {
  const { words } = sentence;
  if (!words.slice(Math.max(0, index - 3), index + 3).some((word) => PHRASE_ENDS.has(word))) return valence;
  const phrase = (from: number, to: number): string => words.slice(Math.max(0, from), to + 1).join(" ");
  const before = [
    phrase(index - 1, index),
    phrase(index - 2, index),
    phrase(index - 2, index - 1),
    phrase(index - 3, index - 1),
    phrase(index - 3, index - 2),
  ];
  const found = before.find((candidate) => IDIOMS.has(candidate));
  if (found !== undefined) valence = IDIOMS.get(found)!;
  valence = IDIOMS.get(phrase(index, index + 1)) ?? IDIOMS.get(phrase(index, index + 2)) ?? valence;
  return valence + (DAMPENING_PAIRS.get(before[4]!) ?? 0) + (DAMPENING_PAIRS.get(before[2]!) ?? 0);
}

/** "no" rates itself only when it stands alone; before a rated word it negates it. */
function initialValence(sentence: SentenceWords, index: number): number {
  const { words, rules } = sentence;
  const valence = VALENCES[rules[index]!]!;
  if (words[index] === "no") return isRated(sentence, index + 1) ? 0 : valence;
  const isDenied =
    words[index - 1] === "no" ||
    words[index - 2] === "no" ||
    (words[index - 3] === "no" && (words[index - 1] === "or" || words[index - 1] === "nor"));
  return isDenied ? valence * NEGATION_FACTOR : valence;
}

function isLeast(sentence: SentenceWords, index: number): boolean {
  const { words } = sentence;
  return words[index - 1] === "least" && words[index - 2] !== "at" && words[index - 2] !== "very";
}

/** Rating of the rated word at `index`, by the words around it. */
function valenceAt(sentence: SentenceWords, index: number): number {
  let valence = initialValence(sentence, index);
  if (sentence.isShouted[index] && sentence.hasEmphasis) valence += valence > 0 ? CAPITALS_BOOST : -CAPITALS_BOOST;
  for (let distance = 0; distance < 3 && distance < index; distance++) {
    const at = index - distance - 1;
    if (isRated(sentence, at)) continue;
    if (sentence.rules[at] !== UNKNOWN) {
      valence += boostFrom(sentence, at, valence) * DISTANCE_FACTORS[distance]!;
      valence *= negationFactor(sentence, index, distance);
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
 * VADER's compound score of one English sentence, -1 (most negative) to 1; 0 when no word of it is rated.
 * @see Hutto, Gilbert: VADER, a parsimonious rule-based model for sentiment analysis of social media text, ICWSM 2014.
 */
export function scoreSentence(text: string): number {
  const sentence = sentenceWords(text);
  if (!sentence.isRated) return 0;
  const { words, rules } = sentence;
  let but = -1;
  let sum = 0;
  for (let index = 0; index < words.length && but === -1; index++) if (words[index] === "but") but = index;
  for (let index = 0; index < words.length; index++) {
    const rule = rules[index]!;
    if (rule === UNKNOWN || BOOSTS[rule] !== 0 || Number.isNaN(VALENCES[rule])) continue;
    if (words[index] === "kind" && words[index + 1] === "of") continue;
    const valence = valenceAt(sentence, index);
    sum += but === -1 || index === but ? valence : valence * (index < but ? BEFORE_BUT : AFTER_BUT);
  }
  if (sum === 0) return 0;
  sum += sum > 0 ? punctuationEmphasis(sentence) : -punctuationEmphasis(sentence);
  return sum / Math.sqrt(sum * sum + ALPHA);
}
