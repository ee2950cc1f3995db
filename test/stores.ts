import { existsSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { copyArchive } from "../src/store/archive/copy-archive.ts";
import { publishArchive } from "../src/store/archive/publish-archive.ts";
import {
  type ArchiveLocation,
  archiveAt,
  archiveOnServer,
  type FileLocation,
} from "../src/store/contract/archive-location.ts";
import { connect } from "../src/store/postgres/client/postgres-client.ts";
import { isCollectionThere } from "../src/store/postgres/collections/epochs.ts";
import { type PostgresCluster, postgresPrograms, startPostgres } from "./postgres-cluster.ts";

/** A store that implements `Archive` and `ArchiveWriter`: the tests of src/store/ run against each. */
export interface TestedStore {
  readonly name: string;
  /** An unused location for an archive; the test removes the directory. */
  placeIn(directory: string, name: string): ArchiveLocation;
  isThere(place: ArchiveLocation): Promise<boolean>;
  /** Replaces an archive that may be open with a finished one, and removes the finished one from its location. */
  publish(finished: ArchiveLocation, place: ArchiveLocation): Promise<void>;
}

/** SQLite, for tests of its own features. */
export const SQLITE = {
  name: "SQLite",
  placeIn: (directory: string, name: string): FileLocation => archiveAt(join(directory, name)),
  isThere: async (place: ArchiveLocation) => existsSync((place as FileLocation).file),
  publish: async (finished: ArchiveLocation, place: ArchiveLocation) =>
    publishArchive(finished as FileLocation, place as FileLocation),
} satisfies TestedStore;

let cluster: PostgresCluster | null = null;

/** The server of all tests of a thread, started by the first that needs it, and stopped after all tests. */
export function testServer(): PostgresCluster {
  cluster ??= startPostgres(PROGRAMS!);
  return cluster;
}

const POSTGRES: TestedStore = {
  name: "PostgreSQL",
  placeIn: (directory, name) => archiveOnServer(testServer().url, join(directory, name)),
  async isThere(place) {
    return "collection" in place && isCollectionThere(place);
  },
  async publish(finished, place) {
    await copyArchive(finished, place);
    const client = await connect(testServer().url, "test");
    await client.rows("DELETE FROM collections WHERE name = $1", ["collection" in finished ? finished.collection : ""]);
    await client.close();
  },
};

const PROGRAMS = postgresPrograms();
/** True if PostgreSQL can be tested. */
export const HAS_POSTGRES = PROGRAMS !== null;
if (!HAS_POSTGRES) it.skip("PostgreSQL is not tested: initdb, pg_ctl, postgres and pg_basebackup are not installed");
/** A server returns the same data to every Node.js version: tests on a second version need only its SQLite. */
const IS_SQLITE_ALONE = process.env["ARCHIVETOOL_STORES"] === SQLITE.name;

export const STORES: readonly TestedStore[] = HAS_POSTGRES && !IS_SQLITE_ALONE ? [SQLITE, POSTGRES] : [SQLITE];
