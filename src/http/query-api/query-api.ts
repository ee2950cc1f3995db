import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Archive } from "../../mail/archive.ts";
import { formatInstant } from "../../mail/dates/instant.ts";
import type { DatabaseWatch } from "../../store/contract/database-watch.ts";
import { refuseWithoutDatabase } from "../database-loss.ts";
import { ArchiveTags, matchesTag, taggedWith } from "../entity-tag.ts";
import { createHttpServer, type RefusalBody, sendRefusal } from "../http-server.ts";
import { checkedRequest, routerPath } from "../route-row.ts";
import { noSuchRoute, pathPattern } from "../unknown-route.ts";
import { answerJson } from "./message-page.ts";
import { type DescribedApi, openApiDocument } from "./openapi.ts";
import type { ApiSetting, QueryRoute } from "./query-route.ts";
import { QUERY_API } from "./routes.ts";

/** Lends the archive of a request, with the data of the surface, while a function runs. */
export type ArchiveLender<Setting = ApiSetting> = <T>(
  request: FastifyRequest,
  use: (archive: Archive, setting: Setting) => Promise<T>,
) => Promise<T>;

const JSON_TYPE = "application/json; charset=utf-8";

/**
 * A server that answers the query API over one archive; the caller listens and closes the archive.
 * @param watch of the database of the archive
 */
export async function createQueryApi(
  archive: Archive,
  environment: string,
  logger: FastifyBaseLogger | null,
  watch: DatabaseWatch | null = null,
): Promise<FastifyInstance> {
  const app = await createHttpServer(logger, errorEnvelope);
  refuseWithoutDatabase(app, watch);
  const setting = apiSetting(environment);
  await app.register(async (scope) => addApiRoutes(scope, QUERY_API, (_, use) => use(archive, setting)));
  return app;
}

/** Data for /health of a server that starts now. */
export function apiSetting(environment: string): ApiSetting {
  const startedAt = performance.now();
  return { environment, uptimeMs: () => performance.now() - startedAt };
}

/**
 * Adds the routes of an API and its openapi.json to a scope, which may have a prefix. Also responds to unknown paths
 * below it.
 */
export function addApiRoutes<Setting>(
  scope: FastifyInstance,
  api: DescribedApi<Setting>,
  lend: ArchiveLender<Setting>,
): void {
  const tags = new ArchiveTags();
  let document: string | null = null;
  const patterns = [...api.routes.map(({ path }) => path), "/openapi.json"].map(pathPattern);
  const isKnownPath = (path: string): boolean => {
    const own = path.slice(prefixOf(path, scope.prefix).length);
    return patterns.some((pattern) => pattern.test(own));
  };
  scope.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply, errorEnvelope));
  // Runs before any body is read: a body for an unknown path is useless.
  scope.addHook("onRequest", async (request) => {
    if (request.is404) throw noSuchRoute(request, isKnownPath);
  });
  scope.setNotFoundHandler((request) => {
    throw noSuchRoute(request, isKnownPath);
  });
  // On demand: few clients ask for it.
  scope.get("/openapi.json", (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(api));
    return reply.type(JSON_TYPE).send(document);
  });
  for (const route of api.routes) {
    scope.route({
      method: route.method,
      url: routerPath(route.path),
      handler: (request, reply) =>
        lend(request, (archive, setting) => answer({ route, request, reply, archive, setting, tags })),
    });
  }
}

interface Exchange<Setting> {
  readonly route: QueryRoute<Setting>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly archive: Archive;
  readonly setting: Setting;
  readonly tags: ArchiveTags;
}

async function answer<Setting>(exchange: Exchange<Setting>): Promise<FastifyReply> {
  const { route, request, reply, archive, setting, tags } = exchange;
  const stayingTag = route.isCacheable ? await tags.tagOf(archive) : "";
  const data = await route.answer({ archive, setting, ...checkedRequest(route, request) });
  if (!route.isCacheable) return reply.header("cache-control", "no-store").type(JSON_TYPE).send(dataEnvelope(data));
  const tag = taggedWith(stayingTag, route.changing(data));
  reply.header("etag", tag).header("cache-control", "private, no-cache");
  if (matchesTag(tag, request.headers["if-none-match"])) return reply.code(304).send();
  return reply.type(JSON_TYPE).send(dataEnvelope(data));
}

function dataEnvelope(data: object): string | Buffer {
  return answerJson(data, (record) => ({ status: "ok", data: record, timestamp: timestamp() }));
}

export const errorEnvelope: RefusalBody = ({ code, message }) => ({
  status: "error",
  error: { code, message: message.toWellFormed() },
  timestamp: timestamp(),
});

function timestamp(): string {
  return formatInstant(Date.now());
}

/** The part of a path that matches a prefix such as `/uploads/:upload_id/query`. */
function prefixOf(path: string, prefix: string): string {
  const depth = prefix.split("/").length;
  return prefix === "" ? "" : path.split("/").slice(0, depth).join("/");
}
