import { SHARD_DOCUMENTS } from "../../search/shards.ts";
import { nameOfServer } from "../archive-location.ts";
import type { PostgresClient } from "./postgres-client.ts";
import { SteadyClient } from "./steady-client.ts";

/**
 * Replicas that search ranges of collections for each other. `held` is for people who look. The secret is made with the
 * tables: who may read it may ask any replica for any collection.
 */
const TABLES = `
CREATE SCHEMA IF NOT EXISTS archivetool;
CREATE TABLE IF NOT EXISTS archivetool.replicas(
  address text COLLATE "C" PRIMARY KEY, version text NOT NULL, held text NOT NULL, beat_at timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS archivetool.replica_state(
  id int4 PRIMARY KEY, secret text NOT NULL, range_messages int8 NOT NULL);
INSERT INTO archivetool.replica_state(id, secret, range_messages)
  SELECT 1, encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'hex'),
    ${SHARD_DOCUMENTS}
  WHERE NOT EXISTS (SELECT FROM archivetool.replica_state);`;

/** Held while the tables are made: two replicas that begin at once would both make them. */
const TABLES_LOCK = 1_095_910_233;

/** A replica that has told of itself not longer ago than a lease. */
export interface LiveReplica {
  readonly address: string;
  /** Another one each time it tells. */
  readonly beat: string;
}

/** The replicas of a database as one of them sees them. */
export interface ReplicaRegister {
  readonly secret: string;
  /** Messages of a range at most. */
  readonly rangeMessages: number;
  /** Tells that it lives and what it holds; gives all that live, itself too. */
  beat(held: string): Promise<readonly LiveReplica[]>;
}

export interface ReplicaSetting {
  readonly server: string;
  /** Where others ask it. */
  readonly address: string;
  /** Of the program: only replicas of one version ask each other. */
  readonly version: string;
  readonly leaseSeconds: number;
}

/** Rejects with STORE_UNREACHABLE, SOURCE_UNREADABLE, DRIVER_MISSING. */
export async function openReplicaRegister({
  server,
  address,
  version,
  leaseSeconds,
}: ReplicaSetting): Promise<ReplicaRegister> {
  // It lives as long as its thread.
  const { signal } = new AbortController();
  const client = new SteadyClient({ server, name: nameOfServer(server), signal });
  const ask = <T>(question: (connected: PostgresClient) => Promise<T>): Promise<T> => client.ask(question, 1);
  const [[secret, rangeMessages]] = (await ask(async (connected) => {
    const [[made]] = (await connected.rows("SELECT to_regclass('archivetool.replica_state')::text")) as [
      [string | null],
    ];
    // Who may not make tables may use those that are there.
    if (made === null) await connected.run(`BEGIN; SELECT pg_advisory_xact_lock(${TABLES_LOCK}); ${TABLES} COMMIT`);
    return connected.rows("SELECT secret, range_messages FROM archivetool.replica_state");
  })) as [[string, number]];
  return {
    secret,
    rangeMessages,
    beat: (held) =>
      ask(async (connected) => {
        await connected.rows(
          `INSERT INTO replicas(address, version, held, beat_at) VALUES ($1, $2, $3, now())
           ON CONFLICT (address) DO UPDATE SET version = excluded.version, held = excluded.held, beat_at = excluded.beat_at`,
          [address, version, held],
        );
        await connected.rows("DELETE FROM replicas WHERE beat_at < now() - make_interval(days => 1)");
        const live = await connected.rows(
          `SELECT address, beat_at::text FROM replicas
           WHERE version = $1 AND beat_at > now() - make_interval(secs => $2::float8) ORDER BY address`,
          [version, leaseSeconds],
        );
        return (live as [string, string][]).map(([other, beat]) => ({ address: other, beat }));
      }),
  };
}
