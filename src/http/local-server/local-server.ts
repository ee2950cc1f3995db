import { createHash } from "node:crypto";
import { userInfo } from "node:os";
import { basename, resolve } from "node:path";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Archive } from "../../mail/archive.ts";
import type { OriginalThread } from "../../originals/original-thread.ts";
import { renderGraphPage } from "../../outputs/graph-page/render-graph-page.ts";
import type { DatabaseWatch } from "../../store/contract/database-watch.ts";
import type { StoredNotebook } from "../../store/contract/notebook-location.ts";
import { once } from "../../store/reading/once.ts";
import { addressOf, LOCAL_ARCHIVE } from "../../web/shell/addresses.ts";
import { REPLACED_HEADER } from "../../web/shell/shell-data.ts";
import { refuseWithoutDatabase } from "../database-loss.ts";
import { matchesTag } from "../entity-tag.ts";
import { EXPLORE_API } from "../explore-api/explore-routes.ts";
import { type ArchiveCorrections, addCorrections } from "../explore-api/routes/correction-routes.ts";
import { addNotebook } from "../explore-api/routes/notebook-routes.ts";
import { addOriginalCheck } from "../explore-api/routes/original-check.ts";
import { addOriginalPages } from "../explore-api/routes/original-pages.ts";
import type { ExploreSetting } from "../explore-api/setting/explore-setting.ts";
import { addExport, EXPORT_PATH } from "../export-files.ts";
import { checkHostHeader, requireSameOrigin, SAFE_METHODS } from "../host-check.ts";
import { createHttpServer, pathOf, type RefusalBody } from "../http-server.ts";
import { addMcp, MCP_PATH } from "../mcp-route.ts";
import {
  ORIGINAL_PATHS,
  type OriginalLender,
  type OriginalParameters,
  originalFile,
  sendOriginal,
} from "../original-files.ts";
import { mountPlain, PLAIN_PATHS, type PlainArchives } from "../plain-pages/mount-plain.ts";
import { answerJson } from "../query-api/message-page.ts";
import { type ArchiveLender, addApiRoutes } from "../query-api/query-api.ts";
import { QUERY_API } from "../query-api/routes.ts";
import { checkedRequest, routerPath } from "../route-row.ts";
import { GRAPH_POLICY, SECURITY_HEADERS } from "../security-headers.ts";
import { processFigures, ServerMetrics } from "../server-metrics.ts";
import { noSuchRoute, pathPattern } from "../unknown-route.ts";
import { mountWeb, WEB_PATHS } from "../web/mount-web.ts";
import { LOCAL_ROUTES, type LocalSetting } from "./local-routes.ts";

const CONTENT_TYPES = {
  json: "application/json; charset=utf-8",
  html: "text/html; charset=utf-8",
} as const;

export const localError: RefusalBody = ({ code, message }) => ({ error: { code, message: message.toWellFormed() } });

/** Options of a local server. */
interface LocalServerStart {
  /** The `<source>` argument. */
  readonly source: string;
  readonly environment: string;
  /** The address it will listen on, which is an allowed Host. */
  readonly host: string;
  /** Further allowed values of Host, in lower case. */
  readonly allowedHosts?: readonly string[];
  /** The path that it is published under, such as `/mail`; empty for the root. */
  readonly basePath?: string;
  /** Reads originals; closed with the server. */
  readonly originals: OriginalThread;
  /** The notebook that is served, which the caller closes; null for none. */
  readonly notebook: StoredNotebook | null;
  /** Null if people and topics cannot be corrected. */
  readonly corrections?: ArchiveCorrections | null;
  /** True if the location of the served archive now contains another one. */
  isReplaced(): boolean;
  /** Watches the database of the archive; absent for a file. */
  readonly watch?: DatabaseWatch | null;
  /** Path of a new private directory for an export, which removes it. */
  newDirectory(): string;
}

const METRICS_PATH = "/metrics";

/** The page is served without the database, and reports that. */
const PAGE_PATHS = WEB_PATHS.map(routerPath);

/**
 * The server of `serve`: six routes, the query API under /api/query, the explore API under /api/explore, the Model
 * Context Protocol under /mcp, and a page for people. The caller listens and closes the archive.
 */
