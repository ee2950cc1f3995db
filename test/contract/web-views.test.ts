import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedCompany, serveCompany } from "./company-archive.ts";
import { BROWSER, complaintsOf } from "./web-fixture.ts";

/** The views that are tables: every number that is a link leads to exactly that many. */

let company: ServedCompany;
let browser: Browser;
let page: Page;
let base: string;
let complaints: string[];

beforeAll(async () => {
  if (BROWSER === undefined) return;
  company = await serveCompany("web-views");
  base = `${await company.app.listen({ host: "127.0.0.1", port: 0 })}/a/local`;
  browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  complaints = complaintsOf(page);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await company?.stop();
});

/** Follows a link that is a number of messages, and expects as many. */
async function expectFound(link: ReturnType<Page["locator"]>): Promise<void> {
  const count = await link.textContent();
  await link.click();
  await page.locator(".found", { hasText: new RegExp(`^${count} message`) }).waitFor();
  await page.goBack();
}

describe.skipIf(BROWSER === undefined)("views", () => {
  it("about: what became of every item, and from where", async () => {
    await page.goto(`${base}/about`);
    await page.getByText("What became of every item").waitFor();
    const numbers = (await page.locator(".sum strong").allTextContents()).map((text) =>
      Number(text.replace(/\D/g, "")),
    );
    expect(numbers[0]).toBe(numbers.slice(1).reduce((sum, count) => sum + count, 0));
    await expectFound(page.locator(".data").first().locator("tbody tr").nth(1).locator("a").first());
    await page.locator(".tally a").first().waitFor();
    const warned = await page.locator(".tally .count").first().textContent();
    await page.locator(".tally a").first().click();
    await page
      .getByRole("status")
      .filter({ hasText: new RegExp(`^${warned} warning`) })
      .waitFor();
    await expect.poll(() => page.title()).toMatch(/^Warnings · \d+ warnings? · /);
  });

  it("warnings: filtered by text, which stands in the address", async () => {
    await page.goto(`${base}/about/warnings`);
    await page.locator(".data tbody tr").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("no such words");
    await page.getByText("No warning fits").waitFor();
    expect(new URL(page.url()).searchParams.get("search")).toBe("no such words");
  });

  it("mailboxes: a tree whose numbers lead to as many messages", async () => {
    await page.goto(`${base}/mailboxes`);
    const rows = page.locator(".data tbody tr");
    await rows.first().waitFor();
    const inboxes = rows.filter({ has: page.getByRole("rowheader", { name: "Inbox", exact: true }) });
    expect(await inboxes.count()).toBeGreaterThan(1);
    await expectFound(inboxes.nth(0).locator("a"));
    await expectFound(inboxes.nth(1).locator("a"));
    await page.goto(`${base}/mailboxes?search=inbox`);
    await rows.first().waitFor();
    expect(await rows.filter({ hasText: "Sent" }).count()).toBe(0);
  });

  it("complain about nothing", () => expect(complaints).toEqual([]));
});
