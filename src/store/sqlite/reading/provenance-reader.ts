import type { ArchiveStatistics, Provenance } from "../../../mail/records/provenance.ts";
import type { ArchiveRecord } from "../../contract/rows.ts";
import { MAILBOX, RUN, SOURCE, toProvenance, WARNING } from "../../reading/provenance-mapper.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import type { Selection } from "../../tables/table.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { metaTable } from "../database/meta-table.ts";

export function readProvenance(
  database: SqliteDatabase,
  record: ArchiveRecord,
  statistics: ArchiveStatistics,
): Provenance {
  const rows = {
    sources: rowsOf(database, SOURCE, "sources ORDER BY id"),
    mailboxes: rowsOf(database, MAILBOX, "mailboxes WHERE position IS NOT NULL ORDER BY source, position"),
    warnings: rowsOf(database, WARNING, "warnings ORDER BY id"),
    runs: rowsOf(database, RUN, "runs ORDER BY id"),
  };
  return toProvenance(rows, { meta: metaTable(database).get, record, statistics });
}

function rowsOf<Row>(database: SqliteDatabase, { sql, decode }: Selection<Row>, from: string): readonly Row[] {
  return (database.prepare(`SELECT ${sql} FROM ${from}`).raw().all() as SqlValue[][]).map(decode);
}
