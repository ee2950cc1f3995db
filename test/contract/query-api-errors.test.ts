import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createQueryApi } from "../../src/http/query-api/query-api.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { ApiClient } from "./api-client.ts";

/** Every row of the error table, and requests that a hostile client may send. */

let api: ApiClient;
let port: number;
beforeAll(async () => {
  api = await ApiClient.start();
  await api.app.listen({ host: "127.0.0.1", port: 0 });
  const bound = api.app.server.address();
  port = typeof bound === "object" && bound !== null ? bound.port : 0;
});
afterAll(() => api.stop());

const LIMIT = "limit must be an integer from 1 to 1000, not ";
const OFFSET = "offset must be an integer from 0 to 2147483647, not ";

describe("INVALID_QUERY, 400", () => {
  it.each([
    ["/contacts?limit=0", `${LIMIT}0`],
    ["/contacts?limit=1001", `${LIMIT}1001`],
    ["/contacts?limit=-1", `${LIMIT}"-1"`],
    ["/contacts?limit=%2B5", `${LIMIT}"+5"`],
    ["/contacts?limit=", `${LIMIT}""`],
    ["/contacts?limit", `${LIMIT}""`],
    ["/contacts?limit=ten", `${LIMIT}"ten"`],
    ["/contacts?limit=1.5", `${LIMIT}"1.5"`],
    ["/contacts?limit=1e2", `${LIMIT}"1e2"`],
    ["/contacts?limit=0x10", `${LIMIT}"0x10"`],
    ["/contacts?limit=%2010", `${LIMIT}" 10"`],
    ["/contacts?limit=NaN", `${LIMIT}"NaN"`],
    ["/contacts?limit=99999999999999999999999", `${LIMIT}"99999999999999999999999"`],
    ["/contacts?limit=5&limit=6", "limit must be given once, not 2 times"],
    ["/contacts?offset=-1", `${OFFSET}"-1"`],
    ["/contacts?offset=2147483648", `${OFFSET}2147483648`],
    ["/contacts?offset=", `${OFFSET}""`],
    ["/contacts?sort=size", 'sort must be one of frequency, name, last_seen, not "size"'],
    ["/contacts?sort=", 'sort must be one of frequency, name, last_seen, not ""'],
    ["/contacts?sort=NAME", 'sort must be one of frequency, name, last_seen, not "NAME"'],
    ["/contacts?search=a&search=b", "search must be given once, not 2 times"],
    ["/messages?limit=0", `${LIMIT}0`],
    ["/messages?offset=x", `${OFFSET}"x"`],
    ["/messages?sort=frequency", 'sort must be one of sent_at, subject, from, not "frequency"'],
    ["/messages?from=a&from=a&from=a", "from must be given once, not 3 times"],
    ["/messages?thread_id=a&thread_id=b", "thread_id must be given once, not 2 times"],
    ["/messages?topic_id=a&topic_id=b", "topic_id must be given once, not 2 times"],
    ["/topics?limit=1001", `${LIMIT}1001`],
    ["/topics?sort=last_seen", 'sort must be one of frequency, name, not "last_seen"'],
    ["/threads?limit=a", `${LIMIT}"a"`],
    ["/threads?offset=a", `${OFFSET}"a"`],
  ])("%s", async (url, message) => {
    expect(await api.get(url)).toMatchObject({ status: 400, error: { code: "INVALID_QUERY", message } });
  });

  const QUERY = "query must be text of 1 to 1000 characters, not ";
  const DATE = "must be an ISO 8601 date such as 2001-05-14 or 2001-05-14T16:39:00Z, not ";
  const FIELDS = "allowed: query, limit, match, filters";
  const FILTERS = "allowed: from, topic_id, date_from, date_to";
  it.each([
    [{}, `${QUERY}nothing`],
    [{ query: "" }, `${QUERY}""`],
    [{ query: " \n\t " }, `${QUERY}" \\n\\t "`],
    [{ query: 5 }, `${QUERY}5`],
    [{ query: null }, `${QUERY}null`],
    [{ query: ["a"] }, `${QUERY}a list`],
    [{ query: "x".repeat(1001) }, `${QUERY}"${"x".repeat(100)}…"`],
    [{ query: "a", limit: 0 }, `${LIMIT}0`],
    [{ query: "a", limit: 1001 }, `${LIMIT}1001`],
    [{ query: "a", limit: 1.5 }, `${LIMIT}1.5`],
    [{ query: "a", limit: "5" }, `${LIMIT}"5"`],
    [{ query: "a", limit: null }, `${LIMIT}null`],
    [{ query: "a", limit: 1e300 }, `${LIMIT}1e+300`],
    [{ query: "a", page: 2 }, `body has an unknown field "page"; ${FIELDS}`],
    [{ query: "a", filters: [] }, "filters must be an object with from, topic_id, date_from, date_to, not a list"],
    [{ query: "a", filters: null }, "filters must be an object with from, topic_id, date_from, date_to, not null"],
    [{ query: "a", filters: { to: "b" } }, `filters has an unknown field "to"; ${FILTERS}`],
    [{ query: "a", filters: { from: 5 } }, "filters.from must be text, not 5"],
    [{ query: "a", filters: { topic_id: {} } }, "filters.topic_id must be text, not an object"],
    [{ query: "a", filters: { date_from: "" } }, `filters.date_from ${DATE}""`],
    [{ query: "a", filters: { date_from: 990000000 } }, `filters.date_from ${DATE}990000000`],
    [{ query: "a", filters: { date_to: "yesterday" } }, `filters.date_to ${DATE}"yesterday"`],
    [{ query: "a", filters: { date_to: "14.05.2001" } }, `filters.date_to ${DATE}"14.05.2001"`],
    [{ query: "a", filters: { date_to: "2001-02-30" } }, `filters.date_to ${DATE}"2001-02-30"`],
    [{ query: "a", filters: { date_to: "2001-02-30T00:00:00Z" } }, `filters.date_to ${DATE}"2001-02-30T00:00:00Z"`],
    [{ query: "a", filters: { date_to: "2001-05-14T25:00:00Z" } }, `filters.date_to ${DATE}"2001-05-14T25:00:00Z"`],
    [
      { query: "a", filters: { date_from: "2001-05-15", date_to: "2001-05-14" } },
      "filters.date_from must not be after filters.date_to: 2001-05-15 is after 2001-05-14",
    ],
    [[], "body must be an object with query, limit, match, filters, not a list"],
    ["text", 'body must be an object with query, limit, match, filters, not "text"'],
    [null, "body must be an object with query, limit, match, filters, not null"],
  ])("POST /search %j", async (body, message) => {
    expect(await api.search(body)).toMatchObject({ status: 400, error: { code: "INVALID_QUERY", message } });
  });

  it.each([
    ["no body", undefined, "application/json", /^body must be JSON, not empty$/],
    ["broken JSON", '{"query":', "application/json", /^body must be JSON in UTF-8: /],
    ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0x22]), "application/json", /^body must be JSON in UTF-8: /],
    [
      "a form",
      "query=a",
      "application/x-www-form-urlencoded",
      /^content-type must be application\/json, not "application\/x-www-form-urlencoded"$/,
    ],
    ["no content type", '{"query":"a"}', undefined, /^content-type must be application\/json, not ""$/],
    [
      "a content type that only begins like JSON",
      '{"query":"a"}',
      "application/jsonp",
      /^content-type must be application\/json/,
    ],
    ["deep JSON", `${"[".repeat(32_000)}${"]".repeat(32_000)}`, "application/json", /not a list$/],
    [
      "deep objects",
      `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
      "application/json",
      /^(query must be text|body knows no field)/,
    ],
    [
      "a prototype",
      '{"query":"a","__proto__":{"limit":1}}',
      "application/json",
      /^body has an unknown field "__proto__"/,
    ],
    [
      "more than 64 KiB",
      JSON.stringify({ query: "a", pad: "x".repeat(65_536) }),
      "application/json",
      /^the request body is too large$/,
    ],
    ["1 MB", `{"query":"${"x".repeat(1_000_000)}"}`, "application/json", /^the request body is too large$/],
  ])("POST /search with %s", async (_what, payload, type, message) => {
    const headers = type === undefined ? {} : { "content-type": type };
    const answer = await api.send({
      method: "POST",
      url: "/search",
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
    expect(answer).toMatchObject({
      status: 400,
      error: { code: "INVALID_QUERY", message: expect.stringMatching(message) },
    });
  });

  it("a body of exactly 64 KiB is read", async () => {
    const body = '{"query":"rope"}';
    const payload = body + " ".repeat(65_536 - body.length);
    expect(
      (await api.send({ method: "POST", url: "/search", headers: { "content-type": "application/json" }, payload }))
        .status,
    ).toBe(200);
    const charset = { "content-type": "Application/JSON; charset=utf-8" };
    expect((await api.send({ method: "POST", url: "/search", headers: charset, payload: body })).status).toBe(200);
  });

  it("a path with invalid percent-encoding", async () => {
    expect(await api.get("/messages/%zz")).toMatchObject({ status: 400, error: { code: "INVALID_QUERY" } });
    expect(await api.get("/messages/%ff")).toMatchObject({ status: 400, error: { code: "INVALID_QUERY" } });
  });
});

describe("NOT_FOUND, 404", () => {
  it.each([
    ["/contacts/contact-999999", "Contact contact-999999 not found"],
    ["/contacts/ann@harbour.example", "Contact ann@harbour.example not found"],
    ["/messages/msg-999999", "Message msg-999999 not found"],
    ["/messages/msg-12", "Message msg-12 not found"],
    ["/messages/msg-0000012", "Message msg-0000012 not found"],
    ["/messages/-1", "Message -1 not found"],
    ["/messages/%00", "Message \u0000 not found"],
    ["/messages/%2e%2e%2fetc%2fpasswd", "Message ../etc/passwd not found"],
    ["/messages/__proto__", "Message __proto__ not found"],
    ["/topics/topic-999", "Topic topic-999 not found"],
    ["/threads/thread-999999/messages", "Thread thread-999999 not found"],
    [`/messages/${"9".repeat(5000)}`, `Message ${"9".repeat(100)}… not found`],
    ["/x", "Route GET /x not found"],
    ["/x?secret=1", "Route GET /x not found"],
    ["/", "Route GET / not found"],
    ["/messages/msg-000001/attachments", "Route GET /messages/msg-000001/attachments not found"],
    ["/threads/thread-000001", "Route GET /threads/thread-000001 not found"],
    ["/MESSAGES", "Route GET /MESSAGES not found"],
  ])("%s", async (url, message) => {
    expect(await api.get(url)).toMatchObject({ status: 404, error: { code: "NOT_FOUND", message } });
  });

  it("also with another method and a body of any kind", async () => {
    const answer = await api.send({
      method: "POST",
      url: "/x",
      payload: "x".repeat(100_000),
      headers: { "content-type": "text/xml" },
    });
    expect(answer).toMatchObject({ status: 404, error: { code: "NOT_FOUND", message: "Route POST /x not found" } });
  });
});

describe("UNIMPLEMENTED, 501", () => {
  const KNOWN = ["/health", "/contacts", "/contacts/a", "/messages", "/messages/a", "/topics", "/topics/a", "/threads"];
  const PATHS = [...KNOWN, "/threads/a/messages", "/stats", "/openapi.json"];

  it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const)("%s on every GET route", async (method) => {
    for (const url of PATHS) {
      expect(await api.send({ method, url })).toMatchObject({
        status: 501,
        error: { code: "UNIMPLEMENTED", message: `Route ${method} ${url} is not implemented` },
      });
    }
  });

  it.each(["GET", "PUT", "DELETE", "OPTIONS"] as const)("%s /search", async (method) => {
    expect(await api.send({ method, url: "/search?q=a" })).toMatchObject({
      status: 501,
      error: { code: "UNIMPLEMENTED" },
    });
  });
});

it("INTERNAL_ERROR, 500: a neutral message; the cause goes to the log, with the path and without the query", async () => {
  const fault = new Error("disk I/O error in /home/ann/secret.db");
  const fail = () => Promise.reject(fault);
  const broken = { stats: fail, messages: { list: fail }, provenance: fail, notebook: fail } as unknown as Archive;
  const lines: unknown[][] = [];
  const write = (...line: unknown[]): void => void lines.push(line);
  const quiet = (): void => undefined;
  const log = {
    level: "info",
    silent: quiet,
    fatal: write,
    error: write,
    warn: write,
    info: write,
    debug: write,
    trace: quiet,
    child: () => log,
  };
  const app = await createQueryApi(broken, "contract", log as never);
  for (const url of ["/stats", "/messages?from=ann@harbour.example"]) {
    const response = await app.inject(url);
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({
      status: "error",
      error: { code: "INTERNAL_ERROR", message: "internal server error; see the server log" },
      timestamp: expect.stringMatching(/Z$/),
    });
  }
  expect(lines.filter(([entry]) => (entry as { err?: unknown }).err === fault)).toHaveLength(2);
  expect(lines.filter(([entry]) => (entry as { status?: unknown }).status === 500)).toHaveLength(2);
  expect(JSON.stringify(lines)).not.toContain("ann@harbour");
  await app.close();
});

describe("on the wire", () => {
  /** Sends bytes unchanged and reads until the server closes. */
  const exchange = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      let received = "";
      socket.on("data", (chunk) => {
        received += chunk.toString();
      });
      socket.on("close", () => resolve(received));
      socket.on("error", (error: NodeJS.ErrnoException) =>
        received === "" && error.code !== "EPIPE" ? reject(error) : resolve(received),
      );
      socket.write(bytes);
    });
  const expectAlive = async (): Promise<void> =>
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  const tooLong = "request line and headers must not be longer than 53248 bytes";

  it.each([
    ["a request line of 1 MB", `GET /messages?search=${"x".repeat(1_000_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, tooLong],
    ["15,000 parameters", `GET /messages?${"a=1&".repeat(15_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, tooLong],
    ["headers of 100 KB", `GET /health HTTP/1.1\r\nHost: a\r\nX: ${"y".repeat(100_000)}\r\n\r\n`, tooLong],
    ["no HTTP at all", "\u0000\u0001\u0002 nonsense\r\n\r\n", "the request is not valid HTTP/1.1"],
    [
      "two lengths",
      "POST /search HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
      "the request is not valid HTTP/1.1",
    ],
  ])("%s: the error envelope, and the server lives", async (_what, bytes, message) => {
    const [head, body] = (await exchange(bytes)).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(body ?? "")).toEqual({
      status: "error",
      error: { code: "INVALID_QUERY", message },
      timestamp: expect.stringMatching(/Z$/),
    });
    await expectAlive();
  });

  it("a thousand parameters of one name are rejected; unknown names are ignored", async () => {
    const many = await fetch(`http://127.0.0.1:${port}/messages?${"limit=1&".repeat(1500)}`);
    const refused = (await many.json()) as { readonly error: { readonly message: string } };
    expect([many.status, refused.error.message]).toEqual([400, "limit must be given once, not 1500 times"]);
    const unknown = await fetch(
      `http://127.0.0.1:${port}/messages?${Array.from({ length: 2000 }, (_, n) => `p${n}=`).join("&")}`,
    );
    expect(unknown.status).toBe(200);
  });

  it("keeps a connection alive, and accepts concurrent requests", async () => {
    const request = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n";
    const answers = await exchange(`${request}${request}GET /stats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  });

  it("50 clients at once get 50 answers", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => fetch(`http://127.0.0.1:${port}/messages?offset=${n}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
  });

  it("disconnects clients that send their request too slowly", () => {
    const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = api.app.server;
    for (const limit of [headersTimeout, requestTimeout, timeout, keepAliveTimeout]) {
      expect(limit).toBeGreaterThan(0);
      expect(limit).toBeLessThanOrEqual(72_000);
    }
  });
});
