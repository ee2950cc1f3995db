import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from "fastify";
import { ArchiveError } from "../../errors.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { isReadable } from "../../mail/uploads.ts";
import type { DatabaseWatch } from "../../store/contract/database-watch.ts";
import { EXPLORE_API } from "../explore-api/explore-routes.ts";
import { addCorrections } from "../explore-api/routes/correction-routes.ts";
import { addNotebook } from "../explore-api/routes/notebook-routes.ts";
import { addOriginalCheck } from "../explore-api/routes/original-check.ts";
import { addOriginalPages } from "../explore-api/routes/original-pages.ts";
import type { ExploreSetting } from "../explore-api/setting/explore-setting.ts";
import { addExport, EXPORT_PATH } from "../export-files.ts";
import { createHttpServer, REQUEST_TIMEOUT_MS } from "../http-server.ts";
import {
  ORIGINAL_PATHS,
  type OriginalLender,
  type OriginalParameters,
  originalFile,
  sendOriginal,
} from "../original-files.ts";
import { mountPlain, type PlainArchives } from "../plain-pages/mount-plain.ts";
import { type ArchiveLender, addApiRoutes, apiSetting, errorEnvelope } from "../query-api/query-api.ts";
import type { ApiSetting } from "../query-api/query-route.ts";
import { QUERY_API } from "../query-api/routes.ts";
import { routerPath } from "../route-row.ts";
import { SECURITY_HEADERS } from "../security-headers.ts";
import { noSuchRoute, pathPattern } from "../unknown-route.ts";
import { mountWeb } from "../web/mount-web.ts";
import { TokenAttempts } from "./base/token-attempts.ts";
import { UPLOAD_ENDINGS } from "./base/upload-kind.ts";
import { intakeOf } from "./receiving/intake.ts";
import { addAgentStream } from "./routes/agent-stream.ts";
import { addArtifacts } from "./routes/artifacts.ts";
import { addExploreRoutes } from "./routes/explore-routes.ts";
import { addPasswords } from "./routes/extract-again.ts";
import { addOperations } from "./routes/operations.ts";
import { addSearchAll } from "./routes/search-all.ts";
import { SERVICE_ROUTES } from "./routes/service-routes.ts";
import { addUploadRecords } from "./routes/upload-records.ts";
import { addUploadIntake } from "./routes/upload-routes.ts";
import { type AccessSetting, passAccess } from "./service/access.ts";
import { type Caller, Callers, NOBODY } from "./service/caller.ts";
import { CompletedArchives, type FollowCorrections } from "./service/completed-archives.ts";
import { catalogUnreachable, soon } from "./service/database-loss.ts";
import type { Service } from "./service/service.ts";
import { ServiceViews } from "./service/service-view.ts";
import { addSession, cookieName, requiresToken, signInCookie, type TokenSetting } from "./service/session.ts";
import { UploadOriginals } from "./service/upload-originals.ts";

/** The window of the rate limit, in milliseconds. */
const RATE_WINDOW_MS = 60_000;
/** Maximum clients with a rate limit; the least recent ones are dropped. */
const RATED_CLIENTS = 10_000;

/** How a service is published. */
export interface UploadServiceSetting extends AccessSetting {
  /** `environment` of the query API's /health. */
  readonly environment: string;
  /** The path that it is published under, such as `/mail`; empty for the root. */
  readonly basePath?: string;
  /** Absent if archives cannot be corrected. */
  readonly follow?: FollowCorrections;
  /** Maximum requests of a client in 60,000 ms; null for no limit. */
  readonly rateLimit: number | null;
}

/**
 * The upload/explore surface over a running service. The caller listens, and closes the service when the server is
 * closed.
 */
