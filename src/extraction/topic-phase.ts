import { OTHER_TOPIC } from "../mail/ids.ts";
import type { Instant } from "../mail/instant.ts";
import type { TopicRow } from "../store/rows.ts";

/** The topic of every thread, by ordinal, and the rows of the topics. */
export interface FoundTopics {
  topicOf(thread: number): number;
  readonly rows: readonly TopicRow[];
}

/** Every thread belongs to "Other". */
export function findTopics(messageCount: number, createdAt: Instant): FoundTopics {
  const other: TopicRow = {
    ordinal: OTHER_TOPIC,
    name: "Other",
    description: `${messageCount} messages`,
    messageCount,
    topKeywords: [],
    createdAt,
  };
  return { topicOf: () => OTHER_TOPIC, rows: [other] };
}
