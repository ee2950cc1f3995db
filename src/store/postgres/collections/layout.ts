import { ArchiveError } from "../../../errors.ts";
import { OLDEST_VERSION, SCHEMA_VERSION } from "../../tables/archive-tables.ts";
import { TYPES } from "../client/column-types.ts";
import type { PostgresClient } from "../client/postgres-client.ts";
import { stateOf } from "../client/valid-rows.ts";
import { CREATE_NOTEBOOKS, NOTEBOOK_TABLES } from "../service/collection-notebook.ts";
import { beginPreparation, LIMIT_LOCK_WAITS } from "../service/preparation.ts";
import { dropFormerTables } from "./former-tables.ts";
import { CREATE_LIST_ORDERS, LIST_ORDERS, storeOrders } from "./list-orders.ts";
import { endedIndex, MIGRATIONS, VERSION_COLUMNS } from "./migrations.ts";
import { PARTITIONED_TABLES, type PartitionedTable } from "./partitioned-tables.ts";
import { CREATE_VIEWS, hasViews } from "./sql-views.ts";

/** A row for each collection, locked by its writer: this requires permissions that readers do not have. */
export const WRITERS = "writers";

/** The version of the tables: number of migrations, and schema version of the columns. */
const MIGRATION_WEIGHT = 1000;
const LAYOUT_VERSION = MIGRATIONS.length * MIGRATION_WEIGHT + SCHEMA_VERSION;

/**
 * The schema `archivetool` holds all collections of a database. A row of `epochs` is one published state of a
 * collection, and `collections` names the current one. Epochs of a collection share a home (NULL for the epoch
 * itself), which leads every key of its rows; each row lists the epochs in which it is valid. Readers keep an epoch
 * until they close it.
 */
const FRAME = `
CREATE TABLE IF NOT EXISTS archivetool.epochs(
  epoch int4 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, collection text COLLATE "C" NOT NULL, version int8 NOT NULL,
  has_index boolean NOT NULL, made_at timestamptz NOT NULL DEFAULT now(), home int4);
CREATE TABLE IF NOT EXISTS archivetool.collections(
  name text COLLATE "C" PRIMARY KEY, epoch int4 NOT NULL REFERENCES archivetool.epochs);
CREATE TABLE IF NOT EXISTS archivetool.${WRITERS}(collection text COLLATE "C" PRIMARY KEY);`;

/**
 * Length of an indexed text prefix: an entry has at most about 2,700 bytes, and subjects up to 64 KB. The rest is
 * compared in the rows.
 */
const INDEXED_CHARACTERS = 300;

/** SQL for the indexed prefix of a text. */
export function indexed(column: string): string {
  return `left(${column}, ${INDEXED_CHARACTERS})`;
}

/**
 * Indexes for lookups, and for the orders of filtered lists; rarer orders are sorted after the index of their filter.
 * Orders of whole lists are stored (list-orders.ts).
 */
const INDEXES: readonly string[] = [
  `messages_by_key ON archivetool.messages(home, ${indexed("message_id")})`,
  "messages_by_sent ON archivetool.messages(home, sent_at DESC NULLS LAST, id)",
  "messages_by_thread ON archivetool.messages(home, thread_id, sent_at DESC NULLS LAST, id)",
  "messages_by_topic ON archivetool.messages(home, topic_id, sent_at DESC NULLS LAST, id)",
  "messages_by_sender ON archivetool.messages(home, from_id, sent_at DESC NULLS LAST, id)",
  `occurrences_by_id ON archivetool.occurrences(home, ${indexed("other_id")}) WHERE other_id IS NOT NULL`,
  "attachments_by_hash ON archivetool.attachments(home, sha256)",
  `addresses_by_key ON archivetool.addresses(home, ${indexed("address_key")}, contact_id)`,
];

function createTable({ name, columns, key }: PartitionedTable): string {
  const defined = columns.map((column) => `${column.name} ${TYPES[column.type]}`);
  return `CREATE TABLE IF NOT EXISTS archivetool.${name}(home int8 NOT NULL, ${defined.join(", ")}, ${VERSION_COLUMNS}, PRIMARY KEY(home, ${key.join(", ")}, born));`;
}

/** Columns that migrate tables of an earlier version. */
function laterColumns({ name, columns }: PartitionedTable): string {
  return columns
    .filter(({ isOriginal }) => !isOriginal)
    .map((column) => `ALTER TABLE archivetool.${name} ADD COLUMN IF NOT EXISTS ${column.name} ${TYPES[column.type]};`)
    .join("\n");
}

