import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { ArchiveError } from "../errors.ts";
import type { CancelSignal } from "../search/indexing/search-turns.ts";
import { callerSignal } from "../store/contract/caller-signal.ts";
import { createHttpServer } from "./http-server.ts";
import { refusalOf } from "./refusal.ts";

const app = await createHttpServer(null, (error) => ({ error }));
afterEach(() => app.close());

it("ends the searches of a client that disconnects, after a body too", async () => {
  let begin = (_signal: CancelSignal): void => undefined;
  const started = new Promise<CancelSignal>((resolve) => {
    begin = resolve;
  });
  app.post("/search", async () => {
    const signal = callerSignal()!;
    begin(signal);
    await new Promise<void>((resolve) => signal.addEventListener("abort", resolve));
    signal.throwIfAborted();
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const client = request({ host: "127.0.0.1", port, path: "/search", method: "POST" });
  client.on("error", () => undefined);
  client.end('{"query":"long"}');
  const signal = await started;
  expect(signal.aborted).toBe(false);
  const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", resolve));
  client.destroy();
  await aborted;
  expect(signal.aborted).toBe(true);
});

it("answers a query that is too expensive with 422 and advice", () => {
  const refusal = refusalOf(new ArchiveError("QUERY_TOO_EXPENSIVE", "the query used too much time"));
  expect(refusal).toMatchObject({ status: 422, code: "QUERY_TOO_EXPENSIVE" });
  expect(refusal.message).toContain("use fewer phrases");
});
