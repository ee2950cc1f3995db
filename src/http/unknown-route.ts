import type { FastifyRequest } from "fastify";
import { ArchiveError } from "../errors.ts";
import { formatText } from "./format-value.ts";
import { pathOf } from "./http-server.ts";

/**
 * A path of a table of routes as a test for request paths: `{message_id}` stands for any text without a slash, `*` for
 * any text.
 */
export function pathPattern(path: string): RegExp {
  const segments = path.split("/").map((segment) => {
    if (segment === "*") return ".*";
    return /^\{\w+\}$/.test(segment) ? "[^/]+" : segment.replaceAll(".", "\\.");
  });
  return new RegExp(`^${segments.join("/")}/?$`);
}

/** The error for a request without a route: UNIMPLEMENTED if its path is known with another method, else NOT_FOUND. */
export function noSuchRoute(request: FastifyRequest, isKnownPath: (path: string) => boolean): ArchiveError {
  const path = pathOf(request);
  const route = `${request.method} ${formatText(path)}`;
  return isKnownPath(path)
    ? new ArchiveError("UNIMPLEMENTED", `Route ${route} is not implemented`)
    : new ArchiveError("NOT_FOUND", `Route ${route} not found`);
}
