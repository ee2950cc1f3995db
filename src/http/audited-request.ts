import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { AuditAction } from "../mail/access.ts";
import { pathOf } from "./http-server.ts";

/** What a request does with the archive that it opens. */
export interface RequestedAct {
  /** Null for what opens no archive for somebody: the counts in the record of an upload, the page without its data. */
  readonly action: AuditAction | null;
  readonly detail: string | null;
  /** Tells one query from another, and no more of it; the empty text where there is none. */
  readonly queryHash: string;
}

/** Characters of what stands in the audit beside an action: the path of a page of the wiki. */
const MAX_DETAIL_CHARACTERS = 200;

/**
 * The first that fits the path of a route says what it does. What none fits is opened: a route that is added stands in
 * the audit.
 */
const ACTIONS: readonly (readonly [RegExp, AuditAction | null])[] = [
  [/^\/uploads\/:upload_id$|^\/$|^\/a\/|^\/assets\/|\/openapi\.json$|\/health$/, null],
  [/^\/mcp$/, "read"],
  [/\/export$/, "exported"],
  [/\/notebook\/(?:entries|tags|import)$/, "notebook written"],
  [/^\/graph\.html$|\/(?:original|source|attachments\/:number)$/, "downloaded"],
  [/^\/uploads\/:upload_id\/(?:wiki(?:\/\*)?|[\w-]+\.(?:json|csv|html|zip))$/, "downloaded"],
  [/^\/search$|\/query\/search$|\/explore\/(?:hits|suggest)$/, "searched"],
];
/** Parameters that make a list, a count or a chart an answer to a query. */
const QUERY_PARAMETERS = ["q", "search"] as const;

/** What a request of a route is on record as, unless it asks for words. @param url with `:name` for parameters */
export function usualAction(url: string): AuditAction | null {
  const found = ACTIONS.find(([pattern]) => pattern.test(url));
  return found === undefined ? "opened" : found[1];
}

/** What stands in the audit of a request. */
export function requestedAct(request: FastifyRequest): RequestedAct {
  const usual = usualAction(request.routeOptions.url ?? "");
  if (usual === "read") return assistantAct(request);
  const action = usual === "opened" && addressedQuery(request) !== "" ? "searched" : usual;
  return {
    action,
    detail: action === "downloaded" || action === "notebook written" ? fileOf(request) : null,
    queryHash: action === "searched" ? hashOf(`${addressedQuery(request)}${bodyOf(request)}`) : "",
  };
}

function hashOf(query: string): string {
  return createHash("sha256").update(query).digest("hex");
}

/** The words that an address asks for. */
function addressedQuery({ query }: FastifyRequest): string {
  const given = query as Readonly<Record<string, unknown>>;
  return QUERY_PARAMETERS.map((name) => given[name])
    .filter((words) => typeof words === "string")
    .join(" ")
    .trim();
}

function bodyOf({ body }: FastifyRequest): string {
  return body instanceof Uint8Array ? Buffer.from(body).toString("latin1") : "";
}

/** The path below that of the upload, or of the server of one archive. */
function fileOf(request: FastifyRequest): string {
  return pathOf(request)
    .replace(/^\/(?:uploads\/[^/]*\/)?/, "")
    .slice(0, MAX_DETAIL_CHARACTERS);
}

/** Calls of one request that are named; all others are counted with them. */
const NAMED_CALLS = 5;

/** Parameters of tools that say what is read, and not what is searched for. */
const NAMED_IDS = ["id", "number"] as const;

/** The tools that an assistant calls: each call is on record. What only asks which tools there are reads no mail. */
function assistantAct(request: FastifyRequest): RequestedAct {
  const calls = assistantCalls(bodyOf(request));
  if (calls === null) return { action: "read", detail: null, queryHash: "" };
  if (calls.length === 0) return { action: null, detail: null, queryHash: "" };
  const others = calls.length > NAMED_CALLS ? ` and ${calls.length - NAMED_CALLS} more` : "";
  const detail = `${calls.slice(0, NAMED_CALLS).join(", ").slice(0, MAX_DETAIL_CHARACTERS)}${others}`;
  return { action: "read", detail, queryHash: "" };
}

/** The calls in a body of JSON-RPC 2.0; null where it cannot be read. */
function assistantCalls(body: string): readonly string[] | null {
  if (body === "") return [];
  try {
    const given: unknown = JSON.parse(body);
    return (Array.isArray(given) ? given : [given]).flatMap((one) => {
      const { method, params } = one as { readonly method?: unknown; readonly params?: AssistantCall };
      return method === "tools/call" ? [namedCall(params ?? {})] : [];
    });
  } catch {
    return null;
  }
}

interface AssistantCall {
  readonly name?: unknown;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

function namedCall({ name, arguments: given }: AssistantCall): string {
  const words = [name, ...NAMED_IDS.map((field) => given?.[field])];
  return words
    .filter((word) => typeof word === "string" || typeof word === "number")
    .map((word) => String(word).replace(/[^\w.:@-]/g, "?"))
    .join(" ");
}
