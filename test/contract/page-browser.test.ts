import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import { openArchive } from "../../src/store/open-archive.ts";
import { bundlePages } from "./bundled-pages.ts";
import { writeContractArchive } from "./contract-archive.ts";
import { ownFiles } from "./own-files.ts";

/** The page in a browser: searching, reading, going back, by keyboard, without a word on the console. */

const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

const complaints: string[] = [];
let browser: Browser;
let page: Page;
let stop: () => Promise<void>;

beforeAll(async () => {
  if (BROWSER === undefined) return;
  await bundlePages();
  const file = await writeContractArchive();
  const archive = await openArchive(file.location);
  const app = await createLocalServer(
    archive,
    { source: resolve("/mail/harbour"), environment: "contract", host: "127.0.0.1", ...ownFiles() },
    null,
  );
  await app.listen({ host: "127.0.0.1", port: 0 });
  const bound = app.server.address();
  browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  page = await browser.newPage();
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}/`);
  stop = async () => {
    await browser.close();
    await app.close();
    await archive.close();
    file.remove();
  };
});
afterAll(() => stop?.());

it.skipIf(BROWSER === undefined)("shows the archive and its graph", async () => {
  expect(await page.textContent("h1")).toBe("harbour");
  expect(await page.textContent(".tiles")).toContain("24");
  expect(await page.locator(".timeline a").count()).toBe(1);
  await page.frameLocator("iframe").locator("canvas:visible").first().waitFor({ timeout: 10_000 });
});

it.skipIf(BROWSER === undefined)("finds, opens and goes back, by keyboard", async () => {
  await page.keyboard.press("/");
  await page.keyboard.type("hawser");
  await page.keyboard.press("Enter");
  await page.locator(".messages li").waitFor();
  expect(await page.textContent("mark")).toBe("hawser");
  expect(await page.isVisible("#overview")).toBe(false);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator("pre.body").waitFor();
  // Markup in mail is text.
  expect(await page.textContent("pre.body")).toContain("waits\tat <b>berth</b> twelve.\nBring");
  expect(await page.locator("pre.body *").count()).toBe(0);
  expect(await page.textContent("#answer")).toContain("berth plan.pdf application/pdf, 1,234 bytes");
  expect(await page.locator("[aria-current]").count()).toBe(1);
  await page.goBack();
  await page.locator("mark").waitFor();
  expect(await page.inputValue("#query")).toBe("hawser");
  await page.goBack();
  await page.locator("#overview").waitFor({ state: "visible" });
});

it.skipIf(BROWSER === undefined)("leads from people, topics and months to their mail", async () => {
  for (const [link, title] of [
    ["a[href^='#/messages?from=ann']", "4 messages of ann@harbour.example"],
    ["a[href^='#/messages?topic_id=topic-001']", "8 messages of topic-001"],
    [".timeline a", "22 messages"],
    ["a[href*='in%3A']", "24 messages"],
  ] as const) {
    await page.goto(`${page.url().split("#")[0]}#/`);
    await page.locator(link).first().focus();
    await page.keyboard.press("Enter");
    await page.locator("#answer .messages li").first().waitFor();
    expect(await page.textContent("#answer h2")).toContain(title);
  }
});

it.skipIf(BROWSER === undefined)("says what went wrong, and complains about nothing of its own", async () => {
  await page.goto(`${page.url().split("#")[0]}#/message/nothing`);
  await page.getByText("Message nothing not found").waitFor();
  // The browser itself notes the 404.
  expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
});
