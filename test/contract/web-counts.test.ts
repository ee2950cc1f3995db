import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER, launchChromium } from "../chromium.ts";
import { type ServedCompany, serveCompany } from "./company-archive.ts";
import { complaintsOf, drawnView } from "./web-fixture.ts";

/** Every displayed number is a link to exactly that many results, in every view. */

let company: ServedCompany;
let browser: Browser;
let page: Page;
let base: string;
let drawn: () => Promise<void>;
let complaints: string[];
let followed = 0;

beforeAll(async () => {
  if (BROWSER === undefined) return;
  company = await serveCompany("web-counts");
  base = `${await company.app.listen({ host: "127.0.0.1", port: 0 })}/a/local`;
  const write = async (path: string, data: object): Promise<void> => {
    const { statusCode } = await company.app.inject({
      method: "POST",
      url: `/api/explore/notebook${path}`,
      headers: { host: "127.0.0.1", origin: "http://127.0.0.1", "content-type": "application/json" },
      payload: JSON.stringify(data),
    });
    expect(statusCode).toBe(200);
  };
  await write("/tags", { kind: "message", q: "mooring", tag: "buoy", is_set: true });
  const search = { q: "budget", match: "all", sort: "newest" };
  await write("/entries", { kind: "search", id: "money", revision: 0, value: search });
  browser = await launchChromium();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  complaints = complaintsOf(page);
  drawn = drawnView(page);
});
afterAll(async () => {
  await browser?.close();
  await company?.stop();
});

/** Addresses of all views with numbers, relative to the archive. */
const VIEWS: readonly string[] = [
  "/",
  "/search",
  "/search?q=mooring+-draft+older_than:2y&match=any",
  "/search?q=budget+OR+lang:de+-type:pdf&stack=from",
  "/search?q=mooring&group=conversation",
  "/search?q=budget&view=people",
  "/search?q=has:attachment&view=files",
  "/search?q=budget+after:2021-06-15&view=timeline",
  "/search?q=zebra+mooring+from:greta",
  "/message/msg-000202",
  "/people",
  "/people?thread=thread-000012",
  "/people/contact-000001",
  "/between/contact-000001/contact-000002",
  "/topics",
  "/topics/topic-001",
  "/calendar",
  "/items",
  "/files",
  "/files?view=gallery",
  "/mailboxes",
  "/hits#mooring%0Abudget%0Azebra",
  "/notebook",
  "/about",
  "/about/warnings",
];

/** Number of counts of one kind that are clicked: those of a column have the same origin. */
const OF_A_KIND = 1;

/** A number that can be clicked. */
interface Clickable {
  /** Its index among all clickable numbers. */
  readonly place: number;
  readonly text: string;
  readonly count: number;
}

/**
 * Clickable texts that begin with a number of messages, conversations or rows, or that end with one: a value with its
 * count. Rows of results and thumbnails are not numbers.
 */
const NUMBERS = `(() => {
  const seen = new Map();
  const found = [];
  [...document.querySelectorAll("main a[href], main button, main label")].forEach((element, place) => {
    if (!element.checkVisibility() || element.matches(".row, .card, .month a, :has(:checked)")) return;
    const counter = element.querySelector(".count, .figure") ?? element;
    const text = counter.textContent.trim();
    const number = /^(?:\\+ )?(\\d[\\d,]*)(?= (?!to |others)[a-z]|$)/.exec(text);
    if (number === null) return;
    const cell = element.closest("td, th");
    const kind = [element.tagName, element.className, element.closest("[class]:not(a, button, label)")?.className,
      cell === null ? "" : cell.cellIndex, text.replace(/\\d/g, "")].join(" ");
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    if (seen.get(kind) <= ${OF_A_KIND})
      found.push({ place, text: element.textContent.trim(), count: Number(number[1].replaceAll(",", "")) });
  });
  return found;
})()`;