export async function createLocalServer(
  archive: Archive,
  start: LocalServerStart,
  logger: FastifyBaseLogger | null,
): Promise<FastifyInstance> {
  const { basePath = "" } = start;
  const startedAt = performance.now();
  const setting: LocalSetting = {
    source: start.source,
    environment: start.environment,
    uptimeMs: () => performance.now() - startedAt,
  };
  const app = await createHttpServer(logger, localError, basePath);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(SECURITY_HEADERS);
    if (start.isReplaced()) reply.header(REPLACED_HEADER, "replaced");
    checkHostHeader(request.headers.host, start.host, {
      localAddress: request.socket.localAddress,
      names: start.allowedHosts ?? [],
    });
    const { origin, host } = request.headers;
    if (origin !== undefined && !SAFE_METHODS.includes(request.method))
      requireSameOrigin(origin, host, "send the request from a page of this server or from a non-browser client");
    if (request.is404 && !/^\/api\/(?:query|explore)\//.test(pathOf(request))) throw noSuchRoute(request, isKnownPath);
  });
  refuseWithoutDatabase(app, start.watch ?? null, [...PAGE_PATHS, METRICS_PATH]);
  const metrics = new ServerMetrics(app);
  app.get(METRICS_PATH, (_, reply) => metrics.send(reply, processFigures(setting.uptimeMs(), start.watch ?? null)));
  app.setNotFoundHandler((request) => {
    throw noSuchRoute(request, isKnownPath);
  });
  for (const route of LOCAL_ROUTES) {
    app.get(route.path, async (request, reply) => {
      const body = await route.answer({ archive, setting, ...checkedRequest(route, request) });
      return reply.header("cache-control", "no-store").type(CONTENT_TYPES.json).send(answerJson(body));
    });
  }
  const lend: ArchiveLender = (_, use) => use(archive, setting);
  await app.register(async (scope) => addApiRoutes(scope, QUERY_API, lend), { prefix: "/api/query" });
  const explored: ExploreSetting = {
    name: basename(resolve(start.source)),
    hasNotebook: start.notebook !== null,
    originals: async () => start.originals,
  };
  const lendOriginals: OriginalLender = (_, use) => use({ archive, originals: start.originals });
  await app.register(
    async (scope) => {
      addApiRoutes<ExploreSetting>(scope, EXPLORE_API, (_, use) => use(archive, explored));
      addOriginalPages(scope, lendOriginals);
      addOriginalCheck(scope, lendOriginals);
      addWriting(scope, archive, start);
    },
    { prefix: "/api/explore" },
  );
  addOriginals(app, lendOriginals);
  addExport(app, `/api${EXPORT_PATH}`, { lend: lendOriginals, newDirectory: start.newDirectory });
  addMcp(app, { archive, originals: start.originals });
  app.addHook("onClose", () => start.originals.close());
  addGraph(app, archive);
  await mountPlain(app, plainArchives(archive, explored.name, basePath));
  // A page that showed the progress of the extraction may be reloaded.
  for (const path of ["/", addressOf("opening", {})])
    app.get(path, (_request, reply) => reply.redirect(basePath + addressOf("overview", { archive: LOCAL_ARCHIVE })));
  mountWeb(app, {
    server: "local",
    basePath,
    needsToken: async () => false,
    hasNotebook: explored.hasNotebook,
    firstAnswers: () => ["/api/explore/overview"],
    intake: null,
    archiveOf: async (id) => (id === LOCAL_ARCHIVE ? { id, name: explored.name } : null),
  });
  return app;
}

/** Routes that change the notebook and corrections. */
function addWriting(
  scope: FastifyInstance,
  archive: Archive,
  { notebook, corrections = null }: LocalServerStart,
): void {
  if (notebook === null) return;
  addNotebook(scope, (_, use) => use({ archive, notebook, author: systemUser() }));
  addCorrections(scope, (_, use) => use({ archive, corrections }));
}

function plainArchives(archive: Archive, name: string, basePath: string): PlainArchives {
  return {
    basePath,
    list: async () => [{ id: LOCAL_ARCHIVE, name }],
    async lend(id, request, use) {
      if (id !== LOCAL_ARCHIVE) throw noSuchRoute(request, () => false);
      return use(archive, name);
    },
    routesOf: () => ({ originals: "/api", explore: "/api/explore" }),
    signIn: null,
  };
}

/** Messages and files as stored in their sources. */
function addOriginals(app: FastifyInstance, lend: OriginalLender): void {
  for (const path of ORIGINAL_PATHS) {
    app.get(`/api${routerPath(path)}`, async (request, reply) =>
      lend(request, async (loan) =>
        sendOriginal(reply, await originalFile(loan, request.params as OriginalParameters)),
      ),
    );
  }
}

/** The contact graph as a separate page, made once, since an open archive never changes. */
function addGraph(app: FastifyInstance, archive: Archive): void {
  const graph = once(async () => {
    const content = await renderGraphPage(archive);
    // Compression sends the same page in another coding: the tag is compared weakly, and sent as a weak one.
    return { content, tag: `W/"${createHash("sha256").update(content).digest("base64url")}"` };
  });
  app.get("/graph.html", async (request, reply) => {
    const { content, tag } = await graph();
    reply.headers({ etag: tag, "cache-control": "private, no-cache", "content-security-policy": GRAPH_POLICY });
    if (matchesTag(tag, request.headers["if-none-match"])) return reply.code(304).send();
    return reply.type(CONTENT_TYPES.html).send(content);
  });
}

const KNOWN_PATHS: ReadonlySet<string> = new Set([
  ...LOCAL_ROUTES.map(({ path }) => path),
  "/graph.html",
  addressOf("opening", {}),
  METRICS_PATH,
  `/api${EXPORT_PATH}`,
  MCP_PATH,
]);

const PATTERNS = [...ORIGINAL_PATHS.map((path) => `/api${path}`), ...WEB_PATHS, ...PLAIN_PATHS].map(pathPattern);

function isKnownPath(path: string): boolean {
  return KNOWN_PATHS.has(path) || PATTERNS.some((pattern) => pattern.test(path));
}

/** The user who runs the server is the author of notebook entries. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id without a name.
    return String(process.getuid?.() ?? "unknown");
  }
}
