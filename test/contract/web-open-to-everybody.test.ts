import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MENTION_KINDS } from "../../src/mail/records/mention.ts";
import { BROWSER } from "../chromium.ts";
import { AXE, complaintsOf, drawnView, RUN_AXE, RUN_AXE_ON_COLOURS, type ServedWeb, serveWeb } from "./web-fixture.ts";

/** Menus and dialogs in views, and messages about missing items: checked with axe-core and with the keyboard only. */

let web: ServedWeb;
beforeAll(async () => {
  if (BROWSER !== undefined) web = await serveWeb({ hasNotebook: true });
});
afterAll(() => web?.stop());

const API = "**/api/explore/**";
const press =
  (...keys: readonly string[]) =>
  async (page: Page): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
const click =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole("button", { name }).filter({ visible: true }).first().click();
const answerFacets = (page: Page, facets: readonly object[]): Promise<unknown> =>
  page.route("**/api/**/facets?**", (route) => route.fulfill({ json: { status: "ok", data: { facets } } }));
const refused = (page: Page): Promise<unknown> =>
  page.route(API, (route) =>
    route.fulfill({ status: 503, json: { error: { code: "STORE_BUSY", message: "the archive is being copied" } } }),
  );

/** State of a view: actions before or after it is opened, and the element that is present then. */
interface State {
  readonly path: string;
  readonly before?: (page: Page) => Promise<unknown>;
  readonly act?: (page: Page) => Promise<unknown>;
  readonly shown: string;
}

const STATES: Readonly<Record<string, State>> = {
  keys: { path: "about", act: press("?"), shown: "dialog[open] kbd" },
  commands: { path: "about", act: press("Control+k"), shown: "dialog[open] [role=option]" },
  "what saves a result": {
    path: "search?q=berth",
    // The menu arrives with the result: a key pressed before opens nothing.
    act: async (page) => {
      await page.locator(".row mark").first().waitFor();
      await page.keyboard.press("e");
    },
    shown: ".menu[open] a",
  },
  "rows that are chosen": { path: "search?q=berth", act: press("j", "x"), shown: ".selection-bar" },
  "all that is chosen": { path: "search?q=berth", act: press("*", "a"), shown: ".selection-bar" },
  suggestions: {
    path: "search",
    act: (page) => page.locator("#q").pressSequentially("from:a"),
    shown: "[role=listbox] [role=option]",
  },
  "more values of a facet": { path: "search?q=&more=from", shown: "main" },
  "bars of a facet": { path: "search?stack=from", shown: ".layers" },
  "a message beside": { path: "search?q=berth&m=msg-000001", shown: ".row" },
  details: { path: "message/msg-000001", act: click("Details"), shown: ".details" },
  "tags and notes": { path: "message/msg-000001", act: click("Add tag or note"), shown: ".mark-editor" },
  "formatted mail that is not there": {
    path: "message/msg-000012",
    act: click("Formatted"),
    shown: "article .warned",
  },
  "the tree of replies": { path: "message/msg-000001?tree=1", shown: "article" },
  "mentions of one kind": {
    path: "mentions",
    before: (page) => answerFacets(page, [{ of: MENTION_KINDS[0], values: [{}] }]),
    shown: ".data tbody tr",
  },
  "no mentions": { path: "mentions", before: (page) => answerFacets(page, []), shown: ".state:not([role])" },
  "nothing found": { path: "search?q=berth+zebra", shown: ".ways, .nothing, .state" },
  "a query with an error": { path: "search?q=(((", shown: "main" },
  "a message that is not there": { path: "message/msg-999999", shown: "main [role=alert]" },
  "a conversation that is not there": { path: "thread/thread-999999", shown: "main [role=alert]" },
  "a message that is refused": { path: "message/msg-000001", before: refused, shown: "main [role=alert]" },
  "a person who is not there": { path: "people/contact-999999", shown: "main [role=alert]" },
  "a Message-ID that is not there": { path: "id/nobody@harbour.example", shown: "main [role=alert]" },
  "a view that is not there": { path: "nowhere", shown: "main h1" },
  "items of which there are none": { path: "items", shown: ".state:not([role])" },
  "what is refused": { path: "people", before: refused, shown: "main [role=alert]" },
  "a search that is refused": { path: "search?q=berth", before: refused, shown: "main [role=alert]" },
  "a server that has stopped": {
    path: "people",
    before: (page) => page.route(API, (route) => route.abort("connectionrefused")),
    shown: ".bar.offline",
  },
  "what is waited for": { path: "people", before: (page) => page.route(API, () => {}), shown: ".skeleton.shown" },
};

