import type { Archive } from "../../mail/archive.ts";
import type { Provenance } from "../../mail/records/provenance.ts";
import { META } from "../contract/archive-meta.ts";
import type { ArchiveRecord } from "../contract/rows.ts";
import type { ArchiveCounters } from "../reading/archive-counters.ts";
import { once } from "../reading/once.ts";
import {
  MAILBOX,
  type MetaValue,
  RUN,
  SOURCE,
  toProvenance,
  toStatistics,
  WARNING,
} from "../reading/provenance-mapper.ts";
import type { Selection } from "../tables/table.ts";
import type { ArchiveRows } from "./archive-rows.ts";
import { contactReader } from "./contact-reader.ts";
import type { MessageFetch } from "./message-reader.ts";
import { recordReaders } from "./record-readers.ts";
import { threadReader } from "./thread-reader.ts";
import { topicReader } from "./topic-reader.ts";

/** One-row tables of an open archive. */
interface ArchiveFacts {
  readonly meta: MetaValue;
  readonly counters: ArchiveCounters;
  readonly record: ArchiveRecord;
}

/**
 * False if content keys must stay secret: keys of redacted messages would let a reader test guesses about the redacted
 * text. Documents do not record whether duplicates were kept.
 */
export function publishesContentKeys({ record, meta }: Pick<ArchiveFacts, "record" | "meta">): boolean {
  return record.options.redact.length === 0 && !record.options.keepCopies && meta(META.unknownKeys) === null;
}

/** The parts of an open archive that are read with the same statements from SQLite and PostgreSQL. */
export function archiveLists(
  archive: ArchiveRows,
  { meta, counters, record }: ArchiveFacts,
  fetch: MessageFetch,
): Pick<Archive, "contacts" | "threads" | "topics" | "events" | "items" | "stats" | "provenance"> {
  const statistics = toStatistics(meta, counters, record);
  const rowsOf = async <Row>({ sql, decode }: Selection<Row>, table: string, rest: string): Promise<readonly Row[]> =>
    (await archive.rows(`SELECT ${sql} FROM ${table} WHERE ${archive.valid(table)} ${rest}`)).map(decode);
  return {
    contacts: contactReader(archive, counters),
    threads: threadReader(archive, fetch, counters),
    topics: topicReader(archive, counters),
    ...recordReaders(archive),
    stats: async () => statistics,
    provenance: once(async (): Promise<Provenance> => {
      const rows = {
        sources: await rowsOf(SOURCE, "sources", "ORDER BY id"),
        mailboxes: await rowsOf(MAILBOX, "mailboxes", "AND position IS NOT NULL ORDER BY source, position"),
        warnings: await rowsOf(WARNING, "warnings", "ORDER BY id"),
        runs: await rowsOf(RUN, "runs", "ORDER BY id"),
      };
      return toProvenance(rows, { meta, record, statistics });
    }),
  };
}
