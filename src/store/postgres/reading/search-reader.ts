import type { SearchReader } from "../../../mail/archive.ts";
import { LoadedRange } from "../../../search/ranges/loaded-range.ts";
import { openDeferred } from "../../../search/ranges/range-calls.ts";
import type { SearchedRange } from "../../../search/ranges/searched-range.ts";
import { Searcher } from "../../../search/searcher.ts";
import { SHARD_DOCUMENTS } from "../../../search/shards.ts";
import { META } from "../../contract/archive-meta.ts";
import { readEntries } from "../../reading/contact-entries.ts";
import { once } from "../../reading/once.ts";
import {
  archiveFigures,
  openQueryingSource,
  openRangeSource,
  type RangedIndex,
  rangesOf,
} from "../../reading/range-source.ts";
import { searchReader, withoutIndex } from "../../reading/search-hit.ts";
import { openWholeSource } from "../../reading/whole-source.ts";
import { MESSAGES } from "../../tables/message-tables.ts";
import { ordinalList, postgresSelection, WRITTEN_DATE } from "../client/selection.ts";
import { validIn } from "../client/valid-rows.ts";
import { columnSlices, indexColumns } from "../collections/index-columns.ts";
import { orderedPage } from "../collections/list-orders.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";
import { countTerms } from "./index-terms.ts";
import {
  type IndexFrame,
  indexReader,
  mailboxesByNumber,
  openFrame,
  searchedIndex,
  storedLengths,
} from "./search-source.ts";

/**
 * Opens the index of a collection on first use. All ranges are searched in this thread: each further thread would need
 * its own connection, and most of the time is spent in the server. Rejects with UNIMPLEMENTED without an index.
 * @param rangeMessages maximum messages per range; null for the number that the archive was created with
 */
export function searcherOf(epoch: OpenEpoch, rangeMessages: number | null = null): () => Promise<Searcher> {
  return once(async () => {
    if (!epoch.hasIndex) throw withoutIndex();
    const frame = await openFrame(epoch);
    const index = rangedIndex(epoch, frame);
    const ranges = rangesOf(index, rangeMessages ?? (await storedRangeMessages(epoch)));
    if (ranges.length <= 1) return new Searcher(await openWholeSource(index));
    const archive = await archiveFigures(index);
    const searched = ranges.map(
      (range): SearchedRange =>
        openDeferred(once(async () => new LoadedRange(await openRangeSource(index, { ...range, archive })))),
    );
    return new Searcher(openQueryingSource(index, archive), searched);
  });
}

/** Maximum messages per range, as set when the archive was created. */
async function storedRangeMessages(epoch: OpenEpoch): Promise<number> {
  const [row] = await epoch.rows(
    `SELECT text_value FROM meta WHERE ${validIn("meta")} AND k = $2 AND part = 0`,
    META.rangeMessages,
  );
  return Number(row?.[0] ?? SHARD_DOCUMENTS);
}

const HIT = postgresSelection([MESSAGES], ["ordinal", "subject", "from", "sentAt"], {
  sqlOf: { sentAt: WRITTEN_DATE },
});

/** Search over an open collection. Queries reject where `searcher` does. */
export function postgresSearchReader(epoch: OpenEpoch, searcher: () => Promise<Searcher>): SearchReader {
  return searchReader(searcher, async (documents) => {
    if (documents.length === 0) return [];
    const rows = await epoch.rows(
      `SELECT ${HIT.sql}, (SELECT count(DISTINCT occurrences.mailbox_id) FROM occurrences WHERE ${validIn("occurrences")}
         AND occurrences.message_id = messages.id AND occurrences.mailbox_id <> messages.mailbox_id)
       FROM messages WHERE ${validIn("messages")} AND messages.id = ANY($2::int8[])`,
      ordinalList(documents),
    );
    const found = new Map(
      rows.map((row) => [row[HIT.at.ordinal], { ...HIT.decode(row), otherMailboxes: row.at(-1) as number }]),
    );
    return documents.map((document) => found.get(document)!);
  });
}

/** The index of a collection. */
function rangedIndex(epoch: OpenEpoch, frame: IndexFrame): RangedIndex {
  const { segments, firstDocument, end, dead } = frame;
  return {
    ...{ segments, firstDocument, end, dead },
    asked: (searched) => indexReader(epoch, frame, searched),
    frequencies: (searched, asked) => countTerms(epoch, searchedIndex(frame, searched), asked),
    lengths: (asked) => storedLengths(epoch, asked),
    columns: (names) => indexColumns(epoch, names),
    slices: (slices) => columnSlices(epoch, slices),
    mailboxes: () => mailboxesByNumber(epoch),
    async contactEntries() {
      const rows = (await epoch.rows(
        `SELECT contact_id, entries FROM contact_messages WHERE ${validIn("contact_messages")}`,
      )) as [number, Uint8Array][];
      return () => rows.map(([contact, blob]) => ({ contact, entries: readEntries(blob) }));
    },
    bySender: () => orderedPage(epoch, "messages.from", { limit: end, offset: 0 }),
  };
}
