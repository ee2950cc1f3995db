import type { Instant } from "./dates/instant.ts";

/** Terms of access control for uploads. */

/** A reader sees an upload with all of its archive; an owner can also remove it. */
export const ROLES = ["reader", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** A token in the catalog, without the token itself. */
export interface AccessToken {
  readonly name: string;
  /** Uploads become its own. */
  readonly mayUpload: boolean;
  readonly createdAt: Instant;
  /** Null while it is active. */
  readonly revokedAt: Instant | null;
}

/** A token to store: the SHA-256 of what is shown once. */
export interface NewAccessToken {
  readonly name: string;
  readonly tokenHash: string;
  readonly mayUpload: boolean;
  readonly createdAt: Instant;
}

/** A browser that is signed in. */
export interface Session {
  /** SHA-256 of the cookie value. */
  readonly sessionHash: string;
  /** Name of its token. */
  readonly name: string;
  /** SHA-256 of that token: if the token changes, the session ends. */
  readonly tokenHash: string;
  readonly createdAt: Instant;
  /** Approximate time of its last request. */
  readonly seenAt: Instant;
}

/** Permission of a token holder for an upload. */
export interface Grant {
  readonly name: string;
  readonly uploadId: string;
  readonly role: Role;
}

/** Who performed an act, and when. */
export interface Actor {
  readonly name: string;
  readonly at: Instant;
}

/** Audited actions. */
const AUDIT_ACTIONS = [
  "opened",
  "searched",
  "exported",
  "downloaded",
  "notebook written",
  "corrected",
  "uploaded",
  "deleted",
  "granted",
  "ungranted",
  "token made",
  "token revoked",
  "retention set",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** An audited act. */
export interface AuditedAct extends Actor {
  readonly action: AuditAction;
  /** Null for acts without an upload. */
  readonly uploadId: string | null;
  /** The downloaded file, or the recipient of a grant; never search words. */
  readonly detail: string | null;
}

/** A row of the audit. */
export interface AuditEntry extends AuditedAct {
  /** Increases with every row; never reused. */
  readonly sequence: number;
}

/** Conditions on audit rows; null for all rows. */
export interface AuditFilter {
  readonly name: string | null;
  readonly uploadId: string | null;
  /** On or after this instant. */
  readonly since: Instant | null;
}
