import { chmodSync } from "node:fs";
import { ArchiveError } from "../../errors.ts";
import { PRIVATE_FILE } from "../../files/durable-files.ts";
import type { CarriedEntry, Notebook, NotebookChange, NotebookEntry, NotebookKind } from "../../mail/notebook.ts";
import { openDatabase, type SqliteDatabase, writing } from "./database.ts";

/** `ARCN`: tells a notebook from an archive and from any other SQLite database. */
const NOTEBOOK_APPLICATION_ID = 0x4152434e;
const NOTEBOOK_SCHEMA_VERSION = 1;
/** Time a write waits for one of another process, in milliseconds: each takes a few. */
const BUSY_TIMEOUT_MS = 10_000;

const TABLES = `
CREATE TABLE entries(kind TEXT NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL, value TEXT NOT NULL, updated_at INTEGER NOT NULL,
  PRIMARY KEY(kind, key)) WITHOUT ROWID;
CREATE TABLE last(revision INTEGER NOT NULL);
INSERT INTO last VALUES(0);
`;

/**
 * Opens a notebook, or makes one. It keeps a rollback journal, so that beside a notebook that is closed no other file
 * lies: people copy it. Throws NOT_AN_ARCHIVE, ARCHIVE_VERSION.
 */
export function openNotebookDatabase(path: string): Notebook {
  const database = openDatabase(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    chmodSync(path, PRIVATE_FILE);
    database.pragma("synchronous = FULL");
    requireOwn(database, path);
    return notebookOver(database, path);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Two processes may open a new file at once: one of them makes the tables. */
function requireOwn(database: SqliteDatabase, path: string): void {
  database.transaction("immediate", () => {
    const applicationId = database.pragma("application_id");
    const version = Number(database.pragma("user_version"));
    const tables = Number(database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get());
    if (applicationId === 0 && version === 0 && tables === 0) {
      database.exec(TABLES);
      database.pragma(`application_id = ${NOTEBOOK_APPLICATION_ID}`);
      database.pragma(`user_version = ${NOTEBOOK_SCHEMA_VERSION}`);
    } else if (applicationId !== NOTEBOOK_APPLICATION_ID) {
      throw new ArchiveError("NOT_AN_ARCHIVE", `${path} is no notebook`);
    } else if (version !== NOTEBOOK_SCHEMA_VERSION) {
      throw new ArchiveError("ARCHIVE_VERSION", `${path} was written by another version of archivetool`);
    }
  });
}

function notebookOver(database: SqliteDatabase, path: string): Notebook {
  const columns = "kind, key, revision, value, updated_at AS updatedAt";
  const all = database.prepare(`SELECT ${columns} FROM entries ORDER BY kind, key`);
  const one = database.prepare(`SELECT ${columns} FROM entries WHERE kind = ? AND key = ?`);
  const put = database.prepare(
    "INSERT OR REPLACE INTO entries(kind, key, revision, value, updated_at) VALUES(?, ?, ?, ?, ?)",
  );
  const remove = database.prepare("DELETE FROM entries WHERE kind = ? AND key = ?");
  const raise = database.prepare("UPDATE last SET revision = revision + 1");
  const last = database.prepare("SELECT revision FROM last").pluck();

  function store({ kind, key, value, updatedAt }: CarriedEntry): NotebookEntry {
    raise.run();
    const revision = last.get() as number;
    put.run(kind, key, revision, value, updatedAt);
    return { kind, key, revision, value, updatedAt };
  }

  function write({ revision, value, ...change }: NotebookChange): NotebookEntry | null {
    const known = one.get(change.kind, change.key) as NotebookEntry | undefined;
    if ((known?.revision ?? 0) !== revision)
      throw new ArchiveError("NOTEBOOK_CHANGED", `the ${change.kind} was changed by somebody else meanwhile`);
    if (value !== null) return store({ ...change, value });
    raise.run();
    remove.run(change.kind, change.key);
    return null;
  }

  function merge(entries: readonly CarriedEntry[]): { taken: number; kept: number } {
    let taken = 0;
    for (const entry of entries) {
      const known = one.get(entry.kind, entry.key) as NotebookEntry | undefined;
      if (known !== undefined && known.updatedAt >= entry.updatedAt) continue;
      store(entry);
      taken++;
    }
    return { taken, kept: entries.length - taken };
  }

  function edit(
    kind: NotebookKind,
    keys: readonly string[],
    { updatedAt, edited }: Parameters<Notebook["edit"]>[2],
  ): number {
    let changed = 0;
    for (const key of keys) {
      const known = one.get(kind, key) as NotebookEntry | undefined;
      const before = known?.value ?? null;
      const value = edited(before);
      if (value === before) continue;
      write({ kind, key, revision: known?.revision ?? 0, value, updatedAt });
      changed++;
    }
    return changed;
  }

  return {
    revision: () => last.get() as number,
    entries: () => all.all() as NotebookEntry[],
    write: (change) => writing(path, () => database.transaction("immediate", () => write(change))),
    edit: (kind, keys, change) =>
      writing(path, () => database.transaction("immediate", () => edit(kind, keys, change))),
    merge: (entries) => writing(path, () => database.transaction("immediate", () => merge(entries))),
    close: () => database.close(),
  };
}
