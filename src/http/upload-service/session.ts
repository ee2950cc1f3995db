import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import { ArchiveError } from "../../errors.ts";
import type { AccessRegister } from "../../store/access-register.ts";
import { hashOf, sessionOf } from "./access-token.ts";
import { type Caller, holderAsCaller, OPERATOR } from "./caller.ts";
import type { ViewSource } from "./service-view.ts";
import { standingWire } from "./wire-access.ts";

/**
 * Signing in with a browser: a page cannot send a token with downloads, images and events, but a cookie goes with all of
 * them. The cookie says nothing but that its holder knew the token, and ends with the token.
 */

export const SESSION_PATH = "/session";
const COOKIE = "archivetool_session";
/** Characters of a token that are looked at. */
const MAX_TOKEN_CHARACTERS = 4096;

/** What says who holds a token. */
export interface TokenSetting {
  /** The token of the service, whose holder may do everything; null where there is none. */
  readonly token: string | null;
  /** All other tokens. */
  readonly register: AccessRegister;
}

/** Takes the same time whatever differs: neither length nor a right beginning shows. */
export function isEqual(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Whoever holds a token; null for one that is not taken. */
export function callerOfToken(given: string, { token, register }: TokenSetting): Caller | null {
  if (token !== null && isEqual(given, token)) return OPERATOR;
  const holder = register.holderOfToken(hashOf(given));
  return holder === null ? null : holderAsCaller(holder);
}

/** Whoever a field Cookie (RFC 6265 section 4.2) has the session of; null for nobody. */
export function callerOfCookies(cookies: string | undefined, setting: TokenSetting): Caller | null {
  for (const pair of (cookies ?? "").split(";")) {
    const [name, value = ""] = pair.trim().split("=", 2);
    const caller = name === COOKIE && value !== "" ? callerOfSession(value, setting) : null;
    if (caller !== null) return caller;
  }
  return null;
}

function callerOfSession(given: string, { token, register }: TokenSetting): Caller | null {
  if (token !== null && isEqual(given, sessionOf(token))) return OPERATOR;
  const holder = register.holderOfSession(hashOf(given));
  return holder === null ? null : holderAsCaller(holder);
}

/** True where nobody is let in without a token. One that was made is asked for from then on, as is that of the service. */
export function asksForToken({ token, register }: TokenSetting): boolean {
  return token !== null || register.hasTokens();
}

/** Adds signing in and out, and what whoever is signed in may do. */
export function addSession(app: FastifyInstance, setting: TokenSetting, views: ViewSource): void {
  app.get(SESSION_PATH, async (request, reply) =>
    reply.header("cache-control", "no-store").send(standingWire(views.of(request).standing())),
  );
  app.post(SESSION_PATH, (request, reply) => {
    const scheme = request.headers["x-forwarded-proto"];
    if (!asksForToken(setting)) return answer(reply, scheme, "");
    const token = tokenOf(request.body);
    if (callerOfToken(token, setting) === null)
      throw new ArchiveError("UNAUTHORIZED", "the token is not the right one");
    return answer(reply, scheme, sessionOf(token));
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
