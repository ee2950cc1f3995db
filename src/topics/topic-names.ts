import type { KeywordCoherence } from "./keyword-coherence.ts";

/** Maximum parts of a name with a phrase, and of one with single words. */
const WITH_PHRASE = 2;
const WORDS_ALONE = 3;
/** Minimum information, -1…1, that a further keyword in a name shares with the leading one in threads. */
const MIN_TOGETHER = 0.1;
/** A phrase of keywords with a higher rank consists of minor words. */
const LAST_LEADING = 2;
/**
 * A phrase in this share of the subjects can name a topic if one of its words is among this many keywords. A rarer
 * phrase needs two keywords, one among the very first: otherwise it comes from a few frequent mails, such as a
 * newsletter.
 */
const COMMON_SHARE = 0.08;
const TELLING_KEYWORDS = 5;
const TELLING_OF_FEW = 3;

/** Minimum letters of a word that another form of it extends, and the maximum letters that a form adds. */
const MIN_FORM = 5;
const MAX_ENDING = 4;
/** Minimum equal first letters of two forms of one word: `investment` and `investors`. */
const MIN_STEM = 6;

/** A keyword in its displayed form. */
export interface Keyword {
  readonly text: string;
  /** True for an acronym or a word with its own capitals: a name keeps its form. */
  readonly hasOwnCapitals: boolean;
}

/** Candidates for the name of a topic. */
export interface TopicKeywords {
  /** The most characteristic first. */
  readonly keywords: readonly Keyword[];
  /** Percentage of its threads with one of the first MENTIONED_KEYWORDS, 0…100. */
  readonly mentionPercent: number;
  /** Their co-occurrence in threads. */
  readonly coherence: KeywordCoherence;
  /** Share of its subjects that contain the phrase, 0…1. */
  readonly subjectPhrase: { readonly words: readonly Keyword[]; readonly share: number } | null;
  /** Phrases of the subjects of a small topic, the best first; none for a larger one. */
  readonly subjectParts: readonly (readonly Keyword[])[];
  /** The best phrase made of two keywords, as indexes into them. */
  readonly textPhrase: readonly [number, number] | null;
}

function titled({ text, hasOwnCapitals }: Keyword): string {
  return hasOwnCapitals ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Keywords outside a phrase, those that co-occur with the leading one first. */
function beside({ keywords, coherence }: TopicKeywords, lead: number, phrase: readonly number[]): readonly number[] {
  const others = keywords.map((_, index) => index).filter((index) => index !== lead && !phrase.includes(index));
  const isTogether = (index: number): boolean => coherence.of(lead, index) >= MIN_TOGETHER;
  return [...others.filter(isTogether), ...others.filter((index) => !isTogether(index))];
}

/** Parts of a name in order of preference, with the maximum number. */
interface NameParts {
  readonly parts: readonly string[];
  readonly wanted: number;
}

/** The parts of a name: phrases of subjects or of the text, then single keywords. */
function nameParts(topic: TopicKeywords): NameParts {
  if (topic.subjectParts.length === 0) return partsOfLarge(topic);
  const parts = topic.subjectParts.map((words) => words.map(titled).join(" "));
  const used = new Set(topic.subjectParts.flat().map(({ text }) => text));
  const others = topic.keywords.filter(({ text }) => !used.has(text)).map(titled);
  return { parts: [...parts, ...others], wanted: parts.length };
}

function partsOfLarge(topic: TopicKeywords): NameParts {
  const { keywords, subjectPhrase, textPhrase } = topic;
  const titles = (indexes: readonly number[]): readonly string[] => indexes.map((index) => titled(keywords[index]!));
  if (subjectPhrase !== null) {
    const { words, share } = subjectPhrase;
    const places = words
      .map(({ text }) => keywords.findIndex((keyword) => keyword.text === text))
      .filter((index) => index >= 0);
    const isCommon = share >= COMMON_SHARE;
    const lead = places.find((index) => index < (isCommon ? TELLING_KEYWORDS : TELLING_OF_FEW));
    if (lead !== undefined && (isCommon || places.length > 1))
      return { parts: [words.map(titled).join(" "), ...titles(beside(topic, lead, places))], wanted: WITH_PHRASE };
  }
  if (textPhrase === null)
    return { parts: keywords.length === 0 ? [] : titles([0, ...beside(topic, 0, [])]), wanted: WORDS_ALONE };
  const joined = titles(textPhrase).join(" ");
  // A phrase of minor words follows the strongest keyword.
  const isMinor = Math.min(...textPhrase) > LAST_LEADING;
  const others = titles(beside(topic, isMinor ? 0 : textPhrase[0], textPhrase));
  return { parts: isMinor ? [titled(keywords[0]!), joined, ...others] : [joined, ...others], wanted: WITH_PHRASE };
}

/** Parts without those that repeat a word of an earlier one in another form: "Interviewers" after "Interview". */
function withoutForms(parts: readonly string[]): readonly string[] {
  const used: string[] = [];
  return parts.filter((part) => {
    const words = part.toLowerCase().split(" ");
    if (words.some((word) => used.some((other) => areForms(word, other)))) return false;
    used.push(...words);
    return true;
  });
}

function areForms(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const isExtended = long.startsWith(short) || long.endsWith(short);
  if (short.length >= MIN_FORM && long.length - short.length <= MAX_ENDING && isExtended) return true;
  let stem = 0;
  while (stem < short.length && short[stem] === long[stem]) stem++;
  return stem >= MIN_STEM && long.length - stem <= MAX_ENDING;
}

/** A readable, unique name for each topic, such as "California ISO / FERC". */
export function nameTopics(topics: readonly TopicKeywords[]): readonly string[] {
  const taken = new Set<string>();
  return topics.map((topic, rank) => {
    const { parts: all, wanted } = nameParts(topic);
    const parts = withoutForms(all);
    for (let count = Math.max(1, Math.min(parts.length, wanted)); count <= parts.length; count++) {
      const name = parts.slice(0, count).join(" / ");
      if (!taken.has(name)) {
        taken.add(name);
        return name;
      }
    }
    const name = `${parts.length === 0 ? "Topic" : parts.join(" / ")} (${rank + 1})`;
    taken.add(name);
    return name;
  });
}
