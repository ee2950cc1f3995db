import type { PostgresClient } from "../client/postgres-client.ts";

/** Seconds that a writer waits for a lock of another session. */
const LOCK_TIMEOUT_S = 30;

/**
 * Makes a connection fail with OUTPUT_BUSY instead of waiting for a lock forever. Locks of readers block a writer
 * only if a table is altered or dropped.
 */
export const LIMIT_LOCK_WAITS = `SET lock_timeout = '${LOCK_TIMEOUT_S}s'`;

/** If two sessions create the same object at once, the later one finds it. */
const MADE_MEANWHILE = "EXCEPTION WHEN unique_violation OR duplicate_schema OR duplicate_table THEN NULL";

const CREATE_LOCK = `
DO $$ BEGIN CREATE SCHEMA IF NOT EXISTS archivetool; ${MADE_MEANWHILE}; END $$;
DO $$ BEGIN CREATE TABLE IF NOT EXISTS archivetool.layout(version int8 NOT NULL); ${MADE_MEANWHILE}; END $$;`;

/**
 * Begins a transaction that creates or changes tables. One session at a time does so: it locks the table `layout`,
 * which needs rights that readers do not have.
 */
export async function beginPreparation(client: PostgresClient): Promise<void> {
  const [[isThere]] = (await client.rows("SELECT to_regclass('archivetool.layout') IS NOT NULL")) as [[number]];
  if (isThere !== 1) await client.run(CREATE_LOCK);
  await client.run(`${LIMIT_LOCK_WAITS}; BEGIN; LOCK TABLE archivetool.layout IN SHARE ROW EXCLUSIVE MODE`);
}
