import type { FastifyInstance } from "fastify";
import type { DatabaseWatch } from "../store/contract/database-watch.ts";

/**
 * Rejects requests with STORE_UNREACHABLE while the database of the archive is unreachable.
 * @param openPaths routes that still respond
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
