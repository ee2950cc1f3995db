import type { SqliteDatabase } from "./database.ts";

/**
 * Tables of the search index. A `seg` is what one run added: 0 is the bulk, later runs append 1, 2, … until they are
 * merged into it. ix_block holds some hundred neighbouring terms a row, found by the first of them; long posting lists
 * stand in ix_post, whose ids count on over all segments. ix_doc holds the lengths of the messages `first` and
 * following as Uint32; ix_column the columns that filters and ties need (derived from `messages`, so that opening the
 * index is no walk over a table); ix_dead messages that must not be found; ix_copy terms that only a copy of a message
 * has (copy-terms.ts).
 */
export function createSearchTables(database: SqliteDatabase): void {
  createTermTables(database, "");
  database.exec(`
CREATE TABLE IF NOT EXISTS ix_doc(seg INTEGER PRIMARY KEY, first INTEGER NOT NULL, postings INTEGER NOT NULL, lengths BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS ix_column(name TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS ix_dead(doc INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS ix_copy(term TEXT NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY(term, doc)) WITHOUT ROWID;`);
}

/** The dictionary and the posting lists; `suffix` names a second set that is being built. */
export function createTermTables(database: SqliteDatabase, suffix: "" | "_new"): void {
  database.exec(`
CREATE TABLE IF NOT EXISTS ix_block${suffix}(seg INTEGER NOT NULL, first TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY(seg, first)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ix_post${suffix}(id INTEGER PRIMARY KEY, data BLOB NOT NULL);`);
}

/** Puts the second set in the place of the first. */
export function replaceTermTables(database: SqliteDatabase): void {
  database.exec(`
DROP TABLE ix_block; DROP TABLE ix_post;
ALTER TABLE ix_block_new RENAME TO ix_block; ALTER TABLE ix_post_new RENAME TO ix_post;`);
}

export function hasSearchTables(database: SqliteDatabase): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'ix_doc'").get() !== undefined;
}
