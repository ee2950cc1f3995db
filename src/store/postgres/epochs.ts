import { ArchiveError } from "../../errors.ts";
import { type CollectionLocation, nameOfArchive } from "../archive-location.ts";
import type { SqlValue } from "../sqlite/sqlite-database.ts";
import { SCHEMA_VERSION } from "../tables/archive-tables.ts";
import { STORED_TABLES, type StoredColumn } from "../tables/stored-tables.ts";
import { RowDecoder } from "./binary-rows.ts";
import { layoutVersion, WRITERS } from "./layout.ts";
import { LIST_ORDERS } from "./list-orders.ts";
import { connect, type Parameter, type PostgresClient, telling } from "./postgres-client.ts";

/**
 * The name of a connection that reads an epoch. All sessions of a database see the names of all others, and nobody waits
 * for them: a reader needs no right to write, and cannot block anybody.
 */
export function readerName(epoch: number): string {
  return `archivetool epoch ${epoch}`;
}

/**
 * One published state of a collection, as it was when it was opened: it stays until this is closed, and a connection that
 * was lost is made again.
 */
export interface OpenEpoch {
  readonly number: number;
  readonly hasIndex: boolean;
  /** True where nobody may ask for what is written beside the collection. */
  readonly isNotebookHidden: boolean;
  /** Rows of a statement whose $1 is the epoch; further values are $2 and following. */
  rows(sql: string, ...values: Parameter[]): Promise<SqlValue[][]>;
  /**
   * Rows of a query as COPY gives them, bytes as they are and not as twice as many characters: for many texts. The query
   * is planned each time.
   */
  copiedRows(query: (epoch: number) => string, columns: readonly StoredColumn[]): Promise<SqlValue[][]>;
  /** A connection with the epoch for what is no statement, such as COPY. */
  connected(): Promise<{ readonly client: PostgresClient; readonly epoch: number }>;
  close(): Promise<void>;
}

interface Epoch {
  readonly number: number;
  readonly hasIndex: boolean;
}

/** Throws SOURCE_NOT_FOUND where there is no such collection, STORE_UNREACHABLE, ARCHIVE_VERSION, DRIVER_MISSING. */
export async function openEpoch(location: CollectionLocation): Promise<OpenEpoch> {
  const name = nameOfArchive(location);
  const { server, isNotebookHidden = false } = location;
  let client = await connect(server, name);
  let reconnecting: Promise<PostgresClient> | null = null;
  let isClosed = false;
  const epoch = await closingOnError(client, () => holdPresent(client, location));

  async function reconnect(): Promise<PostgresClient> {
    const again = await connect(server, name);
    await closingOnError(again, async () => {
      if (!(await holdEpoch(again, epoch.number)))
        throw new ArchiveError("STORE_UNREACHABLE", `${name} was replaced or removed while the connection was lost`, {
          hint: "open it again",
        });
    });
    return again;
  }

  async function connected(): Promise<{ readonly client: PostgresClient; readonly epoch: number }> {
    if (client.isLost && !isClosed) {
      reconnecting ??= reconnect();
      try {
        client = await reconnecting;
      } finally {
        reconnecting = null;
      }
    }
    return { client, epoch: epoch.number };
  }

  return {
    number: epoch.number,
    hasIndex: epoch.hasIndex,
    isNotebookHidden,
    async rows(sql, ...values) {
      const { client: alive } = await connected();
      return alive.rows(sql, [epoch.number, ...values]);
    },
    async copiedRows(query, columns) {
      const { client: alive } = await connected();
      return telling(name, async () => {
        const decoder = new RowDecoder(columns);
        const rows: SqlValue[][] = [];
        const stream = await alive.copyOut(`COPY (${query(epoch.number)}) TO STDOUT (FORMAT binary)`);
        for await (const piece of stream as AsyncIterable<Buffer>) rows.push(...decoder.rows(piece));
        return rows;
      });
    },
    connected,
    async close() {
      isClosed = true;
      await client.close();
    },
  };
}

