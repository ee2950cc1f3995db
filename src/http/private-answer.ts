import type { FastifyReply } from "fastify";
import { formatInstant } from "../mail/dates/instant.ts";

/** Sends data in the envelope of the query API, not stored by any cache. */
export function sendPrivate(reply: FastifyReply, data: object | null): FastifyReply {
  return reply
    .header("cache-control", "private, no-store")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ status: "ok", data, timestamp: formatInstant(Date.now()) }));
}
