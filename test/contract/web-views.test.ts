import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER, launchChromium } from "../chromium.ts";
import { type ServedCompany, serveCompany } from "./company-archive.ts";
import { complaintsOf } from "./web-fixture.ts";

/** Views with tables: every number that is a link leads to exactly that many results. */

let company: ServedCompany;
let browser: Browser;
let page: Page;
let base: string;
let complaints: string[];

beforeAll(async () => {
  if (BROWSER === undefined) return;
  company = await serveCompany("web-views");
  base = `${await company.app.listen({ host: "127.0.0.1", port: 0 })}/a/local`;
  browser = await launchChromium();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  complaints = complaintsOf(page);
});
afterAll(async () => {
  await browser?.close();
  await company?.stop();
});

/** Clicks a number of messages, and expects that many. */
async function expectFound(link: ReturnType<Page["locator"]>): Promise<void> {
  const count = await link.textContent();
  await link.click();
  await page.locator(".found", { hasText: new RegExp(`^${count} message`) }).waitFor();
  await page.goBack();
}

describe.skipIf(BROWSER === undefined)("views", () => {
  it("about: outcome and source of every item", async () => {
    await page.goto(`${base}/about`);
    await page.getByText("Item counts").waitFor();
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

  it("about: every original is read again and unchanged", async () => {
    await page.goto(`${base}/about`);
    const total = (await company.archive.messages.list("sent_at", { limit: 1, offset: 0 })).total;
    await page.getByRole("button", { name: "Check originals" }).click();
    await page
      .getByRole("status")
      .filter({ hasText: new RegExp(`^${total} messages checked`) })
      .waitFor();
    await page.getByRole("button", { name: "Check originals" }).waitFor();
    expect(await page.getByText("Unavailable originals").count()).toBe(0);
  });

  it("help: search syntax with links, and keys", async () => {
    await page.goto(`${base}/`);
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByRole("link", { name: "Query language" }).click();
    await page.waitForURL("**/a/local/help");
    await page.getByText("previous match").waitFor();
    const examples = await page
      .locator(".examples a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")!));
    expect(examples.length).toBeGreaterThan(30);
    for (const href of examples) {
      const { search } = new URL(href, base);
      const answer = await page.request.get(`${base.replace("/a/local", "")}/api/explore/messages${search}&limit=1`);
      const { data } = (await answer.json()) as { data: { understood: { is_no_operator: boolean }[] } };
      expect(
        data.understood.some(({ is_no_operator: isNone }) => isNone),
        search,
      ).toBe(false);
    }
    await page.getByText("sha256:e3b0c44298fc…").waitFor();
    await page.getByRole("link", { name: "moor*" }).click();
    await page.waitForURL((url) => url.pathname.endsWith("/search"));
    expect(new URL(page.url()).searchParams.get("q")).toBe("moor*");
  });

  it("warnings: filtered by text, which is in the address", async () => {
    await page.goto(`${base}/about/warnings`);
    await page.locator(".data tbody tr").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("no such words");
    await page.getByText("No warnings found").waitFor();
    expect(new URL(page.url()).searchParams.get("search")).toBe("no such words");
  });

  it("mailboxes: a tree whose numbers link to as many messages", async () => {
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

  it("files: each once, as a table and as pictures", async () => {
    await page.goto(`${base}/files`);
    const rows = page.locator(".data tbody tr");
    await rows.first().waitFor();
    await expectFound(rows.first().locator("td.number a"));
    await rows.first().waitFor();
    await page.keyboard.press("s");
    await page.waitForURL(/sort=name/);
    await page.getByRole("link", { name: /^Image/ }).click();
    await page.getByRole("link", { name: "Gallery" }).click();
    await page.locator(".gallery img").first().waitFor();
    await expect
      .poll(() =>
        page
          .locator(".gallery img")
          .first()
          .evaluate((image) => (image as unknown as { readonly naturalWidth: number }).naturalWidth),
      )
      .toBeGreaterThan(0);
    await page.keyboard.press("/");
    await page.keyboard.type("no such name");
    await page.getByText("No files found").waitFor();
  });

  it("calendar: a month and its neighbors by keys, and all as a list", async () => {
    await page.goto(`${base}/calendar`);
    await page.locator(".month a").first().waitFor();
    const title = await page.locator("h1").textContent();
    await page.keyboard.press("]");
    await page.waitForURL(/month=/);
    await page.getByText(/^No appointments in/).waitFor();
    await page.keyboard.press("[");
    await page.locator("h1", { hasText: title! }).waitFor();
    const summary = Number((await page.locator(".view-head > .quiet").textContent())!.split(" ")[0]);
    expect(await page.locator(".cards li").count()).toBe(summary);
    await page.getByRole("link", { name: "List" }).click();
    await expect.poll(() => page.locator(".cards > li").count()).toBeGreaterThan(summary);
  });

  it("calendar: attachments of an appointment are listed with size and availability", async () => {
    const named = { number: 1, type: "pdf", filename: "<b>quay.pdf", media_type: "application/pdf", path: null };
    const file = { ...named, size_bytes: 2048, sha256: "0".repeat(64) };
    const attachments = [{ ...file, availability: "moved" }];
    await page.route("**/api/explore/events/*", (route) =>
      route.fulfill({ json: { status: "ok", data: { attachments } } }),
    );
    await page.route("**/api/explore/events?*", async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      for (const event of answer.data.events) event.attachments = [file];
      await route.fulfill({ response, json: answer });
    });
    await page.goto(`${base}/calendar?view=list`);
    const shown = () => page.locator(".attached li").first().textContent();
    await expect.poll(shown).toBe("<b>quay.pdf2 KB · source not found");
    await page.unroute("**/api/explore/events?*");
    await page.unroute("**/api/explore/events/*");
  });

  it("items: a kind lists its displayed number", async () => {
    await page.goto(`${base}/items`);
    const kind = page.locator(".choices a").nth(1);
    const count = Number(await kind.locator(".count").textContent());
    await kind.click();
    await page.waitForURL(/kind=/);
    await expect.poll(() => page.locator(".cards > li").count()).toBe(count);
  });

  it("people: each number links to exactly those messages, and a name to the person", async () => {
    await page.goto(`${base}/people`);
    const row = page.locator(".data tbody tr").first();
    await row.waitFor();
    const numbers = row.locator("td.number a");
    for (let at = 0; at < (await numbers.count()); at++) {
      await expectFound(numbers.nth(at));
      await row.waitFor();
    }
    const name = (await row.locator("th bdi").first().textContent())!;
    await row.locator("th a").click();
    await page.locator("h1", { hasText: name }).waitFor();
    for (const name of ["Sent", "Received", "All"]) {
      const figure = page.locator(".figures a", { hasText: name });
      const count = (await figure.locator(".figure").textContent())!;
      await figure.click();
      await page.locator(".found", { hasText: new RegExp(`^${count} message`) }).waitFor();
      await page.goBack();
      await figure.waitFor();
    }
    const counterparts = page.locator(".panel").first().locator("td.number a");
    await expectFound(counterparts.first());
    await page.goto(`${base}/people?search=no+such+name`);
    await page.getByText("No people found").waitFor();
  });

  it("topics: over time, each with its messages and conversations", async () => {
    await page.goto(`${base}/topics`);
    const card = page.locator(".topic-cards li").first();
    await card.locator(".bars").waitFor();
    const shown = await page.locator(".topic-cards h2").allTextContents();
    expect(shown.filter((name) => name === "Other")).toEqual(shown.slice(-1));
    await expectFound(card.locator("p a").first());
    const name = (await card.locator("h2 a").textContent())!;
    await card.locator("h2 a").click();
    await page.locator("h1", { hasText: name }).waitFor();
    await page.locator(".value-list a").first().waitFor();
    await page.locator(".panel th a").first().click();
    await page.waitForURL(/\/thread\//);
  });

  it("topics: show and sort by coherence", async () => {
    await page.goto(`${base}/topics`);
    await page.getByRole("link", { name: "Most coherent first" }).click();
    await page.waitForURL(/sort=coherence/);
    const sentences = page.locator(".topic-cards p", { hasText: " of these conversations mention " });
    await sentences.first().waitFor();
    const shares = await sentences.allTextContents();
    expect(shares[0]).toMatch(/^\d+% of these conversations mention \S+( or \S+)?$/);
    const percents = shares.map((text) => Number.parseInt(text, 10));
    expect(percents).toEqual(percents.toSorted((a, b) => b - a));
    await page.locator(".topic-cards h2 a").first().click();
    await page.getByText(shares[0]!, { exact: true }).waitFor();
  });

  it("between: each direction and conversation links to its displayed number", async () => {
    await page.goto(`${base}/people`);
    await page.locator(".data tbody tr th a").first().click();
    const links = page.locator(".panel").first().locator("tbody tr").first().locator("td.number a");
    await links.first().waitFor();
    const counts = await links.allTextContents();
    await page
      .getByRole("link", { name: /^Messages with / })
      .first()
      .click();
    await page.waitForURL(/\/between\//);
    const figures = page.locator(".figures a");
    await figures.nth(1).waitFor();
    // The page of the person shows the same for both directions.
    await expect.poll(() => figures.locator(".figure").allTextContents()).toEqual(expect.arrayContaining(counts));
    const at = page.url();
    for (let index = 0; index < (await figures.count()); index++) {
      const count = (await figures.nth(index).locator(".figure").textContent())!;
      await figures.nth(index).click();
      await page.locator(".found", { hasText: new RegExp(`^${count} message`) }).waitFor();
      await page.goto(at);
      await figures.nth(1).waitFor();
    }
    const found = page.locator(".data tbody tr").first().locator("td.number a");
    await expectFound(found.nth(0));
    await expectFound(found.nth(1));
  });

  it("graph: by keyboard, around a person, and to messages between two; the address has the selection", async () => {
    await page.goto(`${base}/people`);
    await page.locator(".data tbody tr").first().waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("g");
    await page.waitForURL(/\/graph$/);
    await page.locator("#graph").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("greta");
    await page.keyboard.press("Enter");
    await page.waitForURL(/contact=contact-/);
    const card = page.locator("#details");
    const name = (await card.locator("h2").textContent())!;
    await page.locator("#legend input").first().uncheck();
    await page.waitForURL(/without=0/);
    await page.reload();
    await page.locator("#legend input").first().waitFor();
    await expect.poll(() => page.locator("#legend input").first().isChecked()).toBe(false);
    await page.locator("#all-communities").click();
    await page.locator("#show-table").click();
    await page.waitForURL(/view=table/);
    await page.goto(`${base}/graph`);
    await page.locator("#graph").waitFor();
    await page.locator("#graph-search").fill(name);
    await page.keyboard.press("Enter");
    await card.getByRole("link", { name: "Show their graph" }).click();
    await page.waitForURL(/person=contact-/);
    await page.locator("h1", { hasText: `Contacts of ${name}` }).waitFor();
    await page.locator("#graph-search").fill(name);
    await page.keyboard.press("Enter");
    await card.locator("a.counts").first().click();
    await page.waitForURL(/\/between\//);
    await page.locator(".figures .figure").first().waitFor();
  });

  it("graph: shows how many contacts are displayed, and displays more or links to the others", async () => {
    await page.goto(`${base}/graph?limit=10`);
    const summary = page.locator(".view-head > .quiet");
    await expect.poll(() => summary.textContent()).toMatch(/^10 of \d+ contacts, those with the most messages$/);
    const asked: string[] = [];
    // An archive with more contacts than are shown.
    await page.route("**/api/explore/graph*", async (route) => {
      asked.push(new URL(route.request().url()).search);
      const response = await route.fetch();
      const { data, ...rest } = (await response.json()) as { readonly data: { readonly totals: object } };
      await route.fulfill({ json: { ...rest, data: { ...data, totals: { ...data.totals, contacts: 1200 } } } });
    });
    await page.goto(`${base}/graph?after=1999-01`);
    await page.getByRole("combobox", { name: "Contact limit" }).selectOption({ label: "Up to 1,000" });
    await page.waitForURL(/limit=1000/);
    await expect.poll(() => asked.at(-1)).toBe("?limit=1000");
    await expect.poll(() => summary.textContent()).toMatch(/ of 1,200 contacts, /);
    await page.locator("#graph").waitFor();
    await page.getByRole("link", { name: "Find contacts" }).click();
    await page.waitForURL(/\/people$/);
    await page.unroute("**/api/explore/graph*");
  });

  it("graph: is visible with forced colors", async () => {
    const context = await browser.newContext({ forcedColors: "active" });
    const seen = await context.newPage();
    await seen.goto(`${base}/graph`);
    await seen.locator("#zoom-level").getByText("100%").waitFor();
    const colors = `[...document.querySelectorAll("canvas")].map((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    })`;
    for (const count of await seen.evaluate<readonly number[]>(colors)) expect(count).toBeGreaterThan(10);
    await context.close();
  });

  it("search: results as conversations, whose numbers link to as many", async () => {
    await page.goto(`${base}/search?q=the`);
    await page.getByRole("combobox", { name: "Rows" }).selectOption("conversation");
    await page.waitForURL(/group=conversation/);
    const row = page.locator(".data tbody tr").first();
    await row.waitFor();
    const summary = (await page.locator(".found").textContent())!;
    const conversations = /in ([\d,]+) conversation/.exec(summary)![1];
    await page.locator(".panel h2", { hasText: `${conversations} conversation` }).waitFor();
    await expectFound(row.locator("td.number a").nth(0));
    await row.waitFor();
    await expectFound(row.locator("td.number a").nth(1));
  });

  it("search: values of a facet are looked for on the server", async () => {
    await page.goto(`${base}/search`);
    const senders = page.locator(".facet").first();
    await senders.getByRole("button", { name: /more$/ }).click();
    const asked = page.waitForRequest(/facets\?.*search=greta/);
    await senders.getByRole("textbox").fill("greta");
    await asked;
    const shown = async (): Promise<boolean> => {
      const names = await senders.locator("li bdi").allTextContents();
      return names.length > 0 && names.every((name) => /greta/i.test(name));
    };
    await expect.poll(shown).toBe(true);
  });

  it("times: in the reader's zone or in UTC, which is stored", async () => {
    const far = await browser.newContext({ timezoneId: "Pacific/Auckland", locale: "en-GB" });
    const there = await far.newPage();
    await there.goto(`${base}/search?view=table`);
    const times = there.locator(".rows time");
    const shown = async (): Promise<string> => (await times.allTextContents()).join();
    await times.first().waitFor();
    const own = await shown();
    await there.getByRole("button", { name: "Times in UTC" }).click();
    await expect.poll(shown).not.toBe(own);
    const utc = await shown();
    await there.reload();
    await times.first().waitFor();
    await expect.poll(shown).toBe(utc);
    await far.close();
  });

  it("overview: topics are listed before messages without a topic", async () => {
    await page.goto(`${base}/`);
    const lines = page.locator(".value-list", { hasText: "Topic" }).first().locator("li bdi");
    await lines.first().waitFor();
    const names = await lines.allTextContents();
    expect(names.indexOf("Other")).toBe(names.length - 1);
  });

  it("damage of a source: both pages show that more messages may have existed", async () => {
    const damage = async (path: string, change: (data: Record<string, unknown>) => object): Promise<void> => {
      await page.route(`**/api/explore/${path}`, async (route) => {
        const response = await route.fetch();
        const answer = (await response.json()) as { readonly data: Record<string, unknown> };
        await route.fulfill({ response, json: { ...answer, data: { ...answer.data, ...change(answer.data) } } });
      });
    };
    const warning = "Damaged: some messages may be missing";
    await damage("overview", () => ({ damaged_sources: 1 }));
    await damage("provenance", ({ sources }) => ({
      sources: (sources as readonly object[]).map((source, at) => ({ ...source, is_damaged: at === 1 })),
    }));
    await page.goto(`${base}/people`);
    await page.locator("nav.rail").getByText("Overview").first().click();
    const line = page.locator(".completeness");
    await line.getByText("1 damaged source may be missing messages").waitFor();
    expect(await line.textContent()).toMatch(/^Incomplete: /);
    await page.goto(`${base}/about`);
    await page.getByText(warning).waitFor();
    expect(await page.getByText(warning).count()).toBe(1);
    await page.unrouteAll();
  });

  it("hit report: a pasted list, whose numbers link to as many", async () => {
    await page.goto(`${base}/hits`);
    await page.locator("#q").fill("budget\n\nfrom:greta sea");
    await page.locator("#q").press("Control+Enter");
    const rows = page.locator(".data tbody tr");
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);
    await expectFound(rows.nth(0).locator("a").first());
    await rows.nth(1).waitFor();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    expect((await saving).suggestedFilename()).toBe("hits.csv");
  });

  it("report no console errors", () => expect(complaints).toEqual([]));
});
