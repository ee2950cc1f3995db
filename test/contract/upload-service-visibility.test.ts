import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashOf } from "../../src/http/upload-service/base/access-token.ts";
import { createUploadService, type UploadServiceSetting } from "../../src/http/upload-service/upload-service.ts";
import type { Role } from "../../src/mail/access.ts";
import { type RouterRoute, routesOf } from "./router-routes.ts";
import { createServiceFixture, NOON, type ServiceFixture } from "./service-fixture.ts";

/** View of a token holder: granted uploads only, without a trace of others. */

const OPERATOR_TOKEN = "the-token-of-the-service";
const SETTING: UploadServiceSetting = {
  host: "127.0.0.1",
  token: OPERATOR_TOKEN,
  allowedHosts: [],
  allowedOrigins: [],
  environment: "contract",
  rateLimit: null,
};
/** An id that no upload has. */
const NONE = "upload-222222222222";

interface Running {
  readonly fixture: ServiceFixture;
  readonly app: FastifyInstance;
  readonly url: string;
}

interface Asked {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const running: Running[] = [];
afterAll(async () => {
  for (const { app, fixture } of running) {
    await app.close();
    await fixture.remove();
  }
});

async function start(setting: Partial<UploadServiceSetting> = {}): Promise<Running> {
  const fixture = await createServiceFixture();
  const app = await createUploadService(fixture.service, { ...SETTING, ...setting }, null);
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  running.push({ fixture, app, url });
  return { fixture, app, url };
}

const BY = { name: "operator", at: NOON };

/** Creates a token whose secret is its name. */
async function addToken({ catalog }: ServiceFixture, name: string, mayUpload = false): Promise<void> {
  expect(await catalog.access.addToken({ name, tokenHash: hashOf(name), mayUpload, createdAt: NOON }, BY)).toBe(true);
}

async function grant(
  { catalog }: ServiceFixture,
  name: string,
  uploadId: string,
  role: Role = "reader",
): Promise<void> {
  expect(await catalog.access.grant({ name, uploadId, role }, BY)).toBe(true);
}

/** Status, relevant headers and body of a response; times and the requested id are removed. */
async function ask({ url: server }: Running, token: string | null, { url, ...request }: Asked, uploadId = "") {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`${server}${url}`, { ...request, headers: { ...authorization, ...request.headers } });
  const plain = (text: string): string =>
    text
      .replaceAll(uploadId === "" ? "\0" : uploadId, "ID")
      .replaceAll(server, "SERVER")
      .replace(/"(timestamp|query_time_ms|uptime_ms|disk_free_bytes|exported_at)": ?[^,}]*/g, "");
  const stableHeaders = Array.from(answer.headers).filter(
    ([name]) => !["date", "content-length", "etag", "last-modified"].includes(name),
  );
  return {
    status: answer.status,
    headers: stableHeaders.map(([name, value]) => [name, plain(value)]),
    body: plain(await answer.text()),
  };
}

const NAMES: Readonly<Record<string, string>> = {
  ":message_id": "msg-000001",
  ":contact_id": "contact-000001",
  ":thread_id": "thread-000001",
  ":topic_id": "topic-001",
  ":number": "1",
  ":name": "none.js",
  "*": "/index.md",
};
const BODIES: Readonly<Record<string, object>> = {
  "/query/search": { query: "harbour" },
  "/explore/hits": { queries: ["harbour"] },
  "/export": { format: "csv" },
};
const QUERIES: Readonly<Record<string, string>> = {
  "/search": "?q=harbour",
  "/explore/suggest": "?q=ha",
  "/uploads/:upload_id/export": "?format=csv",
};

function requestOf({ method, url }: RouterRoute, uploadId: string): Asked {
  const path = url.replace(/:upload_id|:archive/, uploadId).replace(/:\w+|\*/g, (name) => NAMES[name] ?? name);
  const query = Object.entries(QUERIES).find(([end]) => url === end || url.endsWith(end))?.[1] ?? "";
  const payload = Object.entries(BODIES).find(([end]) => url.endsWith(end))?.[1] ?? {};
  const headers = { "content-type": "application/json" };
  const body = method === "POST" ? { body: JSON.stringify(payload), headers } : {};
  return { method, url: `${path.replaceAll("//", "/")}${query}`, ...body };
}

const isOfUpload = ({ url }: RouterRoute): boolean => url.includes(":upload_id") || url.startsWith("/plain/:archive");
/** The page, its files, signing in, and documents about routes are the same for all callers. */
const isTheSameForAll = ({ method, url }: RouterRoute): boolean =>
  ["/", "/health", "/session", "/upload", "/upload/resumable"].includes(url) ||
  /^\/(?:a|assets)\//.test(url) ||
  /\/(?:openapi\.json|query\/health)$/.test(url) ||
  method === "OPTIONS";

