import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withoutBasePath } from "../../src/http/http-server.ts";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import { createUploadService } from "../../src/http/upload-service/upload-service.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { launchChromium } from "../chromium.ts";
import { bundlePages } from "./bundled-pages.ts";
import { type ContractArchive, writeContractArchive } from "./contract-archive.ts";
import { ownFiles } from "./own-files.ts";
import { createServiceFixture, type ServiceFixture } from "./service-fixture.ts";
import { complaintsOf, drawnView } from "./web-fixture.ts";

/** Both servers behind a proxy that publishes them under a base path. */

const TOKEN = "correct-horse-battery-staple";
const NAME = "mail.example";

let file: ContractArchive;
let archive: Archive;
let fixture: ServiceFixture;
let uploadId: string;
let browser: Browser;
const apps: FastifyInstance[] = [];
const proxies: Server[] = [];

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

/** Publishes a server at /mail/. @param strips whether the proxy removes the path, as `proxy_pass` with a path does */
async function proxyOf(app: FastifyInstance, strips: boolean, proto: string): Promise<string> {
  await app.listen({ host: "127.0.0.1", port: 0 });
  apps.push(app);
  const proxy = createServer((from, to) => {
    const url = from.url ?? "/";
    if (!url.startsWith("/mail/")) return void to.writeHead(418).end();
    const path = strips ? url.slice("/mail".length) : url;
    const headers = { ...from.headers, "x-forwarded-proto": proto };
    const asked = request({ port: portOf(app.server), path, method: from.method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(to);
    });
    from.pipe(asked);
  });
  proxies.push(proxy);
  await new Promise<void>((settle) => proxy.listen({ host: "127.0.0.1", port: 0 }, () => settle()));
  return `http://127.0.0.1:${portOf(proxy)}/mail/`;
}

const serve = (): Promise<FastifyInstance> => {
  const start = { source: "/mail/harbour", environment: "contract", host: "127.0.0.1", ...ownFiles() };
  return createLocalServer(archive, { ...start, basePath: "/mail", allowedHosts: [NAME] }, null);
};
const service = (): Promise<FastifyInstance> =>
  createUploadService(
    fixture.service,
    {
      ...{ host: "127.0.0.1", token: TOKEN, allowedHosts: [], allowedOrigins: [] },
      ...{ environment: "contract", rateLimit: null, basePath: "/mail" },
    },
    null,
  );

beforeAll(async () => {
  await bundlePages();
  file = await writeContractArchive();
  archive = await openArchive(file.location);
  fixture = await createServiceFixture();
  uploadId = await fixture.addCompleted("harbour.mbox");
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  for (const proxy of proxies) proxy.close();
  for (const app of apps) await app.close();
  await archive.close();
  await fixture.remove();
  file.remove();
});

it.each([
  ["/mail/a/local/?q=x", "/a/local/?q=x"],
  ["/mail", "/"],
  ["/mail?q=x", "/?q=x"],
  ["/mailbox/1", "/mailbox/1"],
  ["/a/local/", "/a/local/"],
])("reads %s below /mail as %s", (url, path) => {
  expect(withoutBasePath(url, "/mail")).toBe(path);
  expect(withoutBasePath(path, "")).toBe(path);
});

describe.each([
  ["a proxy that passes the path", false],
  ["a proxy that removes it", true],
])("serve after %s", (_, strips) => {
  it("shows every view without leaving the path", async () => {
    const base = await proxyOf(await serve(), strips, "http");
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    const drawn = drawnView(page);
    const outside: string[] = [];
    page.on("request", (asked) => {
      if (!asked.url().startsWith(base) && !asked.url().startsWith("data:")) outside.push(asked.url());
    });
    await page.goto(base);
    await drawn();
    expect(page.url()).toBe(`${base}a/local/`);
    for (const view of ["search", "people", "mailboxes", "about"]) {
      await page.locator(`nav.rail a[href="/mail/a/local/${view}"]`).first().click();
      await drawn();
      expect(page.url()).toBe(`${base}a/local/${view}`);
    }
    await page.goto(`${base}a/local/message/msg-000001?html=msg-000001`);
    await drawn();
    const links = await page.locator("a[href]").evaluateAll((all) => all.map((link) => link.getAttribute("href")!));
    expect(links.filter((href) => !href.startsWith("/mail/") && !href.startsWith("#"))).toEqual([]);
    await page.goto(`${base}nothing/here`);
    expect(outside).toEqual([]);
    expect(complaints.filter((text) => !/40[34]/.test(text))).toEqual([]);
    await page.close();
  });
});