/** Opens a view in its state in light colors. One page is used again and again, because a new one costs a process. */
async function open(page: Page, { path, before, act, shown }: State): Promise<void> {
  await page.unrouteAll();
  await page.emulateMedia({ colorScheme: "light" });
  await before?.(page);
  await page.goto(`${web.base}/a/local/${path}`);
  await page.locator("main").waitFor();
  if (act !== undefined) await page.locator("main :is(h1, .row)").first().waitFor();
  await act?.(page);
  await page.locator(shown).filter({ visible: true }).first().waitFor();
}

describe.skipIf(BROWSER === undefined).each([1280, 390])("at %i pixels, light and dark", (width) => {
  let page: Page;
  beforeAll(async () => {
    page = await web.browser.newPage({ viewport: { width, height: 800 }, bypassCSP: true });
    page.setDefaultTimeout(6000);
  });
  afterAll(() => page.close());

  it.each(Object.entries(STATES))("axe-core finds no violations in %s", async (_, state) => {
    await open(page, state);
    await page.evaluate(AXE);
    expect(await page.evaluate(RUN_AXE)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await page.evaluate(RUN_AXE_ON_COLOURS)).toEqual([]);
  });
});

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < 200; step++) {
    if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no way to ${selector} by Tab`);
}

describe.skipIf(BROWSER === undefined)("keyboard users", () => {
  it("can search, filter, read, tag, save, count, view people and months, and go back", async () => {
    const page = await web.browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(8000);
    const complaints = complaintsOf(page);
    const drawn = drawnView(page);
    await page.goto(`${web.base}/`);
    await drawn();
    await page.keyboard.press("/");
    await page.keyboard.type("berth");
    await page.keyboard.press("Enter");
    await page.locator(".row mark").first().waitFor();
    const all = await page.locator(".found").textContent();
    await page.keyboard.press("f");
    await tabTo(page, "#facets input");
    await page.keyboard.press("Space");
    await page.waitForURL(/q=.+from/);
    await drawn();
    expect(await page.locator(".found").textContent()).not.toBe(all);
    await page.goBack();
    await drawn();
    expect(await page.locator(".found").textContent()).toBe(all);
    await press("j", "Enter")(page);
    await page.locator(".reader article .text-of-mail").first().waitFor();
    await press("n", ";", "w", "h", "h", "Shift+N")(page);
    await tabTo(page, ".mark-bar > button");
    await page.keyboard.press("Enter");
    await tabTo(page, ".mark-editor input[type=text], .mark-editor input:not([type])");
    await page.keyboard.type("tide");
    await page.keyboard.press("Enter");
    await page.locator(".mark-line .tag", { hasText: "tide" }).first().waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".mark-editor").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.locator(".rows:focus").waitFor();
    await page.keyboard.press("x");
    await page.locator(".selection-bar").waitFor();
    await page.keyboard.press("e");
    const saving = page.waitForEvent("download");
    await page.keyboard.press("Enter");
    expect((await saving).suggestedFilename()).toMatch(/\.(?:mbox|zip)$/);
    await press("g", "p")(page);
    await page.waitForURL("**/people");
    await drawn();
    await tabTo(page, ".data tbody th a");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/people/contact-*");
    await drawn();
    await tabTo(page, ".figures a");
    await page.keyboard.press("Enter");
    await page.locator(".row").first().waitFor();
    await press("g", "c")(page);
    await page.waitForURL("**/calendar*");
    await drawn();
    await press("]", "g", "b")(page);
    await page.waitForURL("**/notebook");
    await page.getByText("tide").first().waitFor();
    await press("?")(page);
    await page.locator("dialog[open]").waitFor();
    await press("Escape")(page);
    await page.locator("dialog").waitFor({ state: "detached" });
    await press("Control+k")(page);
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.type("overview");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/a/local/");
    // The browser logs a message without HTML.
    expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
    await page.close();
  });
});
