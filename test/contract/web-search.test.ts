import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER } from "../chromium.ts";
import { complaintsOf, type ServedWeb, serveWeb } from "./web-fixture.ts";

/** Searching in the application: the address is the state, and every number is a link to that many results. */

let web: ServedWeb;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  if (BROWSER === undefined) return;
  web = await serveWeb();
  page = await web.browser.newPage({ viewport: { width: 1280, height: 800 } });
  complaints = complaintsOf(page);
});
afterAll(() => web?.stop());

const found = (): Promise<string | null> => page.textContent(".found");
const waitForCount = (count: number | string | undefined): Promise<void> =>
  page.locator(".found", { hasText: new RegExp(`^${count} `) }).waitFor();
const query = (): string | null => new URL(page.url()).searchParams.get("q");

describe.skipIf(BROWSER === undefined)("search", () => {
  it("searches by keyboard, and the address contains the query", async () => {
    await page.goto(`${web.base}/a/local/search`);
    await page.locator(".row").first().waitFor();
    expect(await found()).toBe("24 messages in 4 conversations");
    await page.keyboard.press("/");
    await page.keyboard.type("hawser");
    await page.keyboard.press("Enter");
    await page.getByText("1 message in 1 conversation", { exact: true }).waitFor();
    expect(query()).toBe("hawser");
    expect(await page.textContent("mark")).toBe("hawser");
    await expect.poll(() => page.title()).toBe("hawser · 1 · harbour");
  });

  it("opens a message next to the list; markup in mail is text", async () => {
    await page.keyboard.press("j");
    await page.keyboard.press("o");
    await page.locator(".named .text-of-mail").waitFor();
    expect(await page.textContent(".named .text-of-mail")).toContain("waits\tat <b>berth</b> twelve.\nBring");
    expect(await page.locator(".named .text-of-mail :not(mark)").count()).toBe(0);
    expect(new URL(page.url()).searchParams.get("m")).toMatch(/^msg-/);
    expect(await page.textContent(".named .card")).toContain("berth plan.pdf");
  });

  it("copies Message-ID links of one selected row and of all, and each opens its message", async () => {
    await page.addInitScript(`
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.copied = text; } } });`);
    await page.goto(`${web.base}/a/local/search?q=mooring`);
    await page.locator(".row").first().waitFor();
    const found = Number.parseInt((await page.textContent(".found"))!, 10);
    const copied = async (): Promise<readonly string[]> => {
      await page.getByRole("button", { name: "Copy links" }).click();
      return String(await page.evaluate("window.copied")).split("\n");
    };
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    const [one, ...others] = await copied();
    expect(others).toEqual([]);
    expect(new URL(one!).pathname).toMatch(/^\/a\/local\/id\/.+harbour\.example$/);
    await page.keyboard.press("*");
    await page.keyboard.press("a");
    await page.locator(".selection-bar strong", { hasText: `${found} selected` }).waitFor();
    const all = await copied();
    expect(new Set(all).size).toBe(found);
    expect(all[0]).toBe(one);
    const [, subject] = await page.locator(".row .subject").allTextContents();
    await page.goto(all[1]!);
    await page.locator("article.named .text-of-mail").waitFor();
    expect(await page.title()).toContain(subject!.replace(/^(re|fwd?): /i, ""));
  });

  it("finds exactly as many messages as a facet value shows: selected, combined, and excluded", async () => {
    await page.goto(`${web.base}/a/local/search?q=mooring`);
    const values = page.locator(".facet").filter({ hasText: "From" }).first().locator(".values li");
    await values.first().waitFor();
    const counts = (await values.locator(".count").allTextContents()).map(Number);
    await values.nth(0).locator("input").check();
    await waitForCount(counts[0]);
    expect(query()).toMatch(/^mooring from:\S+$/);
    await values.nth(1).locator("input").check();
    await waitForCount(counts[0]! + counts[1]!);
    expect(query()).toMatch(/^mooring from:\S+ OR from:\S+$/);
    await page.goBack();
    await page.goBack();
    await values.nth(0).locator(".out").click({ force: true });
    await page.waitForURL(/-from/);
    expect(query()).toMatch(/^mooring -from:\S+$/);
  });

  it("shows how it interpreted the query, and removes a clause", async () => {
    await page.goto(`${web.base}/a/local/search?q=mooring+colour:red`);
    await page.getByText('"colour:red" is not an operator: searched as text').waitFor();
    await page.getByRole("button", { name: "Remove colour:red" }).click();
    await page.waitForURL(/q=mooring$/);
  });

  it("marks words found by their stems in messages and conversations", async () => {
    for (const place of ["message/msg-000012", "thread/thread-000001"]) {
      await page.goto(`${web.base}/a/local/${place}?q=stem:waiting`);
      await page
        .locator(".text-of-mail mark", { hasText: /^waits$/ })
        .first()
        .waitFor();
    }
  });

  it("colors the bars by facet values, each with the displayed number of results", async () => {
    await page.goto(`${web.base}/a/local/search?q=mooring`);
    await page.getByRole("combobox", { name: "Split bars by" }).selectOption("from");
    await page.locator(".layers li").first().waitFor();
    expect(new URL(page.url()).searchParams.get("stack")).toBe("from");
    expect(await page.locator(".bars .layer-0").count()).toBeGreaterThan(0);
    const first = page.locator(".layers li").first();
    const shown = await first.locator(".count").textContent();
    await first.getByRole("button").click();
    await waitForCount(shown!);
    expect(query()).toMatch(/^mooring from:\S+$/);
    // The address alone restores the same view.
    await page.reload();
    await page.locator(".layers li").first().waitFor();
    await page.getByRole("combobox", { name: "Split bars by" }).selectOption("none");
    await expect.poll(() => page.locator(".bars .layer-0").count()).toBe(0);
    expect(new URL(page.url()).searchParams.has("stack")).toBe(false);
  });

  it.each(["files", "people", "timeline"])(
    "shows the %s of a result with counts that match their links",
    async (view) => {
      for (const q of ["", "mooring", "mooring OR hawser"]) {
        await page.goto(`${web.base}/a/local/search?q=${encodeURIComponent(q)}&view=${view}`);
        const numbers = page.locator(".grouped td.number a");
        await numbers.first().waitFor();
        for (let at = 0; at < Math.min(3, await numbers.count()); at++) {
          const shown = await numbers.nth(at).textContent();
          await numbers.nth(at).click();
          await waitForCount(shown!);
          await page.goBack();
          await numbers.first().waitFor();
        }
      }
      expect(await page.getByRole("combobox", { name: "Show as" }).inputValue()).toBe(view);
    },
  );

  it("links names among the people of a result to their page", async () => {
    await page.goto(`${web.base}/a/local/search?q=mooring&view=people`);
    const name = page.locator(".grouped tbody a bdi").first();
    const shown = (await name.textContent())!;
    await name.click();
    await page.waitForURL("**/people/*");
    await page.getByRole("heading", { level: 1, name: shown }).waitFor();
  });

  it("narrows with keys on the histogram to the selected bar", async () => {
    await page.goto(`${web.base}/a/local/search?q=mooring`);
    const bars = page.locator(".bars");
    await bars.focus();
    await page.keyboard.press("ArrowRight");
    const shown = /: ([\d,]+) message/.exec((await bars.getAttribute("aria-valuetext"))!)![1];
    await page.keyboard.press("Enter");
    await page.waitForURL(/on:/);
    await waitForCount(shown);
  });

  it("narrows by a click on the last bar, and the histogram still works", async () => {
    const faults: Error[] = [];
    page.on("pageerror", (fault) => faults.push(fault));
    await page.goto(`${web.base}/a/local/search?q=mooring`);
    const bars = page.locator(".bars");
    const { width, height } = (await bars.boundingBox())!;
    await bars.click({ position: { x: width - 2, y: height / 2 } });
    await page.waitForURL(/(?:on|after|before|date):/);
    await expect.poll(() => page.locator(".results.slow").count()).toBe(0);
    await bars.hover({ position: { x: 2, y: height / 2 } });
    await page.locator(".bars output").waitFor();
    expect(await page.locator(".histogram").count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it("edits a clause in the box, excludes it, and searches for it alone", async () => {
    await page.goto(`${web.base}/a/local/search?q=mooring+-hawser`);
    const chip = page.locator(".chip").nth(1);
    await chip.locator(".what").click();
    expect(await page.evaluate("getSelection().toString()")).toBe("-hawser");
    await page.keyboard.type("rope");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=mooring\+rope/);
    await page.locator(".chip", { hasText: "rope" }).locator(".not").click();
    await page.waitForURL(/q=mooring\+-rope/);
    const alone = page.locator(".chip.excluded a.count");
    const count = await alone.textContent();
    await alone.click();
    await page.waitForURL(/q=rope$/);
    await waitForCount(count!);
  });

  it("shows the selected columns of a table, and read messages", async () => {
    await page.goto(`${web.base}/a/local/search?q=mooring&view=table&sort=newest`);
    await page.locator(".table-row.head").waitFor();
    await page.locator("summary[aria-label=Columns]").click();
    await page.getByLabel("Labels", { exact: true }).check();
    await page.getByLabel("To", { exact: true }).uncheck();
    await page.waitForURL(/columns=/);
    await page.reload();
    const heads = page.locator(".table-row.head > *");
    await heads.first().waitFor();
    const names = (await heads.allTextContents()).map((text) => text.replace(/ [↓↑]$/, ""));
    expect(names).toEqual(["From", "Subject", "Date", "Mailbox", "Files", "Size", "Labels"]);
    const row = page.locator("a.row").first();
    expect(await row.locator("> *").count()).toBe(names.length);
    expect(await row.getAttribute("class")).not.toContain("read");
    await row.click();
    await page.locator("article.named").waitFor();
    await page.goBack();
    await row.waitFor();
    await expect.poll(() => row.getAttribute("class")).toContain("read");
    expect(await page.locator("a.row:not(.read)").count()).toBeGreaterThan(0);
  });

  it("keeps display options when another query is typed", async () => {
    await page.goto(`${web.base}/a/local/search?q=mooring&group=conversation&sort=oldest&m=msg-000001`);
    await page.locator("#q").fill("rope");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=rope/);
    expect(new URL(page.url()).search).toBe("?q=rope&group=conversation&sort=oldest");
  });

  it("lists all values of a facet with an address, and messages without any", async () => {
    await page.goto(`${web.base}/a/local/search?more=from`);
    await page.getByLabel("Filter values").waitFor();
    const none = page.locator("fieldset", { hasText: "Files" }).getByRole("button", { name: /^none/ });
    const [count] = /\d+/.exec((await none.textContent())!)!;
    await none.click();
    await page.waitForURL(/q=-has:attachment/);
    await waitForCount(count);
    expect(new URL(page.url()).searchParams.get("more")).toBe("from");
    await none.click();
    await page.waitForURL((url) => !url.searchParams.has("q"));
  });

  it("suggests completions, and inserts them with keys", async () => {
    await page.goto(`${web.base}/a/local/search`);
    await page.locator("#q").click();
    await page.keyboard.type("from:eloi");
    await page.locator("[role=option]", { hasText: "Éloi Brun" }).first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=from/);
    // One of four has no author.
    await waitForCount(3);
  });

  it("shows the complete result as one text, oldest first", async () => {
    await page.goto(`${web.base}/a/local/search?q=rope`);
    await page.locator(".row").first().waitFor();
    await page.keyboard.press("r");
    await page.locator(".read-list .text-of-mail", { hasText: "Line 2: the mooring rope" }).waitFor();
    expect(new URL(page.url()).searchParams.get("view")).toBe("read");
  });

  it("lists conversations in the selected order, and offers only valid orders", async () => {
    await page.goto(`${web.base}/a/local/search?q=mooring+rope&group=conversation`);
    const subjects = page.locator(".rows tbody th");
    await subjects.first().waitFor();
    const best = await subjects.allTextContents();
    const sort = page.getByRole("combobox", { name: "Sort" });
    expect(await sort.inputValue()).toBe("relevance");
    expect(await sort.locator("option").count()).toBe(4);
    await page.goto(`${web.base}/a/local/search?q=mooring+rope`);
    await page.locator(".row").first().waitFor();
    const threads = await page.evaluate<string[]>(
      `fetch("/api/explore/messages?q=mooring+rope").then((answer) => answer.json())
        .then(({ data }) => [...new Set(data.messages.map((row) => row.thread_id))])`,
    );
    expect(threads).toHaveLength(best.length);
    await page.goto(`${web.base}/a/local/search?q=mooring+rope&group=conversation`);
    await subjects.first().waitFor();
    const links = await subjects.locator("a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(links.map((href) => /thread-\d+/.exec(href!)![0])).toEqual(threads);
    await page.keyboard.press("s");
    await expect.poll(() => sort.inputValue()).toBe("newest");
    await page.keyboard.press("r");
    await page.locator(".read-list article").first().waitFor();
    expect(await sort.count()).toBe(0);
  });

  it("offers to save exactly the result", async () => {
    await page.goto(`${web.base}/a/local/search?q=mooring+rope`);
    await page.locator(".row").first().waitFor();
    await page.keyboard.press("e");
    const link = page.getByRole("link", { name: "CSV table" });
    expect(await link.getAttribute("href")).toBe("/api/export?format=csv&q=mooring+rope");
  });

  it("suggests which clause to remove if there are no results, with the number of results", async () => {
    await page.goto(`${web.base}/a/local/search?q=hawser+chain`);
    await page.locator(".ways .count", { hasText: /^1$/ }).waitFor();
    await page.getByRole("link", { name: "without chain" }).click();
    await page.getByText("1 message in 1 conversation", { exact: true }).waitFor();
  });

  it("suggests no query without results", async () => {
    await page.goto(`${web.base}/a/local/search?q=hawser+zebra+unheard`);
    const ways = page.locator(".ways li");
    await ways.first().waitFor();
    for (const count of await ways.locator(".count").allTextContents()) expect(Number(count)).toBeGreaterThan(0);
    expect(await ways.locator("a").allTextContents()).toEqual(["Any word 1", "Only hawser 1", "All mail 24"]);
    await page.getByRole("link", { name: "Only hawser" }).click();
    await page.getByText("1 message in 1 conversation", { exact: true }).waitFor();
    await page.goto(`${web.base}/a/local/search?q=unheard`);
    await page.getByRole("link", { name: "All mail" }).click();
    await page.getByText("24 messages in 4 conversations", { exact: true }).waitFor();
  });

  it("shows an error page for an unknown path", async () => {
    const answer = await page.goto(`${web.base}/a/local/nowhere`);
    expect(answer!.status()).toBe(404);
    await page.getByText("Page not found").waitFor();
    expect(await page.title()).toBe("Page not found · archivetool");
  });

  it("reports no console errors", () => {
    // The browser itself logs the 404.
    expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
  });
});
