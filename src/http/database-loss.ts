import type { FastifyInstance } from "fastify";
import type { DatabaseWatch } from "../store/contract/database-watch.ts";

/**
 * Has a server refuse requests with STORE_UNREACHABLE while the database of its archive cannot be reached.
 * @param openPaths routes that are answered all the same
 */
export function refuseWithoutDatabase(
  app: FastifyInstance,
  watch: DatabaseWatch | null,
  openPaths: readonly string[] = [],
): void {
  if (watch === null) return;
  app.addHook("onRequest", async ({ routeOptions }) => {
    if (watch.isReachable || openPaths.includes(routeOptions.url ?? "")) return;
    // Rejects with the cause, for the log.
    await watch.whileReachable(Promise.resolve());
  });
}
