import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance, InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { graphPayloadSchema } from "../../src/document/contact-graph-schema.ts";
import { contactSchema, messageSchema, searchResultSchema, topicSchema } from "../../src/http/query-api/wire.ts";
import {
  serviceErrorSchema,
  serviceHealthSchema,
  uploadDetailSchema,
} from "../../src/http/upload-service/base/wire.ts";
import { uploadSchema } from "../../src/http/upload-service/base/wire-uploads.ts";
import { createUploadService } from "../../src/http/upload-service/upload-service.ts";
import { TOOL_VERSION } from "../../src/version.ts";
import { rawGet } from "./raw-http.ts";
import { createServiceFixture, type ServiceFixture } from "./service-fixture.ts";

/** Every route of the service except uploading, over uploads that the test adds itself. */

const SETTING = {
  host: "127.0.0.1",
  token: null,
  allowedHosts: [],
  allowedOrigins: [],
  environment: "contract",
  rateLimit: null,
} as const;

/** Longer than /health waits for a database server. */
const SLOW_MS = 100;

let fixture: ServiceFixture;
let app: FastifyInstance;
let older: string;
let newest: string;
let queued: string;
beforeAll(async () => {
  fixture = await createServiceFixture();
  app = await createUploadService(fixture.service, SETTING, null);
  const message = "it is password-protected";
  const skipped = { code: "password-protected", message, source: 0, location: null, sha256: null } as const;
  older = await fixture.addCompleted("older.mbox", [skipped]);
  newest = await fixture.addCompleted("<b>newest</b>.mbox", [skipped]);
  queued = await fixture.addQueued("waiting.pst");
});
afterAll(async () => {
  await app.close();
  await fixture.remove();
});

async function send(request: InjectOptions, server: FastifyInstance = app) {
  const response = await server.inject({ ...request, headers: { host: "127.0.0.1:8787", ...request.headers } });
  const isJson = response.headers["content-type"]?.toString().startsWith("application/json") === true;
  const body = isJson && response.body !== "" ? response.json() : null;
  if (response.statusCode >= 400 && response.body !== "")
    expect(serviceErrorSchema.safeParse(body).error).toBeUndefined();
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    bytes: response.rawPayload,
    body,
  };
}

const get = (url: string, headers: Readonly<Record<string, string>> = {}) => send({ method: "GET", url, headers });

function expectItems(schema: z.ZodObject, body: unknown): void {
  expect(z.array(z.strictObject(schema.shape)).safeParse(body).error).toBeUndefined();
}

describe("GET /health", () => {
  it("answers 200 with the status ok, plain", async () => {
    const { status, body } = await get("/health");
    expect(status).toBe(200);
    expect(serviceHealthSchema.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ status: "ok", version: TOOL_VERSION, queue_length: 1, running: 0 });
    expect(body.disk_free_bytes).toBeGreaterThan(0);
  });

  it("waits for the totals if the catalog needs no database server", async () => {
    const queueLength = () => pause(SLOW_MS, 7);
    const { service } = fixture;
    const slow = await createUploadService({ ...service, queue: { ...service.queue, queueLength } }, SETTING, null);
    const { body } = await send({ method: "GET", url: "/health" }, slow);
    await slow.close();
    expect(body).toMatchObject({ status: "ok", queue_length: 7 });
  });
});

