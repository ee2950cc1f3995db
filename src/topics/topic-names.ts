import type { Keyword, TopicKeywords } from "./topic-keywords.ts";

/** Words in a name beside its phrase, and without a phrase. */
const WORDS_WITH_PHRASE = 1;
const WORDS_ALONE = 3;

function titled({ text, hasOwnCapitals }: Keyword): string {
  return hasOwnCapitals ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Parts of a name in order of preference: the phrase, then single keywords. */
function nameParts({ keywords, phrase }: TopicKeywords): readonly string[] {
  if (phrase === null) return keywords.map(titled);
  const singles = keywords.filter((_, index) => index !== phrase[0] && index !== phrase[1]).map(titled);
  const joined = `${titled(keywords[phrase[0]]!)} ${titled(keywords[phrase[1]]!)}`;
  // A phrase of lesser words follows the keyword that says most.
  const isMinor = phrase[0] > 2 && phrase[1] > 2;
  return isMinor ? [singles[0]!, joined, ...singles.slice(1)] : [joined, ...singles];
}

/** A readable, unique name for each topic, such as "California ISO / FERC". */
export function nameTopics(topics: readonly TopicKeywords[]): readonly string[] {
  const taken = new Set<string>();
  return topics.map((topic, rank) => {
    const parts = nameParts(topic);
    for (let count = topic.phrase === null ? WORDS_ALONE : 1 + WORDS_WITH_PHRASE; count <= parts.length; count++) {
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
