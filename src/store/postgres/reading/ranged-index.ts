import { readEntries } from "../../reading/contact-entries.ts";
import type { RangedIndex } from "../../reading/range-source.ts";
import { validIn } from "../client/valid-rows.ts";
import { columnSlices, indexColumns } from "../collections/index-columns.ts";
import { orderedPage } from "../collections/list-orders.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";
import { countTerms } from "./index-terms.ts";
import { type IndexFrame, indexReader, mailboxesByNumber, searchedIndex, storedLengths } from "./search-source.ts";

/** Opens the index of a collection by shards. */
export function rangedIndex(epoch: OpenEpoch, frame: IndexFrame): RangedIndex {
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