describe("the holder of a token", () => {
  let shared: Running;
  let alone: Running;
  let own: string;
  let hidden: string;
  let routes: readonly RouterRoute[];
  beforeAll(async () => {
    shared = await start();
    alone = await start();
    own = await shared.fixture.addCompleted("own.mbox");
    expect(await alone.fixture.addCompleted("own.mbox")).toBe(own);
    hidden = await shared.fixture.addCompleted("hidden.mbox");
    for (const { fixture } of [shared, alone]) {
      for (const name of ["reader", "stranger"]) await addToken(fixture, name);
      await grant(fixture, "reader", own);
    }
    await addToken(shared.fixture, "other");
    await grant(shared.fixture, "other", hidden, "owner");
    await shared.fixture.addQueued("hidden too.mbox");
    routes = routesOf(shared.app);
  });

  it("is tested on every route", () => {
    expect(routes.length).toBeGreaterThan(120);
    expect(routes.filter(isOfUpload).length).toBeGreaterThan(100);
  });

  it("gets the same response for the uploads of others as for missing ones, on every route", async () => {
    for (const route of routes.filter(isOfUpload)) {
      for (const token of ["reader", "stranger"]) {
        const name = `${token}: ${route.method} ${route.url}`;
        const asked = await ask(shared, token, requestOf(route, hidden), hidden);
        expect(asked, name).toEqual(await ask(shared, token, requestOf(route, NONE), NONE));
        if (!isTheSameForAll(route)) expect(asked.status, name).toBe(404);
      }
    }
    expect((await shared.fixture.catalog.get(hidden))?.status).toBe("completed");
  });

  it("gets the same response for its own uploads, whether or not others exist", async () => {
    const reading = routes.filter(
      ({ method, url }) => ["GET", "HEAD"].includes(method) && !/agent-stream|metrics|\.zip|export/.test(url),
    );
    expect(reading.length).toBeGreaterThan(80);
    for (const route of [...reading, { method: "POST", url: "/uploads/:upload_id/query/search" } as const]) {
      const asked = await ask(shared, "reader", requestOf(route, own));
      expect(asked, `${route.method} ${route.url}`).toEqual(await ask(alone, "reader", requestOf(route, own)));
      if (isOfUpload(route)) expect([200, 400, 403, 404], route.url).toContain(asked.status);
      expect(asked.body).not.toContain("hidden");
    }
  });

  it("sees no upload without a grant", async () => {
    for (const url of ["/uploads", "/contacts", "/messages", "/topics", "/search?q=harbour"]) {
      expect(await ask(shared, "stranger", { url }), url).toMatchObject({ status: 200, body: "[]" });
      for (const query of [hidden, NONE]) {
        const named = `${url}${url.includes("?") ? "&" : "?"}upload_id=${query}`;
        const status = url === "/uploads" ? 200 : 404;
        expect((await ask(shared, "stranger", { url: named })).status, named).toBe(status);
      }
    }
    const graph = await ask(shared, "stranger", { url: "/graph" });
    expect(JSON.parse(graph.body)).toMatchObject({ nodes: [], edges: [] });
  });

  it("gets no figures of the service", async () => {
    expect(await ask(shared, "reader", { url: "/metrics" })).toMatchObject({ status: 403 });
    expect((await ask(shared, "reader", { url: "/health" })).body).not.toContain("queue_length");
    expect((await ask(shared, null, { url: "/health" })).body).not.toContain("queue_length");
    expect((await ask(shared, OPERATOR_TOKEN, { url: "/health" })).body).toContain('"queue_length":1');
    expect((await ask(shared, OPERATOR_TOKEN, { url: "/metrics" })).status).toBe(200);
    expect(JSON.parse((await ask(shared, OPERATOR_TOKEN, { url: "/uploads" })).body)).toHaveLength(3);
  });

  it("sees a granted upload immediately, and a removed one no longer", async () => {
    const see = async (): Promise<number> => (await ask(shared, "stranger", { url: `/uploads/${hidden}` })).status;
    await grant(shared.fixture, "stranger", hidden);
    expect(await see()).toBe(200);
    await shared.fixture.catalog.access.ungrant("stranger", hidden, BY);
    expect(await see()).toBe(404);
  });

  it("gets a list of its permissions", async () => {
    const permissionsOf = async (token: string | null): Promise<unknown> =>
      JSON.parse((await ask(shared, token, { url: "/session" })).body);
    expect(await permissionsOf("reader")).toEqual({ name: "reader", may_upload: false, may_delete: [] });
    expect(await permissionsOf("other")).toEqual({ name: "other", may_upload: false, may_delete: [hidden] });
    expect(await permissionsOf(OPERATOR_TOKEN)).toEqual({ name: "operator", may_upload: true, may_delete: "all" });
    expect(await permissionsOf(null)).toEqual({ name: "nobody", may_upload: false, may_delete: [] });
  });

  it("can sign in until the token is revoked", async () => {
    await addToken(shared.fixture, "leaver");
    await grant(shared.fixture, "leaver", own);
    const signIn = (): Promise<Response> =>
      fetch(`${shared.url}/session`, { method: "POST", body: JSON.stringify({ token: "leaver" }) });
    const cookie = String((await signIn()).headers.get("set-cookie")).split(";")[0]!;
    expect(cookie).not.toContain("leaver");
    const see = async (): Promise<readonly number[]> => [
      (await ask(shared, "leaver", { url: `/uploads/${own}` })).status,
      (await ask(shared, null, { url: `/uploads/${own}`, headers: { cookie } })).status,
      (await ask(shared, null, { url: `/uploads/${hidden}`, headers: { cookie } })).status,
    ];
    expect(await see()).toEqual([200, 200, 404]);
    // The session is not a token, and neither is what the catalog stores.
    expect((await ask(shared, cookie.split("=")[1]!, { url: "/uploads" })).status).toBe(401);
    expect((await ask(shared, hashOf("leaver"), { url: "/uploads" })).status).toBe(401);
    expect(await shared.fixture.catalog.access.revoke("leaver", BY)).toBe(true);
    expect(await see()).toEqual([401, 401, 401]);
    expect((await signIn()).status).toBe(401);
  });

  it("must always send a token once one exists", async () => {
    const server = await start({ token: null });
    const { fixture } = server;
    expect((await ask(server, null, { url: "/uploads" })).status).toBe(200);
    await addToken(fixture, "first");
    for (const route of routes.filter((known) => known.method !== "OPTIONS" && !isTheSameForAll(known)))
      expect((await ask(server, null, requestOf(route, NONE))).status, `${route.method} ${route.url}`).toBe(401);
    await fixture.catalog.access.revoke("first", BY);
    expect((await ask(server, null, { url: "/uploads" })).status).toBe(401);
  });
});