describe.each([
  ["passes the path", false],
  ["removes it", true],
])("programs after a proxy that %s", (_, strips) => {
  it("reach the APIs by their descriptions, plain pages, feeds and the Model Context Protocol", async () => {
    const base = await proxyOf(await serve(), strips, "https");
    for (const api of ["api/query/", "api/explore/"]) {
      const described = await fetch(`${base}${api}openapi.json`);
      const { servers, paths } = (await described.json()) as {
        readonly servers: readonly { readonly url: string }[];
        readonly paths: object;
      };
      const root = new URL(servers[0]!.url, described.url);
      expect(root.href).toBe(base + api);
      const path = Object.keys(paths).find((name) => name.endsWith("/topics"))!;
      expect((await fetch(`${root.href}${path.slice(1)}`)).status).toBe(200);
    }
    const plain = await (await fetch(`${base}plain`)).text();
    expect(plain).toContain('action="/mail/plain/local/search"');
    expect(await (await fetch(`${base}plain/local/feed`)).text()).toContain("/mail/plain/local/feed</id>");
    const asked = await fetch(`${base}mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect([asked.status, (await asked.text()).includes("search_mail")]).toEqual([200, true]);
  });
});

it("serve accepts only the allowed host name", async () => {
  const app = await serve();
  const asked = async (host: string): Promise<number> =>
    (await app.inject({ url: "/mail/api/status", headers: { host } })).statusCode;
  expect([await asked(NAME), await asked("MAIL.example:443"), await asked("evil.example")]).toEqual([200, 200, 400]);
  await app.close();
});

describe("service behind a proxy", () => {
  it("keeps cookies, locations, files and events below the path", async () => {
    const base = await proxyOf(await service(), false, "http");
    const page = await browser.newPage();
    const drawn = drawnView(page);
    const outside: string[] = [];
    page.on("request", (asked) => {
      if (!asked.url().startsWith(base) && !asked.url().startsWith("data:")) outside.push(asked.url());
    });
    await page.goto(base);
    await page.locator("input[type=password]").fill(TOKEN);
    await page.keyboard.press("Enter");
    const events = page.waitForRequest(`${base}agent-stream`);
    await page.locator(`a.primary[href="/mail/a/${uploadId}/"]`).waitFor();
    await events;
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ path: "/mail/", httpOnly: true, sameSite: "Strict" });
    await page.locator(`a.primary[href="/mail/a/${uploadId}/"]`).click();
    await page.locator("nav.rail").waitFor();
    await drawn().catch(() => undefined);
    expect(page.url()).toBe(`${base}a/${uploadId}/`);
    expect(outside).toEqual([]);
    await page.close();
  });

  it("returns upload locations with the prefix, and secure cookies behind TLS", async () => {
    const app = await service();
    const headers = { host: "localhost", "x-forwarded-proto": "https" };
    const payload = JSON.stringify({ token: TOKEN });
    const session = await app.inject({ method: "POST", url: "/mail/session", headers, payload });
    expect(session.headers["set-cookie"]).toMatch(/^__Secure-archivetool_session_\w+=[\w-]+; Path=\/mail\/; /);
    const cookie = String(session.headers["set-cookie"]).split(";")[0]!;
    expect((await app.inject({ url: "/mail/uploads", headers: { ...headers, cookie } })).statusCode).toBe(200);
    const created = await app.inject({
      method: "POST",
      url: "/mail/upload/resumable",
      headers: {
        ...{ host: "localhost", authorization: `Bearer ${TOKEN}`, "tus-resumable": "1.0.0", "upload-length": "5" },
        "upload-metadata": `filename ${Buffer.from("a.mbox").toString("base64")}`,
      },
    });
    expect(created.statusCode).toBe(201);
    expect(created.headers.location).toMatch(/^\/mail\/upload\/resumable\/upload-[a-z2-7]{12}$/);
    await app.close();
  });
});
