import { ArchiveError } from "../../../errors.ts";
import { type CollectionLocation, nameOfArchive } from "../../contract/archive-location.ts";
import { connect, type PostgresClient } from "../client/postgres-client.ts";
import { NOTEBOOK_TABLES } from "../service/collection-notebook.ts";
import { deleteCollection, isCollectionIn, lockForWriting, readerName, vacuumTables } from "./epochs.ts";
import { prepareLayout } from "./layout.ts";

/** Result of removing a collection. */
interface RemovedCollection {
  readonly messages: number;
  /** Number of remaining entries of its notebook. */
  readonly keptNotes: number;
}

/**
 * Removes a collection with all its rows, and ends the connections that read it. Its notebook, which no extraction can
 * restore, stays unless its removal is requested. Throws SOURCE_NOT_FOUND, OUTPUT_BUSY while another process writes it
 * or a role reads it whose connections may not be ended, STORE_UNREACHABLE, SOURCE_UNREADABLE.
 */
export async function removeCollection(
  location: CollectionLocation,
  isNotebookRemoved: boolean,
): Promise<RemovedCollection> {
  const name = nameOfArchive(location);
  const client = await connect(location.server, name);
  try {
    if (!(await isCollectionIn(client, location)))
      throw new ArchiveError("SOURCE_NOT_FOUND", `collection ${name} does not exist`, { hint: "check the name" });
    await prepareLayout(client, name);
    await lockForWriting(client, location);
    const { collection } = location;
    const epochs = (await client.rows("SELECT epoch FROM epochs WHERE collection = $1", [collection])) as [number][];
    const readers = epochs.map(([epoch]) => readerName(epoch));
    await requireEndable(client, readers, name);
    const [[messages]] = (await client.rows(
      `SELECT count(*) FROM messages, collections JOIN epochs USING (epoch)
       WHERE collections.name = $1 AND messages.home = coalesce(epochs.home, epoch) AND epoch BETWEEN born AND last`,
      [collection],
    )) as [[number]];
    await deleteCollection(client, collection);
    if (isNotebookRemoved)
      for (const table of NOTEBOOK_TABLES)
        await client.rows(`DELETE FROM ${table} WHERE collection = $1`, [collection]);
    await client.run("COMMIT");
    await client.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = ANY($1::text[])`,
      [readers],
    );
    await vacuumTables(client);
    const [[keptNotes]] = (await client.rows(
      "SELECT count(*) FROM collection_notes WHERE collection = $1 AND value IS NOT NULL",
      [collection],
    )) as [[number]];
    return { messages, keptNotes };
  } finally {
    await client.close();
  }
}

async function requireEndable(client: PostgresClient, readers: readonly string[], name: string): Promise<void> {
  const [[others]] = (await client.rows(
    `SELECT string_agg(DISTINCT usename::text, ', ') FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = ANY($1::text[]) AND NOT pg_has_role(usesysid, 'MEMBER')`,
    [readers],
  )) as [[string | null]];
  if (others !== null)
    throw new ArchiveError("OUTPUT_BUSY", `${name} is being read by ${others}`, {
      hint: "stop the programs that read it",
    });
}
