import { ArchiveError } from "../../errors.ts";
import { type CollectionLocation, nameOfArchive } from "../archive-location.ts";
import { cutReads } from "./collection-audit.ts";
import { isCollectionIn } from "./epochs.ts";
import { LAYOUT_LOCK } from "./layout.ts";
import { connect, type PostgresClient } from "./postgres-client.ts";
import { COLLECTION_READERS, READABLE, RESTRICT, WRITABLE } from "./reader-policies.ts";

/** Roles of the database that are named for a collection, or are not any more. */
export interface ReaderChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * The roles that a collection is read by, those that the asker sees, in order of their names; null while nobody is named
 * for any collection of the database. Throws SOURCE_NOT_FOUND, STORE_UNREACHABLE, SOURCE_UNREADABLE.
 */
export async function readersOf(location: CollectionLocation): Promise<readonly string[] | null> {
  return withCollection(location, (client) => namedReaders(client, location.collection));
}

/**
 * Names readers of a collection. Throws as `readersOf`, and INVALID_ARGUMENT for a role that is not there; then nothing
 * is changed.
 */
export async function changeReaders(
  location: CollectionLocation,
  { added, removed }: ReaderChange,
): Promise<readonly string[] | null> {
  const { collection } = location;
  const name = nameOfArchive(location);
  const client = await connect(location.server, name);
  try {
    // Who does not own the tables is refused here, whatever collection it has named.
    await client.run(`BEGIN; ${LAYOUT_LOCK} ${RESTRICT}`);
    await requireCollection(client, location);
    await requireRoles(client, [...added, ...removed]);
    for (const role of added) {
      await client.rows(
        `INSERT INTO ${COLLECTION_READERS}(collection, reader) SELECT $1, oid FROM pg_roles WHERE rolname = $2 ON CONFLICT DO NOTHING`,
        [collection, role],
      );
      await client.run(
        `GRANT USAGE ON SCHEMA archivetool TO ${quoted(role)}; GRANT SELECT ON ${READABLE} TO ${quoted(role)}`,
      );
    }
    for (const role of removed)
      await client.rows(
        `DELETE FROM ${COLLECTION_READERS} WHERE collection = $1 AND reader = (SELECT oid FROM pg_roles WHERE rolname = $2)`,
        [collection, role],
      );
    await grantWriting(client);
    await cutReads(client);
    await client.run("COMMIT");
    return await namedReaders(client, collection);
  } finally {
    await client.close();
  }
}

/** To all readers of the database: some may have been named before there were an audit and notebooks. */
async function grantWriting(client: PostgresClient): Promise<void> {
  const named = await client.rows(
    `SELECT DISTINCT rolname::text FROM ${COLLECTION_READERS} JOIN pg_roles ON pg_roles.oid = reader::oid`,
  );
  for (const [role] of named as [string][])
    await client.run(WRITABLE.map((rights) => `GRANT ${rights} TO ${quoted(role)};`).join("\n"));
}

async function withCollection<T>(
  location: CollectionLocation,
  use: (client: PostgresClient) => Promise<T>,
): Promise<T> {
  const client = await connect(location.server, nameOfArchive(location));
  try {
    await requireCollection(client, location);
    return await use(client);
  } finally {
    await client.close();
  }
}

async function requireCollection(client: PostgresClient, location: CollectionLocation): Promise<void> {
  if (await isCollectionIn(client, location)) return;
  throw new ArchiveError("SOURCE_NOT_FOUND", `there is no collection ${nameOfArchive(location)}`, {
    hint: "check the name; archivetool copy puts an archive there",
  });
}

async function requireRoles(client: PostgresClient, roles: readonly string[]): Promise<void> {
  const missing = await client.rows(
    "SELECT asked FROM unnest($1::text[]) AS asked WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = asked) LIMIT 1",
    [roles],
  );
  const [role] = missing[0] ?? [];
  if (role !== undefined)
    throw new ArchiveError("INVALID_ARGUMENT", `the server has no role "${role}"`, {
      hint: "make it with createuser, or CREATE ROLE",
    });
}

async function namedReaders(client: PostgresClient, collection: string): Promise<readonly string[] | null> {
  const [[isThere]] = (await client.rows("SELECT to_regclass($1::text) IS NOT NULL", [
    `archivetool.${COLLECTION_READERS}`,
  ])) as [[number]];
  if (isThere !== 1) return null;
  const rows = await client.rows(
    `SELECT pg_get_userbyid(reader::oid)::text COLLATE "C" FROM ${COLLECTION_READERS} WHERE collection = $1 ORDER BY 1`,
    [collection],
  );
  return rows.map(([role]) => role as string);
}

/** The name of a role as a statement takes it. */
function quoted(role: string): string {
  return `"${role.replaceAll('"', '""')}"`;
}
