import type { Instant } from "./instant.ts";

/** The words of who may see which upload of a service. */

/** A reader sees an upload with all of its archive; an owner removes it as well. */
export const ROLES = ["reader", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** What the catalogue knows of a token: never the token itself. */
export interface AccessToken {
  readonly name: string;
  /** Uploads become its own. */
  readonly mayUpload: boolean;
  readonly createdAt: Instant;
  /** Null as long as it is taken. */
  readonly revokedAt: Instant | null;
}

/** A token as it is kept: SHA-256 of what is shown once, and of the session that a browser is given for it. */
export interface NewAccessToken {
  readonly name: string;
  readonly tokenHash: string;
  readonly sessionHash: string;
  readonly mayUpload: boolean;
  readonly createdAt: Instant;
}

/** What the holder of a token may do with an upload. */
export interface Grant {
  readonly name: string;
  readonly uploadId: string;
  readonly role: Role;
}
