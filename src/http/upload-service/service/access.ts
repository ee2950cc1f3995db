import type { FastifyReply, FastifyRequest } from "fastify";
import { ArchiveError } from "../../../errors.ts";
import { checkHostHeader, requireNamedHost, requireSameOrigin, SAFE_METHODS } from "../../host-check.ts";
import { PLAIN_SESSION_PATH } from "../../plain-pages/mount-plain.ts";
import { routerPath } from "../../route-row.ts";
import { WEB_PATHS } from "../../web/mount-web.ts";
import { isLoopback } from "../base/host-names.ts";
import { ANYBODY, type Caller, NOBODY } from "./caller.ts";
import { callerOfCookies, callerOfToken, requiresToken, SESSION_PATH, type TokenSetting } from "./session.ts";

/** Settings of access control. */
export interface AccessSetting {
  /** The address that is listened on. */
  readonly host: string;
  /** The token with full access, or null. */
  readonly token: string | null;
  /** Names in lower case that requests without a token may send as Host, in addition to those of this machine. */
  readonly allowedHosts: readonly string[];
  /** Allowed CORS origins, whose pages may read responses; `*` is any. */
  readonly allowedOrigins: readonly string[];
}

/** Routes without authentication, which return nothing secret: monitoring has no token, and the page asks for one. */
const OPEN_PATHS: readonly string[] = ["/health", SESSION_PATH, PLAIN_SESSION_PATH, ...WEB_PATHS.map(routerPath)];
/** Additional headers that pages of allowed origins may send and read (Fetch Standard, CORS). */
const CORS_REQUEST_HEADERS =
  "authorization, content-type, if-none-match, last-event-id, range, tus-resumable, upload-length, upload-metadata, upload-offset, x-archive-password";
const CORS_ANSWER_HEADERS =
  "accept-ranges, content-disposition, content-range, etag, location, retry-after, tus-extension, tus-max-size, tus-resumable, tus-version, upload-expires, upload-id, upload-length, upload-offset, x-total-count";
const CORS_METHODS = "GET, HEAD, POST, OPTIONS";
/** Routes that read with POST, since their parameters do not fit a URL. */
const READING_POSTS = /\/(?:query\/search|export)$/;
/** Seconds that browsers may cache a preflight response: the maximum that all of them accept. */
const CORS_MAX_AGE_S = "600";

/**
 * Authenticates a request, or throws: INVALID_QUERY for a foreign Host on a loopback address or without a token (DNS
 * rebinding) and for a change requested by a page of another site, UNAUTHORIZED if a required token is missing. Adds
 * the headers for pages of allowed origins.
 * @returns null if the request is a preflight and answered
 */
export async function passAccess(
  request: FastifyRequest,
  reply: FastifyReply,
  setting: AccessSetting & TokenSetting,
): Promise<Caller | null> {
  requireKnownHost(request, setting);
  const { origin } = request.headers;
  const isAllowed = origin !== undefined && isAllowedOrigin(origin, setting.allowedOrigins);
  if (setting.allowedOrigins.length > 0) reply.header("vary", "origin");
  if (isAllowed) {
    reply.headers({ "access-control-allow-origin": origin, "access-control-expose-headers": CORS_ANSWER_HEADERS });
    if (isPreflight(request)) {
      answerPreflight(reply);
      return null;
    }
  }
  // With a cookie or without a token, a form on any page could upload to this machine, so the check applies. A page
  // with a bearer token of an allowed origin may only read.
  const { caller, isBearer } = await requireCaller(request, reply, setting);
  if (origin !== undefined && !isReading(request, isAllowed || isBearer))
    requireSameOrigin(
      origin,
      request.headers.host,
      "send the request from a page of this service or from a non-browser client",
    );
  return caller;
}

/** Whatever the allowed origins, their pages can read but not change anything. */
function isReading({ method, routeOptions }: FastifyRequest, isTrusted: boolean): boolean {
  return SAFE_METHODS.includes(method) || (isTrusted && READING_POSTS.test(routeOptions.url ?? ""));
}

/** With a token, DNS rebinding is harmless: the page does not have it. */
function requireKnownHost({ headers, socket }: FastifyRequest, { host, token, allowedHosts }: AccessSetting): void {
  if (isLoopback(host)) checkHostHeader(headers.host, host, { localAddress: socket.localAddress, names: allowedHosts });
  else if (token === null) requireNamedHost(headers.host, allowedHosts);
}

function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  return allowed.includes("*") || allowed.includes(origin.toLowerCase());
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

function answerPreflight(reply: FastifyReply): void {
  void reply
    .code(204)
    .headers({
      "access-control-allow-methods": CORS_METHODS,
      "access-control-allow-headers": CORS_REQUEST_HEADERS,
      "access-control-max-age": CORS_MAX_AGE_S,
    })
    .send();
}

/** The caller, and whether the token came in a header, which cross-site pages cannot send. */
interface Recognized {
  readonly caller: Caller;
  readonly isBearer: boolean;
}

async function requireCaller(request: FastifyRequest, reply: FastifyReply, setting: TokenSetting): Promise<Recognized> {
  const given = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  const bearer = given === undefined ? null : await callerOfToken(given, request, setting);
  if (bearer !== null) return { caller: bearer, isBearer: true };
  const signedIn = await callerOfCookies(request, setting);
  if (signedIn !== null) return { caller: signedIn, isBearer: false };
  if (!(await requiresToken(setting))) return { caller: ANYBODY, isBearer: false };
  if (OPEN_PATHS.includes(request.routeOptions.url ?? "")) return { caller: NOBODY, isBearer: false };
  // RFC 6750 section 3.
  reply.header("www-authenticate", given === undefined ? "Bearer" : 'Bearer error="invalid_token"');
  throw new ArchiveError("UNAUTHORIZED", given === undefined ? "a bearer token is required" : "invalid bearer token");
}
