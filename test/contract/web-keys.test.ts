import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEYS, type KeyName } from "../../src/web/shell/key-table.ts";
import { BROWSER, launchChromium } from "../chromium.ts";
import { type ServedCompany, serveCompany } from "./company-archive.ts";
import { complaintsOf, drawnView } from "./web-fixture.ts";

/** Every key of the table that help, commands and docs use: a key without a check here does not compile. */

let company: ServedCompany;
let browser: Browser;
let page: Page;
let drawn: () => Promise<void>;
let complaints: string[];
let base: string;

beforeAll(async () => {
  if (BROWSER === undefined) return;
  company = await serveCompany("web-keys");
  const origin = await company.app.listen({ host: "127.0.0.1", port: 0 });
  base = `${origin}/a/local`;
  for (const key of "123456789") {
    const body = JSON.stringify({
      kind: "tag",
      id: `tag ${key}`,
      revision: 0,
      value: { color: "#336699", digit: Number(key) },
    });
    const headers = { "content-type": "application/json", origin };
    const answer = await fetch(`${origin}/api/explore/notebook/entries`, { method: "POST", headers, body });
    expect(answer.status, await answer.text()).toBe(200);
  }
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await company?.stop();
});

/** A separate page for a screen width. */
async function openPage(width: number): Promise<void> {
  page = await browser.newPage({ viewport: { width, height: 800 } });
  complaints = complaintsOf(page);
  // The console reports that the server failed, without the request or the cause.
  page.on("response", async (response) => {
    if (response.status() >= 500) complaints.push(`${response.url()}: ${await response.text()}`);
  });
  drawn = drawnView(page);
  await page.addInitScript(`
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.copied = text; } } });`);
}

/** Presses keys as the table lists them. */
async function press(written: string): Promise<void> {
  for (const key of written.split(" "))
    await page.keyboard.press(
      key.replace("Ctrl-", "Control+").replace(/^Shift-(.)$/, (_, letter: string) => `Shift+${letter.toUpperCase()}`),
    );
}

async function open(path: string): Promise<void> {
  await page.goto(base + path);
  await drawn();
}

/** Opens an address, presses keys there, and waits for another address. */
async function leadsTo(from: string, written: string, to: string | RegExp): Promise<void> {
  await open(from);
  await press(written);
  await page.waitForURL(typeof to === "string" ? base + to : to);
  await drawn();
}

const parameter = (name: string): string | null => new URL(page.url()).searchParams.get(name);
const cursor = (): Promise<number> =>
  page.evaluate<number>("[...document.querySelectorAll('.row')].findIndex((row) => row.matches('.cursor'))");
const focused = (): Promise<string | null> => page.evaluate("document.activeElement.id");
const SEARCH = "/search?q=the&sort=oldest";

/** A conversation whose replies contain quotations. */
async function openConversation(q = "is:reply"): Promise<void> {
  const found: { readonly messages: readonly { readonly id: string; readonly thread_messages: number }[] } =
    await company.data("/messages", { q, match: "all", limit: "50" });
  const { id } = found.messages.find(({ thread_messages: count }) => count > 3 && count < 50)!;
  await open(`/message/${id}?q=${q}`);
}
const openFolds = (): Promise<number> => page.locator("article details.quoted[open]").count();
const currentMark = (): Promise<number> =>
  page.evaluate<number>(
    "[...document.querySelectorAll('.text-of-mail mark')].findIndex((mark) => mark.matches('.current'))",
  );

async function stepsThroughMessages(written: string, from: number, to: number): Promise<void> {
  await openConversation();
  const ids = await page.locator("article").evaluateAll((articles) => articles.map(({ id }) => id));
  await page.locator("article").nth(from).focus();
  await press(written);
  await expect.poll(focused).toBe(ids[to]);
}

