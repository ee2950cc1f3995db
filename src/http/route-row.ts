import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Archive } from "../mail/archive.ts";
import { checkedValue, jsonBody, queryOf } from "./checked-request.ts";

/** JSON body of a route. */
interface RouteBody<B extends z.ZodType = z.ZodType> {
  /** Its name in API descriptions. */
  readonly name: string;
  readonly schema: B;
}

/** A request over an archive, checked by the schemas of its route. */
export interface RouteRequest<Setting, Q, B> {
  readonly archive: Archive;
  /** Data of the surface. */
  readonly setting: Setting;
  /** The path parameter; empty on routes without one. */
  readonly id: string;
  readonly parameters: Q;
  readonly body: B;
}

/** Description of a route over an archive, on any surface. */
export interface RouteFacts {
  readonly method: "GET" | "POST";
  /** As in the specification, with `{contact_id}`. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: z.ZodObject;
  /** Null for routes without body. */
  readonly body: RouteBody | null;
}

/** A route that is registered by the server, listed in its description and called by its contract tests. */
export interface RouteRow<Setting, Answer> extends RouteFacts {
  answer(request: RouteRequest<Setting, unknown, unknown>): Promise<Answer>;
}

/** Definition of a route with a typed handler. A body makes it a POST. */
export interface RouteDefinition<Setting, Answer, Q extends z.ZodObject, B extends z.ZodType>
  extends Pick<RouteFacts, "path" | "summary"> {
  readonly parameters: Q;
  readonly body?: RouteBody<B>;
  answer(request: RouteRequest<Setting, z.infer<Q>, z.infer<B>>): Promise<Answer>;
}

export function routeRow<Setting, Answer, Q extends z.ZodObject, B extends z.ZodType>(
  route: RouteDefinition<Setting, Answer, Q, B>,
): RouteRow<Setting, Answer> {
  const { path, summary, parameters, body = null } = route;
  return {
    method: body === null ? "GET" : "POST",
    path,
    summary,
    parameters,
    body,
    answer: (request) => route.answer(request as RouteRequest<Setting, z.infer<Q>, z.infer<B>>),
  };
}

/** Validates a request by the schemas of its route. Throws INVALID_QUERY. */
export function checkedRequest(
  { parameters, body }: RouteFacts,
  request: FastifyRequest,
): Pick<RouteRequest<unknown, unknown, unknown>, "id" | "parameters" | "body"> {
  const [id = ""] = Object.values(request.params as Readonly<Record<string, string>>).slice(-1);
  return {
    id,
    parameters: queryOf(parameters, request),
    body:
      body === null
        ? undefined
        : checkedValue(body.schema, jsonBody(request.body, request.headers["content-type"]), "body"),
  };
}

/** `/threads/{thread_id}` -> `/threads/:thread_id`. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}
