import { createHash } from "node:crypto";
import type { NewAccessToken } from "../../../mail/access.ts";
import type { Instant } from "../../../mail/dates/instant.ts";

/** Bytes of a token: 256 bits cannot be guessed, so a plain hash is sufficient. */
const TOKEN_BYTES = 32;
/** Names appear in lists and in the audit. */
export const MAX_TOKEN_NAME_CHARACTERS = 64;

/** A token that was just made. */
interface MadeToken {
  /** Shown once and never stored. */
  readonly secret: string;
  readonly kept: NewAccessToken;
}

/** Creates a token. @param random returns random bytes */
export function makeToken(
  { name, mayUpload }: { readonly name: string; readonly mayUpload: boolean },
  random: (size: number) => Buffer,
  createdAt: Instant,
): MadeToken {
  const secret = random(TOKEN_BYTES).toString("base64url");
  return { secret, kept: { name, tokenHash: hashOf(secret), mayUpload, createdAt } };
}

/** SHA-256 of a token or session, as stored in the catalog. */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
