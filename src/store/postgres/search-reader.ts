import type { SearchReader } from "../../mail/archive.ts";
import { messageId } from "../../mail/ids.ts";
import type { MessageOrdinal } from "../../mail/ordinal.ts";
import { HeldRange } from "../../search/held-range.ts";
import { openedLater } from "../../search/range-calls.ts";
import type { SearchedRange } from "../../search/searched-range.ts";
import { Searcher } from "../../search/searcher.ts";
import { inShards, SHARD_DOCUMENTS } from "../../search/shards.ts";
import { searchHit, withoutIndex } from "../reading/search-hit.ts";
import type { MessageRow } from "../rows.ts";
import { MESSAGES } from "../tables/message-tables.ts";
import type { OpenEpoch } from "./epochs.ts";
import { once } from "./index-columns.ts";
import { archiveFigures, openAskingSource, openRangeSource } from "./range-source.ts";
import { openFrame, openSearchSource } from "./search-source.ts";
import { ordinalList, postgresSelection, WRITTEN_DATE } from "./selection.ts";
import { validIn } from "./valid-rows.ts";

/** Opens the index of a collection when it is first asked for. Rejects with UNIMPLEMENTED where there is none. */
export function searcherOf(epoch: OpenEpoch, shardDocuments: number = SHARD_DOCUMENTS): () => Promise<Searcher> {
  return once(async () => {
    if (!epoch.hasIndex) throw withoutIndex();
    const frame = await openFrame(epoch);
    const ranges = inShards(frame.segments, ({ first, end }) => end - first, shardDocuments);
    if (ranges.length <= 1) return new Searcher(await openSearchSource(epoch, frame));
    const archive = await archiveFigures(epoch, frame);
    const searched = ranges.map((range): SearchedRange => {
      const place = { first: range[0]!.first, end: range.at(-1)!.end, archive };
      return openedLater(once(async () => new HeldRange(await openRangeSource(epoch, frame, place))));
    });
    return new Searcher(openAskingSource(epoch, frame, archive), searched);
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
    async search(query, limit, filter, match) {
      const { found, matched, problems } = await (await searcher()).search(query, limit, filter, match);
      if (found.length === 0) return { hits: [], matched, problems };
      const rows = await epoch.rows(
        `SELECT ${HIT.sql}, (SELECT count(DISTINCT occurrences.mailbox_id) FROM occurrences WHERE ${validIn("occurrences")}
           AND occurrences.message_id = messages.id AND occurrences.mailbox_id <> messages.mailbox_id)
         FROM messages WHERE ${validIn("messages")} AND messages.id = ANY($2::int8[])`,
        ordinalList(found.map(({ document }) => document)),
      );
      const byOrdinal = new Map(rows.map((row) => [row[HIT.at.ordinal], row]));
      const hits = found.map((one, index) => {
        const row = byOrdinal.get(one.document)!;
        return searchHit(one, index, { ...HIT.decode(row), otherMailboxes: row.at(-1) as number });
      });
      return { hits, matched, problems };
    },

    async matching(query, filter, match) {
      return ((await (await searcher()).matching(query, filter, match)) as readonly MessageOrdinal[]).map(messageId);
    },
  };
}
