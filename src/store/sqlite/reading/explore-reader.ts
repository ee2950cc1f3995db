import type { ExploredMessage, ExploreReader } from "../../../mail/exploration.ts";
import type { CopyDifferences } from "../../../mail/records/message.ts";
import type { PagedDocument } from "../../../search/explorer.ts";
import type { Searcher } from "../../../search/searcher.ts";
import type { ArchiveRows } from "../../lists/archive-rows.ts";
import { exploreReader } from "../../lists/explore-reader.ts";
import { FileList, type FileRow } from "../../reading/file-list.ts";
import { HIT_FIELDS, toHit } from "../../reading/hit-mapper.ts";
import { ENVELOPES, MESSAGES } from "../../tables/message-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { selection } from "../../tables/table.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { indexColumns } from "../database/search-schema.ts";
import { originalDateSql } from "../database/sorting-dates.ts";
import { ownerOfAddress } from "./archive-rows.ts";
import { storedCopies } from "./skeleton-reader.ts";

/** Explores an open archive. @param searcher opens the index on first use. */
export function sqliteExploreReader(
  database: SqliteDatabase,
  archive: ArchiveRows,
  searcher: () => Promise<Searcher>,
): ExploreReader {
  const rowOf = listRows(database);
  const attachments = database
    .prepare(
      "SELECT message_id, position, filename, media_type, size_bytes, lower(hex(sha256)) FROM attachments ORDER BY message_id, position",
    )
    .raw();
  return exploreReader(archive, searcher, {
    messages: async (documents) => documents.map(rowOf),
    async files(set, request) {
      const list = new FileList(set, request);
      for (const row of attachments.iterate() as IterableIterator<FileRow>) list.add(row);
      return list.page();
    },
    indexColumns: async (names) => indexColumns(database, names),
  });
}

function listRows(database: SqliteDatabase): (paged: PagedDocument) => ExploredMessage {
  const listed = selection([MESSAGES, ENVELOPES], HIT_FIELDS, { sqlOf: { sentAt: originalDateSql(database) } });
  const row = database
    .prepare(
      `SELECT ${listed.sql} FROM messages CROSS JOIN envelopes ON envelopes.id = messages.id WHERE messages.id = ?`,
    )
    .raw();
  const mailbox = database
    .prepare("SELECT name FROM mailboxes WHERE id = (SELECT mailbox_id FROM messages WHERE id = ?)")
    .pluck();
  const filenames = database.prepare("SELECT filename FROM attachments WHERE message_id = ? ORDER BY position").pluck();
  const copies = database.prepare("SELECT count(*) FROM occurrences WHERE message_id = ?").pluck();
  const ownerOf = ownerOfAddress(database);

  const differencesOf = (document: number): readonly CopyDifferences[] =>
    Array.from(storedCopies(database, { from: document, to: document + 1 }), ({ differs }) => differs);

  return (paged) =>
    toHit(paged, listed.decode(row.get(paged.document) as SqlValue[]), {
      mailbox: (mailbox.get(paged.document) as string | undefined) ?? "",
      filenames: filenames.all(paged.document) as string[],
      copies: copies.get(paged.document) as number,
      differences: differencesOf(paged.document),
      ownerOf,
    });
}
