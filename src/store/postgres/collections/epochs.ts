import { ArchiveError } from "../../../errors.ts";
import { type CollectionLocation, nameOfArchive } from "../../contract/archive-location.ts";
import { SCHEMA_VERSION } from "../../tables/archive-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { RowDecoder } from "../client/binary-rows.ts";
import { connect, type PostgresClient, withErrorMapping } from "../client/postgres-client.ts";
import { ordinalList } from "../client/selection.ts";
import { stateOf } from "../client/valid-rows.ts";
import { layoutVersion, WRITERS } from "./layout.ts";
import { LIST_ORDERS } from "./list-orders.ts";
import type { OpenEpoch } from "./open-epoch.ts";
import { PARTITIONED_TABLES } from "./partitioned-tables.ts";

const READER = "archivetool epoch ";

/**
 * Application name of a connection that reads an epoch. All sessions can see these names, so readers need no write
 * permission and block nobody.
 */
export function readerName(epoch: number): string {
  return `${READER}${epoch}`;
}

interface Epoch {
  readonly number: number;
  readonly home: number;
  readonly hasIndex: boolean;
}

/** Fails if a table is missing or unreadable, and reads nothing: a server reports that at startup. */
const READ_NOTHING = PARTITIONED_TABLES.map(({ name }) => `SELECT FROM ${name} WHERE false`).join(" UNION ALL ");

/**
 * Throws SOURCE_NOT_FOUND if the collection does not exist, SOURCE_UNREADABLE, STORE_UNREACHABLE, ARCHIVE_VERSION,
 * DRIVER_MISSING.
 */
