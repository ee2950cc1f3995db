import type { Listed, TopicReader, TopicSort } from "../../../mail/archive.ts";
import { contactId, messageId, ordinalOf } from "../../../mail/records/ids.ts";
import type { ContactOrdinal, MessageOrdinal } from "../../../mail/records/ordinal.ts";
import type { Topic, TopicDetail } from "../../../mail/records/topic.ts";
import type { ArchiveCounters } from "../../reading/archive-counters.ts";
import { TOPIC, type TopicColumns, toTopic } from "../../reading/topic-mapper.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import type { SqliteDatabase } from "../database/database.ts";

/** There are few topics: sorting on each call is cheaper than maintaining an index. */
const ORDERS: Readonly<Record<TopicSort, string>> = {
  frequency: "message_count DESC, id",
  name: "name_key, id",
  coherence: "mention_percent DESC NULLS LAST, message_count DESC, id",
};

export function topicReader(database: SqliteDatabase, counters: ArchiveCounters): TopicReader {
  const topic = database.prepare(`SELECT ${TOPIC.sql} FROM topics WHERE id = ?`).raw();
  const members = database
    .prepare("SELECT id FROM messages INDEXED BY messages_by_topic_sent WHERE topic_id = ? ORDER BY sent_at DESC, id")
    .pluck();
  const earliest = database.prepare("SELECT min(sent_at) FROM messages WHERE topic_id = ?").pluck();
  const latest = database.prepare("SELECT max(sent_at) FROM messages WHERE topic_id = ?").pluck();
  const nameOf = database.prepare("SELECT name FROM contacts WHERE id = ?").pluck();

  function keyContacts(strongest: TopicColumns["keyContacts"]): TopicDetail["keyContacts"] {
    return strongest.map(([contact, frequency]) => ({
      contactId: contactId(contact as ContactOrdinal),
      name: (nameOf.get(contact) as string | undefined) ?? "",
      frequency,
    }));
  }

  return {
    async list(sort, limit): Promise<Listed<Topic>> {
      const rows = database
        .prepare(`SELECT ${TOPIC.sql} FROM topics ORDER BY ${ORDERS[sort]} LIMIT ?`)
        .raw()
        .all(limit) as SqlValue[][];
      return { items: rows.map((row) => toTopic(TOPIC.decode(row))), total: counters.topics };
    },
    async get(id): Promise<TopicDetail | null> {
      const ordinal = ordinalOf("topic", id);
      const row = ordinal === null ? undefined : (topic.get(ordinal) as SqlValue[] | undefined);
      if (row === undefined) return null;
      const found = TOPIC.decode(row);
      return {
        ...toTopic(found),
        keyContacts: keyContacts(found.keyContacts),
        // Computed on access: the topics of an archive contain all its messages.
        get messageIds() {
          return (members.all(found.ordinal) as MessageOrdinal[]).map(messageId);
        },
        earliest: earliest.get(found.ordinal) as number | null,
        latest: latest.get(found.ordinal) as number | null,
      };
    },
  };
}
