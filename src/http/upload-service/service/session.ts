import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ArchiveError } from "../../../errors.ts";
import type { Session } from "../../../mail/access.ts";
import type { Instant } from "../../../mail/dates/instant.ts";
import { type AccessRegister, SESSION_IDLE_MS, SESSION_LIFE_MS } from "../../../store/contract/access-register.ts";
import { isSecure } from "../../host-check.ts";
import { hashOf } from "../base/access-token.ts";
import { addressOf, type TokenAttempts } from "../base/token-attempts.ts";
import { type Caller, holderAsCaller, OPERATOR } from "./caller.ts";
import type { ViewSource } from "./service-view.ts";
import { permissionsWire } from "./wire-access.ts";

/**
 * Signs in browsers: a page cannot add a token to downloads, images and event streams, but a cookie is sent with all
 * of them. The cookie is random; the catalog stores its SHA-256 as a session, which ends on sign-out, with its token,
 * or when it expires.
 */

export const SESSION_PATH = "/session";
/** Bytes of a session id: 256 bits cannot be guessed. */
const SESSION_BYTES = 32;
const SESSION_VALUE = /^[\w-]{43}$/;
/** Milliseconds between updates of a session's last use: a view of the page sends about ten requests. */
const SEEN_EVERY_MS = 5 * 60 * 1000;
/** Maximum characters of a token. */
const MAX_TOKEN_CHARACTERS = 4096;

/** How tokens are verified. */
export interface TokenSetting {
  /** The token of the service, with full access, or null. */
  readonly token: string | null;
  /** All other tokens, and all sessions. */
  readonly register: AccessRegister;
  /** From `cookieName`. */
  readonly cookieName: string;
  readonly attempts: TokenAttempts;
  /** The path that the service is published under, such as `/mail`; empty for the root. */
  readonly basePath: string;
  now(): Instant;
}

/**
 * The name of the cookie of a service: browsers send a cookie to every port of a host, so two services need two names.
 * @param secret of the catalog, the same for all services that share it
 */
export function cookieName(secret: string): string {
  return `archivetool_session_${createHash("sha256").update(`cookie ${secret}`).digest("hex").slice(0, 12)}`;
}

/** Constant-time comparison that reveals neither length nor a matching prefix. */
function isEqual(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Caller with a token; null if it is invalid. Throws RATE_LIMITED. */
export async function callerOfToken(
  given: string,
  request: FastifyRequest,
  setting: TokenSetting,
): Promise<Caller | null> {
  const holder = await setting.attempts.attempt(addressOf(request), () => holderOf(given, setting));
  return holder?.caller ?? null;
}

interface Holder {
  readonly caller: Caller;
  readonly tokenHash: string;
}

async function holderOf(given: string, { token, register }: TokenSetting): Promise<Holder | null> {
  const tokenHash = hashOf(given);
  if (token !== null && isEqual(given, token)) return { caller: OPERATOR, tokenHash };
  const holder = await register.holderOfToken(tokenHash);
  return holder === null ? null : { caller: holderAsCaller(holder), tokenHash };
}

/** Caller by session cookie, or null. */
export async function callerOfCookies(request: FastifyRequest, setting: TokenSetting): Promise<Caller | null> {
  const value = sessionValue(request, setting);
  return value === null ? null : callerOfSession(hashOf(value), setting);
}

/** The first cookie of our name (RFC 6265 section 4.2), so that only one is looked up. */
function sessionValue(request: FastifyRequest, setting: TokenSetting): string | null {
  const start = `${sentName(request, setting)}=`;
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const cookie = pair.trim();
    if (!cookie.startsWith(start)) continue;
    const value = cookie.slice(start.length);
    return SESSION_VALUE.test(value) ? value : null;
  }
  return null;
}

async function callerOfSession(sessionHash: string, setting: TokenSetting): Promise<Caller | null> {
  const { register, now } = setting;
  const session = await register.session(sessionHash);
  if (session === null || !isLive(session, now())) return null;
  const caller = await callerOfHash(session, setting);
  if (caller !== null && now() - session.seenAt > SEEN_EVERY_MS) await register.touchSession(sessionHash, now());
  return caller;
}

