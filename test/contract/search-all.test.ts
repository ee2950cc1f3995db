import { truncateSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashOf } from "../../src/http/upload-service/base/access-token.ts";
import { type UploadSearchWire, uploadSearchSchema } from "../../src/http/upload-service/base/wire-search.ts";
import { createUploadService } from "../../src/http/upload-service/upload-service.ts";
import { BROWSER, launchChromium } from "../chromium.ts";
import { bundlePages } from "./bundled-pages.ts";
import { createServiceFixture, NOON, type ServiceFixture } from "./service-fixture.ts";
import { AXE, complaintsOf, drawnView, RUN_AXE } from "./web-fixture.ts";

/** One search over all archives that the caller may read. */

const TOKEN = "correct-horse-battery-staple";
const READER = "reader-token-of-the-contract";

let fixture: ServiceFixture;
let app: FastifyInstance;
let base = "";
let first: string;
let second: string;

beforeAll(async () => {
  await bundlePages();
  fixture = await createServiceFixture();
  first = await fixture.addCompleted("first.mbox");
  second = await fixture.addCompleted("second.mbox");
  await fixture.addQueued("waiting.mbox");
  const { access } = fixture.catalog;
  const by = { name: "operator", at: NOON };
  await access.addToken({ name: "reader", tokenHash: hashOf(READER), mayUpload: false, createdAt: NOON }, by);
  await access.grant({ name: "reader", uploadId: first, role: "reader" }, by);
  app = await createUploadService(
    fixture.service,
    {
      ...{ host: "127.0.0.1", token: TOKEN, allowedHosts: [], allowedOrigins: [] },
      ...{ environment: "contract", rateLimit: null },
    },
    null,
  );
  base = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await app.close();
  await fixture.remove();
});

async function search(query: string, token: string): Promise<UploadSearchWire> {
  const answer = await fetch(`${base}/uploads/search?${query}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  return uploadSearchSchema.parse(await answer.json());
}

async function totalIn(uploadId: string, query: string): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`${base}/uploads/${uploadId}/explore/messages?${query}`, { headers });
  return ((await answer.json()) as { readonly data: { readonly total: number } }).data.total;
}

describe("GET /uploads/search", () => {
  it.each(["q=rope", "q=%22mooring+chain%22", "q=from:ann+rope&match=any", "q="])(
    "counts the results of each archive and their sum: %s",
    async (query) => {
      const { total, searched, archives } = await search(query, TOKEN);
      const expected = [await totalIn(first, query), await totalIn(second, query)];
      expect(archives.map((archive) => archive.total)).toEqual(expected);
      expect([total, searched]).toEqual([expected[0]! + expected[1]!, 2]);
      expect(new Set(archives.map(({ filename }) => filename))).toEqual(new Set(["first.mbox", "second.mbox"]));
      for (const { total, messages } of archives) expect(messages).toHaveLength(Math.min(5, total!));
    },
  );

  it("omits archives without results, and checks its parameters", async () => {
    expect(await search("q=zebra", TOKEN)).toMatchObject({ total: 0, searched: 2, archives: [] });
    expect((await search("q=rope&limit=2", TOKEN)).archives[0]!.messages).toHaveLength(2);
    const wrong = await fetch(`${base}/uploads/search?limit=51`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(wrong.status).toBe(400);
  });

  it("searches readable archives, and records each in the audit log", async () => {
    const { searched, archives } = await search("q=rope", READER);
    expect([searched, archives.map(({ upload_id }) => upload_id)]).toEqual([1, [first]]);
    expect((await fetch(`${base}/uploads/search?q=rope`)).status).toBe(401);
  });
});

describe.skipIf(BROWSER === undefined)("the page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  it("searches all archives, and leads to a message and to the results of one", async () => {
    const page = await browser.newPage();
    const drawn = drawnView(page);
    const complaints = complaintsOf(page);
    await page.goto(base);
    await page.locator("input[type=password]").fill(TOKEN);
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Search all archives" }).fill("hawser");
    await page.getByText("2 messages · 2 archives").waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("hawser");
    await page.evaluate(AXE);
    expect(await page.evaluate(RUN_AXE)).toEqual([]);
    await page.locator(".panel p a").first().click();
    await page.locator("article mark").first().waitFor();
    await page.goBack();
    await page.locator(".panel h3 a").first().click();
    await page.waitForURL("**/search?q=hawser");
    await drawn();
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
    await page.close();
  });
});

it("reports an archive that cannot be read, and searches the others", async () => {
  // Uploads are claimed in order.
  await fixture.startNext();
  const broken = await fixture.addCompleted("broken.mbox");
  truncateSync(join(fixture.directory.archiveDirectory(broken), "archive.db"), 5000);
  const { total, searched, archives } = await search("q=hawser", TOKEN);
  expect([total, searched]).toEqual([2, 3]);
  expect(archives.at(-1)).toMatchObject({ upload_id: broken, total: null, error: "ARCHIVE_DAMAGED", messages: [] });
});
