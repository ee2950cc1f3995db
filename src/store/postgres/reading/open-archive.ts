import { ArchiveError } from "../../../errors.ts";
import type { Archive } from "../../../mail/archive.ts";
import type { Provenance } from "../../../mail/records/provenance.ts";
import { type CollectionLocation, nameOfArchive } from "../../contract/archive-location.ts";
import { META } from "../../contract/archive-meta.ts";
import type { ArchiveRecord } from "../../contract/rows.ts";
import type { SearchedArchive } from "../../contract/searched-archive.ts";
import { contactReader } from "../../lists/contact-reader.ts";
import { recordReaders } from "../../lists/record-readers.ts";
import { threadReader } from "../../lists/thread-reader.ts";
import { topicReader } from "../../lists/topic-reader.ts";
import type { ArchiveCounters } from "../../reading/archive-counters.ts";
import { once } from "../../reading/once.ts";
import {
  MAILBOX,
  type MetaValue,
  RUN,
  SOURCE,
  toProvenance,
  toStatistics,
  WARNING,
} from "../../reading/provenance-mapper.ts";
import type { Selection } from "../../tables/table.ts";
import { validIn } from "../client/valid-rows.ts";
import { openEpoch } from "../collections/epochs.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";
import { archiveRows } from "./archive-rows.ts";
import { exploreReader } from "./explore-reader.ts";
import { notebookStates } from "./marked-messages.ts";
import { messageFetch } from "./message-fetch.ts";
import { messageReader } from "./message-reader.ts";
import { searcherOf, searchReader } from "./search-reader.ts";

/**
 * Opens a collection; its state stays readable until it is closed, regardless of later publications. Rejects like
 * `openArchive`.
 */
export async function openPostgresArchive(location: CollectionLocation): Promise<Archive> {
  const epoch = await openEpoch(location);
  try {
    return await archiveOver(epoch, nameOfArchive(location));
  } catch (error) {
    await epoch.close();
    throw error;
  }
}

/**
 * Opens a collection for searching only. Rejects as `openArchive`.
 * @param rangeMessages as `searcherOf`; tests use small ranges
 */
export async function openPostgresSearch(
  location: CollectionLocation,
  rangeMessages: number | null = null,
): Promise<SearchedArchive> {
  const epoch = await openEpoch(location);
  const searcher = searcherOf(epoch, rangeMessages);
  return {
    search: searchReader(epoch, searcher),
    explore: exploreReader(epoch, searcher),
    ...recordReaders(archiveRows(epoch)),
    close: () => epoch.close(),
  };
}

async function archiveOver(epoch: OpenEpoch, name: string): Promise<Archive> {
  const meta = await readMeta(epoch);
  const [counters, record] = [META.counters, META.record].map((key) => jsonOf(meta, key)) as [
    ArchiveCounters | null,
    ArchiveRecord | null,
  ];
  if (counters === null || record === null) throw new ArchiveError("ARCHIVE_DAMAGED", `${name} has no metadata`);
  // Keys of redacted messages would let a reader test guesses about the redacted text. Documents do not record whether
  // duplicates were kept.
  const tellsKeys = record.options.redact.length === 0 && !record.options.keepCopies && meta(META.unknownKeys) === null;
  const rows = archiveRows(epoch);
  const fetch = messageFetch(epoch, tellsKeys);
  const searcher = searcherOf(epoch);
  const statistics = toStatistics(meta, counters, record);
  const provenance = once(async (): Promise<Provenance> => {
    const rows = {
      sources: await rowsOf(epoch, SOURCE, `sources WHERE ${validIn("sources")} ORDER BY id`),
      mailboxes: await rowsOf(
        epoch,
        MAILBOX,
        `mailboxes WHERE ${validIn("mailboxes")} AND position IS NOT NULL ORDER BY source, position`,
      ),
      warnings: await rowsOf(epoch, WARNING, `warnings WHERE ${validIn("warnings")} ORDER BY id`),
      runs: await rowsOf(epoch, RUN, `runs WHERE ${validIn("runs")} ORDER BY id`),
    };
    return toProvenance(rows, { meta, record, statistics });
  });
  return {
    contacts: contactReader(rows, counters),
    messages: messageReader(epoch, fetch, counters),
    threads: threadReader(rows, fetch, counters),
    topics: topicReader(rows, counters),
    ...recordReaders(rows),
    search: searchReader(epoch, searcher),
    explore: exploreReader(epoch, searcher),
    async stats() {
      return statistics;
    },
    provenance,
    notebook: notebookStates(epoch),
    close: () => epoch.close(),
  };
}

/** Metadata of the store. Models of the pipeline are in the same table and not read here. */
async function readMeta(epoch: OpenEpoch): Promise<MetaValue> {
  const rows = await epoch.rows(
    `SELECT k, text_value FROM meta WHERE ${validIn("meta")} AND k = ANY($2::text[]) AND part = 0`,
    Object.values(META),
  );
  const values = new Map(rows as [string, string | null][]);
  return (key) => values.get(key) ?? null;
}

function jsonOf(meta: MetaValue, key: string): unknown {
  const text = meta(key);
  return typeof text === "string" ? JSON.parse(text) : null;
}

async function rowsOf<Row>(epoch: OpenEpoch, { sql, decode }: Selection<Row>, from: string): Promise<readonly Row[]> {
  return (await epoch.rows(`SELECT ${sql} FROM ${from}`)).map(decode);
}
