import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { ArchiveError } from "../errors.ts";
import { formatText } from "./format-value.ts";

/** Methods that change nothing (RFC 9110 section 9.2.1). */
export const SAFE_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS"];
/** Names of this machine that DNS cannot redirect. */
const OWN_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
/** Addresses that mean every interface: the name to check is then the address that the client reached. */
const ANY_ADDRESS: readonly string[] = ["0.0.0.0", "::"];

/**
 * Rejects a request with a foreign Host. A page of another site can let its own name resolve to 127.0.0.1 and read
 * responses (DNS rebinding), but cannot change the Host header. @param own our address of the socket, and further
 * names of ours. Throws INVALID_QUERY.
 */
export function checkHostHeader(
  host: string | undefined,
  boundHost: string,
  own: { readonly localAddress: string | undefined; readonly names: readonly string[] },
): void {
  const name = hostName(host ?? "");
  const bound = ANY_ADDRESS.includes(boundHost) ? (own.localAddress ?? "").replace(/^::ffff:/, "") : boundHost;
  const allowed = [bound.includes(":") ? `[${bound}]` : bound, ...OWN_NAMES, ...own.names];
  if (allowed.some((known) => known.toLowerCase() === name)) return;
  throw new ArchiveError(
    "INVALID_QUERY",
    `Host must be one of ${Array.from(new Set(allowed)).join(", ")}, not ${formatText(name) || "nothing"}`,
  );
}

/**
 * The same for a server open to a network, whose names only its operator knows. IP addresses are allowed: DNS cannot
 * give one to the origin of another site. Throws INVALID_QUERY.
 */
export function requireNamedHost(host: string | undefined, names: readonly string[]): void {
  const name = hostName(host ?? "");
  if (isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0 || [...OWN_NAMES, ...names].includes(name)) return;
  throw new ArchiveError(
    "INVALID_QUERY",
    `Host must be an IP address or an allowed name, not ${formatText(name) || "nothing"}`,
    {
      hint: "allow it with --allow-host",
    },
  );
}

/** Rejects cross-site requests by their Origin (CSRF protection). @param hint how to allow it. Throws INVALID_QUERY. */
export function requireSameOrigin(origin: string, host: string | undefined, hint: string): void {
  if (URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()) return;
  throw new ArchiveError("INVALID_QUERY", `cross-origin write rejected: ${formatText(origin)}`, { hint });
}

/** True if a request reached the proxy in front of this server over TLS. */
export function isSecure({ headers }: Pick<FastifyRequest, "headers">): boolean {
  return headers["x-forwarded-proto"] === "https";
}

/** A Host field (RFC 9110 section 7.2) without its port, in lower case. */
function hostName(host: string): string {
  const end = host.startsWith("[") ? host.indexOf("]") + 1 : host.indexOf(":");
  return (end > 0 ? host.slice(0, end) : host).toLowerCase();
}
