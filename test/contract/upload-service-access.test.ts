import { readdirSync } from "node:fs";
import { Writable } from "node:stream";
import type { FastifyInstance, InjectOptions } from "fastify";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { serviceErrorSchema } from "../../src/http/upload-service/base/wire.ts";
import { createUploadService, type UploadServiceSetting } from "../../src/http/upload-service/upload-service.ts";
import { connectTo } from "./raw-http.ts";
import { createServiceFixture, type ServiceFixture } from "./service-fixture.ts";

/** Access to the upload service, and the content of its log. */

const TOKEN = "correct-horse-battery-staple";
const LOCAL: UploadServiceSetting = {
  host: "127.0.0.1",
  token: null,
  allowedHosts: [],
  allowedOrigins: [],
  environment: "contract",
  rateLimit: null,
};

let fixture: ServiceFixture;
let uploadId: string;
beforeAll(async () => {
  fixture = await createServiceFixture();
  uploadId = await fixture.addCompleted("harbour.mbox");
});
afterAll(() => fixture.remove());

async function withServer<T>(
  setting: Partial<UploadServiceSetting>,
  use: (app: FastifyInstance) => Promise<T>,
): Promise<T> {
  const app = await createUploadService(fixture.service, { ...LOCAL, ...setting }, null);
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}

/** Status and code; every error response has the envelope. */
async function ask(
  app: FastifyInstance,
  request: InjectOptions,
): Promise<{ readonly status: number; readonly code: string | null; readonly headers: Record<string, unknown> }> {
  const { statusCode, headers, body } = await app.inject(request);
  const code = statusCode < 400 ? null : serviceErrorSchema.parse(JSON.parse(body)).error.code;
  return { status: statusCode, code, headers };
}

const ROUTES = [
  "/uploads",
  "/contacts",
  "/search?q=x",
  "/metrics",
  "/agent-stream?upload_id=upload-aaaaaaaaaaaa",
  "/nothing",
];

