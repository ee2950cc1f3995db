import { ArchiveError } from "../../errors.ts";
import type {
  CarriedEntry,
  Notebook,
  NotebookChange,
  NotebookEntry,
  NotebookKind,
  NotebookNews,
} from "../../mail/notebook.ts";
import { NOTEBOOK_ENTRIES, NOTEBOOK_REVISION } from "../tables/notebook-tables.ts";
import { every, type Statement, scalar, single, sql, upserted } from "../tables/statement.ts";
import { selection } from "../tables/table.ts";
import { askedDatabase } from "./asked-database.ts";
import { type SqliteDatabase, writing } from "./database.ts";
import { type DatabaseKind, openOwnDatabase } from "./own-database.ts";

const NOTEBOOK: DatabaseKind = {
  name: "notebook",
  // `ARCN`
  applicationId: 0x4152434e,
  version: 1,
  tables: [NOTEBOOK_ENTRIES, NOTEBOOK_REVISION],
  beside: "INSERT INTO last SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM last)",
  hint: undefined,
};

/**
 * Opens a notebook, or makes one. It keeps a rollback journal, so that beside a notebook that is closed no other file
 * lies: people copy it. Throws NOT_AN_ARCHIVE, ARCHIVE_VERSION.
 */
export function openNotebookDatabase(path: string): Notebook {
  return notebookOver(openOwnDatabase(path, NOTEBOOK), path);
}

const ENTRY = selection<NotebookEntry>([NOTEBOOK_ENTRIES], ["kind", "key", "revision", "value", "updatedAt"]);
const SELECT = sql`SELECT ${ENTRY} FROM ${NOTEBOOK_ENTRIES}`;

function notebookOver(database: SqliteDatabase, path: string): Notebook {
  const { ask, run } = askedDatabase(database);
  const last = (): number => ask(scalar<number>(sql`SELECT revision FROM ${NOTEBOOK_REVISION}`));
  const one = (kind: NotebookKind, key: string): NotebookEntry | null =>
    ask(single(sql`${SELECT} WHERE kind = ${kind} AND key = ${key}`, ENTRY.decode));
  const raise = (): number => {
    run(sql`UPDATE ${NOTEBOOK_REVISION} SET revision = revision + 1`);
    return last();
  };

  const inTransaction = <T>(change: () => T): T => writing(path, () => database.transaction("immediate", change));

  function store({ kind, key, value, updatedAt }: CarriedEntry): NotebookEntry {
    const entry = { kind, key, revision: raise(), value, updatedAt };
    run(upserted(NOTEBOOK_ENTRIES, ["kind", "key"], entry));
    return entry;
  }

  function write({ revision, value, ...change }: NotebookChange): NotebookEntry | null {
    const known = one(change.kind, change.key);
    if ((known?.revision ?? 0) !== revision)
      throw new ArchiveError("NOTEBOOK_CHANGED", `the ${change.kind} was changed by somebody else meanwhile`);
    if (value !== null) return store({ ...change, value });
    raise();
    run(sql`DELETE FROM ${NOTEBOOK_ENTRIES} WHERE kind = ${change.kind} AND key = ${change.key}`);
    return null;
  }

  function merge(entries: readonly CarriedEntry[]): { taken: number; kept: number } {
    let taken = 0;
    for (const entry of entries) {
      const known = one(entry.kind, entry.key);
      if (known !== null && known.updatedAt >= entry.updatedAt) continue;
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
      const known = one(kind, key);
      const before = known?.value ?? null;
      const value = edited(before);
      if (value === before) continue;
      write({ kind, key, revision: known?.revision ?? 0, value, updatedAt });
      changed++;
    }
    return changed;
  }

  return {
    revision: last,
    entries: () => ask(every(sql`${SELECT} ORDER BY kind, key`, ENTRY.decode)),
    write: (change) => inTransaction(() => write(change)),
    edit: (kind, keys, change) => inTransaction(() => edit(kind, keys, change)),
    merge: (entries) => inTransaction(() => merge(entries)),
    receive: (news) => inTransaction(() => received(news).forEach(run)),
    close: () => database.close(),
  };
}

/** What takes in what was written into another notebook. */
function received({ revision, entries }: NotebookNews): readonly Statement[] {
  const written = entries.map(({ value, ...entry }) =>
    value === null
      ? sql`DELETE FROM ${NOTEBOOK_ENTRIES} WHERE kind = ${entry.kind} AND key = ${entry.key}`
      : upserted(NOTEBOOK_ENTRIES, ["kind", "key"], { ...entry, value }),
  );
  return [...written, sql`UPDATE ${NOTEBOOK_REVISION} SET revision = ${revision}`];
}