describe("owners", () => {
  it("remove their uploads, which readers cannot", async () => {
    const server = await start();
    const { fixture } = server;
    const uploadId = await fixture.addCompleted("own.mbox");
    for (const name of ["reader", "owner"]) await addToken(fixture, name);
    await grant(fixture, "reader", uploadId);
    await grant(fixture, "owner", uploadId, "owner");
    const remove = { method: "DELETE", url: `/uploads/${uploadId}` } as const;
    expect((await ask(server, "reader", remove)).status).toBe(403);
    expect((await fixture.catalog.get(uploadId))?.status).toBe("completed");
    expect((await ask(server, "owner", remove)).status).toBe(204);
    expect(await fixture.catalog.get(uploadId)).toBeNull();
  });

  it("are the users who upload, if permitted", async () => {
    const server = await start();
    const { fixture } = server;
    await addToken(fixture, "sender", true);
    await addToken(fixture, "reader");
    const mail = "From a@b.example Wed Jan  1 12:00:00 2003\nFrom: a@b.example\nSubject: x\n\ny\n";
    const raw = { "content-type": "application/octet-stream" };
    const upload = { method: "POST", url: "/upload?filename=a.mbox", body: mail, headers: raw } as const;
    expect((await ask(server, "reader", upload)).status).toBe(403);
    expect((await ask(server, "sender", { ...upload, url: "/upload?filename=a.exe" })).status).toBe(400);
    expect(await fixture.catalog.access.grants(null)).toEqual([]);
    const taken = await ask(server, "sender", upload);
    expect(taken.status).toBe(202);
    const { upload_id } = JSON.parse(taken.body) as { readonly upload_id: string };
    expect(await fixture.catalog.access.grants(null)).toEqual([{ name: "sender", uploadId: upload_id, role: "owner" }]);
    expect((await ask(server, "reader", { url: `/uploads/${upload_id}` })).status).toBe(404);
    expect(JSON.parse((await ask(server, "sender", { url: "/uploads" })).body)).toHaveLength(1);
  });

  it("are the only ones who can continue their uploads", async () => {
    const server = await start();
    const { fixture } = server;
    for (const name of ["sender", "other"]) await addToken(fixture, name, true);
    const tus = { "tus-resumable": "1.0.0" };
    const metadata = `filename ${Buffer.from("a.mbox").toString("base64")}`;
    const begin = {
      method: "POST",
      url: "/upload/resumable",
      headers: { ...tus, "upload-length": "10", "upload-metadata": metadata },
    } as const;
    const begun = await ask(server, "sender", begin);
    expect(begun.status).toBe(201);
    const url = begun.headers.find(([name]) => name === "location")![1]!;
    const id = url.split("/").at(-1)!;
    expect((await ask(server, "sender", { method: "HEAD", url, headers: tus })).status).toBe(200);
    for (const method of ["HEAD", "PATCH", "DELETE"] as const) {
      const foreign = await ask(server, "other", { method, url, headers: tus }, id);
      const none = await ask(server, "other", { method, url: `/upload/resumable/${NONE}`, headers: tus }, NONE);
      expect(foreign, method).toEqual(none);
      expect(foreign.status, method).toBe(404);
    }
    expect((await ask(server, "sender", { method: "HEAD", url, headers: tus })).status).toBe(200);
  });
});