export async function openEpoch(location: CollectionLocation): Promise<OpenEpoch> {
  const name = nameOfArchive(location);
  const { server, isNotebookHidden = false } = location;
  let client = await connect(server, name);
  let reconnecting: Promise<PostgresClient> | null = null;
  let isClosed = false;
  const epoch = await closingOnError(client, async () => {
    const present = await holdPresent(client, location);
    await client.rows(READ_NOTHING);
    return present;
  });
  const state = stateOf(epoch.home, epoch.number);

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

  async function connected(): Promise<{ readonly client: PostgresClient; readonly state: number }> {
    if (client.isLost && !isClosed) {
      reconnecting ??= reconnect();
      try {
        client = await reconnecting;
      } finally {
        reconnecting = null;
      }
    }
    return { client, state };
  }

  return {
    hasIndex: epoch.hasIndex,
    isNotebookHidden,
    async rows(sql, ...values) {
      const { client: alive } = await connected();
      return alive.rows(sql, [state, ...values]);
    },
    async copiedRows(query, columns) {
      const { client: alive } = await connected();
      return withErrorMapping(name, async () => {
        const decoder = new RowDecoder(columns);
        const rows: SqlValue[][] = [];
        const stream = await alive.copyOut(`COPY (${query(state)}) TO STDOUT (FORMAT binary)`);
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
      throw new ArchiveError("SOURCE_NOT_FOUND", `collection ${name} does not exist`, {
        hint: "check the name, or copy an archive there with archivetool copy",
      });
    // Another process may have published a newer epoch since.
    if (await holdEpoch(client, present.number)) return present;
  }
}

async function presentEpoch(client: PostgresClient, collection: string): Promise<Epoch | null> {
  const [row] = await client.rows(
    "SELECT epoch, coalesce(home, epoch), has_index FROM collections JOIN epochs USING (epoch) WHERE name = $1",
    [collection],
  );
  if (row === undefined) return null;
  const [number, home, hasIndex] = row as [number, number, number];
  return { number, home, hasIndex: hasIndex === 1 };
}

/** Prevents the removal of a collection's current epoch during this connection; returns false if it was replaced. */
async function holdEpoch(client: PostgresClient, epoch: number): Promise<boolean> {
  await client.run(`SET application_name = '${readerName(epoch)}'`);
  return (await client.rows("SELECT 1 FROM collections WHERE epoch = $1", [epoch])).length > 0;
}

/** A new state of a collection, in a transaction: `publish` shows it to readers at once. */
interface NewEpoch {
  readonly epoch: number;
  readonly home: number;
  /** False if rows of an earlier epoch may be shared. */
  readonly isFirst: boolean;
  publish(): Promise<void>;
}

/**
 * Begins a transaction with an exclusive lock for writing a collection. Throws OUTPUT_BUSY if another process holds
 * it, and the errors of `openEpoch`.
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
  const present = await presentEpoch(client, collection);
  const [[epoch]] = (await client.rows(
    "INSERT INTO epochs(collection, version, has_index, home) VALUES ($1, $2, $3::int4 = 1, $4::int4) RETURNING epoch",
    [collection, SCHEMA_VERSION, hasIndex ? 1 : 0, present?.home ?? null],
  )) as [[number]];
  return {
    epoch,
    home: present?.home ?? epoch,
    isFirst: present === null,
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
 * Removes replaced epochs and epochs of deleted collections that have no readers. Epochs with readers remain for the
 * next publication.
 */
export async function removeReplacedEpochs(client: PostgresClient): Promise<void> {
  const homes = (await client.rows(
    "SELECT DISTINCT coalesce(home, epoch) FROM epochs WHERE epoch NOT IN (SELECT epoch FROM collections)",
  )) as [number][];
  for (const [home] of homes) await removeUnread(client, home);
  if (homes.length > 0) await vacuumTables(client);
}

const EPOCH_TABLES = [...PARTITIONED_TABLES.map((table) => table.name), LIST_ORDERS];

/** Removes epochs, and the rows visible only in them. @param kept the first epoch that stays */
async function deleteEpochs(
  client: PostgresClient,
  home: number,
  { epochs, kept }: { readonly epochs: readonly number[]; readonly kept: number | null },
): Promise<void> {
  // The bound is a literal: with a parameter, the planner would not use the index of replaced rows.
  const ended = kept === null ? "" : ` AND last < ${kept}`;
  for (const { name } of PARTITIONED_TABLES) await client.rows(`DELETE FROM ${name} WHERE home = ${home}${ended}`);
  for (const name of [LIST_ORDERS, "epochs"])
    await client.rows(`DELETE FROM ${name} WHERE epoch = ANY($1::int4[])`, [ordinalList(epochs)]);
}

/** Removes a collection with its epochs and all their rows, in the transaction of the caller. */
export async function deleteCollection(client: PostgresClient, collection: string): Promise<void> {
  await client.rows("DELETE FROM collections WHERE name = $1", [collection]);
  const homes = (await client.rows(
    "SELECT coalesce(home, epoch), string_agg(epoch::text, ',') FROM epochs WHERE collection = $1 GROUP BY 1",
    [collection],
  )) as [number, string][];
  for (const [home, epochs] of homes)
    await deleteEpochs(client, home, { epochs: epochs.split(",").map(Number), kept: null });
}

/** Vacuums deleted rows immediately for reuse. */
export async function vacuumTables(client: PostgresClient): Promise<void> {
  await client.run(`VACUUM (SKIP_LOCKED) ${[...EPOCH_TABLES, "epochs", "collections"].join(", ")}`);
}

async function removeUnread(client: PostgresClient, home: number): Promise<void> {
  await client.run("BEGIN");
  const free = await client.rows("SELECT 1 FROM epochs WHERE coalesce(home, epoch) = $1 FOR UPDATE SKIP LOCKED", [
    home,
  ]);
  // Readers first set the name of their connection, then check that the epoch is still current.
  const states = (await client.rows(
    `SELECT epoch, epoch IN (SELECT epoch FROM collections) OR EXISTS (SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = $2::text || epoch)
     FROM epochs WHERE coalesce(home, epoch) = $1 ORDER BY epoch`,
    [home, READER],
  )) as [number, number][];
  const epochs = states.filter(([, isUsed]) => isUsed === 0).map(([epoch]) => epoch);
  const kept = states.find(([, isUsed]) => isUsed === 1)?.[0] ?? null;
  // Another process removes some of them.
  const isOurs = free.length === states.length;
  if (isOurs && epochs.length > 0) await deleteEpochs(client, home, { epochs, kept });
  await client.run("COMMIT");
}

/** True if a collection has a published state that the user may read. */
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
  // These columns exist in the tables of every version: a copy is about to migrate them.
  return (await client.rows("SELECT 1 FROM collections WHERE name = $1", [location.collection])).length > 0;
}
