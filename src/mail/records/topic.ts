import type { Instant } from "../dates/instant.ts";
import { type ContactId, type MessageId, OTHER_TOPIC, type TopicId, topicId } from "./ids.ts";

/** Number of leading keywords that the coherence of a topic is measured with. */
export const MENTIONED_KEYWORDS = 2;

export interface Topic {
  readonly id: TopicId;
  readonly name: string;
  readonly description: string;
  readonly messageCount: number;
  readonly topKeywords: readonly string[];
  /**
   * Coherence: percent of its conversations that mention one of its first two keywords, when it was found. Null for
   * "Other", and in archives of earlier versions.
   */
  readonly mentionPercent: number | null;
  readonly createdAt: Instant;
}

export interface TopicDetail extends Topic {
  readonly keyContacts: readonly { readonly contactId: ContactId; readonly name: string; readonly frequency: number }[];
  /** Newest first. */
  readonly messageIds: readonly MessageId[];
  readonly earliest: Instant | null;
  readonly latest: Instant | null;
}

/** "Other", often the largest, comes last: users do not look for it. */
export function subjectsFirst(topics: readonly Topic[]): readonly Topic[] {
  return otherLast(topics, ({ id }) => id);
}

/** The same for facet values with their messages; other facets are unchanged. */
export function valuesInOrder<T extends { readonly clause: string }>(of: string, values: readonly T[]): readonly T[] {
  return of === "topic" ? otherLast(values, ({ clause }) => clause.slice(clause.indexOf(":") + 1)) : values;
}

function otherLast<T>(things: readonly T[], idOf: (thing: T) => string): readonly T[] {
  const isOther = (thing: T): boolean => idOf(thing) === topicId(OTHER_TOPIC);
  return [...things.filter((thing) => !isOther(thing)), ...things.filter(isOther)];
}
