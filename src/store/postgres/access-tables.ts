import type {
  AccessToken,
  Actor,
  AuditEntry,
  AuditedAct,
  AuditFilter,
  Grant,
  NewAccessToken,
  Role,
} from "../../mail/access.ts";
import type { Instant } from "../../mail/instant.ts";
import type { AccessRegister } from "../access-register.ts";
import type { SqlValue } from "../sqlite/sqlite-database.ts";
import { appendAudit, readAudit, setAuditDays } from "./audit-table.ts";
import type { Parameter, PostgresClient } from "./postgres-client.ts";

/** As in `sqlite/access-tables.ts`. */
export const ACCESS_TABLES = `
CREATE TABLE IF NOT EXISTS archivetool.access_tokens(
  name text COLLATE "C" PRIMARY KEY, token_hash text COLLATE "C" NOT NULL UNIQUE, session_hash text COLLATE "C" NOT NULL UNIQUE,
  may_upload boolean NOT NULL, created_at int8 NOT NULL, revoked_at int8);
CREATE TABLE IF NOT EXISTS archivetool.access_grants(
  name text COLLATE "C" NOT NULL, upload_id text COLLATE "C" NOT NULL, role text COLLATE "C" NOT NULL, PRIMARY KEY(name, upload_id));
CREATE TABLE IF NOT EXISTS archivetool.access_state(event_key text NOT NULL);
INSERT INTO archivetool.access_state(event_key)
  SELECT encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'hex')
  WHERE NOT EXISTS (SELECT FROM archivetool.access_state);`;

const TOKEN_COLUMNS = "name, may_upload, created_at, revoked_at";

/** The calls of a register, each answered later. */
export type DistantRegister = {
  readonly [K in keyof AccessRegister]: (
    ...args: Parameters<AccessRegister[K]>
  ) => Promise<ReturnType<AccessRegister[K]>>;
};

/** How the catalogue asks its database. */
export interface RegisterClient {
  ask<T>(question: (client: PostgresClient) => Promise<T>): Promise<T>;
  change<T>(question: (client: PostgresClient) => Promise<T>): Promise<T>;
}

/** The register in the database that services share. Rejects as the catalogue does. */
export class PostgresAccessRegister implements DistantRegister {
  private readonly client: RegisterClient;

  constructor(client: RegisterClient) {
    this.client = client;
  }

  async hasTokens(): Promise<boolean> {
    return (await this.rows("SELECT FROM access_tokens LIMIT 1")).length > 0;
  }

  addToken({ name, tokenHash, sessionHash, mayUpload, createdAt }: NewAccessToken, by: Actor): Promise<boolean> {
    return this.change(
      `INSERT INTO access_tokens(name, token_hash, session_hash, may_upload, created_at) VALUES ($1, $2, $3, $4::int8 = 1, $5)
       ON CONFLICT (name) DO NOTHING RETURNING name`,
      [name, tokenHash, sessionHash, mayUpload ? 1 : 0, createdAt],
      { ...by, action: "token made", uploadId: null, detail: name },
    );
  }

  async tokens(): Promise<readonly AccessToken[]> {
    return (await this.rows(`SELECT ${TOKEN_COLUMNS} FROM access_tokens ORDER BY name`)).map(tokenOf);
  }

  revoke(name: string, by: Actor): Promise<boolean> {
    return this.change(
      `WITH revoked AS (UPDATE access_tokens SET revoked_at = $1 WHERE name = $2 AND revoked_at IS NULL RETURNING name),
         ended AS (DELETE FROM access_grants WHERE name IN (SELECT name FROM revoked))
       SELECT name FROM revoked`,
      [by.at, name],
      { ...by, action: "token revoked", uploadId: null, detail: name },
    );
  }

  async holderOfToken(tokenHash: string): Promise<AccessToken | null> {
    return this.holder("token_hash", tokenHash);
  }

  async holderOfSession(sessionHash: string): Promise<AccessToken | null> {
    return this.holder("session_hash", sessionHash);
  }

  /** FOR UPDATE: whoever revokes the token meanwhile takes this grant as well. */
  grant({ name, uploadId, role }: Grant, by: Actor): Promise<boolean> {
    return this.change(
      `WITH held AS (SELECT name FROM access_tokens WHERE name = $1 AND revoked_at IS NULL FOR UPDATE)
       INSERT INTO access_grants(name, upload_id, role) SELECT name, $2, $3::text FROM held
       ON CONFLICT (name, upload_id) DO UPDATE SET role = excluded.role RETURNING name`,
      [name, uploadId, role],
      { ...by, action: "granted", uploadId, detail: `${role} ${name}` },
    );
  }

  ungrant(name: string, uploadId: string, by: Actor): Promise<boolean> {
    return this.change(
      "DELETE FROM access_grants WHERE name = $1 AND upload_id = $2 RETURNING name",
      [name, uploadId],
      { ...by, action: "ungranted", uploadId, detail: name },
    );
  }

  async grants(name: string | null): Promise<readonly Grant[]> {
    const columns = "SELECT name, upload_id, role FROM access_grants";
    const rows =
      name === null
        ? await this.rows(`${columns} ORDER BY name, upload_id`)
        : await this.rows(`${columns} WHERE name = $1 ORDER BY upload_id`, [name]);
    return (rows as [string, string, Role][]).map(([holder, uploadId, role]) => ({ name: holder, uploadId, role }));
  }

  async roleOf(name: string, uploadId: string): Promise<Role | null> {
    const [row] = (await this.rows("SELECT role FROM access_grants WHERE name = $1 AND upload_id = $2", [
      name,
      uploadId,
    ])) as [Role][];
    return row?.[0] ?? null;
  }

  async eventKey(): Promise<string> {
    const [[key]] = (await this.rows("SELECT event_key FROM access_state")) as [[string]];
    return key;
  }

  record(act: AuditedAct): Promise<void> {
    return this.client.ask((client) => appendAudit(client, act));
  }

  audited(filter: AuditFilter, sequence: number, limit: number): Promise<readonly AuditEntry[]> {
    return this.client.ask((client) => readAudit(client, filter, { sequence, limit }));
  }

  async auditDays(): Promise<number> {
    const [[days]] = (await this.rows("SELECT audit_days FROM access_state")) as [[number]];
    return days;
  }

  keepAudit(days: number, by: Actor): Promise<void> {
    return this.client.change((client) => setAuditDays(client, days, by));
  }

  /** A change with its row of the audit; none where nothing changed. @param sql gives a row where something did */
  private change(sql: string, values: readonly Parameter[], act: AuditedAct): Promise<boolean> {
    return this.client.change(async (client) => {
      const rows = await client.rows(sql, values);
      if (rows.length > 0) await appendAudit(client, act);
      return rows.length > 0;
    });
  }

  private async holder(column: "token_hash" | "session_hash", hash: string): Promise<AccessToken | null> {
    const [row] = await this.rows(
      `SELECT ${TOKEN_COLUMNS} FROM access_tokens WHERE revoked_at IS NULL AND ${column} = $1`,
      [hash],
    );
    return row === undefined ? null : tokenOf(row);
  }

  private rows(sql: string, values: readonly Parameter[] = []): Promise<SqlValue[][]> {
    return this.client.ask((client) => client.rows(sql, values));
  }
}

function tokenOf(row: readonly SqlValue[]): AccessToken {
  const [name, mayUpload, createdAt, revokedAt] = row as unknown as [string, number, Instant, Instant | null];
  return { name, mayUpload: mayUpload === 1, createdAt, revokedAt };
}
