import type { NotebookNews, WrittenEntry } from "../../mail/notebook.ts";
import { every, type Later, single, some, sql } from "../tables/statement.ts";
import { selection } from "../tables/table.ts";
import type { UploadNotebooks } from "../upload-notebooks.ts";
import { askIn, runIn } from "./asked-client.ts";
import type { OwnClient } from "./own-client.ts";
import type { PostgresClient } from "./postgres-client.ts";
import { SERVICE_NOTEBOOKS, SERVICE_NOTES } from "./service-tables.ts";

const ENTRY = selection<WrittenEntry>([SERVICE_NOTES], ["kind", "key", "revision", "value", "updatedAt"]);

/** The notebooks in the database that services share. Rejects as the catalogue does. */
export function postgresNotebooks({ ask, change }: OwnClient): Later<UploadNotebooks> {
  return {
    notebookSince: (uploadId, known) =>
      ask(async (client) => {
        const last = sql`SELECT revision FROM ${SERVICE_NOTEBOOKS} WHERE upload_id = ${uploadId}`;
        const revision =
          (await askIn(
            client,
            single(last, ([found]) => found as number),
          )) ?? 0;
        if (revision === known) return { revision, entries: [] };
        // What is written meanwhile has a later revision, and is asked for the next time.
        const news = sql`SELECT ${ENTRY} FROM ${SERVICE_NOTES}
          WHERE upload_id = ${uploadId} AND revision > ${known} AND revision <= ${revision}`;
        return { revision, entries: await askIn(client, every(news, ENTRY.decode)) };
      }),
    writeNotebook: (uploadId, known, news) =>
      change(async (client) => {
        await runIn(
          client,
          sql`INSERT INTO ${SERVICE_NOTEBOOKS}(upload_id, revision) VALUES (${uploadId}, 0) ON CONFLICT DO NOTHING`,
        );
        // Whoever writes at the same time waits here, and then finds another revision.
        const raised = sql`UPDATE ${SERVICE_NOTEBOOKS} SET revision = ${news.revision}
          WHERE upload_id = ${uploadId} AND revision = ${known} RETURNING revision`;
        if (!(await askIn(client, some(raised)))) return false;
        await enter(client, uploadId, news);
        return true;
      }),
  };
}

/** All in one statement: a tag may be put on all that a search has found. */
async function enter(client: PostgresClient, uploadId: string, { entries }: NotebookNews): Promise<void> {
  const texts = (of: (entry: WrittenEntry) => string | number): readonly string[] =>
    entries.map((entry) => String(of(entry)));
  await client.rows(
    `INSERT INTO ${SERVICE_NOTES.name}(upload_id, kind, key, revision, updated_at, value)
     SELECT $1, note.kind, note.key, note.revision::int8, note.updated_at::int8, CASE WHEN note.is_there = 'yes' THEN note.value END
     FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
       AS note(kind, key, revision, updated_at, is_there, value)
     ON CONFLICT (upload_id, kind, key)
       DO UPDATE SET revision = excluded.revision, updated_at = excluded.updated_at, value = excluded.value`,
    [
      uploadId,
      ...[texts(({ kind }) => kind), texts(({ key }) => key), texts(({ revision }) => revision)],
      ...[texts(({ updatedAt }) => updatedAt), texts(({ value }) => (value === null ? "no" : "yes"))],
      texts(({ value }) => value ?? ""),
    ],
  );
}
