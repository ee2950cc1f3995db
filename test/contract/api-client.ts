import { Ajv2020 } from "ajv/dist/2020.js";
import type { FastifyInstance, InjectOptions } from "fastify";
import { expect } from "vitest";
import { createQueryApi } from "../../src/http/query-api/query-api.ts";
import { QUERY_ROUTES } from "../../src/http/query-api/routes.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { writeContractArchive } from "./contract-archive.ts";

/** The part of an OpenAPI document that tests read. */
export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: Readonly<Record<string, unknown>>;
  }[];
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly "application/json": { readonly schema: object } } }>
  >;
}

/** The envelope of a response. */
export interface Answer<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly data: T;
  readonly error: { readonly code: string; readonly message: string };
}

const ISO_SECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/**
 * The query API over the contract archive. Every response is checked against the OpenAPI document of the server.
 */
export class ApiClient {
  readonly app: FastifyInstance;
  readonly document: OpenApi;
  private readonly ajv = new Ajv2020({ strict: false, formats: { "date-time": ISO_SECONDS } });
  private readonly close: () => Promise<void>;

  private constructor(app: FastifyInstance, document: OpenApi, close: () => Promise<void>) {
    this.app = app;
    this.document = document;
    this.close = close;
    this.ajv.addSchema(document, "openapi.json");
  }

  static async start(): Promise<ApiClient> {
    const file = await writeContractArchive();
    const archive = await openArchive(file.location);
    const app = await createQueryApi(archive, "contract", null);
    const document = (await app.inject("/openapi.json")).json<OpenApi>();
    return new ApiClient(app, document, async () => {
      await app.close();
      await archive.close();
      file.remove();
    });
  }

  async stop(): Promise<void> {
    await this.close();
  }

  get<T>(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer<T>> {
    return this.send({ method: "GET", url, headers });
  }

  /** POST /search with a JSON value. */
  search<T>(body: unknown): Promise<Answer<T>> {
    return this.send({
      method: "POST",
      url: "/search",
      payload: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
  }

  async send<T>(request: InjectOptions & { readonly method: string; readonly url: string }): Promise<Answer<T>> {
    const response = await this.app.inject(request);
    const body = response.json();
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    this.expectValid(request.method, request.url, response.statusCode, body);
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      data: body.data,
      error: body.error,
    };
  }

  /** Checks status, envelope and every field against the document. */
  private expectValid(method: string, url: string, status: number, body: { readonly status: string }): void {
    const path = url.split("?", 1)[0]!;
    const route = QUERY_ROUTES.find((known) => known.method === method && pattern(known.path).test(path));
    const schema = route === undefined ? this.errorSchema() : this.schemaOf(route.path, method, status);
    const isValid = this.ajv.validate({ $ref: `openapi.json#${schema}` }, body);
    expect(isValid, `${method} ${url}: ${this.ajv.errorsText()}`).toBe(true);
    expect(Object.keys(body)).toEqual(
      status === 200 ? ["status", "data", "timestamp"] : ["status", "error", "timestamp"],
    );
  }

  private errorSchema(): string {
    return "/components/schemas/ErrorEnvelope";
  }

  private schemaOf(path: string, method: string, status: number): string {
    const operation = this.document.paths[path]?.[method.toLowerCase()];
    expect(operation?.responses[status], `${method} ${path} declares ${status}`).toBeDefined();
    const place = ["paths", path, method.toLowerCase(), "responses", status, "content", "application/json", "schema"];
    return place
      .map((word) => `/${encodeURIComponent(String(word).replaceAll("~", "~0").replaceAll("/", "~1"))}`)
      .join("");
  }
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
}
