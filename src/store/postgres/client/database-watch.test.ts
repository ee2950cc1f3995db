import { once } from "node:events";
import { connect as connectSocket, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_POSTGRES, testServer } from "../../../../test/stores.ts";
import { PROBE_EVERY_MS, PROBE_LIMIT_MS, watchDatabase } from "./database-watch.ts";

/** Milliseconds within which a recovered database must be used again. */
const RECOVERY_MS = 2000;

it("probes often enough to find a database that is back within two seconds", () => {
  // It may recover while a probe waits; that probe fails, and then the next one is due.
  expect(PROBE_LIMIT_MS + PROBE_EVERY_MS).toBeLessThan(RECOVERY_MS);
});

describe.skipIf(!HAS_POSTGRES)("a watched database (PostgreSQL must be installed)", () => {
  let gate: Server;
  let isOpen = true;
  let connections = 0;
  let probes = 0;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    const directory = new URL(testServer().url).searchParams.get("host")!;
    gate = createServer((client) => {
      connections++;
      sockets.add(client);
      client.on("error", () => undefined);
      if (!isOpen) {
        client.destroy();
        return;
      }
      const server = connectSocket(`${directory}/.s.PGSQL.5432`);
      server.on("error", () => undefined);
      // The command tag of a probe.
      server.on("data", (bytes) => (probes += bytes.includes("SELECT 1\0") ? 1 : 0));
      client.pipe(server).pipe(client);
      client.once("close", () => server.destroy());
    });
    gate.listen(0, "127.0.0.1");
    await once(gate, "listening");
  });
  afterAll(() => new Promise<void>((settle) => gate.close(() => settle())));

  it("stays in use when it is back before the next probe", async () => {
    const { port } = gate.address() as { readonly port: number };
    const watch = watchDatabase(`postgres://tester@127.0.0.1:${port}/postgres`);
    let losses = 0;
    watch.onLoss(() => losses++);
    await expect.poll(() => probes).toBe(1);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => probes).toBe(2);
    await watch.close();
    expect(losses).toBe(0);
  });

  it("is in use after the first probe that reaches it again", async () => {
    const { port } = gate.address() as { readonly port: number };
    const watch = watchDatabase(`postgres://tester@127.0.0.1:${port}/postgres`);
    let losses = 0;
    watch.onLoss(() => losses++);
    const before = connections;
    await expect.poll(() => connections).toBe(before + 1);
    isOpen = false;
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => watch.isReachable).toBe(false);
    await expect(watch.whileReachable(Promise.resolve())).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
    expect(losses).toBe(1);
    const failed = connections;
    isOpen = true;
    await expect.poll(() => watch.isReachable).toBe(true);
    expect(connections).toBe(failed + 1);
    expect(await watch.whileReachable(Promise.resolve("an answer"))).toBe("an answer");
    await watch.close();
  });
});
