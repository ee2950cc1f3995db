import type { FastifyReply, FastifyRequest } from "fastify";
import { ArchiveError } from "../../errors.ts";
import { requireNamedHost, requireOwnHost, requireSameOrigin, SAFE_METHODS } from "../host-check.ts";
import { WEB_PATHS } from "../web/mount-web.ts";
import { isEqual, isSession, SESSION_PATH } from "./session.ts";

/** Who may ask. */
export interface AccessSetting {
  /** The address that is listened on. */
  readonly host: string;
  /** What `Authorization: Bearer` must say; null when nobody is asked. */
  readonly token: string | null;
  /** Names in lower case that requests without a token may give as Host, beside this machine's own. */
  readonly allowedHosts: readonly string[];
  /** Origins of other sites whose pages may read answers; `*` is every one. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Routes that answer without a token, and tell nothing that is secret: whoever watches over the process knows none, and
 * the page asks for it.
 */
const OPEN_PATHS: readonly string[] = [
  "/health",
  SESSION_PATH,
  ...WEB_PATHS.map((path) => path.replace(/\{(\w+)\}/g, ":$1")),
];
/** What pages of allowed origins may send and read beyond what every page may (Fetch Standard, CORS). */
const CORS_REQUEST_HEADERS =
  "authorization, content-type, if-none-match, last-event-id, range, tus-resumable, upload-length, upload-metadata, upload-offset, x-archive-password";
const CORS_ANSWER_HEADERS =
  "accept-ranges, content-disposition, content-range, etag, location, retry-after, tus-extension, tus-max-size, tus-resumable, tus-version, upload-expires, upload-id, upload-length, upload-offset, x-total-count";
const CORS_METHODS = "GET, HEAD, POST, PATCH, DELETE, OPTIONS";
/** Time a browser may remember the answer to a preflight, in seconds: the longest that all of them take. */
const CORS_MAX_AGE_S = "600";

/** True when the address cannot be reached from another machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/**
 * Lets a request pass, or throws: INVALID_QUERY for a foreign Host on a loopback address or without a token (DNS
 * rebinding) and for a change that a page of another site asks for, UNAUTHORIZED without the token. Adds the headers
 * that pages of allowed origins need.
 * @returns true when the request is a preflight and answered
 */
export function passAccess(request: FastifyRequest, reply: FastifyReply, setting: AccessSetting): boolean {
  requireKnownHost(request, setting);
  const { origin } = request.headers;
  const isAllowed = origin !== undefined && isAllowedOrigin(origin, setting.allowedOrigins);
  if (setting.allowedOrigins.length > 0) reply.header("vary", "origin");
  if (isAllowed) {
    reply.headers({ "access-control-allow-origin": origin, "access-control-expose-headers": CORS_ANSWER_HEADERS });
    if (isPreflight(request)) {
      answerPreflight(reply);
      return true;
    }
  }
  // With a token in its header nobody else can ask in the name of a user. With a cookie or without a token, a form on
  // any page could upload to this machine.
  const isBearer = setting.token !== null && requireToken(request, reply, setting.token) === "bearer";
  if (!isBearer && origin !== undefined && !isAllowed && !SAFE_METHODS.includes(request.method))
    requireSameOrigin(origin, request.headers.host, "allow it with --allow-origin");
  return false;
}

/** With a token a page that has made its name ours learns nothing: it does not know it. */
function requireKnownHost({ headers, socket }: FastifyRequest, { host, token, allowedHosts }: AccessSetting): void {
  if (isLoopback(host)) requireOwnHost(headers.host, host, { localAddress: socket.localAddress, names: allowedHosts });
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

/** @returns how the token was shown; null for a route that wants none */
function requireToken(request: FastifyRequest, reply: FastifyReply, token: string): "bearer" | "session" | null {
  const given = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  if (given !== undefined && isEqual(given, token)) return "bearer";
  if (isSession(request.headers.cookie, token)) return "session";
  if (OPEN_PATHS.includes(request.routeOptions.url ?? "")) return null;
  // RFC 6750 section 3.
  reply.header("www-authenticate", given === undefined ? "Bearer" : 'Bearer error="invalid_token"');
  throw new ArchiveError(
    "UNAUTHORIZED",
    given === undefined ? "a bearer token is needed" : "the bearer token is not the right one",
  );
}
