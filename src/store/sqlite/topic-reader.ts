import type { Listed, TopicReader, TopicSort } from "../../mail/archive.ts";
import { contactId, messageId, ordinalOf, topicId } from "../../mail/ids.ts";
import type { Topic, TopicDetail } from "../../mail/topic.ts";
import type { SqliteDatabase } from "./database.ts";
import { decodeList } from "./json-columns.ts";
import type { ArchiveCounters } from "./meta-table.ts";

interface TopicColumns {
  id: number;
  name: string;
  description: string;
  message_count: number;
  keywords: string | null;
  created_at: number;
  key_contacts: string | null;
}

/** Topics are few: a sort on every call is cheaper than an index would be to keep. */
const ORDERS: Record<TopicSort, string> = { frequency: "message_count DESC, id", name: "name_key, id" };

export function topicReader(database: SqliteDatabase, counters: ArchiveCounters): TopicReader {
  const topic = database.prepare("SELECT * FROM topics WHERE id = ?");
  const members = database
    .prepare("SELECT id FROM messages INDEXED BY messages_by_topic_sent WHERE topic_id = ? ORDER BY sent_at DESC, id")
    .pluck();
  const earliest = database.prepare("SELECT min(sent_at) FROM messages WHERE topic_id = ?").pluck();
  const latest = database.prepare("SELECT max(sent_at) FROM messages WHERE topic_id = ?").pluck();
  const nameOf = database.prepare("SELECT name FROM contacts WHERE id = ?").pluck();

  function keyContacts(column: string | null): TopicDetail["keyContacts"] {
    return decodeList<[number, number]>(column).map(([contact, frequency]) => ({
      contactId: contactId(contact),
      name: (nameOf.get(contact) as string | undefined) ?? "",
      frequency,
    }));
  }

  return {
    async list(sort, limit): Promise<Listed<Topic>> {
      const rows = database.prepare(`SELECT * FROM topics ORDER BY ${ORDERS[sort]} LIMIT ?`).all(limit) as TopicColumns[];
      return { items: rows.map(toTopic), total: counters.topics };
    },
    async get(id): Promise<TopicDetail | null> {
      const ordinal = ordinalOf("topic", id);
      const row = ordinal === null ? undefined : (topic.get(ordinal) as TopicColumns | undefined);
      if (row === undefined) return null;
      return {
        ...toTopic(row),
        keyContacts: keyContacts(row.key_contacts),
        // Made when it is read: the topics of an archive name all its messages.
        get messageIds() {
          return (members.all(row.id) as number[]).map(messageId);
        },
        earliest: earliest.get(row.id) as number | null,
        latest: latest.get(row.id) as number | null,
      };
    },
  };
}

function toTopic(row: TopicColumns): Topic {
  return {
    id: topicId(row.id),
    name: row.name,
    description: row.description,
    messageCount: row.message_count,
    topKeywords: decodeList(row.keywords),
    createdAt: row.created_at,
  };
}