/** Indexes of earlier versions, which the stored list orders replaced. They would slow down every copied row. */
const FORMER_INDEXES = [
  ...["messages_by_subject", "messages_by_from", "threads_by_last"],
  ...["contacts_by_count", "contacts_by_name", "contacts_by_last_seen"],
].map((name) => `archivetool.${name}`);

/** Creates or migrates the tables. Throws ARCHIVE_VERSION if a newer version created them. */
export async function prepareLayout(client: PostgresClient, name: string): Promise<void> {
  const version = await layoutVersion(client, name);
  await client.run(LIMIT_LOCK_WAITS);
  await dropFormerTables(client);
  const keepsOrders = await hasTable(client, LIST_ORDERS);
  const hasNotebooks = (await Promise.all(NOTEBOOK_TABLES.map((table) => hasTable(client, table)))).every(Boolean);
  const hasWriters = await hasTable(client, WRITERS);
  const isCurrent = version === LAYOUT_VERSION && (await hasViews(client));
  if (isCurrent && keepsOrders && hasNotebooks && hasWriters) return;
  const [[encoding]] = (await client.rows("SHOW server_encoding")) as [[string]];
  if (encoding !== "UTF8")
    throw new ArchiveError("INVALID_ARGUMENT", `the database of ${name} has the encoding ${encoding}`, {
      hint: "create one with UTF8: createdb --encoding UTF8 --template template0 NAME",
    });
  const tables = PARTITIONED_TABLES.flatMap((table) => [createTable(table), laterColumns(table), endedIndex(table)]);
  const indexes = INDEXES.map((index) => `CREATE INDEX IF NOT EXISTS ${index};`);
  // If it fails, the caller closes the connection, which rolls back everything.
  await beginPreparation(client);
  // Another process may have migrated while this one waited.
  for (const migration of await outstandingMigrations(client, name)) await client.run(migration);
  await client.run([FRAME, CREATE_NOTEBOOKS, CREATE_LIST_ORDERS, ...tables, ...indexes, CREATE_VIEWS].join("\n"));
  if (!keepsOrders) await keepFormerOrders(client);
  await client.run(
    `DELETE FROM archivetool.layout; INSERT INTO archivetool.layout(version) VALUES (${LAYOUT_VERSION}); COMMIT`,
  );
}

/** Migrations that the tables lack; none if there are no tables. */
async function outstandingMigrations(client: PostgresClient, name: string): Promise<readonly string[]> {
  const version = await layoutVersion(client, name);
  return version === null ? [] : MIGRATIONS.slice(Math.floor(version / MIGRATION_WEIGHT));
}

/** Computes list orders for archives copied by earlier versions. */
async function keepFormerOrders(client: PostgresClient): Promise<void> {
  await client.run(`DROP INDEX IF EXISTS ${FORMER_INDEXES.join(", ")}`);
  for (const [home, epoch] of (await client.rows("SELECT coalesce(home, epoch), epoch FROM epochs")) as [
    number,
    number,
  ][]) {
    // Another process may have done so while this one waited.
    await client.rows(`DELETE FROM ${LIST_ORDERS} WHERE epoch = $1`, [epoch]);
    await storeOrders(client, stateOf(home, epoch));
  }
}

async function hasTable(client: PostgresClient, table: string): Promise<boolean> {
  const [[found]] = (await client.rows("SELECT to_regclass($1::text)::text", [`archivetool.${table}`])) as [
    [string | null],
  ];
  return found !== null;
}

/** The version of the tables; null if there are none. Throws ARCHIVE_VERSION for an unsupported version. */
export async function layoutVersion(client: PostgresClient, name: string): Promise<number | null> {
  if (!(await hasTable(client, "layout"))) return null;
  const [[version]] = (await client.rows("SELECT max(version) FROM archivetool.layout")) as [[number | null]];
  if ((version ?? 0) > LAYOUT_VERSION)
    throw new ArchiveError("ARCHIVE_VERSION", `${name} was written by a newer version of archivetool`);
  if (version !== null && version % MIGRATION_WEIGHT < OLDEST_VERSION)
    throw new ArchiveError("ARCHIVE_VERSION", `${name} has tables of a version that is not supported`, {
      hint: "copy the archives into another database",
    });
  return version;
}
