import { compile, type JSONSchema } from "json-schema-to-typescript";

/**
 * Writes TypeScript for an OpenAPI document like client generators: from the document alone, without knowledge of this
 * project.
 */

type JsonObject = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: JsonObject;
}
interface Content {
  readonly content: { readonly "application/json": { readonly schema: JsonObject } };
}
export interface DescribedOperation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}
export interface DescribedApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> };
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: DescribedOperation;
}

export function describedRoutes({ paths }: DescribedApi): readonly Route[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/**
 * Source of `api.ts`: an interface `Api` with `request` and `answer` of every operation, and an interface for every
 * component.
 */
export function generateTypes(api: DescribedApi): Promise<string> {
  const operations = describedRoutes(api).map(
    ({ operation }) => [operation.operationId, operationSchema(operation)] as const,
  );
  const root = closedObject(operations.map(([name, schema]) => ({ name, required: true, schema })));
  return compile(toDefinitions({ ...root, definitions: api.components.schemas }), "Api", {
    bannerComment: "",
    format: false,
    unreachableDefinitions: true,
  });
}

/** JSON Schema uses `definitions` where OpenAPI uses `components/schemas`. */
function toDefinitions(schema: JsonObject): JSONSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/definitions/')) as JSONSchema;
}

type Property = Pick<Parameter, "name" | "required" | "schema">;

function closedObject(properties: readonly Property[]): JsonObject {
  return {
    type: "object",
    properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
    required: properties.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function operationSchema({ parameters, requestBody, responses }: DescribedOperation): JsonObject {
  const parts = (["path", "query"] as const).flatMap((place): readonly Property[] => {
    const own = parameters.filter((parameter) => parameter.in === place);
    return own.length === 0
      ? []
      : [{ name: place, required: own.some(({ required }) => required), schema: closedObject(own) }];
  });
  const body =
    requestBody === undefined
      ? []
      : [{ name: "body", required: requestBody.required, schema: jsonSchema(requestBody) }];
  // One schema per shape: all error responses share theirs.
  const answers = [
    ...new Map(
      Object.values(responses).map((answer) => [JSON.stringify(jsonSchema(answer)), jsonSchema(answer)]),
    ).values(),
  ];
  const sent = [...parts, ...body];
  // An operation without parameters has no request: the type of an empty object would accept everything.
  return closedObject([
    ...(sent.length === 0 ? [] : [{ name: "request", required: true, schema: closedObject(sent) }]),
    { name: "answer", required: true, schema: { anyOf: answers } },
  ]);
}

function jsonSchema({ content }: Content): JsonObject {
  return content["application/json"].schema;
}

/** Beginning of every generated client; `request` is checked by the types of the methods that call it. */
const CLIENT_START = `import type { Api } from "./api.ts";

interface Sent {
  readonly path?: object;
  readonly query?: object;
  readonly body?: object;
}

async function send<T>(base: string, method: string, path: string, request: Sent): Promise<T> {
  const places = new Map<string, unknown>(Object.entries(request.path ?? {}));
  const url = new URL(base + path.replace(/\\{(\\w+)\\}/g, (_, name: string) => encodeURIComponent(String(places.get(name)))));
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, String(value));
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body), headers: { "content-type": "application/json" } };
  return (await (await fetch(url, { method, ...body })).json()) as T;
}
`;

/** Source of `client.ts`: a class `Client` with one method per operation, named by its operationId. */
export function generateClient(api: DescribedApi): string {
  return `${CLIENT_START}
export class Client {
  readonly base: string;
  constructor(base: string) {
    this.base = base;
  }
${describedRoutes(api).map(clientMethod).join("\n")}
}
`;
}

function clientMethod({ method, path, operation }: Route): string {
  const { operationId, parameters, requestBody } = operation;
  const takesNothing = parameters.length === 0 && requestBody === undefined;
  const isOptional = requestBody?.required !== true && parameters.every(({ required }) => !required);
  const argument = takesNothing ? "" : `request: Api["${operationId}"]["request"]${isOptional ? " = {}" : ""}`;
  return `  ${operationId}(${argument}): Promise<Api["${operationId}"]["answer"]> {
    return send(this.base, "${method}", "${path}", ${takesNothing ? "{}" : "request"});
  }`;
}
