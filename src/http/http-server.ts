import { STATUS_CODES } from "node:http";
import { createServer, type Socket } from "node:net";
import compress from "@fastify/compress";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { ArchiveError, systemErrorCode } from "../errors.ts";
import { QueryCaller } from "../search/indexing/search-turns.ts";
import { forCaller } from "../store/contract/caller-signal.ts";
import { type Refusal, refusalOf } from "./refusal.ts";

/** Milliseconds for the request line and headers: slower clients only hold sockets. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Milliseconds between checks for slow clients: with Node's 30 s they could stay three times as long. */
const SLOWNESS_CHECK_MS = 5000;
/** Milliseconds for a whole request; uploads have no limit. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** Milliseconds that a socket may be silent during a response: a client that stops reading is disconnected. */
export const SILENCE_TIMEOUT_MS = 60_000;
/**
 * Time in milliseconds to read pending data of a silent client before it is disconnected: a paused server (SIGSTOP, a
 * suspended machine) would otherwise count its own pause as silence.
 */
const LAST_LOOK_MS = 2000;
/** Time an idle connection stays open for the next request, in milliseconds. */
const KEEP_ALIVE_MS = 72_000;
/** Milliseconds for running requests when the server stops: service managers kill slower processes. */
const SHUTDOWN_GRACE_MS = 10_000;
/**
 * Maximum bytes of request line and headers: a query of 4,096 characters with nine bytes each (`%E9%83%B5`), and
 * Node's default for the rest.
 */
const MAX_HEADER_BYTES = 4096 * 9 + 16_384;
/** Maximum bytes of a body: the limit of POST /search. */
export const MAX_BODY_BYTES = 65_536;
/** Minimum bytes of a compressed response: smaller ones fit in one packet anyway. */
const COMPRESS_FROM_BYTES = 1400;
/** zlib level: on text, 3 takes half the time of the default 6 and saves 10 % less. */
const GZIP_LEVEL = 3;

/** Formats the error response of an API. */
export type RefusalBody = (refusal: Refusal) => object;

/**
 * A Fastify server with the limits that all APIs share. `logger` is null in tests.
 * @param basePath the path that it is published under, such as `/mail`; empty for the root
 * @param requestTimeoutMs time for a whole request with its body; 0 leaves the bodies to the surface.
 */
export async function createHttpServer(
  logger: FastifyBaseLogger | null,
  bodyOf: RefusalBody,
  basePath = "",
  requestTimeoutMs: number = REQUEST_TIMEOUT_MS,
): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    ...(logger === null ? {} : { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true }),
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: SLOWNESS_CHECK_MS,
    },
    requestTimeout: requestTimeoutMs,
    connectionTimeout: SILENCE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: "idle",
    // Any id that fits the request line is looked up, and then not found.
    rewriteUrl: ({ url = "/" }) => withoutBasePath(url, basePath),
    routerOptions: { maxParamLength: MAX_HEADER_BYTES, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => void sendRefusal(error, request, reply, bodyOf),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, bodyOf),
  });
  await app.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ["gzip", "deflate"],
    zlibOptions: { level: GZIP_LEVEL },
    globalDecompression: false,
  });
  // Routes parse their own bodies; other paths accept any type.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply, bodyOf));
  app.addHook("preValidation", (_request, reply, done) => forCaller(callerOf(reply), done));
  app.addHook("onResponse", async (request, reply) => logReply(request, reply));
  app.server.on("timeout", cutIfSilent);
  return app;
}

/** The address of a request below the base path. A proxy may have removed the base path already. */
export function withoutBasePath(url: string, basePath: string): string {
  const rest = url.slice(basePath.length);
  if (!url.startsWith(basePath) || !/^(?:[/?]|$)/.test(rest)) return url;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Destroys a socket after a period without traffic in either direction. */
export function cutIfSilent(socket: Pick<Socket, "bytesRead" | "bytesWritten" | "destroy">): void {
  const { bytesRead, bytesWritten } = socket;
  setTimeout(() => {
    if (socket.bytesRead === bytesRead && socket.bytesWritten === bytesWritten) socket.destroy();
  }, LAST_LOOK_MS).unref();
}

/** The caller of a request, who aborts by disconnecting before the response ends. */
function callerOf({ raw }: FastifyReply): QueryCaller {
  const caller = new QueryCaller();
  // The client may have disconnected before the body arrived.
  if (raw.destroyed) caller.abort();
  raw.once("close", () => {
    if (!raw.writableFinished) caller.abort();
  });
  return caller;
}

/** Path without the query string, which may contain search words. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "";
}

/** Sends the error as a response. */
export function sendRefusal(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  bodyOf: RefusalBody,
): FastifyReply {
  const refusal = startRefusal(error, request, reply);
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(bodyOf(refusal)));
}

