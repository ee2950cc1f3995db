import { ArchiveError } from "../../../errors.ts";
import type { SearchReader } from "../../../mail/archive.ts";
import { LoadedRange } from "../../../search/ranges/loaded-range.ts";
import { withEqualQueries } from "../../../search/ranges/range-calls.ts";
import type { SearchedRange } from "../../../search/ranges/searched-range.ts";
import { Searcher } from "../../../search/searcher.ts";
import type { FileLocation } from "../../contract/archive-location.ts";
import type { NotebookReader } from "../../contract/notebook-location.ts";
import type { SearchedArchive } from "../../contract/searched-archive.ts";
import type { StoredSegment } from "../../reading/document-columns.ts";
import { termReader } from "../../reading/index-terms.ts";
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
import type { SqlValue } from "../../tables/sql-value.ts";
import { selection } from "../../tables/table.ts";
import { rangesInThreads } from "../../threads/range-threads.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { hasSearchTables, indexColumns } from "../database/search-schema.ts";
import { originalDateSql } from "../database/sorting-dates.ts";
import { contactEntries } from "../reading/contact-messages.ts";
import { mailboxesByNumber } from "../reading/mailbox-columns.ts";
import { markedReader } from "./marked-messages.ts";
import { rangeMessages } from "./search-index.ts";
import { deadMessages, indexReader, indexSegments, messagesBySender, storedIndex } from "./search-source.ts";

/**
 * Opens the index of an archive on first use. An index with several shards is searched by threads. Rejects with
 * UNIMPLEMENTED if the archive has no index.
 */
export function searcherOf(
  { database, location, state }: SearchedFile,
  notebook: NotebookReader,
): () => Promise<Searcher> {
  return once(async () => {
    if (!hasSearchTables(database)) throw withoutIndex();
    const index = rangedIndex(database, notebook);
    const ranges = rangesOf(index, rangeMessages(database));
    if (ranges.length <= 1) return new Searcher(await openWholeSource(index));
    const archive = await archiveFigures(index);
    const places = ranges.map((range) => ({ ...range, archive, state }));
    return new Searcher(openQueryingSource(index, archive), rangesInThreads(location, places));
  });
}

/** Ranges of the index of an archive, for the thread that searches them. */
export function rangeOpener({ database, location, state }: SearchedFile, notebook: NotebookReader): OpenRange {
  const index = once(async () => rangedIndex(database, notebook));
  const ranges = new Map<number, () => Promise<SearchedRange>>();
  return async (place) => {
    if (place.state !== state)
      throw new ArchiveError("STORE_UNREACHABLE", `${location.file} was replaced while it was searched`, {
        hint: "open it again",
      });
    const known = ranges.get(place.first);
    if (known !== undefined) return known();
    const open = once(async () => withEqualQueries(new LoadedRange(await openRangeSource(await index(), place))));
    ranges.set(place.first, open);
    return open();
  };
}

type OpenRange = NonNullable<SearchedArchive["range"]>;

/** An open archive file, its location and its state. */
interface SearchedFile {
  readonly database: SqliteDatabase;
  readonly location: FileLocation;
  readonly state: string;
}

/** Search over an open archive. Queries reject where `searcher` throws. */
export function sqliteSearchReader(database: SqliteDatabase, searcher: () => Promise<Searcher>): SearchReader {
  const hit = selection([MESSAGES], ["subject", "from", "sentAt"], {
    sqlOf: { sentAt: originalDateSql(database) },
    beside: ["mailboxId"],
  });
  const message = database.prepare(`SELECT ${hit.sql} FROM messages WHERE id = ?`).raw();
  // Counting in SQL takes longer than reading the message.
  const mailboxes = database.prepare("SELECT mailbox_id FROM occurrences WHERE message_id = ?").pluck();
  return searchReader(searcher, async (documents) =>
    documents.map((document) => {
      const row = message.get(document) as SqlValue[];
      const others = mailboxes.all(document).filter((mailbox) => mailbox !== row[hit.at.mailboxId]);
      return { ...hit.decode(row), otherMailboxes: new Set(others).size };
    }),
  );
}

const NOTHING = new Uint8Array(0);

/** The index of an archive. */
export function rangedIndex(database: SqliteDatabase, notebook: NotebookReader): RangedIndex {
  const segments = indexSegments(database);
  const marked = markedReader(database, notebook);
  const lengths = database.prepare("SELECT seg, first, lengths FROM ix_doc WHERE seg = ?");
  const slice = database.prepare("SELECT substr(data, ? + 1, ?) FROM ix_column WHERE name = ?").pluck();
  return {
    segments,
    firstDocument: segments[0]?.first ?? 0,
    end: segments.reduce((highest, { end }) => Math.max(highest, end), 0),
    dead: deadMessages(database),
    asked: (searched) => indexReader(database, marked, searched),
    async frequencies(searched, { terms, patterns }) {
      // No posting list is read.
      const { postings, frequenciesWith } = termReader({ ...storedIndex(database, searched), list: () => NOTHING });
      return {
        terms: terms.map((term) => postings(term)?.documentFrequency ?? 0),
        patterns: await Promise.all(patterns.map(async (pattern) => [...(await frequenciesWith(pattern))])),
      };
    },
    lengths: async (asked) => asked.map(({ seg }) => lengths.get(seg) as StoredSegment),
    columns: async (names) => indexColumns(database, names),
    async slices(slices) {
      const values = slices.map(({ name, start, length }) => [name, slice.get(start, length, name)] as const);
      return new Map(values.filter((entry): entry is [string, Uint8Array] => entry[1] instanceof Uint8Array));
    },
    mailboxes: async () => mailboxesByNumber(database),
    contactEntries: async () => () => contactEntries(database),
    bySender: async () => messagesBySender(database),
  };
}
