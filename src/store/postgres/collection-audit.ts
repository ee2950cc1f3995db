import { ArchiveError } from "../../errors.ts";
import type { AuditAction } from "../../mail/access.ts";
import type { Instant } from "../../mail/instant.ts";
import { AUDIT_DAYS } from "../access-register.ts";
import { type CollectionLocation, nameOfArchive } from "../archive-location.ts";
import type { ReadRecorder } from "../read-recorder.ts";
import { connect, type PostgresClient } from "./postgres-client.ts";
import { COLLECTION_AUDIT } from "./reader-policies.ts";
import { SteadyClient } from "./steady-client.ts";

/** Tries to reach a server that is away, a second apart: somebody waits for an answer. */
const RECORD_TRIES = 3;
/** Rows that are read at a time. */
const PAGE_ROWS = 1000;

/** A read of a collection, on record. */
export interface CollectionRead {
  readonly at: Instant;
  /** The role that has signed in. */
  readonly name: string;
  readonly action: AuditAction;
  readonly detail: string | null;
}

/** Opens the audit of a collection; null where there is none. Throws as `openReadRecorder`. */
export async function openCollectionAudit(location: CollectionLocation): Promise<ReadRecorder | null> {
  const name = nameOfArchive(location);
  const client = new SteadyClient({ server: location.server, name, signal: new AbortController().signal });
  try {
    if (await client.ask((asked) => isRecorded(asked, name), RECORD_TRIES))
      return {
        record: ({ action, detail }) =>
          client.ask(async (asked) => {
            await asked.rows(`INSERT INTO ${COLLECTION_AUDIT}(collection, action, detail) VALUES ($1, $2, $3)`, [
              location.collection,
              action,
              detail,
            ]);
          }, RECORD_TRIES),
        close: () => client.close(),
      };
  } catch (error) {
    await client.close();
    throw error;
  }
  await client.close();
  return null;
}

/** Reads of a collection, oldest first. Throws as `readersOf`, and SOURCE_UNREADABLE for who does not own the tables. */
export async function* readsOf(location: CollectionLocation, since: Instant): AsyncGenerator<CollectionRead> {
  const client = await connect(location.server, nameOfArchive(location));
  try {
    if (!(await hasAudit(client))) return;
    for (let last = 0; ; ) {
      const rows = (await client.rows(
        `SELECT sequence, at, name, action, detail FROM ${COLLECTION_AUDIT}
         WHERE collection = $1 AND sequence > $2::int8 AND at >= $3::int8 ORDER BY sequence LIMIT ${PAGE_ROWS}`,
        [location.collection, last, since],
      )) as [number, number, string, AuditAction, string | null][];
      for (const [sequence, at, name, action, detail] of rows) {
        yield { at, name, action, detail };
        last = sequence;
      }
      if (rows.length < PAGE_ROWS) return;
    }
  } finally {
    await client.close();
  }
}

/** Removes rows that are older than they are kept for; others the database keeps. */
export async function cutReads(client: PostgresClient): Promise<void> {
  await client.run(
    `DELETE FROM archivetool.${COLLECTION_AUDIT} WHERE at < extract(epoch FROM now()) * 1000 - ${AUDIT_DAYS}::int8 * 86400000`,
  );
}

async function isRecorded(client: PostgresClient, name: string): Promise<boolean> {
  if (!(await hasAudit(client))) return false;
  const [[mayInsert, isStandby]] = (await client.rows(
    `SELECT has_column_privilege('archivetool.${COLLECTION_AUDIT}', 'action', 'INSERT'), pg_is_in_recovery()`,
  )) as [[number, number]];
  if (isStandby === 1)
    throw new ArchiveError("SOURCE_UNREADABLE", `reads of ${name} are put on record, which a standby cannot`, {
      hint: "serve it from the server itself",
    });
  if (mayInsert === 1) return true;
  throw new ArchiveError("SOURCE_UNREADABLE", `reads of ${name} are put on record, which this user may not`, {
    hint: "have its owner name the role as a reader: archivetool readers COLLECTION --add ROLE",
  });
}

async function hasAudit(client: PostgresClient): Promise<boolean> {
  const [[found]] = (await client.rows(`SELECT to_regclass('archivetool.${COLLECTION_AUDIT}') IS NOT NULL`)) as [
    [number],
  ];
  return found === 1;
}
