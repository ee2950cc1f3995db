import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { createHttpServer } from "../http-server.ts";
import { localError } from "./local-server.ts";

/** A server that passes every request to another one, which can be replaced while it listens. */
interface ReplaceableServer {
  /** The HTTP server. Closing it also closes the current inner server. */
  readonly app: FastifyInstance;
  /**
   * Passes later requests to another server; resolves when the previous one has sent its last response and is closed.
   */
  replace(next: FastifyInstance): Promise<void>;
}

/** A server and its unanswered requests. */
interface Inner {
  readonly app: FastifyInstance;
  readonly open: Set<Promise<void>>;
}

export async function createReplaceableServer(
  first: FastifyInstance,
  logger: FastifyBaseLogger | null,
): Promise<ReplaceableServer> {
  const app = await createHttpServer(logger, localError);
  await first.ready();
  let inner: Inner = { app: first, open: new Set() };
  app.addHook("onRequest", async (request, reply) => {
    const { open, app: current } = inner;
    const ended = new Promise<void>((settle) => reply.raw.once("close", settle)).finally(() => open.delete(ended));
    open.add(ended);
    reply.hijack();
    current.routing(request.raw, reply.raw);
    return reply;
  });
  app.addHook("onClose", () => inner.app.close());
  return {
    app,
    async replace(next) {
      await next.ready();
      const before = inner;
      inner = { app: next, open: new Set() };
      await Promise.all(before.open);
      await before.app.close();
    },
  };
}
