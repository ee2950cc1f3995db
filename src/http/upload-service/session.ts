import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import { ArchiveError } from "../../errors.ts";

/**
 * Signing in with a browser: a page cannot send a token with downloads, images and events, but a cookie goes with all of
 * them. The cookie says nothing but that its holder knew the token, and ends with the token.
 */

export const SESSION_PATH = "/session";
const COOKIE = "archivetool_session";
/** What the token signs. */
const SIGNED = "session";
/** Characters of a token that are looked at. */
const MAX_TOKEN_CHARACTERS = 4096;

/** Takes the same time whatever differs: neither length nor a right beginning shows. */
export function isEqual(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** True when a field Cookie (RFC 6265 section 4.2) has the session of a token. */
export function isSession(cookies: string | undefined, token: string): boolean {
  if (cookies === undefined) return false;
  return cookies
    .split(";")
    .map((pair) => pair.trim().split("=", 2))
    .some(([name, value]) => name === COOKIE && value !== undefined && isEqual(value, sessionOf(token)));
}

function sessionOf(token: string): string {
  return createHmac("sha256", token).update(SIGNED).digest("base64url");
}

/** Adds signing in and out. @param token null where nobody is asked for one */
export function addSession(app: FastifyInstance, token: string | null): void {
  app.post(SESSION_PATH, (request, reply) => {
    if (token !== null && !isEqual(tokenOf(request.body), token))
      throw new ArchiveError("UNAUTHORIZED", "the token is not the right one");
    return answer(reply, request.headers["x-forwarded-proto"], token === null ? "" : sessionOf(token));
  });
  app.delete(SESSION_PATH, (request, reply) => answer(reply, request.headers["x-forwarded-proto"], ""));
}

/** An empty session ends at once, any other with the browser. */
function answer(reply: FastifyReply, scheme: string | string[] | undefined, session: string): FastifyReply {
  const parts = [`${COOKIE}=${session}`, "Path=/", "HttpOnly", "SameSite=Strict"];
  if (scheme === "https") parts.push("Secure");
  if (session === "") parts.push("Max-Age=0");
  return reply
    .code(204)
    .headers({ "set-cookie": parts.join("; "), "cache-control": "no-store" })
    .send();
}

function tokenOf(body: unknown): string {
  try {
    const { token } = JSON.parse(String(body)) as { readonly token?: unknown };
    if (typeof token === "string") return token.slice(0, MAX_TOKEN_CHARACTERS);
  } catch {
    // Said below.
  }
  throw new ArchiveError("INVALID_QUERY", 'the body must be a JSON object with the text "token"');
}
