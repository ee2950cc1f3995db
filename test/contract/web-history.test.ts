import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../chromium.ts";
import { browseCompany } from "./browsed-company.ts";
import { drawnView } from "./web-fixture.ts";

/** Back and forward restore the query, the selected row and the scroll position. */

const company = browseCompany("web-history");

/** State of a search: its query, its scroll position, and the row with the keyboard focus. */
const shown = (page: Page): Promise<unknown> =>
  page.evaluate(`[
    document.querySelector("#q").value,
    Math.round(document.querySelector(".rows").scrollTop),
    document.querySelector(".row.cursor")?.closest("li").getAttribute("aria-posinset"),
    document.querySelector(".row[aria-current]")?.getAttribute("href"),
  ]`);

describe.skipIf(BROWSER === undefined).each([1280, 390])("back and forward at %i pixels", (width) => {
  it("restore query, row and scroll position", async () => {
    const page = await company.newPage({ width, height: 800 });
    const drawn = drawnView(page);
    await page.goto(`${company.base()}/search?q=the&sort=oldest`);
    await drawn();
    await page.locator(".rows").evaluate((rows) => rows.scrollTo(0, 3000));
    await page.locator("li[aria-posinset='33'] .row").click();
    await drawn();
    const isBeside = width > 767;
    if (!isBeside) await page.goBack();
    await drawn();
    const left = await shown(page);
    expect(left).toEqual([
      "the",
      expect.any(Number),
      "33",
      isBeside ? expect.stringContaining("/message/") : undefined,
    ]);
    expect((left as readonly number[])[1]).toBeGreaterThan(2500);
    // Another query, another view, and a message; then back to the start, and forward again.
    await page.locator("#q").fill("budget");
    await page.locator("#q").press("Enter");
    await page.waitForURL(/q=budget/);
    await drawn();
    await page.locator(".rows").evaluate((rows) => rows.scrollTo(0, 700));
    const second = await shown(page);
    await page.locator(".found").click({ position: { x: 2, y: 2 } });
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.waitForURL(/\/people$/);
    await drawn();
    await page.goBack();
    await drawn();
    await expect.poll(() => shown(page)).toEqual(second);
    await page.goBack();
    await drawn();
    await expect.poll(() => shown(page)).toEqual(left);
    await page.goForward();
    await drawn();
    await expect.poll(() => shown(page)).toEqual(second);
    await page.close();
  });

  it.each([
    ["/people", "#content"],
    ["/about", "#content"],
    ["/topics", "#content"],
    ["/help", "#content"],
    ["/message/msg-000001", "#content"],
    ["/", ".overview"],
    ["/search?q=the&view=read", ".read-list"],
    ["/search?q=the&view=people", ".rows.grouped"],
    ["/search?q=the&group=conversation", ".rows.conversations"],
  ])("find the place in %s, and begin others at their top", async (path, scrolled) => {
    const page = await company.newPage({ width, height: 400 });
    const drawn = drawnView(page);
    const top = (): Promise<number> => page.locator(scrolled).evaluate((part) => Math.round(part.scrollTop));
    await page.goto(company.base() + path);
    await drawn();
    for (let tries = 0; tries < 4; tries++) {
      await page.locator(scrolled).evaluate((part) => part.scrollTo(0, part.scrollHeight));
      await drawn();
    }
    const left = await top();
    expect(left).toBeGreaterThan(20);
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.waitForURL(/\/calendar$/);
    await drawn();
    expect(await page.locator("#content").evaluate((part) => part.scrollTop)).toBe(0);
    await page.goBack();
    await expect.poll(top).toBe(left);
    // Later content does not move it again.
    await drawn();
    expect(await top()).toBe(left);
    await page.close();
  });
});
