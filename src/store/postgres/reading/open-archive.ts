import { ArchiveError } from "../../../errors.ts";
import type { Archive } from "../../../mail/archive.ts";
import { type CollectionLocation, nameOfArchive } from "../../contract/archive-location.ts";
import { META } from "../../contract/archive-meta.ts";
import type { ArchiveRecord } from "../../contract/rows.ts";
import type { SearchedArchive } from "../../contract/searched-archive.ts";
import { archiveLists, publishesContentKeys } from "../../lists/archive-lists.ts";
import { recordReaders } from "../../lists/record-readers.ts";
import type { ArchiveCounters } from "../../reading/archive-counters.ts";
import type { MetaValue } from "../../reading/provenance-mapper.ts";
import { validIn } from "../client/valid-rows.ts";
import { openEpoch } from "../collections/epochs.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";
import { archiveRows } from "./archive-rows.ts";
import { postgresExploreReader } from "./explore-reader.ts";
import { notebookStates } from "./marked-messages.ts";
import { messageFetch } from "./message-fetch.ts";
import { postgresMessageReader } from "./message-reader.ts";
import { postgresSearchReader, searcherOf } from "./search-reader.ts";

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
  const rows = archiveRows(epoch);
  const searcher = searcherOf(epoch, rangeMessages);
  return {
    search: postgresSearchReader(epoch, searcher),
    explore: postgresExploreReader(epoch, rows, searcher),
    ...recordReaders(rows),
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
  const facts = { meta, counters, record };
  const rows = archiveRows(epoch);
  const fetch = messageFetch(epoch, publishesContentKeys(facts));
  const searcher = searcherOf(epoch);
  return {
    ...archiveLists(rows, facts, fetch),
    messages: postgresMessageReader(epoch, rows, { fetch, counters }),
    search: postgresSearchReader(epoch, searcher),
    explore: postgresExploreReader(epoch, rows, searcher),
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
