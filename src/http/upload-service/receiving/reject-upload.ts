import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Bytes of a rejected body that are read and discarded: the amount a client sends on a fast line before it can read the
 * response.
 */
const DRAINED_BYTES = 64 * 2 ** 20;
/** Milliseconds for a rejected client to notice. */
const DRAINING_MS = 5000;

/**
 * Sends an error that may come while the client still sends. The response is sent completely; then further input is
 * discarded for a while, and the connection closed. Closing it at once would reset it, and the client would lose the
 * response (RFC 9112 section 9.6).
 */
export function sendEarly(request: FastifyRequest, reply: FastifyReply, body: object): FastifyReply {
  const bytes = Buffer.from(JSON.stringify(body));
  void reply.header("cache-control", "no-store").type("application/json; charset=utf-8");
  if (request.raw.complete) return reply.send(bytes);
  return reply
    .header("connection", "close")
    .header("content-length", bytes.length)
    .send(Readable.from(answerAndDrain(bytes, request.raw)));
}

async function* answerAndDrain(answer: Buffer, raw: IncomingMessage): AsyncGenerator<Buffer> {
  yield answer;
  await drain(raw);
}

/** Ends when the body has ended, the client has disconnected, or the time is up. */
async function drain(raw: IncomingMessage): Promise<void> {
  let left = DRAINED_BYTES;
  const late = new AbortController();
  const read = new Promise<void>((resolve) => {
    const take = (): void => {
      for (let chunk: Buffer | null = raw.read(); chunk !== null; chunk = raw.read()) left -= chunk.length;
      if (left <= 0) resolve();
    };
    raw.unpipe();
    raw.on("readable", take);
    for (const event of ["end", "close", "error"]) raw.once(event, () => resolve());
    late.signal.addEventListener("abort", () => resolve());
    take();
  });
  const waiting = pause(DRAINING_MS, undefined, { signal: late.signal, ref: false }).catch(() => undefined);
  await Promise.race([read, waiting]);
  late.abort();
}