function isLive({ createdAt, seenAt }: Session, now: Instant): boolean {
  return now - createdAt <= SESSION_LIFE_MS && now - seenAt <= SESSION_IDLE_MS;
}

/** A session has the permissions of its token. */
async function callerOfHash({ name, tokenHash }: Session, { token, register }: TokenSetting): Promise<Caller | null> {
  if (name === OPERATOR.name) return token !== null && tokenHash === hashOf(token) ? OPERATOR : null;
  const holder = await register.holderOfToken(tokenHash);
  return holder?.name === name ? holderAsCaller(holder) : null;
}

/** True if a token is required: one was created, or the service has one. */
export async function requiresToken({ token, register }: TokenSetting): Promise<boolean> {
  return token !== null || register.hasTokens();
}

/** Adds routes to sign in and out, and to read the caller's permissions. */
export function addSession(app: FastifyInstance, setting: TokenSetting, views: ViewSource): void {
  app.get(SESSION_PATH, async (request, reply) =>
    reply.header("cache-control", "no-store").send(permissionsWire(await views.of(request).permissions())),
  );
  app.post(SESSION_PATH, async (request, reply) => {
    if (!(await requiresToken(setting))) return answer(request, reply, { setting, value: "" });
    return answer(request, reply, { setting, value: await signIn(tokenOf(request.body), request, setting) });
  });
  app.delete(SESSION_PATH, async (request, reply) => {
    const value = sessionValue(request, setting);
    if (value !== null) await setting.register.endSession(hashOf(value));
    return answer(request, reply, { setting, value: "" });
  });
}

/** Starts a session for the holder of a token. Throws UNAUTHORIZED and RATE_LIMITED. */
async function signIn(token: string, request: FastifyRequest, setting: TokenSetting): Promise<string> {
  const holder = await setting.attempts.attempt(addressOf(request), () => holderOf(token, setting));
  if (holder === null) throw new ArchiveError("UNAUTHORIZED", "invalid token");
  return startSession(holder, setting);
}

/** The cookie of a session started by a form without scripts. Throws like `signIn`. */
export async function signInCookie(token: string, request: FastifyRequest, setting: TokenSetting): Promise<string> {
  return cookieOf(request, setting, await signIn(token.slice(0, MAX_TOKEN_CHARACTERS), request, setting));
}

async function startSession({ caller, tokenHash }: Holder, { register, now }: TokenSetting): Promise<string> {
  const value = randomBytes(SESSION_BYTES).toString("base64url");
  const at = now();
  await register.startSession({ sessionHash: hashOf(value), name: caller.name, tokenHash, createdAt: at, seenAt: at });
  return value;
}

/**
 * With TLS, no other host of the domain and nobody on the network can set a cookie with this prefix (RFC 6265bis,
 * 4.1.3).
 */
function sentName(request: FastifyRequest, setting: TokenSetting): string {
  const prefix = setting.basePath === "" ? "__Host-" : "__Secure-";
  return `${isSecure(request) ? prefix : ""}${setting.cookieName}`;
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { setting, value }: { readonly setting: TokenSetting; readonly value: string },
): FastifyReply {
  const cookie = cookieOf(request, setting, value);
  return reply.code(204).headers({ "set-cookie": cookie, "cache-control": "no-store" }).send();
}

/** An empty cookie expires at once, others with the browser or the session. */
function cookieOf(request: FastifyRequest, setting: TokenSetting, value: string): string {
  const parts = [`${sentName(request, setting)}=${value}`, `Path=${setting.basePath}/`, "HttpOnly", "SameSite=Strict"];
  if (isSecure(request)) parts.push("Secure");
  if (value === "") parts.push("Max-Age=0");
  return parts.join("; ");
}

function tokenOf(body: unknown): string {
  try {
    const { token } = JSON.parse(String(body)) as { readonly token?: unknown };
    if (typeof token === "string") return token.slice(0, MAX_TOKEN_CHARACTERS);
  } catch {
    // Has its own documentation below.
  }
  throw new ArchiveError("INVALID_QUERY", 'the body must be a JSON object with the text "token"');
}
