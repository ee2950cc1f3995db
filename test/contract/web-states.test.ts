import { copyFileSync, renameSync } from "node:fs";
import type { Locator, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ViewName } from "../../src/web/shell/addresses.ts";
import { BROWSER } from "../chromium.ts";
import { complaintsOf, drawnView, type ServedWeb, serveWeb } from "./web-fixture.ts";

/** Every view while it waits, when it is rejected, when nothing responds, and afterwards. */

let web: ServedWeb;
let page: Page;
let drawn: () => Promise<void>;
let complaints: string[];

afterEach(() => page?.unrouteAll());
beforeAll(async () => {
  if (BROWSER === undefined) return;
  web = await serveWeb({ hasNotebook: true });
});
afterAll(() => web?.stop());

/** Opens a page for the tests of a screen width, and closes it afterwards. */
function usePage(width: number): void {
  beforeAll(async () => {
    page = await web.browser.newPage({ viewport: { width, height: 800 } });
    drawn = drawnView(page);
    complaints = complaintsOf(page);
  });
  afterAll(() => page.close());
}

/** Views that send requests, with an element they show. The overview arrives with the page; help sends no requests. */
const VIEWS: Readonly<
  Record<Exclude<ViewName, "archives" | "opening" | "overview" | "help">, readonly [path: string, shown: string]>
> = {
  search: ["/search?q=mooring", ".row"],
  thread: ["/thread/thread-000001", "article .text-of-mail"],
  message: ["/message/msg-000012", "article .text-of-mail"],
  permalink: ["/id/12@harbour.example", "article .text-of-mail"],
  people: ["/people", ".data tbody tr"],
  person: ["/people/contact-000001", ".figures a"],
  between: ["/between/contact-000001/contact-000002", ".figures"],
  topics: ["/topics", ".topic-cards li"],
  topic: ["/topics/topic-001", ".value-list a"],
  mentions: ["/mentions", ".data tbody tr"],
  calendar: ["/calendar", ".state:not([role])"],
  items: ["/items", ".state:not([role])"],
  files: ["/files", ".data tbody tr"],
  mailboxes: ["/mailboxes", ".state:not([role])"],
  graph: ["/graph", "#graph"],
  hits: ["/hits#berth", ".data tbody tr"],
  notebook: ["/notebook", ".progress-words a"],
  about: ["/about", ".sum"],
  warnings: ["/about/warnings", ".data tbody tr, .state:not([role])"],
};

const API = "**/api/explore/**";
const REFUSAL = {
  status: 503,
  contentType: "application/json",
  body: JSON.stringify({ error: { code: "STORE_BUSY", message: "the archive is being copied" } }),
};
const alerts = () => page.locator("main").getByRole("alert");

/** Clicks "Try again" wherever it is. */
async function retryAll(): Promise<void> {
  const buttons = alerts().getByRole("button", { name: "Try again" });
  for (let left = await buttons.count(); left > 0; left--) await buttons.first().click();
  await drawn();
}

const WIDTHS = [390, 1280] as const;

/** Each view at both widths. The panels of the search depend on the width at which it was opened. */
const OPENED = Object.entries(VIEWS).flatMap(([view, [path, shown]]) =>
  (view === "search" ? WIDTHS.map((width) => [width]) : [WIDTHS]).map((widths) => ({ view, widths, path, shown })),
);

describe.skipIf(BROWSER === undefined)("every view", () => {
  usePage(1280);

  it.each(OPENED)(
    "$view shows loading, rejected and offline states, and recovers, at $widths pixels",
    async ({ widths, path, shown }) => {
      const resize = (width: number): Promise<void> => page.setViewportSize({ width, height: 800 });
      /** Waits until one of the elements is visible, at each width. */
      const seen = async (elements: Locator): Promise<void> => {
        for (const width of widths) {
          await resize(width);
          await elements.filter({ visible: true }).first().waitFor();
        }
      };
      await resize(widths[0]!);
      const held: Route[] = [];
      let answer = async (route: Route): Promise<void> => void held.push(route);
      await page.route(API, (route) => answer(route));
      await page.goto(`${web.base}/a/local${path}`);
      const waiting = page.locator("main .skeleton.shown:visible").first();
      await seen(waiting);
      expect(await waiting.getAttribute("role")).toBe("status");
      answer = (route) => route.fulfill(REFUSAL);
      await Promise.all(held.map(answer));
      await seen(alerts());
      await drawn();
      const text = await alerts().first().textContent();
      for (const part of ["Something went wrong", "the archive is being copied", "STORE_BUSY", "Try again"])
        expect(text).toContain(part);
      answer = (route) => route.abort("connectionrefused");
      await retryAll();
      await seen(alerts().getByText("The server has stopped"));
      await seen(page.locator(".bar.offline"));
      answer = (route) => route.continue();
      await retryAll();
      await seen(page.locator(shown));
      await page.locator(".bar.offline").waitFor({ state: "detached" });
      expect(await alerts().count()).toBe(0);
    },
  );

  it("only the browser itself reports errors", () =>
    expect(complaints.filter((text) => !/Failed to load resource/.test(text))).toEqual([]));
});

