import type { KeywordCoherence } from "./keyword-coherence.ts";

/** Words in a name beside its phrase, and without a phrase. */
const WORDS_WITH_PHRASE = 1;
const WORDS_ALONE = 3;
/**
 * Keywords stand beside the leading one in a name when they stand with it in threads: information from here on, -1…1.
 */
const MIN_TOGETHER = 0.1;
/** A phrase of keywords behind these is one of lesser words. */
const LAST_LEADING = 2;
/**
 * A phrase that this share of the subjects holds names a topic when one of its words is among so many keywords; one of
 * fewer subjects when two of its words are keywords, one of them among the very first: else it is that of a few letters
 * that came often, such as a newsletter's among those of friends.
 */
const COMMON_SHARE = 0.08;
const TELLING_KEYWORDS = 5;
const TELLING_OF_FEW = 3;

/** A keyword as it is shown. */
export interface Keyword {
  readonly text: string;
  /** True for an acronym or a word with capitals of its own: it keeps its form in a name. */
  readonly hasOwnCapitals: boolean;
}

/** What a topic may be named by. */
export interface TopicKeywords {
  /** The most telling first. */
  readonly keywords: readonly Keyword[];
  /** How they stand together in threads. */
  readonly coherence: KeywordCoherence;
  /** The phrase that so many of its subjects share, 0…1. */
  readonly subjectPhrase: { readonly words: readonly Keyword[]; readonly share: number } | null;
  /** The best phrase made of two keywords, as indexes into them. */
  readonly textPhrase: readonly [number, number] | null;
}

function titled({ text, hasOwnCapitals }: Keyword): string {
  return hasOwnCapitals ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Keywords but those of a phrase, those first that stand together with the leading one. */
function beside({ keywords, coherence }: TopicKeywords, lead: number, phrase: readonly number[]): readonly number[] {
  const others = keywords.map((_, index) => index).filter((index) => index !== lead && !phrase.includes(index));
  const isTogether = (index: number): boolean => coherence.of(lead, index) >= MIN_TOGETHER;
  return [...others.filter(isTogether), ...others.filter((index) => !isTogether(index))];
}

/** Parts of a name in order of preference: the phrase, then single keywords. */
function nameParts(topic: TopicKeywords): { readonly parts: readonly string[]; readonly hasPhrase: boolean } {
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
      return { parts: [words.map(titled).join(" "), ...titles(beside(topic, lead, places))], hasPhrase: true };
  }
  if (textPhrase === null)
    return { parts: keywords.length === 0 ? [] : titles([0, ...beside(topic, 0, [])]), hasPhrase: false };
  const joined = titles(textPhrase).join(" ");
  // A phrase of lesser words follows the keyword that says most.
  const isMinor = Math.min(...textPhrase) > LAST_LEADING;
  const others = titles(beside(topic, isMinor ? 0 : textPhrase[0], textPhrase));
  return { parts: isMinor ? [titled(keywords[0]!), joined, ...others] : [joined, ...others], hasPhrase: true };
}

/** A readable, unique name for each topic, such as "California ISO / FERC". */
export function nameTopics(topics: readonly TopicKeywords[]): readonly string[] {
  const taken = new Set<string>();
  return topics.map((topic, rank) => {
    const { parts, hasPhrase } = nameParts(topic);
    const wanted = Math.min(parts.length, hasPhrase ? 1 + WORDS_WITH_PHRASE : WORDS_ALONE);
    for (let count = Math.max(1, wanted); count <= parts.length; count++) {
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