const CHECKS: Readonly<Record<KeyName, (written: string) => Promise<void>>> = {
  async search(written) {
    await leadsTo("/about", written, "/search");
    await press(written);
    await expect.poll(focused).toBe("q");
  },
  async commands(written) {
    await open("/about");
    await press(written);
    const dialog = page.getByRole("dialog", { name: "Commands" });
    const options = dialog.getByRole("option");
    // Commands of this view, and links to views without a key.
    const here = KEYS.filter(({ group }) => group === "Everywhere" || group === "Go to");
    const ways = ["Mentions", "Mailboxes", "Outlook items", "Hit report", "About", "Warnings", "Help"];
    await expect
      .poll(() => options.locator("span").allTextContents())
      .toEqual([...here.map(({ does }) => does), ...ways]);
    await page.keyboard.press("ArrowUp");
    for (const _ of await options.all()) await page.keyboard.press("ArrowDown");
    expect(await options.last().getAttribute("aria-selected")).toBe("true");
    const list = await dialog.getByRole("listbox").boundingBox();
    const last = await options.last().boundingBox();
    expect(last!.y + last!.height).toBeLessThanOrEqual(list!.y + list!.height + 1);
    await page.keyboard.type("no such thing");
    await dialog.getByText("No matching command").waitFor();
    await page.getByRole("combobox", { name: "What do you want to do?" }).fill("hit");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${base}/hits`);
    await open("/about");
    await press(written);
    await page.getByRole("combobox", { name: "What do you want to do?" }).fill("topics");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${base}/topics`);
  },
  async help(written) {
    await open("/about");
    await press(written);
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await expect.poll(() => dialog.locator("dd").allTextContents()).toEqual(KEYS.map(({ does }) => does));
    const shown = await dialog.locator("kbd").allTextContents();
    for (const { keys } of KEYS) expect(shown).toContain(keys[0]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  },
  async back(written) {
    await leadsTo("/topics", "g p", "/people");
    await press(written);
    await page.waitForURL(`${base}/topics`);
  },
  async copyLink(written) {
    await open("/people?search=greta");
    await press(written);
    await page.getByText("Link copied", { exact: true }).waitFor();
    expect(await page.evaluate("window.copied")).toBe(page.url());
  },
  overview: (written) => leadsTo("/about", written, "/"),
  goSearch: (written) => leadsTo("/about", written, "/search"),
  people: (written) => leadsTo("/about", written, "/people"),
  topics: (written) => leadsTo("/about", written, "/topics"),
  files: (written) => leadsTo("/about", written, "/files"),
  calendar: (written) => leadsTo("/about", written, "/calendar"),
  graph: (written) => leadsTo("/about", written, "/graph"),
  notebook: (written) => leadsTo("/about", written, "/notebook"),
  // `serve` has only one archive; several are tested with the service.
  archives: (written) => leadsTo("/about", written, "/"),
  async next(written) {
    await open(SEARCH);
    for (const row of [0, 1]) {
      await press(written);
      await expect.poll(cursor).toBe(row);
    }
  },
  async previous(written) {
    await open(SEARCH);
    await press("j j j");
    await expect.poll(cursor).toBe(2);
    await press(written);
    await expect.poll(cursor).toBe(1);
  },
  async open(written) {
    await open(SEARCH);
    await press("j");
    await press("j");
    await press(written);
    // Next to the list, or instead of it on narrow screens.
    await page.waitForURL(/[?&]m=msg-|\/message\/msg-/);
    await page.locator("article.named").waitFor();
    const m = parameter("m");
    if (m !== null) expect(await page.locator(".row[aria-current]").getAttribute("href")).toContain(m);
  },
  async export(written) {
    await open(SEARCH);
    await press(written);
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("MBOX, single file");
  },
  async select(written) {
    await open(SEARCH);
    await press("j");
    await press(written);
    await expect.poll(() => page.locator(".selection-bar strong").textContent()).toBe("1 selected");
    await press(written);
    await page.locator(".selection-bar").waitFor({ state: "detached" });
  },
  async selectAll(written) {
    await open(SEARCH);
    const found = /^[\d,]+/.exec((await page.locator(".found").textContent())!)![0];
    await press(written);
    await expect.poll(() => page.locator(".selection-bar strong").textContent()).toBe(`${found} selected`);
  },
  async tag(written) {
    await open(SEARCH);
    await press("j");
    const tag = page.locator(".row.cursor .tag", { hasText: `tag ${written}` });
    await press(written);
    await tag.waitFor();
    await press(written);
    await tag.waitFor({ state: "detached" });
  },
  async facets(written) {
    await open(SEARCH);
    await press(written);
    await expect.poll(() => page.evaluate("document.activeElement.closest('#facets') !== null")).toBe(true);
  },
  async sort(written) {
    await leadsTo(SEARCH, written, /sort=sender/);
    expect(await page.getByRole("combobox", { name: "Sort" }).inputValue()).toBe("sender");
  },
  async read(written) {
    await leadsTo(SEARCH, written, /view=read/);
    await page.locator(".read-list .text-of-mail").first().waitFor();
    await press(written);
    await expect.poll(() => parameter("view")).toBeNull();
  },
  nextMessage: (written) => stepsThroughMessages(written, 1, 2),
  previousMessage: (written) => stepsThroughMessages(written, 2, 1),
  async nextMatch(written) {
    await openConversation("the");
    for (const at of [0, 1]) {
      await press(written);
      await expect.poll(currentMark).toBe(at);
    }
  },
  async previousMatch(written) {
    await openConversation("the");
    const last = (await page.locator(".text-of-mail mark").count()) - 1;
    for (const at of [last, last - 1]) {
      await press(written);
      await expect.poll(currentMark).toBe(at);
    }
  },
  async unfold(written) {
    await openConversation();
    const quoted = await page.locator("article details.quoted").count();
    expect([quoted > 0, await openFolds()]).toEqual([true, 0]);
    await press(written);
    await expect.poll(openFolds).toBe(quoted);
  },
  async fold(written) {
    await openConversation();
    await press(";");
    await expect.poll(openFolds).toBeGreaterThan(0);
    await press(written);
    await expect.poll(openFolds).toBe(0);
  },
  async tree(written) {
    await openConversation();
    const indented = page.locator('article:not([data-depth="0"])');
    expect(await indented.count()).toBe(0);
    await press(written);
    await expect.poll(() => indented.count()).toBeGreaterThan(0);
    await press(written);
    await expect.poll(() => indented.count()).toBe(0);
  },
  async html(written) {
    await openConversation();
    const formatted = page.locator("article.named button.html");
    await press(written);
    await expect.poll(() => formatted.getAttribute("aria-pressed")).toBe("true");
    await page.locator("article.named :is(iframe, .warned)").waitFor();
    await press(written);
    await expect.poll(() => formatted.getAttribute("aria-pressed")).toBe("false");
    // Browsers report a message that has none.
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes("404")));
  },
  async monospaced(written) {
    await openConversation();
    const all = await page.locator("article .body").count();
    await press(written);
    await expect.poll(() => page.locator("article .body.monospaced").count()).toBe(all);
  },
  nextMonth: (written) => leadsTo("/calendar?month=2021-12", written, "/calendar?month=2022-01"),
  previousMonth: (written) => leadsTo("/calendar?month=2022-01", written, "/calendar?month=2021-12"),
};

describe.skipIf(BROWSER === undefined).each([1280, 390])("keys at %i pixels", (width) => {
  beforeAll(() => openPage(width));
  afterAll(() => page.close());

  it.each(KEYS.flatMap(({ name, does, keys }) => keys.map((written) => ({ name, does, written }))))(
    "$written: $does",
    ({ name, written }) => CHECKS[name](written),
  );

  it("are disabled while you type", async () => {
    await open("/search");
    await page.locator("#q").focus();
    const typed = KEYS.flatMap(({ keys }) => keys)
      .filter((written) => !/^(?:Ctrl|Shift)-|^(?:Escape|Enter)$/.test(written))
      .join("")
      .replaceAll(" ", "");
    const at = page.url();
    await page.keyboard.type(typed);
    expect([await page.locator("#q").inputValue(), page.url()]).toEqual([typed, at]);
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("report no console errors", () => expect(complaints).toEqual([]));
});
