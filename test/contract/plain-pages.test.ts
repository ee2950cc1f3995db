import type { FastifyInstance } from "fastify";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import { createUploadService } from "../../src/http/upload-service/upload-service.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { BROWSER, launchChromium } from "../chromium.ts";
import { bundlePages } from "./bundled-pages.ts";
import { type ContractArchive, writeContractArchive } from "./contract-archive.ts";
import { ownFiles } from "./own-files.ts";
import { createServiceFixture, type ServiceFixture } from "./service-fixture.ts";

/** Search results, conversations and messages without JavaScript, and searches as Atom feeds. */

const TOKEN = "correct-horse-battery-staple";

let file: ContractArchive;
let archive: Archive;
let local: FastifyInstance;
let fixture: ServiceFixture;
let service: FastifyInstance;
let uploadId: string;
let base = "";

beforeAll(async () => {
  await bundlePages();
  file = await writeContractArchive();
  archive = await openArchive(file.location);
  const start = { source: "harbour", environment: "contract", host: "127.0.0.1", ...ownFiles() };
  local = await createLocalServer(archive, { ...start, basePath: "/mail" }, null);
  base = `${await local.listen({ host: "127.0.0.1", port: 0 })}/mail`;
  fixture = await createServiceFixture();
  uploadId = await fixture.addCompleted("harbour.mbox");
  await fixture.addQueued("later.mbox");
  service = await createUploadService(
    fixture.service,
    {
      ...{ host: "127.0.0.1", token: TOKEN, allowedHosts: [], allowedOrigins: [] },
      ...{ environment: "contract", rateLimit: null },
    },
    null,
  );
});
afterAll(async () => {
  await local.close();
  await archive.close();
  file.remove();
  await service.close();
  await fixture.remove();
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  local.inject({ url: `/mail${path}`, headers: { host: "127.0.0.1", ...headers } });

describe("plain pages", () => {
  it("are linked from the page for browsers without JavaScript", async () => {
    const linked = async (path: string): Promise<string | undefined> =>
      /<noscript>.*href="([^"]*)"/.exec((await get(path)).payload)?.[1]?.replaceAll("&amp;", "&");
    expect(await linked("/a/local/search?q=rope+%22%3Cb%3E&match=any&view=table")).toBe(
      "/mail/plain/local/search?q=rope+%22%3Cb%3E&match=any",
    );
    expect(await linked("/a/local/thread/thread-000001?tree=1")).toBe("/mail/plain/local/thread/thread-000001");
    expect(await linked("/a/local/id/12%40harbour.example")).toBe("/mail/plain/local/id/12%40harbour.example");
    expect(await linked("/a/local/")).toBe("/mail/plain/local/search");
    expect(await linked("/a/local/people/contact-000001")).toBe("/mail/plain/local/search");
  });

  it("offer the sort orders of the page", async () => {
    const { payload } = await get("/plain/local/search?q=mooring&sort=newest");
    expect(payload).toContain('<option value="relevance">Best match</option>');
    expect(payload).toContain('<option value="newest" selected>Newest first</option>');
  });

  it("lead from a search to every message by its Message-ID", async () => {
    const seen: string[] = [];
    let next: string | undefined = "/plain/local/search?q=mooring&match=any&sort=oldest";
    while (next !== undefined) {
      const { statusCode, payload } = await get(next);
      expect(statusCode).toBe(200);
      seen.push(...Array.from(payload.matchAll(/<h2><a href="([^"]+)"/g), ([, href]) => href!));
      next = /rel="next" href="\/mail([^"]+)"/.exec(payload)?.[1]?.replaceAll("&amp;", "&");
    }
    const { total } = await archive.explore.page({
      ...{ query: "mooring", match: "any", sort: "oldest", offset: 0, limit: 200, repeats: "listed" },
    });
    expect(seen).toHaveLength(total);
    for (const href of seen) {
      expect(href).toMatch(/^\/mail\/plain\/local\/id\/\d+%40harbour\.example\?q=mooring$/);
      expect((await get(href.slice("/mail".length))).statusCode).toBe(200);
    }
  });

  it("highlight matches, also of stems", async () => {
    for (const query of ["chain", "stem:chains"])
      expect((await get(`/plain/local/search?q=${query}`)).payload, query).toContain("<mark>chain</mark>");
  });

  it("mark the words of the query in the messages that a search leads to", async () => {
    for (const path of ["id/12@harbour.example", "message/msg-000012", "thread/thread-000001"]) {
      const { payload } = await get(`/plain/local/${path}?q=%22waits+at%22+plan+-rope`);
      expect(payload, path).toContain("<mark>waits</mark>\t<mark>at</mark> &lt;b&gt;berth&lt;/b&gt; twelve.");
      expect(payload, path).toContain('<input type="search" name="q" value="&quot;waits at&quot; plan -rope"');
      expect(payload, path).not.toContain("<mark>rope");
    }
  });

  it("show text as text", async () => {
    const { payload, headers } = await get("/plain/local/id/12@harbour.example");
    expect(payload).toContain("waits\tat &lt;b&gt;berth&lt;/b&gt; twelve.");
    // The archive is redacted: it returns no originals.
    expect(payload).toContain("berth plan.pdf");
    expect(payload).not.toContain("/messages/msg-000012/");
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
  });

  it("contain a conversation with all its messages", async () => {
    const thread = (await archive.threads.get("thread-000001"))!;
    const { payload } = await get("/plain/local/thread/thread-000001");
    const shown = Array.from(payload.matchAll(/<article id="([^"]+)"/g), ([, id]) => id);
    expect(shown).toEqual(thread.messageIds);
  });

  it("answer errors as pages", async () => {
    for (const [path, status] of [
      ["/plain/local/id/nobody@harbour.example", 404],
      ["/plain/local/thread/thread-999999", 404],
      ["/plain/other/search", 404],
      ["/plain/local/search?sort=%3Cb%3E", 400],
    ] as const) {
      const { statusCode, headers, payload } = await get(path);
      expect([path, statusCode, headers["content-type"]]).toEqual([path, status, "text/html; charset=utf-8"]);
      expect(payload).not.toContain("<b>");
    }
  });

  it("return 304 to clients that have them", async () => {
    const { headers } = await get("/plain/local/feed?q=rope");
    expect((await get("/plain/local/feed?q=rope", { "if-none-match": String(headers.etag) })).statusCode).toBe(304);
  });
});

