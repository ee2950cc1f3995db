import type { AccessToken, AuditedAct, Grant, Role } from "../../mail/access.ts";
import type { Instant } from "../../mail/instant.ts";
import type { AccessRegister } from "../access-register.ts";
import { auditTable, type CatalogueWrites } from "./audit-table.ts";
import type { SqliteDatabase } from "./database.ts";

/** A grant outlives its upload: whoever followed it must learn how it ended, and no id is given twice. */
export const ACCESS_TABLES = `
CREATE TABLE access_tokens(name TEXT PRIMARY KEY, token_hash TEXT NOT NULL UNIQUE, session_hash TEXT NOT NULL UNIQUE,
  may_upload INTEGER NOT NULL, created_at INTEGER NOT NULL, revoked_at INTEGER) WITHOUT ROWID;
CREATE TABLE access_grants(name TEXT NOT NULL, upload_id TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY(name, upload_id)) WITHOUT ROWID;
CREATE TABLE access_state(event_key TEXT NOT NULL);
INSERT INTO access_state(event_key) VALUES (lower(hex(randomblob(32))));
`;

const TOKEN_COLUMNS = "name, may_upload AS mayUpload, created_at AS createdAt, revoked_at AS revokedAt";
const GRANT_COLUMNS = "name, upload_id AS uploadId, role";

interface TokenRow {
  readonly name: string;
  readonly mayUpload: number;
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
}

/** The register in a catalogue file. */
export function accessTables(database: SqliteDatabase, writes: CatalogueWrites): AccessRegister {
  const statements = prepareStatements(database);
  const { append, ...audit } = auditTable(database, writes);
  /** A change with its row of the audit; none where nothing changed. */
  const change = (run: () => number, act: AuditedAct): boolean =>
    writes.write(() => {
      const isChanged = run() > 0;
      if (isChanged) append(act);
      return isChanged;
    });
  return {
    ...audit,
    hasTokens: () => statements.hasTokens.get() === 1,
    addToken: ({ name, tokenHash, sessionHash, mayUpload, createdAt }, by) =>
      change(() => statements.add.run(name, tokenHash, sessionHash, mayUpload ? 1 : 0, createdAt).changes, {
        ...by,
        action: "token made",
        uploadId: null,
        detail: name,
      }),
    tokens: () => (statements.tokens.all() as TokenRow[]).map(tokenOf),
    revoke: (name, by) =>
      change(
        () => {
          const { changes } = statements.revoke.run(by.at, name);
          if (changes > 0) statements.ungrantAll.run(name);
          return changes;
        },
        { ...by, action: "token revoked", uploadId: null, detail: name },
      ),
    holderOfToken: (hash) => holderOf(statements.byToken.get(hash)),
    holderOfSession: (hash) => holderOf(statements.bySession.get(hash)),
    grant: ({ name, uploadId, role }, by) =>
      change(() => statements.grant.run(uploadId, role, name).changes, {
        ...by,
        action: "granted",
        uploadId,
        detail: `${role} ${name}`,
      }),
    ungrant: (name, uploadId, by) =>
      change(() => statements.ungrant.run(name, uploadId).changes, {
        ...by,
        action: "ungranted",
        uploadId,
        detail: name,
      }),
    grants: (name) => (name === null ? statements.allGrants.all() : statements.grants.all(name)) as Grant[],
    roleOf: (name, uploadId) => (statements.role.get(name, uploadId) as Role | undefined) ?? null,
    eventKey: () => statements.eventKey.get() as string,
  };
}

function prepareStatements(database: SqliteDatabase) {
  const taken = `SELECT ${TOKEN_COLUMNS} FROM access_tokens WHERE revoked_at IS NULL AND`;
  return {
    hasTokens: database.prepare("SELECT EXISTS (SELECT 1 FROM access_tokens)").pluck(),
    add: database.prepare(
      "INSERT INTO access_tokens(name, token_hash, session_hash, may_upload, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT(name) DO NOTHING",
    ),
    tokens: database.prepare(`SELECT ${TOKEN_COLUMNS} FROM access_tokens ORDER BY name`),
    revoke: database.prepare("UPDATE access_tokens SET revoked_at = ? WHERE name = ? AND revoked_at IS NULL"),
    ungrantAll: database.prepare("DELETE FROM access_grants WHERE name = ?"),
    byToken: database.prepare(`${taken} token_hash = ?`),
    bySession: database.prepare(`${taken} session_hash = ?`),
    grant: database.prepare(
      `INSERT INTO access_grants(name, upload_id, role) SELECT name, ?, ? FROM access_tokens WHERE name = ? AND revoked_at IS NULL
       ON CONFLICT(name, upload_id) DO UPDATE SET role = excluded.role`,
    ),
    ungrant: database.prepare("DELETE FROM access_grants WHERE name = ? AND upload_id = ?"),
    allGrants: database.prepare(`SELECT ${GRANT_COLUMNS} FROM access_grants ORDER BY name, upload_id`),
    grants: database.prepare(`SELECT ${GRANT_COLUMNS} FROM access_grants WHERE name = ? ORDER BY upload_id`),
    role: database.prepare("SELECT role FROM access_grants WHERE name = ? AND upload_id = ?").pluck(),
    eventKey: database.prepare("SELECT event_key FROM access_state").pluck(),
  };
}

function holderOf(row: unknown): AccessToken | null {
  return row === undefined ? null : tokenOf(row as TokenRow);
}

function tokenOf({ name, mayUpload, createdAt, revokedAt }: TokenRow): AccessToken {
  return { name, mayUpload: mayUpload === 1, createdAt, revokedAt };
}
