import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { provenanceSchema } from "../../src/document/provenance-schema.ts";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { TOOL_VERSION } from "../../src/version.ts";
import { bundlePages } from "./bundled-pages.ts";
import { type ContractArchive, MESSAGES, writeContractArchive } from "./contract-archive.ts";
import { ownFiles } from "./own-files.ts";

/** The six routes of `serve`, its page, and its guard against DNS rebinding. */

let file: ContractArchive;
let archive: Archive;
let app: FastifyInstance;
beforeAll(async () => {
  await bundlePages();
  file = await writeContractArchive();
  archive = await openArchive(file.location);
  app = await createLocalServer(
    archive,
    { source: "/mail/<harbour>", environment: "contract", host: "127.0.0.1", ...ownFiles() },
    null,
  );
});
afterAll(async () => {
  await app.close();
  await archive.close();
  file.remove();
});

async function get(url: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await app.inject({ method: "GET", url, headers: { host: "127.0.0.1:8080", ...headers } });
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: response.headers["content-type"]?.toString().startsWith("application/json") ? response.json() : null,
  };
}

describe("/metrics", () => {
  it("serves metrics for Prometheus, with the checks of all routes", async () => {
    await get("/api/query/messages?q=crane");
    const { status, headers, text } = await get("/metrics");
    expect([status, headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(text).toMatch(/\narchivetool_request_duration_seconds_bucket\{le="\+Inf",kind="search",class="[24]xx"\} \d/);
    expect(text).not.toContain("archivetool_database_up");
    expect(text).not.toContain("harbour");
    expect((await get("/metrics", { host: "rebound.example" })).status).toBe(400);
  });
});

describe("routes under /api/", () => {
  it("/api/status: server status and dataset summary", async () => {
    expect(await get("/api/status")).toMatchObject({
      status: 200,
      body: {
        status: "ok",
        version: TOOL_VERSION,
        source: "/mail/<harbour>",
        uptime_ms: expect.any(Number),
        dataset: {
          messages: 24,
          contacts: 6,
          threads: 5,
          topics: 4,
          calendar_events: 0,
          attachments: 1,
          date_range: { earliest: "2001-05-14T16:39:00Z", latest: "2001-05-26T16:39:00Z" },
        },
      },
    });
  });

  it("/api/stats: equals stats --json", async () => {
    expect((await get("/api/stats")).body).toMatchObject({
      tool: "archivetool",
      total_messages: 24,
      multi_message_threads: 4,
      top_contacts: [{ id: "contact-000001" }, {}, {}, {}, {}, {}],
      mailboxes: [{ mailbox: "INBOX", messages: 24 }],
    });
  });

  it("/api/emails: paginated, newest first, by sender", async () => {
    const { body } = await get("/api/emails?limit=2&offset=1");
    expect(body.pagination).toEqual({ total: 24, limit: 2, offset: 1, pages: 12 });
    expect(body.emails.map((email: { id: string }) => email.id)).toEqual(["msg-000022", "msg-000023"]);
    expect((await get("/api/emails")).body.pagination.limit).toBe(50);
    const ann = await get("/api/emails?sender=ANN.quay@harbour.example");
    expect(ann.body.pagination.total).toBe(MESSAGES.filter(({ fromContact }) => fromContact === 1).length);
    expect((await get("/api/emails?sender=")).body.pagination.total).toBe(24);
    expect((await get("/api/emails?sender=nobody")).body).toMatchObject({ emails: [], pagination: { total: 0 } });
  });

  it("/api/contacts: the contact directory", async () => {
    const { body } = await get("/api/contacts?search=tide&sort=name");
    expect(body.contacts.map((contact: { id: string }) => contact.id)).toEqual(["contact-000003", "contact-000004"]);
    expect(body.pagination).toEqual({ total: 2, limit: 100, offset: 0, pages: 1 });
  });

  it("/api/threads: newest first", async () => {
    const { body } = await get("/api/threads?limit=2&offset=1");
    expect(body.threads).toHaveLength(2);
    expect(body.pagination).toEqual({ total: 5, limit: 2, offset: 1, pages: 3 });
  });

  it("/api/provenance: provenance.json", async () => {
    const { body } = await get("/api/provenance");
    expect(provenanceSchema.safeParse(body).error).toBeUndefined();
    expect(body.statistics.total_messages).toBe(24);
  });

  it("the query API answers under /api/query, in its envelope", async () => {
    expect((await get("/api/query/health")).body).toMatchObject({
      status: "ok",
      data: { version: "0.5.0", environment: "contract" },
    });
    expect((await get("/api/query/messages/none")).body).toMatchObject({
      status: "error",
      error: { code: "NOT_FOUND", message: "Message none not found" },
    });
    expect((await get("/api/query/nothing")).body).toMatchObject({
      status: "error",
      error: { code: "NOT_FOUND", message: "Route GET /api/query/nothing not found" },
    });
    const deleted = await app.inject({ method: "DELETE", url: "/api/query/messages", headers: { host: "localhost" } });
    expect([deleted.statusCode, deleted.json().error.code]).toEqual([501, "UNIMPLEMENTED"]);
    const payload = '{"query":"hawser"}';
    const headers = { host: "localhost", "content-type": "application/json" };
    const found = await app.inject({ method: "POST", url: "/api/query/search", headers, payload });
    expect(found.json().data.results).toHaveLength(1);
  });
});

describe("errors", () => {
  it.each([
    ["/api/emails?limit=0", 400, "INVALID_QUERY", "limit must be an integer from 1 to 1000, not 0"],
    ["/api/emails?offset=x", 400, "INVALID_QUERY", 'offset must be an integer from 0 to 2147483647, not "x"'],
    ["/api/emails?sender=a&sender=b", 400, "INVALID_QUERY", "sender must be given once, not 2 times"],
    ["/api/contacts?sort=x", 400, "INVALID_QUERY", 'sort must be one of frequency, name, last_seen, not "x"'],
    ["/api/threads?limit=", 400, "INVALID_QUERY", 'limit must be an integer from 1 to 1000, not ""'],
    ["/api/nothing", 404, "NOT_FOUND", "Route GET /api/nothing not found"],
    ["/api", 404, "NOT_FOUND", "Route GET /api not found"],
    ["/%2e%2e/%2e%2e/etc/passwd", 404, "NOT_FOUND", "Route GET /etc/passwd not found"],
    ["/client.ts", 404, "NOT_FOUND", "Route GET /client.ts not found"],
  ])("%s", async (url, status, code, message) => {
    expect(await get(url)).toMatchObject({ status, body: { error: { code, message } } });
  });

  it("another method on a known path returns 501", async () => {
    const response = await app.inject({ method: "POST", url: "/api/status", headers: { host: "localhost" } });
    expect([response.statusCode, response.json()]).toEqual([
      501,
      { error: { code: "UNIMPLEMENTED", message: "Route POST /api/status is not implemented" } },
    ]);
  });
});

describe("exports", () => {
  it("are a zip file with a manifest", async () => {
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    // Maximum length of a search, so that everything found on the page can be saved.
    const answer = await fetch(`${url}/api/export?format=jsonl&q=${"hawser+".repeat(585)}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/zip"]);
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="export-jsonl.zip"');
    const zip = Buffer.from(await answer.arrayBuffer());
    expect(zip.subarray(0, 2).toString()).toBe("PK");
    expect(zip.includes("export.jsonl.MANIFEST.csv")).toBe(true);
  });

  it("report parts of the query that could not be interpreted", async () => {
    const ask = (q: string) => fetch(`${app.listeningOrigin}/api/export?format=csv&q=${encodeURIComponent(q)}`);
    const malformed = await ask("hawser OR fro:ann");
    expect(malformed.status).toBe(200);
    expect(decodeURI(malformed.headers.get("x-query-problems")!)).toBe(
      '"fro:ann" is not an operator: searched as text',
    );
    await malformed.arrayBuffer();
    const right = await ask("hawser");
    expect([right.status, right.headers.get("x-query-problems")]).toEqual([200, null]);
    await right.arrayBuffer();
  });

  it("exports the named messages, and reports one that does not exist", async () => {
    const url = app.listeningOrigin;
    const answer = await fetch(`${url}/api/export?format=csv&message_ids=msg-000002,msg-000001,msg-000002`);
    expect(answer.status).toBe(200);
    const zip = Buffer.from(await answer.arrayBuffer());
    expect(zip.includes("export.csv.MANIFEST.csv")).toBe(true);
    for (const [ids, code] of [
      ["msg-000001,msg-999999", "NOT_FOUND"],
      [Array.from({ length: 1001 }, (_, at) => `msg-${at}`).join(","), "INVALID_QUERY"],
    ]) {
      const refused = await fetch(`${url}/api/export?format=csv&message_ids=${ids}`);
      expect(((await refused.json()) as { error: { code: string } }).error.code).toBe(code);
    }
  });

  it.each(["/api/export", "/api/export?format=zip", "/api/export?format=ics&sender=a@b.example"])(
    "are rejected: %s",
    async (url) => {
      const refused = await get(url);
      expect([refused.status, refused.body.error.code]).toEqual([400, "INVALID_QUERY"]);
    },
  );
});

describe("originals", () => {
  it.each([
    // This archive is redacted.
    ["/api/messages/msg-000001/original", 403, "ORIGINAL_WITHHELD"],
    ["/api/messages/msg-000012/attachments/1", 403, "ORIGINAL_WITHHELD"],
    ["/api/messages/msg-000012/attachments/2", 404, "NOT_FOUND"],
    ["/api/messages/msg-000012/attachments/0", 404, "NOT_FOUND"],
    ["/api/messages/none/original", 404, "NOT_FOUND"],
  ])("returns why one is missing: %s", async (url, status, code) => {
    const refused = await get(url);
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
  });
});

describe("Host", () => {
  it.each(["127.0.0.1", "127.0.0.1:8080", "localhost", "LOCALHOST:9", "[::1]", "[::1]:8080"])(
    "%s is ours",
    async (host) => {
      expect((await get("/api/status", { host })).status).toBe(200);
    },
  );

  it.each([
    "evil.example",
    "evil.example:8080",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "127.0.0.2",
    "[::2]",
    "[::1",
    ":8080",
    "localhost@evil.example",
  ])("%j is rejected on every route", async (host) => {
    for (const url of ["/", "/api/status", "/api/query/stats", "/graph.html", "/nothing"]) {
      const refused = await get(url, { host });
      expect(refused).toMatchObject({ status: 400 });
      expect(refused.body.error.code).toBe("INVALID_QUERY");
      expect(refused.text).not.toContain("harbour");
    }
  });

  it.each(["https://evil.example", "null", "http://localhost:9999", "http://127.0.0.1"])(
    "POST from a page of %s is rejected on every route",
    async (origin) => {
      for (const url of ["/api/export", "/api/explore/hits", "/api/query/search", "/mcp", "/nothing"]) {
        const headers = { host: "127.0.0.1:8080", origin, "content-type": "application/json" };
        const refused = await app.inject({ method: "POST", url, headers, payload: "{}" });
        expect([url, refused.statusCode, refused.json().error.code]).toEqual([url, 400, "INVALID_QUERY"]);
        expect(refused.headers["access-control-allow-origin"]).toBeUndefined();
      }
    },
  );

  it("the listening address is accepted", async () => {
    const bound = await createLocalServer(
      archive,
      { source: "x", environment: "contract", host: "archive.lan", ...ownFiles() },
      null,
    );
    const status = async (host: string) => (await bound.inject({ url: "/api/status", headers: { host } })).statusCode;
    expect([await status("archive.lan:8080"), await status("Archive.LAN"), await status("other.lan")]).toEqual([
      200, 200, 400,
    ]);
    await bound.close();
  });
});

describe("the page", () => {
  it("redirects from /, and runs only its own script", async () => {
    const first = await get("/");
    expect([first.status, first.headers["location"]]).toEqual([302, "/a/local/"]);
    const { status, headers, text } = await get("/a/local/");
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(text).not.toMatch(
      /\son\w+=|\sstyle=|<style|<script(?! type="(?:module" src="\/assets\/|application\/json" ))/,
    );
  });

  it("escapes text from the command line", async () => {
    const { text } = await get("/a/local/search");
    expect(text).toContain('"name":"\\u003charbour>"');
    expect(text).not.toContain("<harbour>");
  });

  it("has files that browsers keep, and a graph with a tag", async () => {
    const { text } = await get("/a/local/");
    const files = [...text.matchAll(/\/assets\/[^"]+/g)].map(([file]) => file);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const { status, headers } = await get(file);
      expect([status, headers["x-content-type-options"]]).toEqual([200, "nosniff"]);
      expect(headers["cache-control"]).toContain("immutable");
      expect(headers["content-type"]).toMatch(file.endsWith(".js") ? /^text\/javascript/ : /^text\/css/);
    }
    for (const file of ["/assets/manifest.json", "/assets/..%2Fcli%2Fmain.js", "/assets/x.js"])
      expect((await get(file)).status).toBe(404);
    const graph = await get("/graph.html");
    expect(graph.text.length).toBeGreaterThan(1000);
    expect((await get("/graph.html", { "if-none-match": String(graph.headers["etag"]) })).status).toBe(304);
  });
});
