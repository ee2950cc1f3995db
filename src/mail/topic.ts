import { type ContactId, type MessageId, OTHER_TOPIC, type TopicId, topicId } from "./ids.ts";
import type { Instant } from "./instant.ts";

export interface Topic {
  readonly id: TopicId;
  readonly name: string;
  readonly description: string;
  readonly messageCount: number;
  readonly topKeywords: readonly string[];
  readonly createdAt: Instant;
}

export interface TopicDetail extends Topic {
  readonly keyContacts: readonly { readonly contactId: ContactId; readonly name: string; readonly frequency: number }[];
  /** Newest first. */
  readonly messageIds: readonly MessageId[];
  readonly earliest: Instant | null;
  readonly latest: Instant | null;
}

/** "Other", which is often the largest, comes last: it is no subject that somebody looks for. */
export function subjectsFirst(topics: readonly Topic[]): readonly Topic[] {
  return otherLast(topics, ({ id }) => id);
}

/** The same of anything that has to do with topics. @param idOf the topic of each, as it is told */
export function otherLast<T>(things: readonly T[], idOf: (thing: T) => string): readonly T[] {
  const isOther = (thing: T): boolean => idOf(thing) === topicId(OTHER_TOPIC);
  return [...things.filter((thing) => !isOther(thing)), ...things.filter(isOther)];
}
