import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createQueryApi } from "../../src/http/query-api/query-api.ts";
import { openService, type Service } from "../../src/http/upload-service/service/service.ts";
import { createUploadService } from "../../src/http/upload-service/upload-service.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { copyArchive } from "../../src/store/archive/copy-archive.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { watchArchive } from "../../src/store/archive/watch-archive.ts";
import { archiveAt, archiveAtUrl } from "../../src/store/contract/archive-location.ts";
import type { DatabaseWatch } from "../../src/store/contract/database-watch.ts";
import { postgresPrograms, startPostgres } from "../postgres-cluster.ts";
import { writeContractArchive } from "./contract-archive.ts";

const programs = postgresPrograms();

const TOKEN = "the-token-of-the-service";

/** Ways in which a database fails and recovers. */
const LOSSES = [
  ["is shut down", "crash", "start"],
  ["is suspended", "suspend", "resume"],
] as const;

describe.skipIf(programs === null || process.platform !== "linux")("a server that lost its database", () => {
  const root = mkdtempSync(join(tmpdir(), "archivetool-loss-"));
  let cluster: ReturnType<typeof startPostgres>;
  let service: Service;
  let archive: Archive;
  let watch: DatabaseWatch | null;
  let uploads: FastifyInstance;
  let monitored: FastifyInstance;
  let api: FastifyInstance;
  const logged: string[] = [];

  beforeAll(async () => {
    cluster = startPostgres(programs!);
    service = await openService({
      dataDirectory: join(root, "data"),
      store: { server: cluster.url, leaseSeconds: 60, blobs: null },
      limits: { maxUploadBytes: 1 << 20, diskMarginBytes: 0, discardsOriginals: false },
      jobs: 1,
      threads: 1,
      startJob: () => {
        throw new Error("no job is started here");
      },
      log: { info: () => undefined, error: (fields, message) => void logged.push(JSON.stringify([fields, message])) },
      now: Date.now,
    });
    const setting = { host: "127.0.0.1", token: null, allowedHosts: [], allowedOrigins: [] };
    uploads = await createUploadService(service, { ...setting, environment: "test", rateLimit: null }, null);
    monitored = await createUploadService(
      service,
      { ...setting, token: TOKEN, environment: "test", rateLimit: null },
      null,
    );
    const file = await writeContractArchive();
    const location = archiveAtUrl(`${cluster.url}#mail`);
    await copyArchive(archiveAt(file.path), location);
    file.remove();
    archive = await openArchive(location);
    watch = await watchArchive(location);
    api = await createQueryApi(
      archive,
      "test",
      pino({ level: "error" }, { write: (line) => void logged.push(line) }),
      watch,
    );
  });

  afterAll(async () => {
    await Promise.all([uploads?.close(), monitored?.close(), api?.close()]);
    await Promise.all([service?.close(), watch?.close(), archive?.close()]);
    rmSync(root, { recursive: true, force: true });
  });

  const answerOf = async (app: FastifyInstance, url: string) => {
    const { statusCode, body } = await app.inject({ url, headers: { host: "localhost" } });
    const { error } = JSON.parse(body) as { readonly error?: { readonly code: string } };
    return [statusCode, error?.code ?? null];
  };

  const metricsOf = async (app: FastifyInstance, authorization: string) => {
    const headers = { host: "localhost", authorization };
    const { statusCode, body } = await app.inject({ url: "/metrics", headers });
    return [statusCode, /^archivetool_database_up (\d)$/m.exec(body)?.[1], body.includes("archivetool_uploads")];
  };

  const reachable = () => [service.watch!.isReachable, watch!.isReachable];

  it.each(LOSSES)("%s returns 503 until it is back, and /health at once", async (_, lose, recover) => {
    expect([await answerOf(uploads, "/uploads"), await answerOf(api, "/stats")]).toEqual([
      [200, null],
      [200, null],
    ]);
    cluster[lose]();
    try {
      // Before the loss is noticed, /health also answers, without waiting.
      expect([200, 503]).toContain((await answerOf(uploads, "/health"))[0]);
      const inFlight = answerOf(uploads, "/uploads");
      await expect.poll(reachable).toEqual([false, false]);
      expect(await inFlight).toEqual([503, "CATALOGUE_UNREACHABLE"]);
      for (const url of ["/health", "/uploads"])
        expect(await answerOf(uploads, url), url).toEqual([503, "CATALOGUE_UNREACHABLE"]);
      for (const url of ["/health", "/stats", "/messages"])
        expect(await answerOf(api, url), url).toEqual([503, "STORE_UNREACHABLE"]);
      expect(await metricsOf(monitored, `Bearer ${TOKEN}`)).toEqual([200, "0", false]);
      expect((await metricsOf(monitored, "Bearer another"))[0]).toBe(503);
      expect((await metricsOf(uploads, ""))[0]).toBe(503);
      // Each line contains the server and the cause, without a stack.
      const lines = logged.splice(0);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines)
        expect(line).toMatch(/^(?!.*\.ts:\d).*postgres:\/\/tester@localhost\/postgres\S* (?:\(.+\)|does not respond)/);
    } finally {
      cluster[recover]();
    }
    await expect.poll(reachable).toEqual([true, true]);
    expect([await answerOf(uploads, "/uploads"), await answerOf(uploads, "/health")]).toEqual([
      [200, null],
      [200, null],
    ]);
    expect(await metricsOf(monitored, `Bearer ${TOKEN}`)).toEqual([200, "1", true]);
    expect([await answerOf(api, "/health"), await answerOf(api, "/messages")]).toEqual([
      [200, null],
      [200, null],
    ]);
  });
});
