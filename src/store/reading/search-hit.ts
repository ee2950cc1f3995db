import { ArchiveError } from "../../errors.ts";
import type { SearchHit } from "../../mail/archive.ts";
import { messageId } from "../../mail/records/ids.ts";
import type { MessageOrdinal } from "../../mail/records/ordinal.ts";
import type { DocumentHit } from "../../search/searcher.ts";
import type { MessageRow } from "../contract/rows.ts";

/** Fields of the message in a search result. */
type FoundRow = Pick<MessageRow, "subject" | "from" | "sentAt"> & Pick<SearchHit, "otherMailboxes">;

/** Converts a result; the best has index 0. */
export function searchHit({ document, score, snippet, repeats }: DocumentHit, index: number, row: FoundRow): SearchHit {
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

export function withoutIndex(): ArchiveError {
  const hint = "extract again with this version of archivetool";
  return new ArchiveError("UNIMPLEMENTED", "this archive has no search index", { hint });
}
