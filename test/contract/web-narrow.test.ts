import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER } from "../chromium.ts";
import { AXE, drawnView, RUN_AXE, type ServedWeb, serveWeb } from "./web-fixture.ts";

/** Small screens, large text, and missing pages: nothing leaves the screen, and there is always a way to continue. */

/** A small phone, a common one, and a desktop at 200 % (WCAG 1.4.4, 1.4.10). */
const WIDTHS = [320, 390, 640] as const;

const VIEWS = [
  "",
  "search?q=berth",
  "search?q=berth&view=table",
  "search?q=berth&view=read",
  "search?q=berth&group=conversation",
  "search?q=berth+zebra",
  "thread/thread-000001",
  "people",
  "people/contact-000001",
  "between/contact-000001/contact-000002",
  "topics",
  "topics/topic-001",
  "calendar",
  "items",
  "files",
  "files?view=gallery",
  "mailboxes",
  "graph",
  "hits#berth%0Ahawser",
  "notebook",
  "about",
  "about/warnings",
  "nowhere",
];

/**
 * Elements that extend over the right edge, and elements that can be scrolled there. Only rows of chips may scroll: the
 * conditions of a query, and the values that color the bars.
 */
const OVER_THE_EDGE = `(() => {
  const out = [];
  if (document.documentElement.scrollWidth > innerWidth) out.push("the page");
  const main = document.querySelector("main");
  const isClipped = (element) => {
    for (let around = element.parentElement; around !== null && around !== main; around = around.parentElement)
      if (getComputedStyle(around).overflowX !== "visible") return true;
    return false;
  };
  for (const element of [main, ...main.querySelectorAll("*")]) {
    if (element.closest(".chips ul, .layers") !== null || !element.checkVisibility()) continue;
    const isScrolled = ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
    if (isScrolled && element.scrollWidth > element.clientWidth) out.push("scrolls: " + element.outerHTML.slice(0, 80));
    const { right, width } = element.getBoundingClientRect();
    if (width > 0 && right > innerWidth + 1 && !isClipped(element) && !element.classList.contains("visually-hidden"))
      out.push(element.outerHTML.slice(0, 80));
  }
  return out;
})()`;

/** Results of axe-core. It is slow, and web-open-to-everybody.test.ts runs it at two other widths. */
async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate<readonly string[]>(RUN_AXE);
}

/** Gives every user-defined item a name that is longer than any line. */
const LONG_NAMES = `for (const name of document.querySelectorAll("main bdi")) name.textContent = "berth@".repeat(40)`;

let web: ServedWeb;

beforeAll(async () => {
  if (BROWSER !== undefined) web = await serveWeb({ hasNotebook: true });
});
afterAll(() => web?.stop());

async function pageOf(width: number): Promise<{ readonly page: Page; readonly drawn: () => Promise<void> }> {
  const context = await web.browser.newContext({ viewport: { width, height: 700 }, bypassCSP: true });
  const page = await context.newPage();
  return { page, drawn: drawnView(page) };
}

