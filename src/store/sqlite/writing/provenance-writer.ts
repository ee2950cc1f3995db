import type { Counts, RunRecord, SourceRecord, Warning } from "../../../mail/records/provenance.ts";
import { META } from "../../contract/archive-meta.ts";
import { WARNINGS_KEPT } from "../../contract/archive-writer.ts";
import { MAILBOXES, RUNS, SOURCES, WARNINGS } from "../../tables/knowledge-tables.ts";
import { encodeRow, insertSql, upsertSql } from "../../tables/table.ts";
import { rowInsert } from "../database/bulk-insert.ts";
import type { SqliteDatabase } from "../database/database.ts";
import type { MetaTable } from "../database/meta-table.ts";

/** Outcomes of the items of a mailbox. */
const COUNTED: readonly (keyof Counts)[] = ["seen", "kept", "duplicate", "skipped", "failed"];

/** Replaces all sources and the counts of their mailboxes. */
export function replaceSources(database: SqliteDatabase, sources: readonly SourceRecord[]): void {
  const unseen = COUNTED.map((field) => `${MAILBOXES.columns[field].name} = 0`).join(", ");
  database.exec(`DELETE FROM sources; UPDATE mailboxes SET position = NULL, ${unseen}`);
  const insertSource = rowInsert(database, SOURCES);
  const insertMailbox = database.prepare(upsertSql(MAILBOXES, ["source", "name"], ["position", ...COUNTED]));
  for (const [id, source] of sources.entries()) {
    insertSource.add({ ordinal: id, ...source, ...source.counts });
    for (const [position, mailbox] of source.mailboxes.entries())
      insertMailbox.run(id, mailbox.name, position, ...COUNTED.map((field) => mailbox.counts[field]));
  }
  insertSource.flush();
}

/** Appends warnings; beyond the maximum they are only counted. */
export function addWarnings(
  database: SqliteDatabase,
  meta: MetaTable,
  { warnings, further }: { readonly warnings: readonly Warning[]; readonly further: number },
): void {
  const stored = database.prepare("SELECT count(*) FROM warnings").pluck().get() as number;
  const room = Math.max(0, WARNINGS_KEPT - stored);
  const insert = rowInsert(database, WARNINGS);
  for (const warning of warnings.slice(0, room)) insert.add({ number: null, outcome: null, ...warning });
  insert.flush();
  const beyond = Math.max(0, warnings.length - room) + further;
  if (beyond > 0) meta.set(META.warningsTruncated, String(Number(meta.get(META.warningsTruncated) ?? 0) + beyond));
}

/** Removes the warnings of sources that are read again, which adds new ones. */
export function removeWarnings(database: SqliteDatabase, sources: readonly number[]): void {
  const remove = database.prepare("DELETE FROM warnings WHERE source = ?");
  for (const source of sources) remove.run(source);
}

export function addRun(database: SqliteDatabase, run: RunRecord): void {
  database.prepare(insertSql(RUNS)).run(...encodeRow(RUNS, { number: null, record: run }));
}
