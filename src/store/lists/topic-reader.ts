import type { Listed, TopicReader, TopicSort } from "../../mail/archive.ts";
import { contactId, messageId, ordinalOf, topicId } from "../../mail/records/ids.ts";
import type { ContactOrdinal, MessageOrdinal } from "../../mail/records/ordinal.ts";
import type { Topic, TopicDetail } from "../../mail/records/topic.ts";
import type { ArchiveCounters } from "../reading/archive-counters.ts";
import { CONTACTS } from "../tables/contact-tables.ts";
import { TOPICS } from "../tables/knowledge-tables.ts";
import { selection } from "../tables/table.ts";
import type { ArchiveRows, Row } from "./archive-rows.ts";

const TOPIC = selection(
  [TOPICS],
  ["ordinal", "name", "description", "messageCount", "topKeywords", "mentionPercent", "createdAt", "keyContacts"],
);
type TopicColumns = ReturnType<typeof TOPIC.decode>;

const CONTACT_NAME = selection([CONTACTS], ["ordinal", "name"]);

/** There are few topics: sorting on each call is cheaper than maintaining an index. */
const ORDERS: Readonly<Record<TopicSort, string>> = {
  frequency: "message_count DESC, id",
  name: "name_key, id",
  coherence: "mention_percent DESC NULLS LAST, message_count DESC, id",
};

export function topicReader(archive: ArchiveRows, counters: ArchiveCounters): TopicReader {
  const ofTopic = `${archive.valid("messages")} AND topic_id = ?`;

  async function keyContacts(strongest: TopicColumns["keyContacts"]): Promise<TopicDetail["keyContacts"]> {
    const ordinals = strongest.map(([contact]) => contact);
    const rows = await archive.byOrdinal("contacts", CONTACT_NAME, ordinals);
    return strongest.map(([contact, frequency], at) => ({
      contactId: contactId(contact as ContactOrdinal),
      name: rows[at] === undefined ? "" : CONTACT_NAME.decode(rows[at]).name,
      frequency,
    }));
  }

  return {
    async list(sort, limit): Promise<Listed<Topic>> {
      const rows = await archive.rows(
        `SELECT ${TOPIC.sql} FROM topics WHERE ${archive.valid("topics")} ORDER BY ${ORDERS[sort]} LIMIT ?`,
        limit,
      );
      return { items: rows.map((row) => toTopic(TOPIC.decode(row))), total: counters.topics };
    },
    async get(id): Promise<TopicDetail | null> {
      const ordinal = ordinalOf("topic", id);
      if (ordinal === null) return null;
      const [row] = await archive.byOrdinal("topics", TOPIC, [ordinal]);
      if (row === undefined) return null;
      const topic = TOPIC.decode(row);
      // As two subqueries, each reads one entry of an index in SQLite.
      const [[earliest, latest]] = (await archive.rows(
        `SELECT (SELECT min(sent_at) FROM messages WHERE ${ofTopic}), (SELECT max(sent_at) FROM messages WHERE ${ofTopic})`,
        ordinal,
        ordinal,
      )) as unknown as [[number | null, number | null]];
      const members = await archive.rowsOnCall(
        `SELECT id FROM messages ${archive.indexedBy("messages_by_topic_sent")} WHERE ${ofTopic} ORDER BY sent_at DESC NULLS LAST, id`,
        ordinal,
      );
      return {
        ...toTopic(topic),
        keyContacts: await keyContacts(topic.keyContacts),
        // Computed on access: the topics of an archive contain all its messages.
        get messageIds() {
          return members().map(([member]: Row) => messageId(member as MessageOrdinal));
        },
        earliest,
        latest,
      };
    },
  };
}

function toTopic({ ordinal, keyContacts: _, ...topic }: TopicColumns): Topic {
  return { id: topicId(ordinal), ...topic };
}
