import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER } from "../chromium.ts";
import { complaintsOf, type ServedWeb, serveWeb } from "./web-fixture.ts";

/** Overview and conversation, navigation back, phones, and hidden content. */

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

const waitForCount = (count: number | string | undefined): Promise<void> =>
  page.locator(".found", { hasText: new RegExp(`^${count} `) }).waitFor();

describe.skipIf(BROWSER === undefined)("the overview", () => {
  it("shows counts that link to exactly that many messages", async () => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${web.base}/`);
    await page.locator(".value-list li a").first().waitFor();
    // It was loaded with the page.
    expect(asked).not.toContain("/api/explore/overview");
    expect(new URL(page.url()).pathname).toBe("/a/local/");
    expect(await page.textContent("h1")).toBe("harbour");
    expect(await page.textContent(".figures")).toContain("24");
    for (const list of await page.locator(".value-list").all()) {
      const name = (await list.locator("h2").textContent())!;
      const link = list.locator("li a").first();
      const count = await link.locator(".count").textContent();
      await link.focus();
      await page.keyboard.press("Enter");
      await waitForCount(count!);
      await page.goBack();
      await page.getByRole("heading", { name, exact: true }).waitFor();
    }
  });
});

describe.skipIf(BROWSER === undefined)("a conversation", () => {
  it("is read by keys, message by message", async () => {
    await page.goto(`${web.base}/a/local/search?q=thread:thread-000001&sort=oldest`);
    const row = page.locator(".row").first();
    const address = (await row.getAttribute("href"))!;
    await page.goto(web.base + address);
    await page.locator("article .text-of-mail").first().waitFor();
    expect(await page.locator("article").count()).toBe(6);
    const focused = (): Promise<string> => page.locator("article:focus").getAttribute("id") as Promise<string>;
    await page.keyboard.press("n");
    const first = await focused();
    await page.keyboard.press("n");
    expect(await focused()).not.toBe(first);
    await page.keyboard.press("p");
    expect(await focused()).toBe(first);
  });

  it("shows all details of a message, names first, and why the formatted view is missing", async () => {
    await page.goto(`${web.base}/a/local/message/msg-000012`);
    const named = page.locator("article.named");
    await named.getByRole("button", { name: "Details" }).click();
    await named.locator(".details").getByText("Message-ID").waitFor();
    const link = (await named.locator(".details").textContent())!;
    expect(link).toContain("12@harbour.example");
    await named.getByRole("button", { name: "Formatted" }).click();
    await named.getByText("Formatted version not available").waitFor();
    await page.goto(`${web.base}/a/local/id/12@harbour.example`);
    await page.waitForURL(/\/message\/msg-000012$/);
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !/40\d|410|50\d/.test(text)));
  });

  it("highlights the words of the search, and steps through them", async () => {
    await page.goto(`${web.base}/a/local/search?q=berth`);
    await page.locator(".row").first().click();
    await page.locator(".text-of-mail mark").first().waitFor();
    await page.keyboard.press("Shift+N");
    expect(await page.locator("mark.current").textContent()).toBe("berth");
  });
});

describe.skipIf(BROWSER === undefined)("keys", () => {
  it("are listed, available as commands, and open views", async () => {
    await page.goto(`${web.base}/a/local/`);
    await page.locator(".value-list").first().waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("previous match").waitFor();
    await page.keyboard.press("Escape");
    // As fast as possible: no step goes back in the history.
    for (const opening of ["Control+k", "?", "Control+k", "Control+k", "?", "?", "Control+k"]) {
      await page.keyboard.press(opening);
      await page.keyboard.press("Escape");
    }
    expect(new URL(page.url()).pathname).toBe("/a/local/");
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await waitForCount(24);
    await page.keyboard.press("g");
    await page.keyboard.press("o");
    await page.locator(".figures").waitFor();
    await page.keyboard.press("Escape");
    await waitForCount(24);
  });
});

describe.skipIf(BROWSER === undefined)("a link", () => {
  it.each([
    [true, "Link copied"],
    [false, "Your browser blocked copying"],
  ] as const)("is copied without the clipboard API, allowed: %s", async (isAllowed, notice) => {
    const refused = await web.browser.newPage();
    await refused.addInitScript(`
      Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error("no")) } });
      document.execCommand = (command) => {
        window.copied = command + " " + document.activeElement.value;
        return ${isAllowed};
      };`);
    await refused.goto(`${web.base}/a/local/topics`);
    await refused.getByRole("button", { name: "Copy link" }).first().click();
    await refused.getByText(notice, { exact: true }).waitFor();
    expect(await refused.evaluate("window.copied")).toBe(`copy ${web.base}/a/local/topics`);
    expect(await refused.locator("textarea").count()).toBe(0);
    expect(await refused.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Copy link");
    await refused.close();
  });
});

describe.skipIf(BROWSER === undefined)("on a phone", () => {
  it("opens a message over the list, returns to the row, and has all views in the bottom bar", async () => {
    const phone = await web.browser.newPage({ viewport: { width: 390, height: 700 } });
    await phone.goto(`${web.base}/a/local/search?sort=oldest`);
    await phone.locator(".row").first().waitFor();
    await phone.locator(".rows").evaluate((element) => element.scrollTo(0, 900));
    // The row in the middle of the visible ones.
    await phone.locator("li[aria-posinset='12'] .row").click();
    await phone.locator("article .text-of-mail").first().waitFor();
    await phone.goBack();
    await phone.locator(".row").first().waitFor();
    expect(await phone.locator(".rows").evaluate((element) => element.scrollTop)).toBeGreaterThan(600);
    expect(await phone.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await phone.setViewportSize({ width: 320, height: 640 });
    const rail = phone.getByRole("navigation", { name: "Views" });
    expect(await rail.getByRole("link").count()).toBe(4);
    for (const link of await rail.getByRole("link").all())
      expect(await link.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    const more = rail.locator("summary");
    await more.click();
    await phone.keyboard.press("Escape");
    expect(await rail.getByRole("link").count()).toBe(4);
    await more.click();
    await rail.getByRole("link", { name: "Hits" }).click();
    await phone.locator("h1", { hasText: "Hit report" }).waitFor();
    expect(await rail.getByRole("link").count()).toBe(4);
    await phone.close();
  });
});

describe.skipIf(BROWSER === undefined)("for everybody", () => {
  it("reports no console errors", () => expect(complaints).toEqual([]));
});
