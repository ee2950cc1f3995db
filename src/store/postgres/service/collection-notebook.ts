import type { Notebook, NotebookEntry } from "../../../mail/notebook.ts";
import { type CollectionLocation, nameOfArchive } from "../../contract/archive-location.ts";
import type { NotebookContent, StoredNotebook } from "../../contract/notebook-location.ts";
import { nameOf, tryNotebook } from "../../notebook/notebook-dry-run.ts";
import { integer, optional, word } from "../../tables/column.ts";
import { NOTEBOOK_ENTRIES } from "../../tables/notebook-tables.ts";
import { sql } from "../../tables/statement.ts";
import { table } from "../../tables/table.ts";
import type { PostgresClient } from "../client/postgres-client.ts";
import { ReconnectingClient } from "../client/reconnecting-client.ts";
import { notebookCalls } from "./notebook-calls.ts";
import { serviceTableSql } from "./service-schema.ts";

/*
 * Notebooks of collections have their own tables, by the name of the collection, so that publishing an epoch does not
 * change them. Each process fetches the entries after its last known revision.
 */

/** The last revision of each notebook. */
const NOTEBOOKS = table(
  "collection_notebooks",
  { collection: word("collection"), revision: integer("revision") },
  { keys: "PRIMARY KEY(collection)", options: "" },
);

/** Deleted entries stay with a null value, so that cached notebooks learn of the deletion. */
const NOTES = table(
  "collection_notes",
  { ...NOTEBOOK_ENTRIES.columns, collection: word("collection"), value: optional(word("value")) },
  { keys: "PRIMARY KEY(collection, kind, key)", options: "" },
);

/** By their names. */
export const NOTEBOOK_TABLES = [NOTEBOOKS, NOTES].map(({ name }) => name);

export const CREATE_NOTEBOOKS = [NOTEBOOKS, NOTES].map(serviceTableSql).join("\n");

const TABLES = { notebooks: NOTEBOOKS, notes: NOTES, owner: sql`collection` };

/** Maximum attempts to reach a server, one second apart, while a caller waits. */
const TRIES = 3;

/** The cached notebook of a collection, refreshed after every write. */
export class CachedNotebook {
  private readonly entries = new Map<string, NotebookEntry>();
  private revision = 0;

  constructor(private readonly collection: string) {}

  async read(client: PostgresClient): Promise<NotebookContent> {
    const ask = <T>(question: (asked: PostgresClient) => Promise<T>): Promise<T> => question(client);
    const news = await notebookCalls({ ask, change: ask }, TABLES).notebookSince(this.collection, this.revision);
    // Concurrent reads finish in order, and the later result includes the earlier one.
    if (news.revision > this.revision) {
      for (const { value, ...entry } of news.entries) {
        if (value === null) this.entries.delete(nameOf(entry));
        else this.entries.set(nameOf(entry), { ...entry, value });
      }
      this.revision = news.revision;
    }
    return { revision: this.revision, entries: [...this.entries.values()].sort(byName) };
  }
}

/** By kind and key, bytewise, like a notebook in a file. */
function byName(left: NotebookEntry, right: NotebookEntry): number {
  return (
    Buffer.compare(Buffer.from(left.kind), Buffer.from(right.kind)) ||
    Buffer.compare(Buffer.from(left.key), Buffer.from(right.key))
  );
}

/** True if a notebook can be read; writing requires permission, and is impossible on a standby. */
export async function notebookRights(
  client: PostgresClient,
): Promise<{ readonly reads: boolean; readonly writes: boolean }> {
  const [[isThere]] = (await client.rows("SELECT to_regclass($1::text) IS NOT NULL", [
    `archivetool.${NOTES.name}`,
  ])) as [[number]];
  if (isThere !== 1) return { reads: false, writes: false };
  const [rights] = (await client.rows(
    `SELECT bool_and(has_table_privilege(oid, 'SELECT')), bool_and(has_table_privilege(oid, 'INSERT') AND has_table_privilege(oid, 'UPDATE'))
       AND NOT pg_is_in_recovery()
     FROM pg_class WHERE relnamespace = 'archivetool'::regnamespace AND relname = ANY($1::text[])`,
    [NOTEBOOK_TABLES],
  )) as [number, number][];
  return { reads: rights![0] === 1, writes: rights![0] === 1 && rights![1] === 1 };
}

/**
 * Opens the notebook of a collection; null if this user, or this server, cannot write to it. Rejects like `connect`.
 */
export async function openCollectionNotebook(location: CollectionLocation): Promise<StoredNotebook | null> {
  const name = nameOfArchive(location);
  const client = new ReconnectingClient({ server: location.server, name, signal: new AbortController().signal });
  const known = new CachedNotebook(location.collection);
  const calls = notebookCalls(
    {
      ask: (question) => client.ask(question, TRIES),
      change: (question) => client.change(question, TRIES),
    },
    TABLES,
  );
  try {
    if (!(await client.ask(notebookRights, TRIES)).writes) {
      await client.close();
      return null;
    }
  } catch (error) {
    await client.close();
    throw error;
  }
  const content = (): Promise<NotebookContent> => client.ask((asked) => known.read(asked), TRIES);
  return {
    entries: async () => (await content()).entries,
    async write<T>(use: (notebook: Notebook) => T): Promise<T> {
      for (;;) {
        const before = await content();
        const { answer, news } = tryNotebook(before, use);
        if (news.revision === before.revision) return answer;
        // On a concurrent change, repeats this with the new entries.
        if (await calls.writeNotebook(location.collection, before.revision, news)) return answer;
      }
    },
    close: () => client.close(),
  };
}
