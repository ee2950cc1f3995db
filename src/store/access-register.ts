import type { AccessToken, Grant, NewAccessToken, Role } from "../mail/access.ts";
import type { Instant } from "../mail/instant.ts";

/**
 * Who may see which upload: names, hashes of their tokens, and what each is granted. It lies in the catalogue, so that
 * all services over one ask the same; calls throw as those of the catalogue do. A name is given once and for all: what
 * was done under it is told of nobody else.
 */
export interface AccessRegister {
  /** True once a token was made, revoked ones included: from then on nobody is let in without one. */
  hasTokens(): boolean;
  /** False, and nothing changed, where the name is taken. */
  addToken(token: NewAccessToken): boolean;
  /** By name. */
  tokens(): readonly AccessToken[];
  /** Ends a token and all that it was granted. False where there is none of this name that is taken. */
  revoke(name: string, revokedAt: Instant): boolean;
  /** Whoever holds the token of a hash; null for an unknown or revoked one. */
  holderOfToken(tokenHash: string): AccessToken | null;
  holderOfSession(sessionHash: string): AccessToken | null;
  /** False where there is no such token. In the place of what was granted before. */
  grant(grant: Grant): boolean;
  /** False where nothing was granted. */
  ungrant(name: string, uploadId: string): boolean;
  /** By name, then by upload. @param name null for those of all */
  grants(name: string | null): readonly Grant[];
  roleOf(name: string, uploadId: string): Role | null;
  /** What hides the sequences of events from those who do not see all of them: hexadecimal, of 256 bits. */
  eventKey(): string;
}