export async function createUploadService(
  service: Service,
  setting: UploadServiceSetting,
  logger: FastifyBaseLogger | null,
  now: () => Instant = Date.now,
): Promise<FastifyInstance> {
  const { basePath = "" } = setting;
  const app = await createHttpServer(logger, errorEnvelope, basePath, 0);
  const archives = new CompletedArchives(service, setting.follow);
  const api = apiSetting(setting.environment);
  const originals = new UploadOriginals(service.directory, service.storage);
  const callers = new Callers();
  const views = new ServiceViews({ service, archives, originals, now }, callers);
  const { access: register } = service.catalog;
  const tokens: TokenSetting = {
    ...{ token: setting.token, register, now },
    ...{ cookieName: cookieName(service.eventKey), basePath },
    attempts: new TokenAttempts(now),
  };
  app.addHook("onClose", () => archives.close());
  app.addHook("onClose", () => originals.close());
  const unsubscribe = forgetDeleted(service, archives, originals);
  app.addHook("onClose", async () => unsubscribe());
  await addChecks(app, { ...setting, ...tokens }, { callers, watch: service.watch });
  const intake = intakeOf(service, basePath);
  await app.register(async (scope) => addUploadIntake(scope, intake, views));
  addPasswords(app, intake, views);
  addSession(app, tokens, views);
  mountWeb(app, {
    server: "service",
    basePath,
    needsToken: () => requiresToken(tokens),
    hasNotebook: true,
    firstAnswers: (id) => [`/uploads/${id}/explore/overview`],
    intake: { endings: UPLOAD_ENDINGS.split(" "), maxBytes: service.limits.maxUploadBytes },
    // Returned to users who may see it, by their browser session.
    async archiveOf(id, request) {
      const upload = (await views.of(request).sees(id)) ? await service.catalog.get(id) : null;
      return upload !== null && isReadable(upload) ? { id, name: upload.filename } : null;
    },
  });
  await mountPlain(app, plainArchives(views, tokens));
  addUploadRecords(app, views);
  addSearchAll(app, views);
  addExploreRoutes(app, views);
  const lendOriginals: OriginalLender = (request, use) => views.of(request).lendOriginals(uploadOf(request), use);
  for (const path of ORIGINAL_PATHS) {
    app.get(routerPath(`/uploads/{upload_id}${path}`), (request, reply) =>
      lendOriginals(request, async (loan) =>
        sendOriginal(reply, await originalFile(loan, request.params as OriginalParameters)),
      ),
    );
  }
  addExport(app, `/uploads/:upload_id${EXPORT_PATH}`, {
    lend: lendOriginals,
    // Leftovers of a killed service are removed by the next one.
    newDirectory: () => join(service.directory.incoming, `export-${randomBytes(9).toString("hex")}`),
  });
  await addArtifacts(app, views, errorEnvelope);
  const readers = addAgentStream(app, service, views);
  addOperations(
    app,
    { service, views },
    { now, uptimeMs: api.uptimeMs, streamCount: () => readers.size, openArchiveCount: () => archives.openCount },
  );
  await addUploadApis(app, { views, api, lendOriginals });
  return app;
}

/** The completed uploads that the sender of a request may read. */
function plainArchives(views: ServiceViews, tokens: TokenSetting): PlainArchives {
  return {
    basePath: tokens.basePath,
    async list(request) {
      const uploads = await views.of(request).uploads();
      return uploads.filter(isReadable).map(({ uploadId, filename }) => ({ id: uploadId, name: filename }));
    },
    lend: (id, request, use) => views.of(request).explore(id, (archive, { name }) => use(archive, name)),
    routesOf: (id) => ({ originals: `/uploads/${id}`, explore: `/uploads/${id}/explore` }),
    signIn: (token, request) => signInCookie(token, request, tokens),
  };
}

/** Dependencies of an upload's APIs. */
interface UploadApis {
  readonly views: ServiceViews;
  readonly api: ApiSetting;
  readonly lendOriginals: OriginalLender;
}

/** The APIs over the archive of each upload. */
async function addUploadApis(app: FastifyInstance, { views, api, lendOriginals }: UploadApis): Promise<void> {
  const lend: ArchiveLender = (request, use) =>
    views.of(request).lend(uploadOf(request), (archive) => use(archive, api));
  await app.register(async (scope) => addApiRoutes(scope, QUERY_API, lend), {
    prefix: "/uploads/:upload_id/query",
  });
  await app.register(
    async (scope) => {
      addApiRoutes<ExploreSetting>(scope, EXPLORE_API, (request, use) =>
        views.of(request).explore(uploadOf(request), use),
      );
      addOriginalPages(scope, lendOriginals);
      addOriginalCheck(scope, lendOriginals);
      addNotebook(scope, (request, use) => views.of(request).lendNotebook(uploadOf(request), use));
      addCorrections(scope, (request, use) => views.of(request).lendCorrections(uploadOf(request), use));
    },
    { prefix: "/uploads/:upload_id/explore" },
  );
}