describe("GET /metrics", () => {
  const LABELS = String.raw`\{(?:\w+="[\w.+]+",?)+\}`;
  const LINE = new RegExp(`^(?:# (?:HELP|TYPE) \\w+ .+|\\w+(?:${LABELS})? -?[\\d.e+-]+)$`);

  it("answers in the text format of Prometheus", async () => {
    await get(`/uploads/${newest}/query/messages?q=crane`);
    await get(`/search?q=crane&upload_id=${newest}`);
    const { status, headers, text } = await get("/metrics");
    expect([status, headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    for (const line of text.trimEnd().split("\n")) if (line !== "") expect(line).toMatch(LINE);
    const names = Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name, type]) => `${name} ${type}`);
    expect(names).toEqual([
      "archivetool_uploads gauge",
      "archivetool_queue_length gauge",
      "archivetool_queue_oldest_seconds gauge",
      "archivetool_running_jobs gauge",
      "archivetool_messages_extracted_total counter",
      "archivetool_event_streams gauge",
      "archivetool_open_archives gauge",
      "archivetool_disk_free_bytes gauge",
      "archivetool_resident_memory_bytes gauge",
      "archivetool_uptime_seconds gauge",
      "archivetool_request_duration_seconds histogram",
    ]);
    expect(text).toContain('\narchivetool_uploads{status="completed"} 2\n');
    expect(text).toContain("\narchivetool_queue_length 1\n");
    expect(Number(/^archivetool_queue_oldest_seconds (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
    expect(text).toMatch(/_count\{kind="search",class="2xx"\} \d+\n/);
  });

  it("contains no upload names and queries", async () => {
    await get("/search?q=unusualword");
    const { text } = await get("/metrics");
    for (const secret of [newest, older, queued, "<b>newest</b>", "waiting.pst", "unusualword"])
      expect(text).not.toContain(secret);
  });
});

describe("uploads", () => {
  it("are listed newest first", async () => {
    const { status, headers, body } = await get("/uploads");
    expect([status, headers["x-total-count"]]).toEqual([200, "3"]);
    expectItems(uploadSchema, body);
    expect(body.map((upload: { upload_id: string }) => upload.upload_id)).toEqual([queued, newest, older]);
    expect(body[0]).toEqual({
      upload_id: queued,
      filename: "waiting.pst",
      size_bytes: 1234,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      status: "queued",
      phase: null,
      created_at: "2026-01-02T12:00:00Z",
      started_at: null,
      completed_at: null,
      originals: "kept",
      added: [],
      adding: null,
      error: null,
    });
  });

  it("are returned with counts and provenance when they are completed", async () => {
    const { status, body } = await get(`/uploads/${newest}`);
    expect(status).toBe(200);
    expect(uploadDetailSchema.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({
      upload_id: newest,
      filename: "<b>newest</b>.mbox",
      status: "completed",
      started_at: "2026-01-02T12:00:01Z",
      completed_at: "2026-01-02T12:00:02Z",
      counts: { messages: 24, contacts: 6, threads: 5, topics: 4, calendar_events: 0, attachments: 1 },
    });
    const provenance = (await get(`/uploads/${newest}/provenance.json`)).body;
    expect(body.provenance).toEqual({
      sha256: provenance.source_hash,
      tool_version: provenance.tool_version,
      warnings: provenance.warnings,
      warning_count: provenance.warnings.length + provenance.warnings_truncated,
    });
  });

  it("have neither before", async () => {
    const { body } = await get(`/uploads/${queued}`);
    expect(uploadDetailSchema.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ status: "queued", counts: null, provenance: null });
  });

  it.each(["upload-zzzzzzzzzzzz", "nothing", "..%2f..%2fetc", "%00", `${"x".repeat(300)}`])(
    "%j is not found",
    async (id) => {
      for (const url of [
        `/uploads/${id}`,
        `/uploads/${id}/emails.csv`,
        `/uploads/${id}/query/stats`,
        `/contacts?upload_id=${id}`,
      ]) {
        const { status, body } = await get(url);
        expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
        expect(body.error.message).toMatch(/^Upload .+ not found$/);
      }
    },
  );

  it("report that they are not completed", async () => {
    for (const url of [
      `/uploads/${queued}/wiki.zip`,
      `/uploads/${queued}/query/stats`,
      `/messages?upload_id=${queued}`,
    ]) {
      const { status, body } = await get(url);
      expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
      expect(body.error.message).toBe(`Upload ${queued} is queued: its archive is available when it completes`);
    }
  });

  it("are removed completely by DELETE", async () => {
    const other = await createServiceFixture();
    const server = await createUploadService(other.service, SETTING, null);
    const request = (method: "GET" | "DELETE", url: string) => send({ method, url }, server);
    const doomed = await other.addCompleted("doomed.mbox");
    expect((await request("GET", `/contacts?upload_id=${doomed}`)).body).toHaveLength(6);
    expect(await request("DELETE", `/uploads/${doomed}`)).toMatchObject({ status: 204, text: "" });
    expect(existsSync(other.directory.uploadDirectory(doomed))).toBe(false);
    for (const method of ["DELETE", "GET"] as const)
      expect((await request(method, `/uploads/${doomed}`)).status).toBe(404);
    expect((await request("GET", `/contacts?upload_id=${doomed}`)).status).toBe(404);
    expect((await request("GET", "/uploads")).body).toEqual([]);
    const last = (await other.catalog.eventsAfter(0, 1000, doomed)).at(-1);
    expect(JSON.parse(last?.data ?? "")).toMatchObject({ upload_id: doomed, status: "cancelled" });
    await server.close();
    other.remove();
  });
});

describe("explore routes", () => {
  it("/contacts: an array, most messages first", async () => {
    const { status, headers, body } = await get("/contacts");
    expect([status, headers["x-total-count"]]).toEqual([200, "6"]);
    expectItems(contactSchema, body);
    const counts = body.map((contact: { message_count: number }) => contact.message_count);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    const page = await get("/contacts?limit=2&offset=1");
    expect(page.body.map((contact: { id: string }) => contact.id)).toEqual(
      body.slice(1, 3).map((contact: { id: string }) => contact.id),
    );
    expect(page.headers["x-total-count"]).toBe("6");
  });

  it("/messages: an array, newest first, with filters", async () => {
    const { status, headers, body } = await get("/messages?limit=3");
    expect([status, headers["x-total-count"], body.length]).toEqual([200, "24", 3]);
    expectItems(messageSchema, body);
    expect(body[0].id).toBe("msg-000024");
    for (const [filter, total] of [
      ["thread_id=thread-000001", "6"],
      ["topic_id=topic-001", "8"],
      ["from=ANN.quay@harbour.example", "4"],
      ["from=nobody", "0"],
      ["from=", "24"],
    ])
      expect((await get(`/messages?${filter}`)).headers["x-total-count"], filter).toBe(total);
  });

  it("/topics: an array, largest first", async () => {
    const { status, headers, body } = await get("/topics");
    expect([status, headers["x-total-count"]]).toEqual([200, "4"]);
    expectItems(topicSchema, body);
    expect((await get("/topics?limit=1")).body).toHaveLength(1);
  });

  it("/graph: nodes and edges, and total numbers", async () => {
    const { status, body } = await get("/graph");
    expect(status).toBe(200);
    expect(graphPayloadSchema.safeParse(body).error).toBeUndefined();
    expect([body.nodes.length, body.total_nodes]).toEqual([6, 6]);
    const cut = (await get("/graph?limit=2")).body;
    expect(graphPayloadSchema.safeParse(cut).error).toBeUndefined();
    expect(cut.nodes).toEqual(body.nodes.slice(0, 2));
    expect([cut.total_nodes, cut.total_edges]).toEqual([body.total_nodes, body.total_edges]);
  });

  it("/graph: is the same with and without the job's cache", async () => {
    const cached = await get(`/graph?upload_id=${older}`);
    const made = await get(`/graph?upload_id=${older}&limit=501`);
    expect(cached.body).toEqual(made.body);
  });

  it("/search: an array of results, best first", async () => {
    const { status, body } = await get("/search?q=hawser");
    expect([status, body.length]).toEqual([200, 1]);
    expectItems(searchResultSchema, body);
    expect(body[0]).toMatchObject({ message_id: "msg-000012", rank: 1 });
    const all = (await get("/search?q=mooring&limit=100")).body;
    expect((await get("/search?q=mooring&limit=2")).body).toEqual(all.slice(0, 2));
    const ids = async (query: string) =>
      (await get(`/search?limit=100&q=mooring&${query}`)).body.map((hit: { sent_at: string }) => hit.sent_at);
    expect((await ids("after=2001-05-20")).every((at: string) => at >= "2001-05-20")).toBe(true);
    expect((await ids("before=2001-05-20")).every((at: string) => at < "2001-05-21")).toBe(true);
    expect((await ids("sender=ann@harbour.example")).length).toBeLessThan(all.length);
    expect((await ids("topic=topic-001")).length).toBeLessThan(all.length);
  });

  it.each(["/contacts", "/messages", "/topics", "/graph", "/search?q=mooring"])(
    "%s answers for the newest completed upload, or the named one",
    async (url) => {
      const separator = url.includes("?") ? "&" : "?";
      const body = (await get(url)).body;
      for (const id of [newest, older, ""]) expect((await get(`${url}${separator}upload_id=${id}`)).body).toEqual(body);
      const tag = String((await get(url)).headers["etag"]);
      expect((await get(url, { "if-none-match": tag })).status).toBe(304);
    },
  );

  it("return empty lists until an upload is completed", async () => {
    const empty = await createServiceFixture();
    const server = await createUploadService(empty.service, SETTING, null);
    for (const url of ["/contacts", "/messages", "/topics", "/search?q=x"]) {
      expect(await send({ method: "GET", url }, server)).toMatchObject({
        status: 200,
        text: "[]",
        headers: { "x-total-count": "0" },
      });
    }
    expect((await send({ method: "GET", url: "/graph" }, server)).body).toEqual({
      nodes: [],
      edges: [],
      total_nodes: 0,
      total_edges: 0,
    });
    expect((await send({ method: "GET", url: "/search" }, server)).status).toBe(400);
    expect((await send({ method: "GET", url: "/uploads" }, server)).text).toBe("[]");
    await server.close();
    empty.remove();
  });

  it.each([
    ["/contacts?limit=0", "limit must be an integer from 1 to 1000, not 0"],
    ["/contacts?offset=-1", 'offset must be an integer from 0 to 2147483647, not "-1"'],
    ["/messages?from=a&from=b", "from must be given once, not 2 times"],
    ["/topics?limit=", 'limit must be an integer from 1 to 1000, not ""'],
    ["/graph?limit=5001", "limit must be an integer from 1 to 5000, not 5001"],
    ["/search", "q must be text of 1 to 1000 characters, not nothing"],
    ["/search?q=%20", 'q must be text of 1 to 1000 characters, not " "'],
    ["/search?q=x&after=soon", 'after must be an ISO 8601 date such as 2001-05-14 or 2001-05-14T16:39:00Z, not "soon"'],
    ["/search?q=x&after=2002&before=2001", "after must not be after before: 2002 is after 2001"],
    ["/agent-stream?upload_id=a&upload_id=b", "upload_id must be given once, not 2 times"],
  ])("%s is rejected", async (url, message) => {
    expect(await get(url)).toMatchObject({
      status: 400,
      body: { status: "error", error: { code: "INVALID_QUERY", message } },
    });
  });

  it("mount the eleven query routes on every upload", async () => {
    const stats = await get(`/uploads/${older}/query/stats`);
    expect(stats).toMatchObject({
      status: 200,
      body: { status: "ok", data: { total_messages: 24, pipeline_version: "0.5.0" } },
    });
    expect((await get(`/uploads/${older}/query/messages/msg-000012`)).body.data.attachments).toHaveLength(1);
    expect((await get(`/uploads/${older}/query/messages/none`)).body.error.message).toBe("Message none not found");
    expect((await get(`/uploads/${older}/query/health`)).body.data.environment).toBe("contract");
    expect((await get(`/uploads/${older}/query/openapi.json`)).body.openapi).toBe("3.1.0");
    const payload = '{"query":"hawser"}';
    const found = await send({
      method: "POST",
      url: `/uploads/${older}/query/search`,
      payload,
      headers: { "content-type": "application/json" },
    });
    expect(found.body.data.results).toHaveLength(1);
    expect(await get(`/uploads/${older}/query/nothing`)).toMatchObject({
      status: 404,
      body: { error: { code: "NOT_FOUND" } },
    });
    const deleted = await send({ method: "DELETE", url: `/uploads/${older}/query/stats` });
    expect([deleted.status, deleted.body.error.code]).toEqual([501, "UNIMPLEMENTED"]);
  });
});

describe("artifacts", () => {
  it.each([
    ["extraction.json", "application/json; charset=utf-8", /^\{\n"schema_version":"1.0"/],
    ["contacts.json", "application/json; charset=utf-8", /^\{"nodes":\[/],
    ["provenance.json", "application/json; charset=utf-8", /^\{"tool":"archivetool"/],
    ["emails.csv", "text/csv; charset=utf-8", /^\uFEFFid,message_id,thread_id/],
    ["contacts.csv", "text/csv; charset=utf-8", /^\uFEFFid,name,email/],
    ["threads.csv", "text/csv; charset=utf-8", /^\uFEFFid,subject,/],
    ["wiki.zip", "application/zip", /^PK\u0003\u0004/],
  ])("%s is downloaded", async (name, type, start) => {
    const { status, headers, text, bytes } = await get(`/uploads/${newest}/${name}`, { "accept-encoding": "gzip" });
    expect(status).toBe(200);
    expect(text).toMatch(start);
    expect(headers).toMatchObject({
      "content-type": type,
      "content-disposition": `attachment; filename="${name}"`,
      "content-length": String(bytes.length),
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-cache",
    });
    expect((await get(`/uploads/${newest}/${name}`, { "if-none-match": String(headers["etag"]) })).status).toBe(304);
    const head = await send({ method: "HEAD", url: `/uploads/${newest}/${name}` });
    expect([head.status, head.headers["content-length"], head.bytes.length]).toEqual([200, String(bytes.length), 0]);
  });

  it("wiki.zip is packed once for concurrent requests, and always to the same bytes", async () => {
    const cache = fixture.directory.cacheDirectory(older);
    const together = await Promise.all([1, 2, 3].map(() => get(`/uploads/${older}/wiki.zip`)));
    const [first] = together;
    for (const { status, bytes } of together) expect([status, bytes.equals(first!.bytes)]).toEqual([200, true]);
    expect(readdirSync(cache).sort()).toEqual(["graph.html", "graph.json", "wiki.zip"]);
    const names = Array.from(first!.text.matchAll(/PK\u0001\u0002[\s\S]{42}([\w./-]+?\.md)/g), ([, name]) => name);
    expect(names).toContain("index.md");
    expect(names).toContain("wiki/contacts/contact-000001.md");
    rmSync(join(cache, "wiki.zip"));
    expect((await get(`/uploads/${older}/wiki.zip`)).bytes.equals(first!.bytes)).toBe(true);
  });

  it("wiki.zip of an upload that is being deleted returns 404, and is not created again", async () => {
    const other = await createServiceFixture();
    const server = await createUploadService(other.service, SETTING, null);
    const going = await other.addCompleted("going.mbox");
    rmSync(other.directory.archiveDirectory(going), { recursive: true });
    expect((await send({ method: "GET", url: `/uploads/${going}/wiki.zip` }, server)).status).toBe(404);
    expect(readdirSync(other.directory.cacheDirectory(going)).sort()).toEqual(["graph.html", "graph.json"]);
    rmSync(other.directory.uploadDirectory(going), { recursive: true });
    for (const file of ["wiki.zip", "emails.csv", "wiki/"])
      expect((await send({ method: "GET", url: `/uploads/${going}/${file}` }, server)).status, file).toBe(404);
    expect(existsSync(other.directory.uploadDirectory(going))).toBe(false);
    await server.close();
    other.remove();
  });

  it("the graph page is shown, and can be embedded only in our pages", async () => {
    const { status, headers, text } = await get(`/uploads/${newest}/graph.html`);
    expect([status, text]).toEqual([200, "<!doctype html><title>Contact graph</title>"]);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-disposition": "inline",
      "content-security-policy": "frame-ancestors 'self'",
    });
  });

  it("the wiki is shown page by page", async () => {
    for (const path of ["", "/", "/index.md"]) {
      const { status, headers, text } = await get(`/uploads/${newest}/wiki${path}`);
      expect([status, headers["content-type"]]).toEqual([200, "text/markdown; charset=utf-8"]);
      expect(headers["content-security-policy"]).toBe("default-src 'none'; sandbox");
      expect(text).toMatch(/^---\ntitle: /);
    }
    for (const path of ["emails/all.md", "contacts.md", "wiki/contacts/contact-000001.md"])
      expect((await get(`/uploads/${newest}/wiki/${path}`)).status, path).toBe(200);
  });

  it.each([
    ["bytes=0-9", 206, "0-9", 10],
    ["bytes=5-", 206, "5-$", -5],
    ["bytes=-7", 206, "#-$", 7],
    ["bytes=0-99999999", 206, "0-$", 0],
    // A server may ignore several ranges, and must ignore an invalid range (RFC 9110 section 14.2).
    ["bytes=0-1,5-6", 200, null, 0],
    ["pages=1-2", 200, null, 0],
  ])("ranges: %s", async (range, status, expected, length) => {
    const whole = (await get(`/uploads/${newest}/emails.csv`)).bytes;
    const part = await get(`/uploads/${newest}/emails.csv`, { range });
    expect(part.status).toBe(status);
    const size = whole.length;
    const count = length > 0 ? length : size + length;
    expect(part.bytes.length).toBe(count);
    const names = expected?.replace("#", String(size - count)).replace("$", String(size - 1));
    expect(part.headers["content-range"]).toBe(expected === null ? undefined : `bytes ${names}/${size}`);
    const start = expected === null ? 0 : Number(names?.split("-")[0]);
    expect(part.bytes.equals(whole.subarray(start, start + count))).toBe(true);
  });

  it.each(["bytes=99999999-", "bytes=9-5", "bytes=x-y", "bytes=-0"])("ranges: %s cannot be met", async (range) => {
    const size = (await get(`/uploads/${newest}/emails.csv`)).bytes.length;
    const { status, headers, body } = await get(`/uploads/${newest}/emails.csv`, { range });
    expect([status, headers["content-range"], body.error.code]).toEqual([416, `bytes */${size}`, "INVALID_QUERY"]);
    expect(headers["content-disposition"]).toBeUndefined();
  });

  it("a range of an outdated file returns the complete file", async () => {
    const { headers, bytes } = await get(`/uploads/${newest}/emails.csv`);
    const part = await get(`/uploads/${newest}/emails.csv`, {
      range: "bytes=0-3",
      "if-range": String(headers["etag"]),
    });
    expect([part.status, part.bytes.length]).toEqual([206, 4]);
    const stale = await get(`/uploads/${newest}/emails.csv`, { range: "bytes=0-3", "if-range": 'W/"other"' });
    expect([stale.status, stale.bytes.length]).toEqual([200, bytes.length]);
    expect((await get(`/uploads/${newest}/emails.csv`, { "if-match": '"other"' })).status).toBe(412);
  });

  it("no other file can be downloaded by any path", async () => {
    const output = fixture.directory.archiveDirectory(newest);
    writeFileSync(join(fixture.directory.root, "secret.md"), "secret");
    writeFileSync(join(output, ".hidden.md"), "secret");
    symlinkSync(join(fixture.directory.root, "secret.md"), join(output, "link.md"));
    symlinkSync(fixture.directory.root, join(output, "away"));
    const tricks = [
      ...[
        "../secret.md",
        "../../../secret.md",
        "%2e%2e/%2e%2e/%2e%2e/secret.md",
        "..%2f..%2f..%2fsecret.md",
        "....//secret.md",
      ],
      ...[
        "%252e%252e/secret.md",
        "..%5c..%5csecret.md",
        "a/../../secret.md",
        "./index.md",
        "//index.md",
        "emails//all.md",
      ],
      ...[
        "link.md",
        "away/secret.md",
        ".hidden.md",
        "index.md%00.md",
        "index.md%00",
        "%00index.md",
        "archive.db",
        "archive.db%00.md",
      ],
      ...[
        "extraction.json",
        "provenance.json",
        "emails",
        "emails/",
        "none.md",
        "index.md/x.md",
        `${"a/".repeat(3000)}b.md`,
      ],
      ...[`${"n".repeat(300)}.md`, "INDEX.MD", "/etc/passwd", "%2fetc%2fpasswd.md", ".archivetool-files.json"],
    ];
    await app.listen({ host: "127.0.0.1", port: 0 });
    for (const trick of tricks) {
      const answer = await rawGet(app, `/uploads/${newest}/wiki/${trick}`);
      expect(answer, trick).toMatch(
        /^HTTP\/1\.1 (?:404|400) [\s\S]*\r\n\r\n\{"status":"error","error":\{"code":"(?:NOT_FOUND|INVALID_QUERY)"/,
      );
    }
    for (const path of [
      "archive.db",
      "../catalogue.db",
      "%2e%2e%2fcatalogue.db",
      "source/older.mbox",
      "cache/graph.json",
      ".archivetool-files.json",
    ]) {
      const answer = await rawGet(app, `/uploads/${newest}/${path}`);
      expect(answer, path).toMatch(/^HTTP\/1\.1 404 /);
    }
  });
});

describe("passwords for skipped files", () => {
  const give = (uploadId: string, body: object) =>
    send({
      method: "POST",
      url: `/uploads/${uploadId}/passwords`,
      headers: { "content-type": "application/json" },
      payload: JSON.stringify(body),
    });

  it("create a new upload of the same bytes and options", async () => {
    const source = fixture.directory.sourceDirectory(older);
    mkdirSync(source, { recursive: true });
    writeFileSync(join(source, "older.mbox"), "From mara Mon Jan  6 12:00:00 2003\n");
    const { status, headers, body } = await give(older, { passwords: ["anchor", "bollard"] });
    expect(status).toBe(202);
    expect(headers["location"]).toBe(`/uploads/${body.upload_id}`);
    expect(body).toMatchObject({ filename: "older.mbox", status: "queued", error: null });
    const job = (await fixture.catalog.jobsOf("queued")).find(({ upload }) => upload.uploadId === body.upload_id);
    expect(job?.options).toEqual({
      redact: [],
      password: "anchor\nbollard",
      maxMessages: null,
      discardsOriginals: false,
    });
    expect(readdirSync(fixture.directory.sourceDirectory(body.upload_id))).toEqual(["older.mbox"]);
    // Deleting one does not change the other.
    await fixture.service.queue.cancel(body.upload_id);
    expect(readdirSync(source)).toEqual(["older.mbox"]);
    expect(readdirSync(fixture.directory.incoming)).toEqual([]);
  });

  it.each([
    ["newest", { passwords: ["anchor"] }, 404, "ORIGINAL_MOVED"],
    ["queued", { passwords: ["anchor"] }, 404, "NOT_FOUND"],
    ["older", { passwords: [] }, 400, "INVALID_QUERY"],
    ["older", { passwords: ["x".repeat(2000)] }, 400, "INVALID_QUERY"],
    ["older", { password: "anchor" }, 400, "INVALID_QUERY"],
  ] as const)("are rejected for %s with %j", async (name, body, status, code) => {
    const before = (await fixture.catalog.list()).length;
    expect(await give({ older, newest, queued }[name], body)).toMatchObject({ status, body: { error: { code } } });
    expect((await fixture.catalog.list()).length).toBe(before);
  });
});

describe("every other request", () => {
  it.each([
    ["GET", "/nothing", 404, "NOT_FOUND", "Route GET /nothing not found"],
    ["PUT", "/uploads", 501, "UNIMPLEMENTED", "Route PUT /uploads is not implemented"],
    ["GET", "/upload", 501, "UNIMPLEMENTED", "Route GET /upload is not implemented"],
    ["DELETE", "/uploads/x/emails.csv", 501, "UNIMPLEMENTED", "Route DELETE /uploads/x/emails.csv is not implemented"],
    ["POST", "/uploads/x/wiki/a/b.md", 501, "UNIMPLEMENTED", "Route POST /uploads/x/wiki/a/b.md is not implemented"],
    ["GET", "/%ff", 400, "INVALID_QUERY", "the path is not valid percent-encoded UTF-8"],
  ] as const)("%s %s", async (method, url, status, code, message) => {
    expect(await send({ method, url })).toMatchObject({ status, body: { status: "error", error: { code, message } } });
  });
});