describe("on the service", () => {
  const ask = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    service.inject({ url, headers: { host: "127.0.0.1", ...headers } });

  it("require a token, and accept it from a form", async () => {
    for (const path of ["/plain", `/plain/${uploadId}/search`, `/plain/${uploadId}/feed`]) {
      const { statusCode, payload } = await ask(path);
      expect([path, statusCode]).toEqual([path, 401]);
      expect(payload).toContain('action="/plain/session"');
      expect(payload).not.toContain("harbour");
    }
    const signedIn = async (token: string) =>
      service.inject({
        ...{ method: "POST", url: "/plain/session", payload: new URLSearchParams({ token }).toString() },
        headers: {
          ...{ host: "127.0.0.1", origin: "http://127.0.0.1" },
          "content-type": "application/x-www-form-urlencoded",
        },
      });
    expect((await signedIn("wrong")).statusCode).toBe(401);
    const { statusCode, headers } = await signedIn(TOKEN);
    expect([statusCode, headers.location]).toEqual([303, "/plain"]);
    const cookie = String(headers["set-cookie"]).split(";")[0]!;
    expect((await ask("/plain", { cookie })).headers.location).toBe(`/plain/${uploadId}/search`);
    expect((await ask(`/plain/${uploadId}/search?q=rope`, { cookie })).payload).toContain("harbour.mbox");
  });

  it("reject forms of another site", async () => {
    const { statusCode } = await service.inject({
      ...{ method: "POST", url: "/plain/session", payload: `token=${TOKEN}` },
      headers: { host: "127.0.0.1", origin: "http://evil.example" },
    });
    expect(statusCode).toBe(400);
  });

  it("hide uploads that the caller may not see", async () => {
    const bearer = { authorization: `Bearer ${TOKEN}` };
    expect((await ask("/plain/upload-aaaaaaaaaaaa/search", bearer)).statusCode).toBe(404);
    expect((await ask(`/plain/${uploadId}/id/12@harbour.example`, bearer)).statusCode).toBe(200);
  });
});

describe.skipIf(BROWSER === undefined)("in a browser without JavaScript", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
    page = await context.newPage();
  });
  afterAll(() => browser.close());

  it("people find, read and follow a conversation", async () => {
    await page.goto(`${base}/a/local/search?q=hawser`);
    await page.getByRole("link", { name: "Read without JavaScript" }).click();
    expect(page.url()).toBe(`${base}/plain/local/search?q=hawser`);
    await page.locator("li h2 a").first().click();
    expect(page.url()).toBe(`${base}/plain/local/id/12%40harbour.example?q=hawser`);
    await page.getByRole("link", { name: "Conversation" }).click();
    await page.locator("article#msg-000012").waitFor();
    await page.getByRole("searchbox").fill("chain");
    await page.getByRole("button", { name: "Search" }).click();
    expect(page.url()).toBe(`${base}/plain/local/search?q=chain&match=all&sort=relevance`);
    expect(await page.locator("li").count()).toBe(12);
  });

  it("the feed is XML with an entry a message", async () => {
    const { headers, payload } = await get("/plain/local/feed?q=%22mooring+rope%22", { "x-forwarded-proto": "https" });
    expect(headers["content-type"]).toBe("application/atom+xml; charset=utf-8");
    const reader = await browser.newPage();
    const read = await reader.evaluate<Record<string, unknown>>(`(() => {
      const feed = new DOMParser().parseFromString(${JSON.stringify(payload)}, "application/xml");
      const texts = (name) => [...feed.querySelectorAll(name)].map((node) => node.textContent);
      return {
        faults: texts("parsererror"),
        ids: texts("entry > id"),
        titles: texts("entry > title").length,
        authors: texts("entry > author > name").length,
        updated: texts("entry > updated"),
        links: [...feed.querySelectorAll("entry > link")].map((link) => link.getAttribute("href")),
        self: feed.querySelector("feed > id").textContent,
      };
    })()`);
    await reader.close();
    const ids = read["ids"] as readonly string[];
    expect(ids).toHaveLength(11);
    expect(new Set(ids).size).toBe(11);
    const updated = read["updated"] as readonly string[];
    expect(updated.every((date) => !Number.isNaN(Date.parse(date)))).toBe(true);
    expect(read).toMatchObject({ faults: [], titles: 11, authors: 11 });
    expect(read["self"]).toBe("https://127.0.0.1/mail/plain/local/feed?q=%22mooring+rope%22");
    for (const link of read["links"] as readonly string[])
      expect(link).toMatch(/^https:\/\/127\.0\.0\.1\/mail\/plain\/local\/id\/\d+%40harbour\.example$/);
  });
});
