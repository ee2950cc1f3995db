import type {
  AccessToken,
  Actor,
  AuditEntry,
  AuditedAct,
  AuditFilter,
  Grant,
  NewAccessToken,
  Role,
  Session,
} from "../../mail/access.ts";
import type { Instant } from "../../mail/dates/instant.ts";

/** Default retention of audit rows in days: a year and a month. */
export const AUDIT_DAYS = 400;
/** Milliseconds after the last request at which a session ends: half a day. */
export const SESSION_IDLE_MS = 12 * 60 * 60 * 1000;
/** Milliseconds after which any session ends: a week. */
export const SESSION_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/** Number of added rows after which outdated rows are removed. */
export const AUDIT_CUT_EVERY = 1000;

/**
 * Append-only log of acts on uploads and permissions: the database rejects changes of rows, and their removal before
 * the retention ends.
 */
interface AuditTrail {
  /** Not yet on disk on return: a kill loses nothing, a power failure loses the last moments. */
  record(act: AuditedAct): Promise<void>;
  /** Rows after a sequence, oldest first. */
  audited(filter: AuditFilter, sequence: number, limit: number): Promise<readonly AuditEntry[]>;
  auditDays(): Promise<number>;
  /** Sets how many days audit rows are kept, records this in the audit, and removes older rows. */
  keepAudit(days: number, by: Actor): Promise<void>;
}

/**
 * Who may see which upload: names, hashes of their tokens, and grants. Stored in the catalog, so that all services over
 * one catalog agree; calls throw like those of the catalog. A name is never reused, so that the audit stays
 * unambiguous. Every change is recorded in the audit, in the same transaction.
 */
export interface AccessRegister extends AuditTrail {
  /** True once any token was created, even if it is revoked: from then on every request needs one. */
  hasTokens(): Promise<boolean>;
  /** Returns false and changes nothing if the name is taken. */
  addToken(token: NewAccessToken, by: Actor): Promise<boolean>;
  /** By name. */
  tokens(): Promise<readonly AccessToken[]>;
  /** Revokes a token and all its grants. False if no active token has this name. */
  revoke(name: string, by: Actor): Promise<boolean>;
  /** Returns the holder of the token with this hash; null if it is unknown or revoked. */
  holderOfToken(tokenHash: string): Promise<AccessToken | null>;
  /** Starts a session and removes expired ones. */
  startSession(session: Session): Promise<void>;
  /** Returns a session, even if it has expired; null after sign-out or if its token was revoked. */
  session(sessionHash: string): Promise<Session | null>;
  /** Sets the time of the last request. */
  touchSession(sessionHash: string, seenAt: Instant): Promise<void>;
  endSession(sessionHash: string): Promise<void>;
  /** Replaces an earlier grant. Returns false if the token does not exist. */
  grant(grant: Grant, by: Actor): Promise<boolean>;
  /** Returns false if nothing was granted. */
  ungrant(name: string, uploadId: string, by: Actor): Promise<boolean>;
  /** Sorted by name, then by upload. @param name null for all tokens */
  grants(name: string | null): Promise<readonly Grant[]>;
  roleOf(name: string, uploadId: string): Promise<Role | null>;
  /** Secret for encrypting event sequences and deriving keys of passwords: 256 bits in hexadecimal. */
  eventKey(): Promise<string>;
}