describe.skipIf(BROWSER === undefined)("on a narrow screen", () => {
  it(`every view fits into ${WIDTHS.join(", ")} pixels`, async () => {
    const { page, drawn } = await pageOf(WIDTHS[0]);
    const faults: string[] = [];
    const overTheEdge = async (note: string): Promise<readonly string[]> => {
      const found: string[] = [];
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 700 });
        const over = await page.evaluate<readonly string[]>(OVER_THE_EDGE);
        found.push(...over.map((fault) => `${width} pixels${note}: ${fault}`));
      }
      await page.setViewportSize({ width: WIDTHS[0], height: 700 });
      return found;
    };
    for (const view of VIEWS) {
      await page.goto(`${web.base}/a/local/${view}`);
      await drawn();
      const found = [...(await axeFaults(page)), ...(await overTheEdge(""))];
      await page.evaluate(LONG_NAMES);
      found.push(...(await overTheEdge(" with long names")));
      faults.push(...found.map((fault) => `${view}: ${fault}`));
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each(["people", "files"])("the numbers of %s are next to the names, without scrolling", async (view) => {
    const { page, drawn } = await pageOf(390);
    await page.goto(`${web.base}/a/local/${view}`);
    await drawn();
    const edges = await page
      .locator(".data td.number")
      .evaluateAll((cells) => cells.map((cell) => (cell.firstElementChild ?? cell).getBoundingClientRect().right));
    expect(edges.length).toBeGreaterThan(0);
    for (const edge of edges) expect(edge).toBeLessThanOrEqual(390);
    await page.context().close();
  });

  it.each([...WIDTHS, 390, 1280])("panels above results stay within %i pixels", async (width) => {
    const { page, drawn } = await pageOf(width);
    await page.goto(`${web.base}/a/local/search?q=berth`);
    await drawn();
    const menus = page.locator(".result-bar .menu");
    expect(await menus.count()).toBe(2);
    for (const menu of await menus.all()) {
      await menu.locator("summary").click();
      const box = (await menu.locator(":scope > :not(summary)").boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      // It covers the results: the controls in the bar do not move.
      expect(box.y).toBeGreaterThan((await menu.locator("summary").boundingBox())!.y + 20);
      await menu.locator("summary").click();
    }
    await page.context().close();
  });
});

describe.skipIf(BROWSER === undefined)("open panels", () => {
  it("close with Escape, also in their fields, or by a click outside, without navigating back", async () => {
    const { page, drawn } = await pageOf(1280);
    await page.goto(`${web.base}/a/local/`);
    await drawn();
    await page.goto(`${web.base}/a/local/search?q=berth`);
    await drawn();
    const [exported, kept] = [page.locator(".result-bar .menu").nth(0), page.locator(".result-bar .menu").nth(1)];
    await page.keyboard.press("e");
    await exported.locator("a").first().waitFor();
    await page.keyboard.press("Escape");
    await exported.locator("a").first().waitFor({ state: "hidden" });
    expect(await exported.locator("summary:focus").count()).toBe(1);
    await kept.locator("summary").click();
    await kept.getByRole("textbox").fill("berths");
    await page.keyboard.press("Escape");
    await kept.getByRole("textbox").waitFor({ state: "hidden" });
    await exported.locator("summary").click();
    await kept.locator("summary").click();
    await exported.locator("a").first().waitFor({ state: "hidden" });
    await page.locator(".found").click();
    await kept.getByRole("textbox").waitFor({ state: "hidden" });
    expect(new URL(page.url()).pathname).toBe("/a/local/search");
    await page.context().close();
  });

  it("close and restore the focus: keys, commands, tags and notes", async () => {
    const { page, drawn } = await pageOf(1280);
    await page.goto(`${web.base}/a/local/`);
    await drawn();
    await page.goto(`${web.base}/a/local/message/msg-000001`);
    await drawn();
    const tag = page.locator("article .mark-bar > button").first();
    await tag.focus();
    const isBack = (): Promise<boolean> => tag.evaluate((element) => element.matches(":focus"));
    for (const key of ["?", "Control+k"]) {
      await page.keyboard.press(key);
      await page.locator("dialog[open]").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
      expect(await isBack(), key).toBe(true);
    }
    await page.keyboard.press("Enter");
    await page.locator(".mark-editor").getByLabel("New tag").focus();
    await page.keyboard.press("Escape");
    await page.locator(".mark-editor").waitFor({ state: "detached" });
    expect(await isBack()).toBe(true);
    expect(new URL(page.url()).pathname).toBe("/a/local/message/msg-000001");
    // A command moves it from its position.
    await page.keyboard.press("Control+k");
    await page.locator("dialog input").fill("search");
    await page.keyboard.press("Enter");
    await page.locator("#q:focus").waitFor();
    await page.context().close();
  });

  it("returns to the list from a message opened next to it", async () => {
    const { page, drawn } = await pageOf(1280);
    await page.goto(`${web.base}/a/local/`);
    await drawn();
    await page.locator("#q").fill("berth");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/search?q=berth*");
    await drawn();
    await page.locator(".rows").focus();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.locator(".reader article").first().waitFor();
    await page.keyboard.press("n");
    await page.locator(".reader article:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".rows:focus").waitFor();
    expect(new URL(page.url()).pathname).toBe("/a/local/search");
    await page.keyboard.press("Escape");
    await page.waitForURL("**/a/local/");
    await page.context().close();
  });

  it("so are the facets of a phone", async () => {
    const { page, drawn } = await pageOf(390);
    await page.goto(`${web.base}/a/local/search?q=berth`);
    await drawn();
    await page.getByRole("button", { name: "Filters" }).click();
    await page.locator("#facets.shown").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#facets:not(.shown)").waitFor({ state: "attached" });
    expect(new URL(page.url()).pathname).toBe("/a/local/search");
    await page.context().close();
  });

  it("closes facets on a phone when going back, and keeps the selection", async () => {
    const { page, drawn } = await pageOf(390);
    const shut = page.locator("#facets:not(.shown)");
    const q = () => new URL(page.url()).searchParams.get("q");
    await page.goto(`${web.base}/a/local/`);
    await page.goto(`${web.base}/a/local/search?q=berth`);
    await drawn();
    await page.getByRole("button", { name: "Filters" }).click();
    await page.locator("#facets.shown").waitFor();
    await page.goBack();
    await shut.waitFor({ state: "attached" });
    expect(q()).toBe("berth");
    await page.getByRole("button", { name: "Filters" }).click();
    await page.locator("#facets.shown input").first().check();
    await page.waitForURL(/from/);
    await drawn();
    await page.locator("#facets.shown input").nth(1).check();
    await page.waitForURL(/OR/);
    await drawn();
    const chosen = q();
    await page.goBack();
    await shut.waitFor({ state: "attached" });
    await expect.poll(q).toBe(chosen);
    await page.goBack();
    await expect.poll(q).toBe("berth");
    // Closing it with its button adds no history entry either.
    await drawn();
    await page.getByRole("button", { name: "Filters" }).click();
    await page.locator("#facets").getByRole("button", { name: "Close" }).click();
    await shut.waitFor({ state: "attached" });
    await drawn();
    await page.goBack();
    await page.waitForURL("**/a/local/");
    await page.context().close();
  });
});

describe.skipIf(BROWSER === undefined)("missing pages", () => {
  it("an unknown path shows an error, and a link to its archive", async () => {
    const { page } = await pageOf(1280);
    const answer = await page.goto(`${web.base}/a/local/nowhere/at/all`);
    expect(answer!.status()).toBe(404);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Page not found");
    await page.getByRole("link", { name: "Go to overview" }).click();
    await page.locator(".value-list").first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/a/local/");
    await page.context().close();
  });

  it("a view whose code cannot be loaded shows an error, and can be loaded again", async () => {
    const { page, drawn } = await pageOf(1280);
    await page.goto(`${web.base}/a/local/`);
    await drawn();
    await page.route("**/assets/topics-views-*.js", (route) => route.abort());
    await page.getByRole("link", { name: "Topics", exact: true }).click();
    await page.getByRole("alert").getByText("The server has stopped").waitFor();
    await page.unroute("**/assets/topics-views-*.js");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".topic-cards .panel").first().waitFor();
    await page.context().close();
  });

  it("so does a part of a view", async () => {
    const { page, drawn } = await pageOf(1280);
    await page.goto(`${web.base}/a/local/message/msg-000001`);
    await drawn();
    await page.route("**/assets/message-details-*.js", (route) => route.abort());
    await page.getByRole("button", { name: "Details" }).first().click();
    await page.locator("article").getByRole("alert").waitFor();
    await page.unroute("**/assets/message-details-*.js");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("article .text-of-mail").first().waitFor();
    await page.getByRole("button", { name: "Details" }).first().click();
    await page.locator(".details").getByText("SHA-256").waitFor();
    await page.context().close();
  });
});

it.skipIf(BROWSER === undefined)("the conversations of a hit report are the way to exactly these", async () => {
  const { page, drawn } = await pageOf(1280);
  await page.goto(`${web.base}/a/local/hits#berth`);
  await drawn();
  const link = page.locator(".data tbody tr td:nth-of-type(4) a");
  const linkText = (await link.textContent())!;
  await link.click();
  await drawn();
  await expect.poll(() => page.locator(".rows tbody tr").count()).toBe(Number(linkText));
  await page.context().close();
});
