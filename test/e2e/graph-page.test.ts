import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { collectGraphData } from "../../src/outputs/graph-page/collect-graph-data.ts";
import { cutNetwork } from "../../src/outputs/graph-page/network-cut.ts";
import { assemblePage } from "../../src/outputs/graph-page/render-graph-page.ts";
import { BROWSER, launchChromium } from "../chromium.ts";
import { bundleGraphClient, graphArchive, sampleContact, sampleEdges } from "../graph-sample.ts";
import { scratchDirectory } from "./cli.ts";

const CONTACTS = 400;
const HOSTILE = "</script><img src=x onerror=document.title='broken'>";
const FIRST = "Bo Baker 1";

/** The graph page in a real browser, opened from disk and used like a reader would. */
describe.skipIf(BROWSER === undefined)("the graph page", () => {
  const directory = scratchDirectory("graph-page");
  const file = join(directory, "graph.html");
  let browser: Browser;
  let page: Page;
  /** Console errors, exceptions and requests other than for the file itself. */
  const trouble: string[] = [];

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1200, height: 800 },
      reducedMotion: "reduce",
      ...options,
    });
    const opened = await context.newPage();
    opened.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") trouble.push(message.text());
    });
    opened.on("pageerror", (error) => trouble.push(error.message));
    opened.on("request", (request) => {
      if (request.url() !== pathToFileURL(file).href && !request.url().startsWith("data:")) trouble.push(request.url());
    });
    await opened.goto(pathToFileURL(file).href);
    await opened.locator("#zoom-level").getByText("100%").waitFor();
    return opened;
  }

  /** Middle of the canvas on the screen. */
  async function middle(): Promise<readonly [number, number]> {
    const box = (await page.locator("#graph").boundingBox())!;
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  /** Moves a contact to the middle of the canvas, and closes its card. */
  async function center(name: string): Promise<void> {
    await page.fill("#graph-search", name);
    await page.press("#graph-search", "Enter");
    await page.locator("#details h2", { hasText: name }).waitFor();
    await page.fill("#graph-search", "");
    await page.locator("#details .close").click();
    await settled();
  }

  /** Waits two frames, after which changes are drawn. */
  const settled = (): Promise<void> =>
    page.evaluate(
      "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))",
    );
  const zoomLevel = async (): Promise<number> =>
    Number.parseInt((await page.locator("#zoom-level").textContent()) ?? "", 10);
  const tooltip = (): ReturnType<Page["locator"]> => page.locator("#tooltip");

  beforeAll(async () => {
    const contacts = Array.from({ length: CONTACTS }, (_, index) =>
      sampleContact(index + 1, index === 1 ? { name: HOSTILE } : {}),
    );
    const archive = graphArchive(contacts, sampleEdges(CONTACTS, 6));
    const data = await collectGraphData(archive, await cutNetwork(archive, 300));
    writeFileSync(file, assemblePage(data, bundleGraphClient()));
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    trouble.length = 0;
    page = await open();
  });
  afterEach(async () => {
    await page.context().close();
    expect(trouble).toEqual([]);
  });

  it("shows how many contacts are displayed and omitted", async () => {
    expect(await page.textContent("#summary")).toMatch(/^300 of 400 contacts, [\d,]+ of 2,\d{3} edges$/);
    expect(await page.textContent("#left-out")).toContain("Omitted: 100 contacts and");
    expect(await page.title()).toContain("Contact graph: 300 of 400 contacts");
  });

  it("finds a contact by any part of its name or address, moves to it and shows its details", async () => {
    await page.fill("#graph-search", "person.1@ zoe");
    expect(await page.locator("#graph-results").textContent()).toBe("No contact shown matches");
    await page.fill("#graph-search", "PERSON.12@");
    expect(await page.locator("#graph-results [role=option]").count()).toBe(1);
    expect(await page.locator("#graph-results").textContent()).toContain("Zoé");
    await page.press("#graph-search", "Enter");
    const card = page.locator("#details");
    expect(await card.locator("h2").textContent()).toBe("Zoé Baker 12");
    expect(await card.textContent()).toContain("p12@example.net");
    expect(await card.textContent()).toContain("Hub score");
    await card.locator("li button").first().click();
    expect(await card.locator("h2").textContent()).not.toBe("Zoé Baker 12");
  });

  it("shows name, address, messages, community and scores of the contact under the pointer", async () => {
    await center(FIRST);
    await page.mouse.move(...(await middle()));
    await tooltip().waitFor();
    const text = (await tooltip().textContent()) ?? "";
    for (const part of [
      FIRST,
      "person.1@example.org",
      "4,000 messages",
      "1,333 sent",
      "Community ",
      "Hub 0.250",
      "Authority 0.500",
    ])
      expect(text).toContain(part);
    await page.mouse.move(5, 5);
    await tooltip().waitFor({ state: "hidden" });
  });

  it("lets you drag a contact, which stays there", async () => {
    await center(FIRST);
    const [x, y] = await middle();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 90, y + 40, { steps: 4 });
    await page.mouse.move(x + 190, y + 130, { steps: 4 });
    await page.mouse.up();
    await settled();
    await page.mouse.move(5, 5);
    await tooltip().waitFor({ state: "hidden" });
    await page.mouse.move(x + 190, y + 130);
    await tooltip().locator("strong", { hasText: FIRST }).waitFor();
    expect(await zoomLevel()).toBeGreaterThan(100);
  });

  it("moves neighbors along when movement is welcome", async () => {
    await page.context().close();
    page = await open({ reducedMotion: "no-preference" });
    await page.focus("#graph");
    await page.keyboard.press("Home");
    await page.waitForTimeout(600);
    const before = await page.screenshot();
    const [x, y] = await middle();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 100, y - 60, { steps: 6 });
    await page.mouse.up();
    await expect.poll(async () => (await page.screenshot()).equals(before)).toBe(false);
    await page.mouse.move(5, 5);
    await page.locator("#details .close").click();
    await page.mouse.move(x - 100, y - 60);
    await tooltip().locator("strong", { hasText: FIRST }).waitFor();
  });

  it("pans when the paper is dragged", async () => {
    await center(FIRST);
    const box = (await page.locator("#graph").boundingBox())!;
    const [x, y] = await middle();
    // The corner of a graph this dense may contain a node, so the test looks for an empty position.
    const empty = await emptyPlace(box);
    await page.mouse.move(...empty);
    await page.mouse.down();
    await page.mouse.move(empty[0] + 60, empty[1] + 45, { steps: 5 });
    await page.mouse.up();
    await settled();
    await page.mouse.move(x + 60, y + 45);
    await tooltip().locator("strong", { hasText: FIRST }).waitFor();
  });

  async function emptyPlace(box: { readonly x: number; readonly y: number }): Promise<readonly [number, number]> {
    for (let step = 0; step < 40; step++) {
      const place = [box.x + 20 + step * 12, box.y + 60 + (step % 5) * 20] as const;
      await page.mouse.move(...place);
      await settled();
      if (await tooltip().isHidden()) return place;
    }
    throw new Error("no empty place");
  }

  it("zooms about the pointer by wheel, by buttons and by keys, and back", async () => {
    await center(FIRST);
    const [x, y] = await middle();
    await page.mouse.move(x, y);
    const start = await zoomLevel();
    await page.mouse.wheel(0, -400);
    await settled();
    expect(await zoomLevel()).toBeGreaterThan(start * 1.5);
    await tooltip().locator("strong", { hasText: FIRST }).waitFor();
    await page.mouse.wheel(0, 400);
    await settled();
    expect(Math.abs((await zoomLevel()) - start)).toBeLessThanOrEqual(1);
    await page.click("#zoom-in");
    await settled();
    expect(await zoomLevel()).toBeGreaterThan(start * 1.3);
    await page.click("#zoom-fit");
    await settled();
    expect(await zoomLevel()).toBe(100);
    await page.focus("#graph");
    await page.keyboard.press("+");
    await settled();
    expect(await zoomLevel()).toBe(130);
  });

  it("zooms when two fingers part", async () => {
    await page.context().close();
    page = await open({ hasTouch: true });
    const [x, y] = await middle();
    const session = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", reach: number): Promise<unknown> =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints:
          type === "touchEnd"
            ? []
            : [
                { x: x - reach, y, id: 1 },
                { x: x + reach, y, id: 2 },
              ],
      });
    await touch("touchStart", 40);
    for (const reach of [55, 70, 85, 100]) await touch("touchMove", reach);
    await touch("touchEnd", 0);
    await settled();
    expect(await zoomLevel()).toBeGreaterThan(200);
    expect(await page.locator("#details").isHidden()).toBe(true);
  });

  it("hides and shows communities, one by one and together", async () => {
    const rows = page.locator("#legend li");
    expect(await rows.count()).toBe(13);
    expect(await rows.last().textContent()).toContain("2 smaller communities");
    const before = await page.locator("#graph").screenshot();
    await rows.first().locator("input").uncheck();
    const members = Number(await rows.first().locator(".count").textContent());
    expect(await page.textContent("#shown")).toBe(`${300 - members} of 300 match the filters`);
    await settled();
    expect((await page.locator("#graph").screenshot()).equals(before)).toBe(false);
    await rows.nth(2).hover();
    await rows.nth(2).locator("button").click();
    expect(await page.textContent("#shown")).toBe(
      `${await rows.nth(2).locator(".count").textContent()} of 300 match the filters`,
    );
    await page.click("#all-communities");
    expect(await page.textContent("#shown")).toBe("");
  });

  it("filters by a time range", async () => {
    // The time range of the whole archive, of which 300 contacts are shown.
    expect(await page.textContent("#time-text")).toBe("Jan 2001 – Mar 2002");
    await page.locator("#time-to").fill("2");
    expect(await page.textContent("#time-text")).toBe("Jan 2001 – Mar 2001");
    // Contact n is first seen n days after New Year: 89 of them until the end of March.
    expect(await page.textContent("#shown")).toBe("89 of 300 match the filters");
    await page.locator("#time-from").fill("5");
    expect(await page.textContent("#time-text")).toBe("Jun 2001 – Jun 2001");
    await page.click("#all-times");
    expect(await page.textContent("#shown")).toBe("");
  });

  it("moves from contact to contact with arrow keys, and announces the position", async () => {
    await page.focus("#graph");
    await page.keyboard.press("ArrowRight");
    expect(await page.textContent("#announcement")).toMatch(/^Bo Baker 1, 4,000 messages, Community \d+: /);
    const visited = new Set<string>();
    for (const key of ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"]) {
      await page.keyboard.press(key);
      visited.add((await page.textContent("#announcement")) ?? "");
    }
    expect(visited.size).toBeGreaterThan(1);
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.className")).toBe("close");
    await page.focus("#graph");
    await page.keyboard.press("Escape");
    expect(await page.locator("#details").isHidden()).toBe(true);
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.id")).toBe("graph-search");
  });

  it("has the same contacts in a table that can be sorted and filtered", async () => {
    await page.click("#show-table");
    const rows = page.locator("#table-rows tr:not([hidden])");
    const first = (column: number): Promise<string | null> => rows.first().locator("th, td").nth(column).textContent();
    expect(await rows.count()).toBe(300);
    expect(await first(0)).toBe(FIRST);
    expect(await page.locator("th[aria-sort]").getAttribute("aria-sort")).toBe("descending");
    await page.click("th >> text=Messages");
    expect(await first(2)).toBe("14");
    await page.click("th >> text=Name");
    const names = await rows.locator("th").allTextContents();
    expect(names).toEqual([...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
    expect(await page.locator("th[aria-sort=ascending]").textContent()).toBe("Name");
    await page.fill("#graph-search", "fisher");
    expect(await rows.count()).toBe(names.filter((name) => name.includes("Fisher")).length);
    await rows.first().locator("button").click();
    expect(await page.locator("#graph").isVisible()).toBe(true);
    expect(await page.locator("#details h2").textContent()).toContain("Fisher");
  });

  it("shows a hostile name as plain text", async () => {
    await page.fill("#graph-search", "onerror");
    expect(await page.locator("#graph-results .name").textContent()).toBe(HOSTILE);
    await page.press("#graph-search", "Enter");
    expect(await page.locator("#details h2").textContent()).toBe(HOSTILE);
    await page.click("#show-table");
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).toContain("Contact graph");
  });

  it("is dark if the system is, and if the button selects it", async () => {
    const paper = (): Promise<string> => page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(await paper()).toBe("rgb(255, 255, 255)");
    const light = await page.locator("#graph").screenshot();
    await page.click("#theme");
    await settled();
    expect(await paper()).toBe("rgb(18, 22, 29)");
    expect((await page.locator("#graph").screenshot()).equals(light)).toBe(false);
    await page.context().close();
    page = await open({ colorScheme: "dark" });
    expect(await paper()).toBe("rgb(18, 22, 29)");
    expect(await page.getAttribute("#theme", "aria-pressed")).toBe("true");
  });

  it("fits a telephone", async () => {
    await page.context().close();
    page = await open({ viewport: { width: 390, height: 780 } });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await page.locator("#legend").isVisible()).toBe(false);
    await page.click("summary");
    expect(await page.locator("#legend").isVisible()).toBe(true);
  });
});
