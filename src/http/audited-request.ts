import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { AuditAction } from "../mail/access.ts";
import { pathOf } from "./http-server.ts";

/** The action that a request performs on the archive. */
export interface RequestedAct {
  /**
   * Null for requests that open no archive, such as counts in the record of an upload, or the page without its data.
   */
  readonly action: AuditAction | null;
  readonly detail: string | null;
  /** Distinguishes queries without revealing them; "" without a query. */
  readonly queryHash: string;
}

/** Maximum characters of the detail of an audit entry: the path of a page of the wiki. */
const MAX_DETAIL_CHARACTERS = 200;

/**
 * The first pattern that matches the path of a route determines the action. Other routes count as "opened", so an added
 * route is audited.
 */
const ACTIONS: readonly (readonly [RegExp, AuditAction | null])[] = [
  [/^\/uploads\/:upload_id$|^\/$|^\/a\/|^\/plain(?:\/session)?$|^\/assets\/|\/openapi\.json$|\/health$/, null],
  [/\/export$/, "exported"],
  [/\/notebook\/(?:entries|tags|import)$/, "notebook written"],
  [/\/corrections\/(?:people|topics)\/\w+$/, "corrected"],
  [/\/(?:original|source|attachments\/:number)$/, "downloaded"],
  [/^\/uploads\/:upload_id\/(?:wiki(?:\/\*)?|[\w-]+\.(?:json|csv|html|zip))$/, "downloaded"],
  [/^\/search$|\/query\/search$|\/explore\/(?:hits|suggest)$/, "searched"],
];
/** Parameters that make a list, count or chart the result of a query. */
const QUERY_PARAMETERS = ["q", "search"] as const;

/** Actions whose path is recorded. */
const DETAILED: ReadonlySet<AuditAction> = new Set<AuditAction>(["downloaded", "notebook written", "corrected"]);

/** Audit action of a route, unless the request contains search words. @param url with `:name` for parameters */
export function usualAction(url: string): AuditAction | null {
  const found = ACTIONS.find(([pattern]) => pattern.test(url));
  return found === undefined ? "opened" : found[1];
}

/** True for a request with search words. */
export function isSearch(request: FastifyRequest): boolean {
  return actionOf(request) === "searched";
}

function actionOf(request: FastifyRequest): AuditAction | null {
  const usual = usualAction(request.routeOptions.url ?? "");
  return usual === "opened" && addressedQuery(request) !== "" ? "searched" : usual;
}

/** Returns the audit entry of a request. */
export function requestedAct(request: FastifyRequest): RequestedAct {
  const action = actionOf(request);
  return {
    action,
    detail: action !== null && DETAILED.has(action) ? fileOf(request) : null,
    queryHash: action === "searched" ? hashOf(`${addressedQuery(request)}${bodyOf(request)}`) : "",
  };
}

function hashOf(query: string): string {
  return createHash("sha256").update(query).digest("hex");
}

/** The search words in the URL. */
function addressedQuery({ query }: FastifyRequest): string {
  const given = (query ?? {}) as Readonly<Record<string, unknown>>;
  return QUERY_PARAMETERS.map((name) => given[name])
    .filter((words) => typeof words === "string")
    .join(" ")
    .trim();
}

function bodyOf({ body }: FastifyRequest): string {
  return body instanceof Uint8Array ? Buffer.from(body).toString("latin1") : "";
}

/** The part of the path after that of the upload. */
function fileOf(request: FastifyRequest): string {
  return pathOf(request)
    .replace(/^\/(?:uploads\/[^/]*\/)?/, "")
    .slice(0, MAX_DETAIL_CHARACTERS);
}
