import type { NotebookReader } from "../../contract/notebook-location.ts";
import type { StoredSegment } from "../../reading/document-columns.ts";
import { termReader } from "../../reading/index-terms.ts";
import type { RangedIndex } from "../../reading/range-source.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { contactEntries } from "../reading/contact-messages.ts";
import { mailboxesByNumber } from "../reading/location-search.ts";
import { markedReader } from "./marked-messages.ts";
import { deadMessages, indexReader, indexSegments, messagesBySender, storedIndex } from "./search-source.ts";

const NOTHING = new Uint8Array(0);

/** Opens the index of an archive by shards. */
export function rangedIndex(database: SqliteDatabase, notebook: NotebookReader): RangedIndex {
  const segments = indexSegments(database);
  const marked = markedReader(database, notebook);
  const lengths = database.prepare("SELECT seg, first, lengths FROM ix_doc WHERE seg = ?");
  const column = database.prepare("SELECT data FROM ix_column WHERE name = ?").pluck();
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
    columns: async (names) => known(names.map((name) => [name, column.get(name)])),
    slices: async (slices) => known(slices.map(({ name, start, length }) => [name, slice.get(start, length, name)])),
    mailboxes: async () => mailboxesByNumber(database),
    contactEntries: async () => () => contactEntries(database),
    bySender: async () => messagesBySender(database),
  };
}

function known(values: readonly (readonly [string, unknown])[]): ReadonlyMap<string, Uint8Array> {
  return new Map(values.filter((entry): entry is [string, Uint8Array] => entry[1] instanceof Uint8Array));
}
