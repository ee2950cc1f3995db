import { ArchiveError } from "../../errors.ts";
import { SCHEMA_VERSION } from "../tables/archive-tables.ts";
import { STORED_TABLES, type StoredTable } from "../tables/stored-tables.ts";
import { CREATE_NOTEBOOKS, NOTEBOOK_TABLES } from "./collection-notebook.ts";
import { TYPES } from "./column-types.ts";
import { dropFormerTables } from "./former-tables.ts";
import { CREATE_LIST_ORDERS, keepOrders, LIST_ORDERS } from "./list-orders.ts";
import type { PostgresClient } from "./postgres-client.ts";
import { beginPreparation, LIMIT_LOCK_WAITS } from "./preparation.ts";
import { CREATE_VIEWS, hasViews } from "./sql-views.ts";

/** A row for each collection, which whoever writes it locks: that needs rights that readers do not have. */
export const WRITERS = "writers";

/**
 * One schema, `archivetool`, holds all collections of a database. A row of `epochs` is one published state of a
 * collection, and `collections` names the present one; every table of an archive is led by the number of the epoch, and
 * so is every key. What is published never changes: a new state is rows of a new epoch, and readers of the old one keep
 * it until they close it.
 */
const FRAME = `
CREATE TABLE IF NOT EXISTS archivetool.epochs(
  epoch int4 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, collection text COLLATE "C" NOT NULL, version int8 NOT NULL,
  has_index boolean NOT NULL, made_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS archivetool.collections(
  name text COLLATE "C" PRIMARY KEY, epoch int4 NOT NULL REFERENCES archivetool.epochs);
CREATE TABLE IF NOT EXISTS archivetool.${WRITERS}(collection text COLLATE "C" PRIMARY KEY);`;

/**
 * Characters of a text that stand in an index: an entry has room for some 2,700 bytes, and subjects may have 64 KB. The
 * rest is compared in the rows.
 */
const INDEXED_CHARACTERS = 300;

/** The beginning of a text, as it stands in an index. */
export function indexed(column: string): string {
  return `left(${column}, ${INDEXED_CHARACTERS})`;
}

/**
 * What rows are looked up by, and the orders of what a filter leaves; rarer orders are sorted behind the index of their
 * filter. Those of whole lists are kept (list-orders.ts).
 */
const INDEXES: readonly string[] = [
  `messages_by_key ON archivetool.messages(epoch, ${indexed("message_id")})`,
  "messages_by_sent ON archivetool.messages(epoch, sent_at DESC NULLS LAST, id)",
  "messages_by_thread ON archivetool.messages(epoch, thread_id, sent_at DESC NULLS LAST, id)",
  "messages_by_topic ON archivetool.messages(epoch, topic_id, sent_at DESC NULLS LAST, id)",
  "messages_by_sender ON archivetool.messages(epoch, from_id, sent_at DESC NULLS LAST, id)",
  `occurrences_by_id ON archivetool.occurrences(epoch, ${indexed("other_id")}) WHERE other_id IS NOT NULL`,
  "attachments_by_hash ON archivetool.attachments(epoch, sha256)",
  `addresses_by_key ON archivetool.addresses(epoch, ${indexed("address_key")}, contact_id)`,
];

function createTable({ name, columns, key }: StoredTable): string {
  const defined = columns.map((column) => `${column.name} ${TYPES[column.type]}`);
  return `CREATE TABLE IF NOT EXISTS archivetool.${name}(epoch int8 NOT NULL, ${defined.join(", ")}, PRIMARY KEY(epoch, ${key.join(", ")}));`;
}

/** What leads tables of an earlier version up to the present one. */
function laterColumns({ name, columns }: StoredTable): string {
  return columns
    .filter(({ isOriginal }) => !isOriginal)
    .map((column) => `ALTER TABLE archivetool.${name} ADD COLUMN IF NOT EXISTS ${column.name} ${TYPES[column.type]};`)
    .join("\n");
}

/** Indexes of tables that were made before the orders of lists were kept: every row that is copied would go on into them. */
const FORMER_INDEXES = [
  ...["messages_by_subject", "messages_by_from", "threads_by_last"],
  ...["contacts_by_count", "contacts_by_name", "contacts_by_last_seen"],
].map((name) => `archivetool.${name}`);

/** Makes the tables, or brings them up to this version. Throws ARCHIVE_VERSION where a newer one made them. */
export async function prepareLayout(client: PostgresClient, name: string): Promise<void> {
  const version = await layoutVersion(client, name);
  await client.run(LIMIT_LOCK_WAITS);
  await dropFormerTables(client);
  const keepsOrders = await hasTable(client, LIST_ORDERS);
  const hasNotebooks = (await Promise.all(NOTEBOOK_TABLES.map((table) => hasTable(client, table)))).every(Boolean);
  const hasWriters = await hasTable(client, WRITERS);
  const isCurrent = version === SCHEMA_VERSION && (await hasViews(client));
  if (isCurrent && keepsOrders && hasNotebooks && hasWriters) return;
  const [[encoding]] = (await client.rows("SHOW server_encoding")) as [[string]];
  if (encoding !== "UTF8")
    throw new ArchiveError("INVALID_ARGUMENT", `the database of ${name} has the encoding ${encoding}`, {
      hint: "make one with UTF8: createdb --encoding UTF8 --template template0 NAME",
    });
  const tables = STORED_TABLES.flatMap((table) => [createTable(table), laterColumns(table)]);
  const indexes = INDEXES.map((index) => `CREATE INDEX IF NOT EXISTS ${index};`);
  // Where it fails, whoever asked closes the connection, and all of it is as it was.
  await beginPreparation(client);
  await client.run([FRAME, CREATE_NOTEBOOKS, CREATE_LIST_ORDERS, ...tables, ...indexes, CREATE_VIEWS].join("\n"));
  if (!keepsOrders) await keepFormerOrders(client);
  await client.run(
    `DELETE FROM archivetool.layout; INSERT INTO archivetool.layout(version) VALUES (${SCHEMA_VERSION}); COMMIT`,
  );
}

/** Works out the orders of what was copied before they were kept. */
async function keepFormerOrders(client: PostgresClient): Promise<void> {
  await client.run(`DROP INDEX IF EXISTS ${FORMER_INDEXES.join(", ")}`);
  for (const [epoch] of (await client.rows("SELECT epoch FROM epochs")) as [number][]) {
    // Somebody else may have been faster, and was waited for.
    await client.rows(`DELETE FROM ${LIST_ORDERS} WHERE epoch = $1`, [epoch]);
    await keepOrders(client, epoch);
  }
}

async function hasTable(client: PostgresClient, table: string): Promise<boolean> {
  const [[found]] = (await client.rows("SELECT to_regclass($1::text)::text", [`archivetool.${table}`])) as [
    [string | null],
  ];
  return found !== null;
}

/** The version of the tables; null where there are none. Throws ARCHIVE_VERSION for one that this version cannot read. */
export async function layoutVersion(client: PostgresClient, name: string): Promise<number | null> {
  if (!(await hasTable(client, "layout"))) return null;
  const [[version]] = (await client.rows("SELECT max(version) FROM archivetool.layout")) as [[number | null]];
  if ((version ?? 0) > SCHEMA_VERSION)
    throw new ArchiveError("ARCHIVE_VERSION", `${name} was written by a newer version of archivetool`);
  return version;
}