/** Columns of the first table with numbers other than 0 that cannot be clicked. */
const BARE_NUMBERS = `(() => {
  const table = document.querySelector("main table");
  const heads = [...table.querySelectorAll("thead th")].map(({ textContent }) => textContent);
  return [...table.querySelectorAll("td.number")]
    .filter((cell) => cell.querySelector("a") === null && !["0", ""].includes(cell.textContent))
    .map((cell) => heads[cell.cellIndex]);
})()`;

/** The count that the view displays: messages or conversations of a search, rows of any other view. */
const SHOWN = `((isOfConversations) => {
  const numberOf = (selector) => {
    const text = [...document.querySelectorAll(selector)].map((element) => element.textContent).join(" ");
    return [...text.matchAll(/\\d[\\d,]*/g)].map(([digits]) => Number(digits.replaceAll(",", "")));
  };
  if (document.querySelector(".found") !== null) {
    const [messages, conversations] = numberOf(".found");
    return isOfConversations ? conversations : messages;
  }
  if (location.pathname.includes("/between/")) return numberOf(".figures .figure").at(-1);
  if (location.pathname.endsWith("/about")) return numberOf(".sum strong")[0];
  if (location.pathname.endsWith("/notebook")) return numberOf("h2 .count")[0];
  return numberOf(".view-head > .quiet")[0];
})`;

const isGrouped = (url: string): boolean => new URL(url).searchParams.get("group") === "conversation";

/** Facet values of "12 more": message counts of the values that were not listed. */
async function expectMore(count: number, place: number): Promise<void> {
  const facet = page
    .locator("main a[href], main button, main label")
    .nth(place)
    .locator("xpath=ancestor::fieldset")
    .first();
  const name = await facet.locator("legend").textContent();
  const sum = async (): Promise<number> =>
    (
      await page
        .locator("fieldset.facet", { has: page.locator("legend", { hasText: name! }) })
        .locator(".count")
        .allTextContents()
    )
      .map((text) => Number(text.replaceAll(",", "")))
      .reduce((all, one) => all + one, 0);
  const listed = await sum();
  await page.locator("main a[href], main button, main label").nth(place).click();
  await expect.poll(sum).toBe(listed + count);
}

describe.skipIf(BROWSER === undefined)("every number", () => {
  it.each(VIEWS)("of %s links to exactly that many", async (view) => {
    const open = async (): Promise<void> => {
      await page.goto(base + view);
      await drawn();
    };
    await open();
    const opened = page.url();
    const numbers = (await page.evaluate(NUMBERS)) as readonly Clickable[];
    for (const { place, text, count } of numbers) {
      if (text.endsWith(" more")) await expectMore(count, place);
      else {
        await page.locator("main a[href], main button, main label").nth(place).click();
        await drawn();
        const isOfConversations = isGrouped(page.url()) && !isGrouped(opened);
        const shown: unknown = await page.evaluate(`${SHOWN}(${isOfConversations})`);
        expect([text, page.url(), shown]).toEqual([text, page.url(), count]);
      }
      expect(page.url()).not.toBe(opened);
      // Going back is cheaper than loading the page again. Some links replace the entry of the view.
      await page.goBack();
      if (page.url() === opened) await drawn();
      else await open();
      expect(await page.evaluate(NUMBERS)).toEqual(numbers);
    }
    followed += numbers.length;
  });

  it.each([
    ["/about", ["found", "imported", "duplicates", "Size"]],
    ["/mailboxes", ["found", "imported", "duplicates"]],
  ])("without a link in %s is a known one", async (view, columns) => {
    await page.goto(base + view);
    await drawn();
    const bare = (await page.evaluate(BARE_NUMBERS)) as readonly string[];
    expect(bare.filter((column) => !columns.includes(column))).toEqual([]);
    expect(bare.length).toBeGreaterThan(0);
  });

  it("was followed in every view, without console messages", () => {
    expect(followed).toBeGreaterThan(3 * VIEWS.length);
    expect(complaints).toEqual([]);
  });
});
