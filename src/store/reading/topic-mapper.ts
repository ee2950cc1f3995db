import { topicId } from "../../mail/records/ids.ts";
import type { Topic } from "../../mail/records/topic.ts";
import type { TopicRow } from "../contract/rows.ts";
import type { RowOf } from "../tables/column.ts";
import { TOPICS } from "../tables/knowledge-tables.ts";
import { selection } from "../tables/table.ts";

/** The row of a topic. */
export type TopicColumns = TopicRow & Pick<RowOf<(typeof TOPICS)["columns"]>, "keyContacts">;
export const TOPIC = selection(
  [TOPICS],
  ["ordinal", "name", "description", "messageCount", "topKeywords", "mentionPercent", "createdAt", "keyContacts"],
);

export function toTopic({ ordinal, keyContacts: _, ...topic }: TopicColumns): Topic {
  return { id: topicId(ordinal), ...topic };
}
