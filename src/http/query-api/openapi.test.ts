import { expect, it } from "vitest";
import * as z from "zod";
import { openApiDocument } from "./openapi.ts";
import { queryRoute } from "./query-route.ts";
import { QUERY_API } from "./routes.ts";
import { noParameters } from "./wire-requests.ts";

interface Described {
  readonly paths: Readonly<Record<string, { readonly post?: { readonly requestBody: object } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

it("describes the request body of each route", () => {
  const added = queryRoute({
    path: "/notes",
    summary: "Keeps a note",
    parameters: noParameters,
    body: { name: "NoteRequest", schema: z.strictObject({ note: z.string() }) },
    data: z.object({ note: z.string() }),
    answer: async ({ body }) => body,
  });
  const { paths, components } = openApiDocument({
    ...QUERY_API,
    routes: [...QUERY_API.routes, added],
  }) as unknown as Described;
  const bodyOf = (path: string) => JSON.stringify(paths[path]?.post?.requestBody);
  expect(bodyOf("/notes")).toContain("#/components/schemas/NoteRequest");
  expect(bodyOf("/search")).toContain("#/components/schemas/SearchRequest");
  expect(Object.keys(components.schemas["NoteRequest"]?.properties ?? {})).toEqual(["note"]);
  expect(Object.keys(components.schemas["SearchRequest"]?.properties ?? {})).toContain("query");
});
