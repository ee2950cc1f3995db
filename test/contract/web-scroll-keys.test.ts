import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../chromium.ts";
import { browseCompany } from "./browsed-company.ts";
import { drawnView } from "./web-fixture.ts";

/** Scroll keys work in a view that was just loaded, and keys that go back stay in the application. */

/** Views that are taller than the window of these tests, the element that scrolls, and the key pressed first. */
const VIEWS = [
  ["/", ".overview", "PageDown"],
  ["/search?q=the", ".rows", "Space"],
  ["/search?q=the&view=read", ".rows", "End"],
  ["/people", "#content", "ArrowDown"],
  ["/topics", "#content", "PageDown"],
  ["/message/msg-000001", "#content", "Space"],
  ["/help", "#content", "End"],
  ["/about", "#content", "ArrowDown"],
] as const;

const company = browseCompany("web-scroll-keys");

const topOf = (page: Page, region: string): Promise<number> =>
  page
    .locator(region)
    .first()
    .evaluate((element) => Math.round(element.scrollTop));

describe.skipIf(BROWSER === undefined)("keys that scroll", () => {
  it.each(VIEWS)("work in %s immediately", async (path, region, key) => {
    const page = await company.newPage({ width: 1280, height: 400 });
    const drawn = drawnView(page);
    await page.goto(company.base() + path);
    await drawn();
    expect(await topOf(page, region)).toBe(0);
    await page.keyboard.press(key);
    await expect.poll(() => topOf(page, region)).toBeGreaterThan(10);
    await page.keyboard.press("Home");
    await expect.poll(() => topOf(page, region)).toBe(0);
    await page.close();
  });
});

describe.skipIf(BROWSER === undefined)("the focus", () => {
  it("moves from a menu link to the view when a key scrolls, and starts at the skip link", async () => {
    const page = await company.newPage({ width: 1280, height: 400 });
    const drawn = drawnView(page);
    await page.goto(`${company.base()}/help`);
    await drawn();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.className")).toBe("skip");
    await page.locator(".rail a", { hasText: "People" }).click();
    await page.waitForURL(/\/people$/);
    await drawn();
    await page.keyboard.press("End");
    await expect.poll(() => topOf(page, "#content")).toBeGreaterThan(10);
    await page.close();
  });
});

describe.skipIf(BROWSER === undefined).each(["Escape", "u"])("%s", (key) => {
  it("never leaves the application, also after a link to a part of the page", async () => {
    const page = await company.newPage({ width: 1280, height: 720 });
    const drawn = drawnView(page);
    await page.goto("about:blank");
    await page.goto(`${company.base()}/about`);
    await drawn();
    await page.keyboard.press(key);
    await page.keyboard.press(key);
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.waitForURL(`${company.base()}/people`);
    await drawn();
    await page.locator("a.skip").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${company.base()}/people#content`);
    for (const back of [`${company.base()}/people`, `${company.base()}/about`, `${company.base()}/about`]) {
      await page.keyboard.press(key);
      await page.waitForURL(back);
      await drawn();
    }
    // A reloaded page keeps its position in the history.
    await page.reload();
    await drawn();
    await page.keyboard.press(key);
    await drawn();
    expect(page.url()).toBe(`${company.base()}/about`);
    await page.close();
  });
});
