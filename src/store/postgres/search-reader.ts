import type { SearchReader } from "../../mail/archive.ts";
import { messageId } from "../../mail/ids.ts";
import type { MessageOrdinal } from "../../mail/ordinal.ts";
import { Searcher } from "../../search/searcher.ts";
import { searchHit, withoutIndex } from "../reading/search-hit.ts";
import type { MessageRow } from "../rows.ts";
import { MESSAGES } from "../tables/message-tables.ts";
import type { OpenEpoch } from "./epochs.ts";
import { once } from "./index-columns.ts";
import { openSearchSource } from "./search-source.ts";
import { ordinalList, postgresSelection, WRITTEN_DATE } from "./selection.ts";

/**
 * Opens the index of a collection when it is first asked for. Rejects with UNIMPLEMENTED where there is none.
 * @param shardDocuments messages of a range of the index that is searched apart; tests have small ones
 */
export function searcherOf(epoch: OpenEpoch, shardDocuments?: number): () => Promise<Searcher> {
  return once(async () => {
    if (epoch.hasIndex) {
      const { source, shards } = await openSearchSource(epoch, shardDocuments);
      return new Searcher(source, shards);
    }
    throw withoutIndex();
  });
}

const HIT = postgresSelection<Pick<MessageRow, "ordinal" | "subject" | "from" | "sentAt">>(
  [MESSAGES],
  ["ordinal", "subject", "from", "sentAt"],
  { sqlOf: { sentAt: WRITTEN_DATE } },
);

/** Search over an open collection. Queries reject where `searcher` does. */
export function searchReader(epoch: OpenEpoch, searcher: () => Promise<Searcher>): SearchReader {
  return {
    async search(query, limit, filter = {}) {
      const { found } = await (await searcher()).search(query, limit, filter);
      if (found.length === 0) return [];
      const rows = await epoch.rows(
        `SELECT ${HIT.sql}, (SELECT count(DISTINCT occurrences.mailbox_id) FROM occurrences WHERE occurrences.epoch = messages.epoch
           AND occurrences.message_id = messages.id AND occurrences.mailbox_id <> messages.mailbox_id)
         FROM messages WHERE messages.epoch = $1 AND messages.id = ANY($2::int8[])`,
        ordinalList(found.map(({ document }) => document)),
      );
      const byOrdinal = new Map(rows.map((row) => [row[HIT.at.ordinal], row]));
      return found.map((one, index) => {
        const row = byOrdinal.get(one.document)!;
        return searchHit(one, index, { ...HIT.decode(row), otherMailboxes: row.at(-1) as number });
      });
    },

    async matching(query, filter = {}) {
      return ((await (await searcher()).matching(query, filter)) as readonly MessageOrdinal[]).map(messageId);
    },
  };
}