describe("a token", () => {
  it("is required on every route except /health", async () => {
    await withServer({ token: TOKEN, host: "0.0.0.0" }, async (app) => {
      const own = [
        `/uploads/${uploadId}`,
        `/uploads/${uploadId}/emails.csv`,
        `/uploads/${uploadId}/wiki/index.md`,
        `/uploads/${uploadId}/query/stats`,
      ];
      for (const url of [...ROUTES, ...own, `/uploads/${uploadId}/query/nothing`]) {
        const missing = await ask(app, { url });
        expect(missing, url).toMatchObject({
          status: 401,
          code: "UNAUTHORIZED",
          headers: { "www-authenticate": "Bearer" },
        });
      }
      expect((await ask(app, { method: "DELETE", url: `/uploads/${uploadId}` })).status).toBe(401);
      for (const url of ["/upload?filename=a.mbox", "/upload/resumable"]) {
        expect((await ask(app, { method: "POST", url, payload: "From a@b.example\n" })).status, url).toBe(401);
      }
      for (const method of ["HEAD", "PATCH", "DELETE"] as const) {
        expect((await app.inject({ method, url: "/upload/resumable/upload-aaaaaaaaaaaa" })).statusCode, method).toBe(
          401,
        );
      }
      expect(readdirSync(fixture.directory.incoming)).toEqual([]);
      expect((await ask(app, { url: "/health" })).status).toBe(200);
      expect((await ask(app, { url: "/health/" })).status).toBe(200);
      expect((await ask(app, { method: "OPTIONS", url: "/uploads" })).status).toBe(401);
      for (const url of ["/uploads", "/metrics", ...own]) {
        expect((await ask(app, { url, headers: { authorization: `Bearer ${TOKEN}` } })).status, url).toBe(200);
      }
    });
  });

  it.each([
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    "Bearer x",
    `Bearer x ${TOKEN}`,
    `Basic ${TOKEN}`,
    TOKEN,
    "Bearer",
    "",
  ])("%j is rejected", async (authorization) => {
    await withServer({ token: TOKEN }, async (app) => {
      const headers = { authorization, host: "localhost" };
      expect(await ask(app, { url: "/uploads", headers })).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
      expect((await ask(app, { url: `/uploads?token=${TOKEN}`, headers })).status).toBe(401);
    });
  });

  it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER   ${TOKEN} `])("%j is accepted", async (authorization) => {
    await withServer({ token: TOKEN }, async (app) => {
      expect((await ask(app, { url: "/uploads", headers: { authorization, host: "localhost" } })).status).toBe(200);
    });
  });
});

describe("Host", () => {
  it.each([
    "evil.example",
    "evil.example:8787",
    "127.0.0.1.evil.example",
    "127.0.0.2",
    ":8787",
    "localhost@evil.example",
  ])("%j is rejected on a loopback address", async (host) => {
    await withServer({}, async (app) => {
      for (const url of ["/health", ...ROUTES, `/uploads/${uploadId}/emails.csv`])
        expect(await ask(app, { url, headers: { host } }), url).toMatchObject({ status: 400, code: "INVALID_QUERY" });
      const deleted = await ask(app, { method: "DELETE", url: `/uploads/${uploadId}`, headers: { host } });
      expect(deleted).toMatchObject({ status: 400, code: "INVALID_QUERY" });
    });
  });

  it("must be an address or an allowed name if the service is public", async () => {
    await withServer({ host: "0.0.0.0", allowedHosts: ["mail.example"] }, async (app) => {
      for (const host of ["mail.example", "Mail.Example:8787", "192.0.2.7:8787", "[2001:db8::1]", "localhost"])
        expect((await ask(app, { url: "/uploads", headers: { host } })).status, host).toBe(200);
      for (const host of ["evil.example", "mail.example.evil.example", "192.0.2.7.evil.example", ":8787"]) {
        for (const url of ["/health", ...ROUTES])
          expect(await ask(app, { url, headers: { host } }), url).toMatchObject({ status: 400, code: "INVALID_QUERY" });
      }
    });
  });

  it("can be an allowed name on a loopback address, and any with a token elsewhere", async () => {
    await withServer({ allowedHosts: ["mail.example"] }, async (app) => {
      expect((await ask(app, { url: "/uploads", headers: { host: "mail.example" } })).status).toBe(200);
    });
    await withServer({ host: "0.0.0.0", token: TOKEN }, async (app) => {
      const headers = { host: "any.example", authorization: `Bearer ${TOKEN}` };
      expect((await ask(app, { url: "/uploads", headers })).status).toBe(200);
    });
  });
});

describe("pages of other origins", () => {
  const evil = { host: "localhost:8787", origin: "https://evil.example" };

  it("cannot change anything on a service without a token", async () => {
    await withServer({}, async (app) => {
      for (const origin of ["https://evil.example", "null", "http://localhost:9999", "http://localhost"]) {
        const refused = await ask(app, { method: "DELETE", url: `/uploads/${uploadId}`, headers: { ...evil, origin } });
        expect(refused, origin).toMatchObject({ status: 400, code: "INVALID_QUERY" });
      }
      const form = {
        method: "POST",
        url: "/upload?filename=a.mbox",
        payload: "From a@b.example\n",
        headers: evil,
      } as const;
      expect(await ask(app, form)).toMatchObject({ status: 400, code: "INVALID_QUERY" });
      expect(await fixture.catalog.list()).toHaveLength(1);
      expect((await fixture.catalog.get(uploadId))?.status).toBe("completed");
      const own = await ask(app, {
        method: "DELETE",
        url: "/uploads/none",
        headers: { ...evil, origin: "http://localhost:8787" },
      });
      expect(own.status).toBe(404);
    });
  });

  it("cannot read unless they are allowed", async () => {
    await withServer({}, async (app) => {
      const { status, headers } = await ask(app, { url: "/uploads", headers: evil });
      expect(status).toBe(200);
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
      const preflight = { ...evil, "access-control-request-method": "GET" };
      expect((await ask(app, { method: "OPTIONS", url: "/uploads", headers: preflight })).status).toBe(501);
    });
  });

  it.each([[["https://app.example"]], [["*"]]])("cannot write if allowed by %j", async (allowedOrigins) => {
    await withServer({ allowedOrigins, token: TOKEN, host: "0.0.0.0" }, async (app) => {
      const headers = { origin: "https://app.example", authorization: `Bearer ${TOKEN}`, host: "mail.example" };
      const notebook = `/uploads/${uploadId}/explore/notebook`;
      const json = { ...headers, "content-type": "application/json" };
      for (const [method, url] of [
        ["DELETE", `/uploads/${uploadId}`],
        ["DELETE", "/session"],
        ["POST", "/session"],
        ["POST", "/upload?filename=a.mbox"],
        ["POST", "/upload/resumable"],
        ["PATCH", "/upload/resumable/upload-aaaaaaaaaaaa"],
        ["POST", `${notebook}/entries`],
        ["POST", `${notebook}/tags`],
        ["POST", `${notebook}/import`],
      ] as const)
        expect((await app.inject({ method, url, headers, payload: "{}" })).statusCode, `${method} ${url}`).toBe(400);
      expect((await fixture.catalog.get(uploadId))?.status).toBe("completed");
      const search = { method: "POST", url: `/uploads/${uploadId}/query/search`, headers: json } as const;
      expect((await app.inject({ ...search, payload: '{"query":"harbour"}' })).statusCode).toBe(200);
    });
  });

  it("that are allowed can read responses and send preflights", async () => {
    await withServer({ allowedOrigins: ["https://app.example"], token: TOKEN, host: "0.0.0.0" }, async (app) => {
      const origin = "https://app.example";
      const preflight = {
        origin,
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
      };
      const asked = await ask(app, { method: "OPTIONS", url: "/uploads/x", headers: preflight });
      expect(asked).toMatchObject({ status: 204, headers: { "access-control-allow-origin": origin, vary: "origin" } });
      expect(String(asked.headers["access-control-allow-headers"])).toContain("authorization");
      expect(String(asked.headers["access-control-allow-methods"])).toBe("GET, HEAD, POST, OPTIONS");
      const headers = { origin, authorization: `Bearer ${TOKEN}` };
      const read = await ask(app, { url: "/uploads", headers });
      expect(read).toMatchObject({ status: 200, headers: { "access-control-allow-origin": origin } });
      expect(String(read.headers["access-control-expose-headers"])).toContain("x-total-count");
      // Only the preflight needs no token.
      expect((await ask(app, { url: "/uploads", headers: { origin } })).status).toBe(401);
      const other = await ask(app, {
        url: "/uploads",
        headers: { ...headers, origin: "https://app.example.evil.example" },
      });
      expect(other.headers["access-control-allow-origin"]).toBeUndefined();
    });
  });
});

describe("the rate limit", () => {
  it("is off by default", async () => {
    await withServer({}, async (app) => {
      for (let round = 0; round < 200; round++)
        expect((await ask(app, { url: "/uploads", headers: { host: "localhost" } })).status).toBe(200);
    });
  });

  it("counts every request of a client except /health, and returns when to retry", async () => {
    await withServer({ rateLimit: 5, token: TOKEN }, async (app) => {
      const request = (url: string, remoteAddress: string) =>
        ask(app, { url, remoteAddress, headers: { host: "localhost" } });
      const statuses: number[] = [];
      for (const url of ["/uploads", "/nothing", "/uploads/x", "/contacts", "/uploads"])
        statuses.push((await request(url, "192.0.2.1")).status);
      expect(statuses).toEqual([401, 401, 401, 401, 401]);
      const limited = await request("/uploads", "192.0.2.1");
      expect(limited).toMatchObject({ status: 429, code: "RATE_LIMITED" });
      expect(Number(limited.headers["retry-after"])).toBeGreaterThan(0);
      expect((await request("/nothing", "192.0.2.1")).status).toBe(429);
      expect((await request(`/uploads/${uploadId}/query/stats`, "192.0.2.1")).code).toBe("RATE_LIMITED");
      for (let round = 0; round < 20; round++) expect((await request("/health", "192.0.2.1")).status).toBe(200);
      expect((await request("/uploads", "192.0.2.2")).status).toBe(401);
    });
  });
});

describe("a slow request body", () => {
  afterEach(() => void vi.useRealTimers());

  it.each([
    ["/uploads/upload-aaaaaaaaaaaa/query/search", true],
    ["/upload?filename=slow.mbox", false],
  ])("%s: is disconnected after 30 seconds: %s", async (path, isCut) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await withServer({}, async (app) => {
      await app.listen({ host: "127.0.0.1", port: 0 });
      const seen = new Promise<void>((resolve) => app.server.once("request", () => resolve()));
      const socket = connectTo(app);
      socket.on("error", () => undefined);
      const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\nF`,
      );
      await seen;
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      // The limit may begin later on a slow machine.
      do {
        vi.advanceTimersByTime(31_000);
        for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      } while (isCut && !socket.closed);
      expect(socket.closed).toBe(isCut);
      vi.useRealTimers();
      socket.destroy();
      await closed;
    });
    await expect.poll(() => readdirSync(fixture.directory.incoming)).toEqual([]);
  });
});