async function closingOnError<T>(client: PostgresClient, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function holdPresent(client: PostgresClient, location: CollectionLocation): Promise<Epoch> {
  const name = nameOfArchive(location);
  const version = await layoutVersion(client, name);
  for (;;) {
    const present = version === null ? null : await presentEpoch(client, location.collection);
    if (present === null)
      throw new ArchiveError("SOURCE_NOT_FOUND", `there is no collection ${name}`, {
        hint: "check the name; archivetool copy puts an archive there",
      });
    // It may have been replaced in between: then there is a newer one.
    if (await holdEpoch(client, present.number)) return present;
  }
}

async function presentEpoch(client: PostgresClient, collection: string): Promise<Epoch | null> {
  const [row] = await client.rows(
    "SELECT epoch, has_index, version FROM collections JOIN epochs USING (epoch) WHERE name = $1",
    [collection],
  );
  if (row === undefined) return null;
  const [number, hasIndex] = row as [number, number];
  return { number, hasIndex: hasIndex === 1 };
}

/** Keeps the present epoch of a collection from being removed while this connection lasts; false for a replaced one. */
async function holdEpoch(client: PostgresClient, epoch: number): Promise<boolean> {
  await client.run(`SET application_name = '${readerName(epoch)}'`);
  return (await client.rows("SELECT 1 FROM collections WHERE epoch = $1", [epoch])).length > 0;
}

/** A new state of a collection, in a transaction: `publish` shows it to readers, all at once. */
export interface NewEpoch {
  readonly epoch: number;
  publish(): Promise<void>;
}

/**
 * Begins a transaction in which nobody else writes a collection. Throws OUTPUT_BUSY while another process does, and as
 * `openEpoch`.
 */
export async function lockForWriting(client: PostgresClient, location: CollectionLocation): Promise<void> {
  const { collection } = location;
  await client.rows(`INSERT INTO ${WRITERS}(collection) VALUES ($1) ON CONFLICT DO NOTHING`, [collection]);
  await client.run("BEGIN");
  const free = await client.rows(`SELECT 1 FROM ${WRITERS} WHERE collection = $1 FOR UPDATE SKIP LOCKED`, [collection]);
  if (free.length === 0) throw new ArchiveError("OUTPUT_BUSY", `another process is writing ${nameOfArchive(location)}`);
}

/** Throws OUTPUT_BUSY while another process writes the same collection. */
export async function beginEpoch(
  client: PostgresClient,
  location: CollectionLocation,
  hasIndex: boolean,
): Promise<NewEpoch> {
  const { collection } = location;
  await lockForWriting(client, location);
  const [[epoch]] = (await client.rows(
    "INSERT INTO epochs(collection, version, has_index) VALUES ($1, $2, $3::int4 = 1) RETURNING epoch",
    [collection, SCHEMA_VERSION, hasIndex ? 1 : 0],
  )) as [[number]];
  return {
    epoch,
    async publish() {
      await client.rows(
        "INSERT INTO collections(name, epoch) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch",
        [collection, epoch],
      );
      await client.run("COMMIT");
    },
  };
}

/**
 * Removes the states of collections that were replaced, or whose collection is gone, and that nobody reads any more;
 * those that somebody does are left to the next who publishes.
 */
export async function removeReplaced(client: PostgresClient): Promise<void> {
  const replaced = await client.rows("SELECT epoch FROM epochs WHERE epoch NOT IN (SELECT epoch FROM collections)");
  for (const [epoch] of replaced as [number][]) await removeUnread(client, epoch);
  if (replaced.length > 0) await vacuumTables(client);
}

/** Tables whose rows belong to an epoch. */
const EPOCH_TABLES = [...STORED_TABLES.map((table) => table.name), LIST_ORDERS];

export async function deleteEpoch(client: PostgresClient, epoch: number): Promise<void> {
  for (const name of EPOCH_TABLES) await client.rows(`DELETE FROM ${name} WHERE epoch = $1`, [epoch]);
  await client.rows("DELETE FROM epochs WHERE epoch = $1", [epoch]);
}

/** Frees the room of deleted rows for those that come next, instead of waiting for the server to do so. */
export async function vacuumTables(client: PostgresClient): Promise<void> {
  await client.run(`VACUUM (SKIP_LOCKED) ${[...EPOCH_TABLES, "epochs", "collections"].join(", ")}`);
}

async function removeUnread(client: PostgresClient, epoch: number): Promise<void> {
  // Whoever begins to read names its connection first, and then looks whether the epoch is still the present one.
  const reading = await client.rows(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1 LIMIT 1",
    [readerName(epoch)],
  );
  if (reading.length > 0) return;
  await client.run("BEGIN");
  const ours = await client.rows("SELECT 1 FROM epochs WHERE epoch = $1 FOR UPDATE SKIP LOCKED", [epoch]);
  if (ours.length > 0) {
    await deleteEpoch(client, epoch);
  }
  await client.run("COMMIT");
}

/** True when a collection has a published state that the asker may read. */
export async function isCollectionThere(location: CollectionLocation): Promise<boolean> {
  const client = await connect(location.server, nameOfArchive(location));
  try {
    return await isCollectionIn(client, location);
  } finally {
    await client.close();
  }
}

export async function isCollectionIn(client: PostgresClient, location: CollectionLocation): Promise<boolean> {
  if ((await layoutVersion(client, nameOfArchive(location))) === null) return false;
  return (await presentEpoch(client, location.collection)) !== null;
}
