import type { Listed, TopicReader, TopicSort } from "../../../mail/archive.ts";
import { contactId, messageId, ordinalOf } from "../../../mail/records/ids.ts";
import type { ContactOrdinal, MessageOrdinal } from "../../../mail/records/ordinal.ts";
import type { Topic, TopicDetail } from "../../../mail/records/topic.ts";
import type { ArchiveCounters } from "../../reading/archive-counters.ts";
import { TOPIC, type TopicColumns, toTopic } from "../../reading/topic-mapper.ts";
import { ordinalList } from "../client/selection.ts";
import { validIn } from "../client/valid-rows.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";

const ORDERS: Readonly<Record<TopicSort, string>> = {
  frequency: "message_count DESC, id",
  name: "name_key, id",
  coherence: "mention_percent DESC NULLS LAST, message_count DESC, id",
};

export function topicReader(epoch: OpenEpoch, counters: ArchiveCounters): TopicReader {
  async function keyContacts(strongest: TopicColumns["keyContacts"]): Promise<TopicDetail["keyContacts"]> {
    const rows = await epoch.rows(
      `SELECT id, name FROM contacts WHERE ${validIn("contacts")} AND id = ANY($2::int8[])`,
      ordinalList(strongest.map(([contact]) => contact)),
    );
    const names = new Map(rows as [number, string][]);
    return strongest.map(([contact, frequency]) => ({
      contactId: contactId(contact as ContactOrdinal),
      name: names.get(contact) ?? "",
      frequency,
    }));
  }

  return {
    async list(sort, limit): Promise<Listed<Topic>> {
      const rows = await epoch.rows(
        `SELECT ${TOPIC.sql} FROM topics WHERE ${validIn("topics")} ORDER BY ${ORDERS[sort]} LIMIT $2::int8`,
        limit,
      );
      return { items: rows.map((row) => toTopic(TOPIC.decode(row))), total: counters.topics };
    },
    async get(id): Promise<TopicDetail | null> {
      const ordinal = ordinalOf("topic", id);
      if (ordinal === null) return null;
      const [row] = await epoch.rows(`SELECT ${TOPIC.sql} FROM topics WHERE ${validIn("topics")} AND id = $2`, ordinal);
      if (row === undefined) return null;
      const found = TOPIC.decode(row);
      const [[earliest, latest]] = (await epoch.rows(
        `SELECT min(sent_at), max(sent_at) FROM messages WHERE ${validIn("messages")} AND topic_id = $2`,
        ordinal,
      )) as [[number | null, number | null]];
      const members = await epoch.rows(
        `SELECT id FROM messages WHERE ${validIn("messages")} AND topic_id = $2 ORDER BY sent_at DESC NULLS LAST, id`,
        ordinal,
      );
      return {
        ...toTopic(found),
        keyContacts: await keyContacts(found.keyContacts),
        // Computed on access: the topics of an archive contain all its messages.
        get messageIds() {
          return members.map(([member]) => messageId(member as MessageOrdinal));
        },
        earliest,
        latest,
      };
    },
  };
}
