import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import type {
  CarriedEntry,
  Notebook,
  NotebookChange,
  NotebookEntry,
  NotebookKind,
  NotebookNews,
} from "../../../mail/notebook.ts";
import { CHECKED_ENTRIES } from "../../tables/notebook-tables.ts";
import { type Statement, single, sql, upserted } from "../../tables/statement.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { type QueryableDatabase, queryableDatabase } from "../driver/queryable-database.ts";
import { sqliteFault, withSqliteFaults } from "../driver/sqlite-faults.ts";
import {
  type CheckedContent,
  checkedEntry,
  entryReader,
  readChecked,
  readSeal,
  SELECT_ENTRIES,
  seal,
} from "./notebook-checksums.ts";
import { notebookDamage, notebookInMemory, openNotebookFile, writeBackup } from "./notebook-file.ts";

/**
 * Opens or creates a notebook with these permissions. Uses a rollback journal, so that a closed notebook is a single
 * file that users can copy. Throws ARCHIVE_DAMAGED, NOT_AN_ARCHIVE, ARCHIVE_VERSION, DISK_FULL, OUTPUT_UNWRITABLE.
 */
export function openNotebookDatabase(path: string, mode: number): Notebook {
  return new DatabaseNotebook(
    withErrorMapping(path, () => openNotebookFile(path, mode)),
    path,
  );
}

/** An empty notebook in memory. */
export function openNotebookInMemory(): Notebook {
  return new DatabaseNotebook(notebookInMemory(), null);
}

/** Name of the notebook in errors; readers must not learn its path. */
const WRITTEN_NAME = "the notebook";

/** Names the kind of the file in errors. */
function withErrorMapping<T>(path: string, use: () => T): T {
  try {
    return withSqliteFaults("writing", WRITTEN_NAME, use);
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    const fault = sqliteFault("reading", path, error);
    if (fault instanceof ArchiveError && fault.code === "ARCHIVE_DAMAGED")
      throw notebookDamage(path, error instanceof Error ? error.message : String(error), error);
    if (systemErrorCode(error) === "EACCES" || systemErrorCode(error) === "EROFS")
      throw new ArchiveError("OUTPUT_UNWRITABLE", `${WRITTEN_NAME} cannot be written`, { cause: error });
    throw fault;
  }
}

class DatabaseNotebook implements Notebook {
  private readonly asked: QueryableDatabase;
  private readonly name: string;
  private readonly entryOf: ReturnType<typeof entryReader>;
  /** Last revision of the current transaction. */
  private last = 0;

  constructor(
    private readonly database: SqliteDatabase,
    /** Null in memory. */
    private readonly path: string | null,
  ) {
    this.asked = queryableDatabase(database);
    this.name = path ?? WRITTEN_NAME;
    this.entryOf = entryReader(this.damaged);
  }

  revision(): number {
    return withErrorMapping(this.name, () => readSeal(this.asked, this.damaged).revision);
  }

  entries(): readonly NotebookEntry[] {
    return withErrorMapping(this.name, () => this.database.transaction("deferred", () => this.content().entries));
  }

  write(change: NotebookChange): NotebookEntry | null {
    return this.inTransaction(() => this.change(change));
  }

  edit(
    kind: NotebookKind,
    keys: readonly string[],
    { updatedAt, author, edited }: Parameters<Notebook["edit"]>[2],
  ): number {
    return this.inTransaction(() => {
      let changed = 0;
      for (const key of keys) {
        const known = this.one(kind, key);
        const before = known?.value ?? null;
        const value = edited(before);
        if (value === before) continue;
        this.change({ kind, key, revision: known?.revision ?? 0, value, updatedAt, author });
        changed++;
      }
      return changed;
    });
  }

  merge(entries: readonly CarriedEntry[]): { taken: number; kept: number } {
    return this.inTransaction(() => {
      let taken = 0;
      for (const entry of entries) {
        const known = this.one(entry.kind, entry.key);
        if (known !== null && known.updatedAt >= entry.updatedAt) continue;
        this.store(entry);
        taken++;
      }
      return { taken, kept: entries.length - taken };
    });
  }

  receive(news: NotebookNews): void {
    this.inTransaction(() => {
      for (const statement of received(news)) this.asked.run(statement);
      this.last = news.revision;
    });
  }

  close(): void {
    this.database.close();
  }

  private readonly damaged = (what: string): ArchiveError => notebookDamage(this.name, what);

  private content(): CheckedContent {
    return readChecked(this.asked, this.damaged);
  }

  /** A damaged notebook is never written. */
  private inTransaction<T>(change: () => T): T {
    return withErrorMapping(this.name, () => {
      const answer = this.database.transaction("immediate", () => {
        this.last = this.content().revision;
        const given = change();
        seal(this.asked, this.last, this.damaged);
        return given;
      });
      this.keepBackup();
      return answer;
    });
  }

  private keepBackup(): void {
    const { path } = this;
    if (path === null) return;
    try {
      this.database.transaction("immediate", () => writeBackup(path, this.content()));
    } catch {
      // The entries are on disk; the next write repeats the backup.
    }
  }

  private one(kind: NotebookKind, key: string): NotebookEntry | null {
    return this.asked.ask(single(sql`${SELECT_ENTRIES} WHERE kind = ${kind} AND key = ${key}`, this.entryOf));
  }

  private store({ kind, key, value, updatedAt, author }: CarriedEntry): NotebookEntry {
    this.last++;
    const entry = { kind, key, revision: this.last, value, updatedAt, author };
    this.asked.run(upserted(CHECKED_ENTRIES, ["kind", "key"], checkedEntry(entry)));
    return entry;
  }

  private change({ revision, value, ...change }: NotebookChange): NotebookEntry | null {
    const known = this.one(change.kind, change.key);
    if ((known?.revision ?? 0) !== revision)
      throw new ArchiveError("NOTEBOOK_CHANGED", `the ${change.kind} was changed by someone else`);
    if (value !== null) return this.store({ ...change, value });
    this.last++;
    this.asked.run(sql`DELETE FROM ${CHECKED_ENTRIES} WHERE kind = ${change.kind} AND key = ${change.key}`);
    return null;
  }
}

/** Copies entries from another notebook. */
function received({ entries }: NotebookNews): readonly Statement[] {
  return entries.map(({ value, ...entry }) =>
    value === null
      ? sql`DELETE FROM ${CHECKED_ENTRIES} WHERE kind = ${entry.kind} AND key = ${entry.key}`
      : upserted(CHECKED_ENTRIES, ["kind", "key"], checkedEntry({ ...entry, value })),
  );
}