/** The upload that a path names. */
function uploadOf({ params }: FastifyRequest): string {
  return (params as { readonly upload_id: string }).upload_id;
}

/** Also closes uploads deleted by other services and removes their copies. Returns a function that stops this. */
function forgetDeleted(service: Service, archives: CompletedArchives, originals: UploadOriginals): () => void {
  const { catalog, storage } = service;
  const forget = async (uploadId: string): Promise<void> => {
    const upload = await catalog.get(uploadId);
    if ((upload?.status ?? "cancelled") !== "cancelled") return;
    archives.forget(uploadId);
    await originals.forget(uploadId);
    await storage?.forget(uploadId);
  };
  return service.events.subscribe(({ event, uploadId }) => {
    // If removing fails, the next start tries again.
    if (event === "upload" && catalog.isShared) void forget(uploadId).catch(() => undefined);
  });
}

/** Checks of every request before its body is read. */
async function addChecks(
  app: FastifyInstance,
  setting: UploadServiceSetting & TokenSetting,
  { callers, watch }: { readonly callers: Callers; readonly watch: DatabaseWatch | null },
): Promise<void> {
  app.addHook("onRequest", async (_request, reply) => void reply.headers(SECURITY_HEADERS));
  if (setting.rateLimit !== null) await addRateLimit(app, setting.rateLimit);
  app.addHook("onRequest", async (request, reply) => {
    const { url } = request.routeOptions;
    const isAway = watch?.isReachable === false;
    // The token of the service is known without the database, so that monitoring gets the remaining metrics.
    const isWatched = url === "/health" || (url === "/metrics" && isAway);
    if (!isWatched && isAway) throw catalogUnreachable();
    const access = passAccess(request, reply, setting);
    const caller = isWatched ? await soon<Caller | null>(access, NOBODY) : await access;
    if (caller === null) return reply;
    callers.set(request, caller);
    if (request.is404 && !isQueryPath(request.url)) throw noSuchRoute(request, isKnownPath);
    if (!isUploadRoute(request)) limitBodyTime(request);
    return undefined;
  });
  app.setNotFoundHandler((request) => {
    throw noSuchRoute(request, isKnownPath);
  });
}

async function addRateLimit(app: FastifyInstance, requests: number): Promise<void> {
  // Loaded here, since limits are off by default.
  const { default: rateLimit } = await import("@fastify/rate-limit");
  await app.register(rateLimit, {
    global: false,
    max: requests,
    timeWindow: RATE_WINDOW_MS,
    cache: RATED_CLIENTS,
    errorResponseBuilder: (_request, { max, after }) =>
      new ArchiveError("RATE_LIMITED", `more than ${max} requests in ${RATE_WINDOW_MS} ms; retry in ${after}`),
  });
  // Unknown paths and wrong tokens count too; health checks do not.
  const limit = app.rateLimit();
  app.addHook("onRequest", async function limitRate(request, reply) {
    if (request.routeOptions.url !== "/health") await limit.call(app, request, reply);
  });
}

/** Uploads have no time limit; other bodies are small and must not hold their socket by arriving slowly. */
function limitBodyTime({ raw }: FastifyRequest): void {
  if (raw.headers["transfer-encoding"] === undefined && (raw.headers["content-length"] ?? "0") === "0") return;
  const cut = setTimeout(() => raw.destroy(), REQUEST_TIMEOUT_MS);
  raw.once("end", () => clearTimeout(cut));
  raw.once("close", () => clearTimeout(cut));
}

function isUploadRoute({ routeOptions }: FastifyRequest): boolean {
  return /^\/upload(?:\/|$)|\/sources$/.test(routeOptions.url ?? "");
}

const KNOWN_PATTERNS = SERVICE_ROUTES.map(({ path }) => pathPattern(path));

function isKnownPath(path: string): boolean {
  return KNOWN_PATTERNS.some((pattern) => pattern.test(path));
}

/** The query API and the explore API respond to unknown paths themselves. */
function isQueryPath(url: string): boolean {
  return /^\/uploads\/[^/?]+\/(?:query|explore)(?:[/?]|$)/.test(url);
}
