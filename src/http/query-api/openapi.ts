import * as z from "zod";
import type { RouteFacts } from "../route-row.ts";
import type { ApiSetting, QueryRoute } from "./query-route.ts";
import { API_VERSION, errorEnvelopeSchema } from "./wire.ts";

/** An API to describe in an OpenAPI document. */
export interface DescribedApi<Setting = ApiSetting> {
  readonly title: string;
  readonly routes: readonly QueryRoute<Setting>[];
  /** Named schemas of the document, in addition to that of errors. */
  readonly components: Readonly<Record<string, z.ZodType>>;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of the routes, generated from the schemas that validate and type them. */
export function openApiDocument<Setting>({ title, routes, components }: DescribedApi<Setting>): JsonObject {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries({ ...components, ErrorEnvelope: errorEnvelopeSchema }))
    registry.add(schema, { id });
  const dataNames = new Map(
    routes.map((route) => [route, registry.get(route.data)?.id ?? `${operationId(route)}Data`]),
  );
  for (const [route, id] of dataNames) if (!registry.has(route.data)) registry.add(route.data, { id });
  const uri = (id: string): string => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(registry, { uri, io: "output" });
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operation(route, uri(dataNames.get(route) ?? "")),
    };
  }
  return {
    openapi: "3.1.0",
    info: { title, version: API_VERSION },
    // Next to the document, wherever it is published (OpenAPI 3.1, section 4.8.5).
    servers: [{ url: "." }],
    paths,
    components: {
      schemas: {
        ...Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutAddress(schema)])),
        ...Object.fromEntries(
          routes.flatMap(({ body }) => (body === null ? [] : [[body.name, inputSchema(body.schema)] as const])),
        ),
      },
    },
  };
}

/** Removes the `$id` of a schema, which is invalid inside a document. */
function withoutAddress(schema: object): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "$schema" && key !== "$id"));
}

function inputSchema(schema: z.ZodType): JsonObject {
  return withoutAddress(z.toJSONSchema(schema, { io: "input" }));
}

/** `GET /threads/{thread_id}/messages` -> `getThreadsByThreadIdMessages`. */
function operationId({ method, path }: RouteFacts): string {
  const words = path.replace(/\{(\w+)\}/g, "by_$1").split(/[/_]/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function operation(route: RouteFacts, dataSchema: string): JsonObject {
  const envelope = {
    type: "object",
    properties: {
      status: { const: "ok" },
      data: { $ref: dataSchema },
      timestamp: { type: "string", format: "date-time" },
    },
    required: ["status", "data", "timestamp"],
    additionalProperties: false,
  };
  return {
    operationId: operationId(route),
    summary: route.summary,
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(route.body === null
      ? {}
      : { requestBody: { required: true, content: jsonContent({ $ref: `#/components/schemas/${route.body.name}` }) } }),
    responses: { "200": { description: "success", content: jsonContent(envelope) }, ...failures(route) },
  };
}

function jsonContent(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}

function pathParameters({ path }: RouteFacts): readonly JsonObject[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters({ parameters }: RouteFacts): readonly JsonObject[] {
  return Object.entries(parameters.shape).map(([name, schema]) => {
    const { description, ...rest } = inputSchema(schema as z.ZodType);
    return { name, in: "query", required: false, ...(description === undefined ? {} : { description }), schema: rest };
  });
}

/** Error statuses of a route. */
function failures(route: RouteFacts): JsonObject {
  const statuses: readonly (readonly [string, string, boolean])[] = [
    ["400", "INVALID_QUERY: invalid request", true],
    ["422", "QUERY_TOO_EXPENSIVE: the query needs too much processor time", route.path === "/search"],
    ["404", "NOT_FOUND: no record with this id", route.path.includes("{")],
    ["500", "INTERNAL_ERROR: server error", true],
  ];
  const content = jsonContent({ $ref: "#/components/schemas/ErrorEnvelope" });
  return Object.fromEntries(
    statuses.filter(([, , applies]) => applies).map(([status, description]) => [status, { description, content }]),
  );
}
