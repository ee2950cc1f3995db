import type { Actor, AuditedAct, AuditFilter, Grant, NewAccessToken, Role, Session } from "../../mail/access.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { SESSION_IDLE_MS, SESSION_LIFE_MS } from "../contract/access-register.ts";
import { ACCESS_STATE, AUDIT, GRANTS, SESSIONS, TOKENS } from "./service-tables.ts";
import {
  assigned,
  every,
  inserted,
  NO_SQL,
  type Question,
  type Statement,
  scalar,
  single,
  some,
  sql,
  upserted,
} from "./statement.ts";
import { selection } from "./table.ts";

const TOKEN = selection([TOKENS], ["name", "mayUpload", "createdAt", "revokedAt"]);
const GRANT = selection([GRANTS], ["name", "uploadId", "role"]);
const SESSION = selection([SESSIONS], ["sessionHash", "name", "tokenHash", "createdAt", "seenAt"]);
const ENTRY = selection([AUDIT], ["sequence", "at", "name", "action", "uploadId", "detail"]);

const holderBy = (condition: Statement) =>
  single(sql`SELECT ${TOKEN} FROM ${TOKENS} WHERE revoked_at IS NULL AND ${condition}`, TOKEN.decode);

/** Queries of the access register, for all databases. */
export const ACCESS_QUESTIONS = {
  hasTokens: () => some(sql`SELECT 1 FROM ${TOKENS} LIMIT 1`),
  tokens: () => every(sql`SELECT ${TOKEN} FROM ${TOKENS} ORDER BY name`, TOKEN.decode),
  holderOfToken: (hash: string) => holderBy(sql`token_hash = ${hash}`),
  session: (hash: string) =>
    single(sql`SELECT ${SESSION} FROM ${SESSIONS} WHERE session_hash = ${hash}`, SESSION.decode),
  grants: (name: string | null) =>
    every(
      sql`SELECT ${GRANT} FROM ${GRANTS}${name === null ? NO_SQL : sql` WHERE name = ${name}`} ORDER BY name, upload_id`,
      GRANT.decode,
    ),
  roleOf: (name: string, uploadId: string) =>
    single(sql`SELECT role FROM ${GRANTS} WHERE name = ${name} AND upload_id = ${uploadId}`, ([role]) => role as Role),
  eventKey: () => scalar<string>(sql`SELECT event_key FROM ${ACCESS_STATE}`),
  auditDays: () => scalar<number>(sql`SELECT audit_days FROM ${ACCESS_STATE}`),
  audited: ({ name, uploadId, since }: AuditFilter, sequence: number, limit: number) =>
    every(
      sql`SELECT ${ENTRY} FROM ${AUDIT} WHERE sequence > ${sequence}
        ${name === null ? NO_SQL : sql`AND name = ${name}`} ${uploadId === null ? NO_SQL : sql`AND upload_id = ${uploadId}`}
        AND at >= ${since ?? 0} ORDER BY sequence LIMIT ${limit}`,
      ENTRY.decode,
    ),
};

/** Starts a session and removes expired ones. */
export const startedSession = (session: Session): readonly Statement[] => [
  sql`DELETE FROM ${SESSIONS}
    WHERE created_at < ${session.createdAt - SESSION_LIFE_MS} OR seen_at < ${session.createdAt - SESSION_IDLE_MS}`,
  inserted(SESSIONS, session),
];

export const touchedSession = (hash: string, seenAt: Instant): Statement =>
  sql`UPDATE ${SESSIONS} SET ${assigned(SESSIONS, { seenAt })} WHERE session_hash = ${hash}`;

export const endedSession = (hash: string): Statement => sql`DELETE FROM ${SESSIONS} WHERE session_hash = ${hash}`;

/** Adds a row to the audit and returns its sequence. */
export const appendedAct = (act: AuditedAct): Question<number> =>
  scalar(sql`${inserted(AUDIT, act)} RETURNING sequence`);

export const setAuditDays = (auditDays: number): Statement =>
  sql`UPDATE ${ACCESS_STATE} SET ${assigned(ACCESS_STATE, { auditDays })}`;

/** A change of permissions, within one transaction. */
export interface RightsChange {
  /** First step; if it finds nothing, the rest is skipped. */
  readonly first: Question<boolean>;
  readonly next: readonly Statement[];
  readonly act: AuditedAct;
}

/**
 * Changes of permissions. @param forUpdate suffix that locks a row until the transaction ends, so that revoking a
 * token includes concurrent grants
 */
export function rightsChanges(forUpdate: Statement) {
  return {
    addToken: (token: NewAccessToken, by: Actor): RightsChange => ({
      first: some(sql`${inserted(TOKENS, token)} ON CONFLICT(name) DO NOTHING RETURNING name`),
      next: [],
      act: { ...by, action: "token made", uploadId: null, detail: token.name },
    }),
    revoke: (name: string, by: Actor): RightsChange => ({
      first: some(
        sql`UPDATE ${TOKENS} SET ${assigned(TOKENS, { revokedAt: by.at })} WHERE name = ${name} AND revoked_at IS NULL RETURNING name`,
      ),
      next: [sql`DELETE FROM ${GRANTS} WHERE name = ${name}`, sql`DELETE FROM ${SESSIONS} WHERE name = ${name}`],
      act: { ...by, action: "token revoked", uploadId: null, detail: name },
    }),
    grant: (grant: Grant, by: Actor): RightsChange => ({
      first: some(sql`SELECT 1 FROM ${TOKENS} WHERE name = ${grant.name} AND revoked_at IS NULL${forUpdate}`),
      next: [upserted(GRANTS, ["name", "uploadId"], grant)],
      act: { ...by, action: "granted", uploadId: grant.uploadId, detail: `${grant.role} ${grant.name}` },
    }),
    ungrant: (name: string, uploadId: string, by: Actor): RightsChange => ({
      first: some(sql`DELETE FROM ${GRANTS} WHERE name = ${name} AND upload_id = ${uploadId} RETURNING name`),
      next: [],
      act: { ...by, action: "ungranted", uploadId, detail: name },
    }),
  };
}