describe.skipIf(BROWSER === undefined)("a view", () => {
  usePage(1280);

  it("opens mentions at the first kind with values, and disables the others", async () => {
    await page.route("**/api/**/facets?**", async (route) => {
      const answer = (await (await route.fetch()).json()) as {
        readonly data: { readonly facets: readonly { readonly of: string }[] };
      };
      const facets = answer.data.facets.map((facet) => (facet.of === "org" ? facet : { ...facet, values: [] }));
      await route.fulfill({ json: { ...answer, data: { facets } } });
    });
    await page.goto(`${web.base}/a/local/mentions`);
    await drawn();
    const tabs = page.locator(".view-head .ways");
    expect(await tabs.locator("[aria-current]").textContent()).toBe("Organizations");
    expect(await tabs.locator("button:disabled").count()).toBe(7);
    expect(await page.locator(".rail [aria-current]").count()).toBe(0);
    await page.route("**/api/**/mentions?**", async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, data: { total: 0, mentions: [] } } });
    });
    await page.goto(`${web.base}/a/local/mentions?kind=iban`);
    await page.getByRole("heading", { name: "No mentions of this kind" }).waitFor();
    expect(await tabs.locator("[aria-current]").textContent()).toBe("IBANs");
  });

  it("keeps loaded parts when the rest fails, and retries it", async () => {
    await page.goto(`${web.base}/a/local/search?q=mooring`);
    await drawn();
    await page.route("**/facets?**", (route) => route.fulfill(REFUSAL));
    await page.route("**/timeline?**", (route) => route.abort("connectionrefused"));
    await page.reload();
    await page.locator("#facets").getByText("STORE_BUSY").waitFor();
    await alerts().getByText("The server has stopped").waitFor();
    await page.locator(".row").first().waitFor();
    await page.unrouteAll();
    await retryAll();
    await page.locator("#facets .values li").first().waitFor();
    await page.locator(".bars").waitFor();
  });

  it.each([
    "/message/msg-999999",
    "/thread/thread-999999",
    "/people/contact-999999",
    "/topics/topic-999",
    "/id/nobody@harbour.example",
    "/search?m=msg-999999",
  ])("shows that something does not exist, and a way to continue: %s", async (path) => {
    await page.goto(`${web.base}/a/local${path}`);
    await alerts().getByRole("heading", { name: "Not found" }).waitFor();
    // Another request would not help.
    expect(await alerts().getByRole("button").count()).toBe(0);
    await alerts().getByRole("link", { name: "Search all mail" }).click();
    await page.locator(".row").first().waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  it("shows the text of a message without formatting or without an original", async () => {
    await page.goto(`${web.base}/a/local/message/msg-000012`);
    const text = page.locator("article.named .text-of-mail");
    const written = await text.first().textContent();
    await page.locator("article.named").getByRole("button", { name: "Formatted" }).click();
    await page.locator("article.named .warned").waitFor();
    expect(await text.first().textContent()).toBe(written);
  });

  it("never shows the response to an earlier request", async () => {
    const late: Route[] = [];
    await page.route(/messages\?q=rope/, (route) => void late.push(route));
    await page.goto(`${web.base}/a/local/search?q=hawser`);
    await drawn();
    await page.locator("#q").fill("rope");
    await page.locator("#q").press("Enter");
    await expect.poll(() => late.length).toBeGreaterThan(0);
    await page.locator("#q").fill("chain");
    await page.locator("#q").press("Enter");
    const found = page.locator(".found");
    await page.locator(".row mark", { hasText: "chain" }).first().waitFor();
    const before = await found.textContent();
    await page.unrouteAll();
    await Promise.all(late.map((route) => route.continue().catch(() => undefined)));
    await drawn();
    expect(await found.textContent()).toBe(before);
    expect(await page.locator(".row mark", { hasText: "rope" }).count()).toBe(0);
  });

  it("shows that the archive was replaced, without hiding the current content", async () => {
    await page.goto(`${web.base}/a/local/search?q=mooring`);
    await drawn();
    expect(await page.locator(".bar.offline").count()).toBe(0);
    copyFileSync(web.archiveFile, `${web.archiveFile}.new`);
    renameSync(`${web.archiveFile}.new`, web.archiveFile);
    await page.locator("#q").fill("hawser");
    await page.locator("#q").press("Enter");
    await page.locator(".bar.offline").getByText("This archive was extracted again").waitFor();
    await page.locator(".row mark", { hasText: "hawser" }).waitFor();
  });

  it("only the browser itself reports errors", () =>
    expect(complaints.filter((text) => !/Failed to load resource/.test(text))).toEqual([]));
});
