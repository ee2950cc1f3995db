import type { z } from "zod";
import { ArchiveError } from "../../errors.ts";
import type { Archive } from "../../mail/archive.ts";
import { shownText } from "../shown-value.ts";
import type { MessagePage } from "./message-page.ts";

/** What the surface knows of itself. */
export interface ApiSetting {
  /** `data.environment` of /health. */
  readonly environment: string;
  /** Milliseconds since the server was started. */
  uptimeMs(): number;
}

/** A request, checked by the schemas of its route. */
export interface RouteRequest<Q, B> {
  readonly archive: Archive;
  readonly setting: ApiSetting;
  /** The path parameter; empty on routes without one. */
  readonly id: string;
  readonly parameters: Q;
  readonly body: B;
}

/** One row of the table of routes: what the server registers, openapi.json describes and the contract tests walk. */
export interface QueryRoute {
  readonly method: "GET" | "POST";
  /** As the specification writes it, with `{contact_id}`. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: z.ZodObject;
  /** Null for routes without body. */
  readonly body: z.ZodType | null;
  readonly data: z.ZodType;
  /** False when the answer differs from one request to the next. */
  readonly isCacheable: boolean;
  answer(request: RouteRequest<unknown, unknown>): Promise<object>;
}

interface RouteOf<Q extends z.ZodObject, D extends z.ZodObject, B extends z.ZodType> {
  readonly path: string;
  readonly summary: string;
  readonly parameters: Q;
  readonly data: D;
  readonly body?: B;
  readonly isCacheable?: boolean;
  answer(request: RouteRequest<z.infer<Q>, z.infer<B>>): Promise<z.infer<D> | MessagePage>;
}

/** A row whose handler gets and gives what its schemas say. A body makes it a POST. */
export function queryRoute<Q extends z.ZodObject, D extends z.ZodObject, B extends z.ZodType = z.ZodUndefined>(
  route: RouteOf<Q, D, B>,
): QueryRoute {
  return {
    method: route.body === undefined ? "GET" : "POST",
    path: route.path,
    summary: route.summary,
    parameters: route.parameters,
    body: route.body ?? null,
    data: route.data,
    isCacheable: route.isCacheable ?? route.body === undefined,
    answer: (request) => route.answer(request as RouteRequest<z.infer<Q>, z.infer<B>>),
  };
}

/** What was found, or the NOT_FOUND error `<Kind> <id> not found`. */
export function requireFound<T>(found: T | null, kind: "Contact" | "Message" | "Topic" | "Thread", id: string): T {
  if (found === null) throw new ArchiveError("NOT_FOUND", `${kind} ${shownText(id)} not found`);
  return found;
}
