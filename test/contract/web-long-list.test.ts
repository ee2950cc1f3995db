import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER } from "../chromium.ts";
import { type ServedWeb, serveWeb } from "./web-fixture.ts";

/** More result rows than a browser can scroll: all are reachable, also with keys, and few are drawn. */

const ROWS = 25_310;
/** Maximum rows and elements in the document. */
const WINDOW_ROWS = 20_000;
const MAX_NODES = 1500;

let web: ServedWeb;
let page: Page;

beforeAll(async () => {
  if (BROWSER === undefined) return;
  web = await serveWeb();
  page = await web.browser.newPage({ viewport: { width: 1280, height: 800 } });
  const first = await page.request.get(`${web.base}/api/explore/messages?limit=1`);
  const answer = (await first.json()) as { data: { messages: readonly object[] } };
  const [row] = answer.data.messages;
  await page.route("**/api/explore/messages?**", async (route) => {
    const parameters = new URL(route.request().url()).searchParams;
    const [offset, limit] = [Number(parameters.get("offset")), Number(parameters.get("limit"))];
    const messages = Array.from({ length: Math.min(limit, ROWS - offset) }, (_, at) => ({
      ...row,
      id: `msg-${String(1 + (isOfMany(parameters) ? offset + at : (offset + at) % 12)).padStart(6, "0")}`,
      subject: `Row ${offset + at + 1}`,
    }));
    await route.fulfill({ json: { ...answer, data: { ...answer.data, total: ROWS, rows: ROWS, messages } } });
  });
});
afterAll(() => web?.stop());

/** Messages that do not exist; none of them is opened. */
const isOfMany = (parameters: URLSearchParams): boolean => parameters.get("q") === "many";

const list = () => page.getByRole("region", { name: /^Results/ });
const row = (place: number) => list().locator(`li[aria-posinset="${place}"]`);

/** Waits until a row is drawn with its message, and completely visible. */
async function expectInSight(place: number): Promise<void> {
  await row(place).getByText(`Row ${place}`, { exact: true }).waitFor();
  const box = (await list().boundingBox())!;
  await expect
    .poll(async () => {
      const at = await row(place).boundingBox();
      return at !== null && at.y >= box.y - 1 && at.y + at.height <= box.y + box.height + 1;
    })
    .toBe(true);
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(MAX_NODES);
}

describe.skipIf(BROWSER === undefined).each(["list", "table"])("a result of 25,310 messages as a %s", (view) => {
  beforeAll(async () => {
    await page.goto(`${web.base}/a/local/search?q=rope&view=${view}`);
    await row(1).waitFor();
  });

  it("has 20,000 rows in the document", async () => {
    const height = await list()
      .locator(".run")
      .evaluate((run) => run.clientHeight);
    expect(height % WINDOW_ROWS).toBe(0);
    expect(height).toBeLessThan(17_900_000);
    expect(await row(1).getAttribute("aria-setsize")).toBe(String(ROWS));
  });

  it("can scroll to any row", async () => {
    await list().evaluate((box, share) => {
      box.scrollTop = box.scrollHeight * share;
    }, 0.5);
    await expectInSight(WINDOW_ROWS / 2 + 2);
  });

  it("can be scrolled to both ends by keyboard", async () => {
    await list().focus();
    await page.keyboard.press("End");
    await expectInSight(WINDOW_ROWS);
    await page.keyboard.press("Tab");
    while (!(await page.evaluate('document.activeElement?.classList.contains("turn")')))
      await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement?.textContent")).toBe("5,310 more");
    await page.keyboard.press("Enter");
    await expectInSight(WINDOW_ROWS + 1);
    await page.keyboard.press("End");
    await expectInSight(ROWS);
    await list().getByRole("button", { name: "20,000 earlier" }).press("Enter");
    await expectInSight(WINDOW_ROWS);
  });

  it("is navigated row by row beyond the end of the document", async () => {
    await row(WINDOW_ROWS).locator("a").click({ modifiers: [] });
    if (view === "table") {
      await page.waitForURL("**/message/**");
      await page.goBack();
      await expectInSight(WINDOW_ROWS);
    }
    await page.keyboard.press("j");
    await expectInSight(WINDOW_ROWS + 1);
    await page.keyboard.press("k");
    await expectInSight(WINDOW_ROWS);
    await page.keyboard.press("j");
    await expectInSight(WINDOW_ROWS + 1);
  });

  it("restores the scroll position", async () => {
    await page.locator("#q").focus();
    await page.getByRole("link", { name: "People", exact: true }).click();
    await page.waitForURL("**/people");
    await page.goBack();
    await expectInSight(WINDOW_ROWS + 1);
  });
});

describe.skipIf(BROWSER === undefined)("rows of a long result that are chosen from one to another", () => {
  const chosen = () => page.locator(".selection-bar strong").textContent();
  const scrollTo = (place: number) =>
    list().evaluate((box, at) => {
      box.scrollTop = (box.querySelector(".run")!.clientHeight / 20_000) * at;
    }, place - 3);
  const chooseTo = async (place: number): Promise<void> => {
    await scrollTo(place);
    await row(place).getByText(`Row ${place}`, { exact: true }).waitFor();
    await row(place)
      .locator(".row")
      .click({ modifiers: ["Shift"] });
  };
  beforeAll(async () => {
    await page.goto(`${web.base}/a/local/search?q=many`);
    await row(2).waitFor();
  });

  it("are all of these, also those that were never in sight", async () => {
    await row(2).getByRole("checkbox").click();
    await chooseTo(900);
    await expect.poll(chosen).toBe("899 selected");
    const link = page.locator(".selection-bar a[href*='format=csv']");
    const ids = new URL((await link.getAttribute("href"))!, web.base).searchParams.get("message_ids")!.split(",");
    expect(ids).toEqual(Array.from({ length: 899 }, (_, at) => `msg-${String(at + 2).padStart(6, "0")}`));
  });

  it("limits how many rows can be saved and tagged, and shows a message beyond", async () => {
    await chooseTo(2500);
    await page.getByText("Up to 1,000 can be selected individually").waitFor();
    expect(await chosen()).toBe("899 selected");
    await chooseTo(902);
    await expect.poll(chosen).toBe("901 selected");
    await page.keyboard.press("Escape");
  });

  it("stay unchanged if the rows between do not load", async () => {
    await page.goto(`${web.base}/a/local/search?q=many&sort=newest`);
    await row(2).getByRole("checkbox").click();
    await scrollTo(400);
    await row(400).getByText("Row 400", { exact: true }).waitFor();
    await page.route("**/api/explore/messages?**offset=200&**", (route) => route.abort());
    await row(400)
      .locator(".row")
      .click({ modifiers: ["Shift"] });
    await page.getByRole("alert").waitFor();
    expect(await chosen()).toBe("1 selected");
    await page.unroute("**/api/explore/messages?**offset=200&**");
  });
});