it("has the security headers on every answer, errors included", async () => {
  await withServer({ token: TOKEN }, async (app) => {
    for (const url of ["/health", "/uploads", "/nothing", `/uploads/${uploadId}/query/x`]) {
      expect((await ask(app, { url, headers: { host: "localhost" } })).headers, url).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
      });
    }
  });
});

it("logs no queries, file names, mail or secrets", async () => {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const app = await createUploadService(
    fixture.service,
    { ...LOCAL, token: TOKEN },
    pino({ level: "trace", base: null }, sink),
  );
  const headers = { host: "localhost", authorization: `Bearer ${TOKEN}` };
  for (const url of [
    "/search?q=hawser",
    "/messages?from=ann@harbour.example",
    "/contacts",
    "/uploads",
    `/uploads/${uploadId}`,
    `/uploads/${uploadId}/emails.csv`,
    `/uploads/${uploadId}/query/messages/msg-000012`,
    "/search?q=",
  ])
    await app.inject({ url, headers });
  await app.inject({ url: "/uploads", headers: { ...headers, authorization: "Bearer a-wrong-secret" } });
  const payload = '{"query":"hawser"}';
  const post = { ...headers, "content-type": "application/json" };
  await app.inject({ method: "POST", url: `/uploads/${uploadId}/query/search`, headers: post, payload });
  await app.close();
  const log = lines.join("");
  expect(lines.length).toBeGreaterThanOrEqual(10);
  expect(log).toContain(`"path":"/uploads/${uploadId}/emails.csv","status":200`);
  for (const secret of ["hawser", "harbour", "Ann", TOKEN, "a-wrong-secret", "mooring", "authorization"])
    expect(log).not.toContain(secret);
});