describe("the events that the holder of a token follows", () => {
  /** The events of /agent-stream up to the one that contains a text. */
  async function events(
    url: string,
    { token, last, lastId }: { readonly token: string; readonly last: string; readonly lastId?: string },
  ): Promise<readonly (readonly [string, string])[]> {
    const headers = { authorization: `Bearer ${token}`, ...(lastId === undefined ? {} : { "last-event-id": lastId }) };
    const answer = await fetch(`${url}/agent-stream`, { headers });
    let text = "";
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.lastIndexOf("\n\n") > text.indexOf(last) && text.includes(last)) break;
    }
    return Array.from(text.matchAll(/^id: (\S+)\ndata: .*?"upload_id":"([^"]+)"/gm), ([, id, upload]) => [
      id!,
      upload!,
    ]);
  }

  it("are those of its uploads, with ids that reveal no other events", async () => {
    const server = await start();
    const { fixture } = server;
    await addToken(fixture, "reader");
    const { url } = server;
    const hidden = await fixture.addQueued("hidden.mbox");
    const own = await fixture.addQueued("own.mbox");
    await grant(fixture, "reader", own);
    for (let round = 0; round < 2; round++) await fixture.startNext();
    let done = 0;
    const advance = async (uploadId: string): Promise<string> => {
      const progress = { phase: "parsing", state: "progress", done: ++done, total: 90, isSkipped: false } as const;
      await fixture.events.appendPhase(uploadId, progress, NOON);
      return `"done":${done},`;
    };
    let last = "";
    for (let at = 0; at < 3; at++) for (const uploadId of [hidden, own]) last = await advance(uploadId);
    const [state] = await events(url, { token: "reader", last });
    const all = await events(url, { token: OPERATOR_TOKEN, last, lastId: "0" });
    expect(all.map(([, uploadId]) => uploadId).filter((uploadId) => uploadId === hidden).length).toBe(5);
    const seen = await events(url, { token: "reader", last: await advance(own), lastId: state![0] });
    expect([state!, ...seen].every(([, uploadId]) => uploadId === own)).toBe(true);
    for (const [id] of [state!, ...seen]) expect(id).toMatch(/^[\da-f]{32}$/);
    // Resumes after any of them; a plain number is not an id.
    last = await advance(own);
    expect(await events(url, { token: "reader", last, lastId: seen.at(-1)![0] })).toHaveLength(1);
    expect((await events(url, { token: "reader", last, lastId: "1" })).length).toBeGreaterThan(0);
  });
});

describe("the sources of the upload service", () => {
  /** Routes that open uploads for callers, and routes that work on uploads in the background. */
  const OPENERS: readonly string[] = [
    "service-view.ts",
    "completed-archives.ts",
    "upload-originals.ts",
    "data-directory.ts",
    "upload-service.ts",
    "job-queue.ts",
    "job-process.ts",
    "job-source.ts",
    "job-outcome.ts",
    "extract-upload.ts",
    "upload-files.ts",
    "blob-storage.ts",
  ];
  const OPENING = /\barchiveDirectory\(|\bcacheDirectory\(|\bnewestCompleted\(|\bcatalog\.list\(|\barchives\.lend\(/;

  it("open uploads in one function, which checks the caller", () => {
    const room = resolve(import.meta.dirname, "../../src/http/upload-service");
    const files = readdirSync(room, { recursive: true, encoding: "utf8" });
    const opening = files
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .filter((name) => OPENING.test(readFileSync(join(room, name), "utf8")))
      .map((name) => basename(name));
    expect(opening).toContain("service-view.ts");
    expect(opening.filter((name) => !OPENERS.includes(name))).toEqual([]);
  });
});
