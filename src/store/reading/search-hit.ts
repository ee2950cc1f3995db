import { ArchiveError } from "../../errors.ts";
import type { SearchHit, SearchReader } from "../../mail/archive.ts";
import { messageId } from "../../mail/records/ids.ts";
import type { MessageOrdinal } from "../../mail/records/ordinal.ts";
import type { DocumentHit, Searcher } from "../../search/searcher.ts";
import type { MessageRow } from "../contract/rows.ts";

/** Fields of the message in a search result. */
type FoundRow = Pick<MessageRow, "subject" | "from" | "sentAt"> & Pick<SearchHit, "otherMailboxes">;

/** Converts a result; the best has index 0. */
function searchHit({ document, score, snippet, repeats }: DocumentHit, index: number, row: FoundRow): SearchHit {
  return {
    messageId: messageId(document as MessageOrdinal),
    rank: index + 1,
    score,
    snippet,
    from: row.from,
    subject: row.subject,
    sentAt: row.sentAt,
    otherMailboxes: row.otherMailboxes,
    sameText: repeats.map((other) => messageId(other as MessageOrdinal)),
  };
}

/** Search over an open archive; queries reject where `searcher` does. @param rowsOf rows of existing messages, in order */
export function searchReader(
  searcher: () => Promise<Searcher>,
  rowsOf: (documents: readonly number[]) => Promise<readonly FoundRow[]>,
): SearchReader {
  return {
    async search(query, limit, filter, match) {
      const { found, matched, problems } = await (await searcher()).search(query, limit, filter, match);
      const rows = await rowsOf(found.map(({ document }) => document));
      return { hits: found.map((one, index) => searchHit(one, index, rows[index]!)), matched, problems };
    },
    async matching(query, filter, match) {
      return ((await (await searcher()).matching(query, filter, match)) as readonly MessageOrdinal[]).map(messageId);
    },
  };
}

export function withoutIndex(): ArchiveError {
  const hint = "extract again with this version of archivetool";
  return new ArchiveError("UNIMPLEMENTED", "this archive has no search index", { hint });
}