/** Sets the status and headers of an error response; logs internal faults with their cause. */
export function startRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): Refusal {
  const refusal = refusalOf(error);
  const isGone = reply.raw.destroyed && error instanceof Error && error.name === "AbortError";
  if (isGone) request.log.debug({ path: pathOf(request) }, "the client disconnected");
  else if (error instanceof ArchiveError && error.code === "STORE_UNREACHABLE")
    // All requests fail this way until the database is back: a stack for each would fill the log.
    request.log.error({ reason: error.message, path: pathOf(request) }, "database unreachable");
  else if (refusal.code === "INTERNAL_ERROR" || refusal.code === "ARCHIVE_DAMAGED")
    request.log.error({ err: error, method: request.method, path: pathOf(request) }, "fault");
  if (error instanceof ArchiveError && error.retryAfterSeconds !== null)
    reply.header("retry-after", String(error.retryAfterSeconds));
  reply.code(refusal.status).header("cache-control", "no-store");
  return refusal;
}

function logReply(request: FastifyRequest, reply: FastifyReply): void {
  // Logged for each request with --verbose.
  request.log.debug(
    {
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
    },
    "request",
  );
}

/** Invalid, oversized or slow requests, by error code of Node's parser. */
const CONNECTION_MESSAGES: ReadonlyMap<string, string> = new Map([
  ["HPE_HEADER_OVERFLOW", `request line and headers must not be longer than ${MAX_HEADER_BYTES} bytes`],
  ["ERR_HTTP_REQUEST_TIMEOUT", "request timeout"],
]);

/** Responds to an invalid request and closes the connection. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket, bodyOf: RefusalBody): void {
  // If the client has disconnected or a response has started, nothing more can be sent.
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const message = CONNECTION_MESSAGES.get(error.code ?? "") ?? "the request is not valid HTTP/1.1";
  const status = 400;
  const body = JSON.stringify(bodyOf({ status, code: "INVALID_QUERY", message }));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Address to listen on. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Listens until the signal aborts, then finishes running requests for a few seconds and closes. Calls `onReady` with
 * the address. Throws PORT_IN_USE, NETWORK_DENIED, or INVALID_ARGUMENT for an invalid host or port.
 */
export async function serveUntil(
  app: FastifyInstance,
  address: ListenAddress,
  until: { readonly signal: AbortSignal; onReady(url: string): void },
): Promise<void> {
  try {
    until.onReady(await listen(app, address));
    await aborted(until.signal);
  } finally {
    const cut = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_GRACE_MS);
    await app.close().finally(() => clearTimeout(cut));
  }
}

/** Returns the port if it is free, else 0, which lets the system choose. */
export function usualOrFreePort(host: string, port: number): Promise<number> {
  const probe = createServer();
  return new Promise((settle) => {
    probe.once("error", () => settle(0));
    probe.listen({ host, port }, () => probe.close(() => settle(port)));
  });
}

async function listen(app: FastifyInstance, { host, port }: ListenAddress): Promise<string> {
  // Checked first, since Node's own error cannot be caught.
  if (isNetworkDenied())
    throw new ArchiveError(
      "NETWORK_DENIED",
      `cannot listen on port ${port} of ${host}: Node.js was started without --allow-net`,
    );
  // Fastify would also log the address, which the code that started the server reports.
  const { level } = app.log;
  app.log.level = "warn";
  try {
    await app.listen({ host, port });
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === "EADDRINUSE") throw new ArchiveError("PORT_IN_USE", `port ${port} of ${host} is in use`, { cause });
    if (code === "EACCES")
      throw new ArchiveError("INVALID_ARGUMENT", `port ${port} requires permissions that this user does not have`, {
        cause,
      });
    throw new ArchiveError("INVALID_ARGUMENT", `cannot listen on ${host}`, {
      cause,
      hint: "select another address with --host",
    });
  } finally {
    app.log.level = level;
  }
  const bound = app.server.address();
  const boundPort = typeof bound === "object" && bound !== null ? bound.port : port;
  return `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`;
}

/**
 * True under the permission model of Node 25 and newer without network permission; older versions have no such
 * permission, and allow the network.
 */
function isNetworkDenied(): boolean {
  return process.permission?.has("net") === false && process.allowedNodeEnvironmentFlags.has("--allow-net");
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
