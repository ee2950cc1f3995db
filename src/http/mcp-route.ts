import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { MailHandler } from "../mcp/http-handler.ts";
import { mailSource, type OriginalLoan } from "./original-files.ts";

/** Path of the MCP endpoint. */
export const MCP_PATH = "/mcp";

/** Adds the Model Context Protocol over one archive, without state between requests. */
export function addMcp(app: FastifyInstance, loan: OriginalLoan): void {
  let handler: MailHandler | null = null;
  app.route({
    method: ["GET", "POST", "DELETE"],
    url: MCP_PATH,
    handler: async (request, reply) => {
      // Loaded with the first request: most servers never receive one.
      const { createMailHandler } = await import("../mcp/http-handler.ts");
      handler ??= createMailHandler(mailSource(loan), {
        newFence: () => randomBytes(8).toString("hex"),
        onFault: (error) => app.log.error({ err: error }, "fault"),
      });
      return sendAnswer(reply, await handler.fetch(webRequest(request)));
    },
  });
  app.addHook("onClose", async () => handler?.close());
}

/** Converts the request for the protocol library; a disconnect aborts it. */
function webRequest({ method, raw, headers, body }: FastifyRequest): Request {
  const gone = new AbortController();
  raw.socket.once("close", () => gone.abort());
  const given = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as [string, string]] : [],
  );
  return new Request(new URL(MCP_PATH, "http://localhost"), {
    method,
    headers: given,
    signal: gone.signal,
    ...(body instanceof Uint8Array ? { body: Uint8Array.from(body) } : {}),
  });
}

function sendAnswer(reply: FastifyReply, answer: Response): FastifyReply {
  reply.code(answer.status).header("cache-control", "no-store");
  for (const [name, value] of answer.headers) reply.header(name, value);
  return reply.send(answer.body === null ? "" : Readable.fromWeb(answer.body as ReadableStream));
}
