import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Archive } from "../mail/archive.ts";
import { checkedParameters, checkedValue, jsonBody } from "./checked-request.ts";

/** The JSON body that a route takes. */
interface RouteBody<B extends z.ZodType = z.ZodType> {
  /** Its name in descriptions of the surface. */
  readonly name: string;
  readonly schema: B;
}

/** A request over an archive, checked by the schemas of its route. */
export interface RouteRequest<Setting, Q, B> {
  readonly archive: Archive;
  /** What the surface knows of itself. */
  readonly setting: Setting;
  /** The path parameter; empty on routes without one. */
  readonly id: string;
  readonly parameters: Q;
  readonly body: B;
}

/** What is said of a route over an archive, on whichever surface. */
export interface RouteFacts {
  readonly method: "GET" | "POST";
  /** As the specification writes it, with `{contact_id}`. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: z.ZodObject;
  /** Null for routes without body. */
  readonly body: RouteBody | null;
}

/** One row of a routing table: registered by the server, listed in its description, walked by its contract tests. */
export interface RouteRow<Setting, Answer> extends RouteFacts {
  answer(request: RouteRequest<Setting, unknown, unknown>): Promise<Answer>;
}

/** A row as it is written: its handler gets what its schemas say. A body makes it a POST. */
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

/** What came with a request, by the schemas of its route. Throws INVALID_QUERY. */
export function checkedRequest(
  { parameters, body }: RouteFacts,
  request: FastifyRequest,
): Pick<RouteRequest<unknown, unknown, unknown>, "id" | "parameters" | "body"> {
  const [id = ""] = Object.values(request.params as Readonly<Record<string, string>>).slice(-1);
  return {
    id,
    parameters: checkedParameters(parameters, request.query as Readonly<Record<string, unknown>>),
    body:
      body === null
        ? undefined
        : checkedValue(body.schema, jsonBody(request.body, request.headers["content-type"]), "body"),
  };
}
