import type { LatestEntry, NotebookNews } from "../../../mail/notebook.ts";
import type { UploadNotebooks } from "../../contract/upload-notebooks.ts";
import type { Columns } from "../../tables/column.ts";
import { every, type Statement, single, some, sql } from "../../tables/statement.ts";
import { selection, type Table } from "../../tables/table.ts";
import type { DedicatedClient } from "../client/dedicated-client.ts";
import type { PostgresClient } from "../client/postgres-client.ts";
import { askIn, runIn } from "../client/queryable-client.ts";

/** Tables of notebooks, and the column with the owner of an entry. */
interface NotebookTables {
  readonly notebooks: Table<unknown>;
  readonly notes: Table<Columns<LatestEntry>>;
  readonly owner: Statement;
}

/** Notebooks in a database. Rejects like the client. */
export function notebookCalls({ ask, change }: DedicatedClient, tables: NotebookTables): UploadNotebooks {
  const { notebooks, notes, owner } = tables;
  const entry = selection([notes], ["kind", "key", "revision", "value", "updatedAt", "author"]);
  return {
    notebookSince: (uploadId, known) =>
      ask(async (client) => {
        const last = sql`SELECT revision FROM ${notebooks} WHERE ${owner} = ${uploadId}`;
        const revision =
          (await askIn(
            client,
            single(last, ([found]) => found as number),
          )) ?? 0;
        if (revision === known) return { revision, entries: [] };
        // Concurrent writes have a later revision and are fetched the next time.
        const news = sql`SELECT ${entry} FROM ${notes}
          WHERE ${owner} = ${uploadId} AND revision > ${known} AND revision <= ${revision}`;
        return { revision, entries: await askIn(client, every(news, entry.decode)) };
      }),
    writeNotebook: (uploadId, known, news) =>
      change(async (client) => {
        await runIn(
          client,
          sql`INSERT INTO ${notebooks}(${owner}, revision) VALUES (${uploadId}, 0) ON CONFLICT DO NOTHING`,
        );
        // Concurrent writers wait here and then see the new revision.
        const raised = sql`UPDATE ${notebooks} SET revision = ${news.revision}
          WHERE ${owner} = ${uploadId} AND revision = ${known} RETURNING revision`;
        if (!(await askIn(client, some(raised)))) return false;
        await enter(client, tables, { uploadId, news });
        return true;
      }),
  };
}

/** All in one statement: a tag may be added to all results of a search. */
async function enter(
  client: PostgresClient,
  { notes, owner }: NotebookTables,
  { uploadId, news: { entries } }: { readonly uploadId: string; readonly news: NotebookNews },
): Promise<void> {
  const texts = (of: (entry: LatestEntry) => string | number): readonly string[] =>
    entries.map((entry) => String(of(entry)));
  await client.rows(
    `INSERT INTO ${notes.name}(${owner.sql}, kind, key, revision, updated_at, value, author)
     SELECT $1, note.kind, note.key, note.revision::int8, note.updated_at::int8,
       CASE WHEN note.is_there = 'yes' THEN note.value END, nullif(note.author, '')
     FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
       AS note(kind, key, revision, updated_at, is_there, value, author)
     ON CONFLICT (${owner.sql}, kind, key)
       DO UPDATE SET revision = excluded.revision, updated_at = excluded.updated_at, value = excluded.value,
         author = excluded.author`,
    [
      uploadId,
      ...[texts(({ kind }) => kind), texts(({ key }) => key), texts(({ revision }) => revision)],
      ...[texts(({ updatedAt }) => updatedAt), texts(({ value }) => (value === null ? "no" : "yes"))],
      texts(({ value }) => value ?? ""),
      texts(({ author }) => author ?? ""),
    ],
  );
}
