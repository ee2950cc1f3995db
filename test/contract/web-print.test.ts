import { spawnSync } from "node:child_process";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER } from "../chromium.ts";
import { type ServedWeb, serveWeb } from "./web-fixture.ts";

/** Printed output: the messages, numbered and identified by Message-ID and hash, without screen controls. */

let web: ServedWeb;
let page: Page;

beforeAll(async () => {
  if (BROWSER === undefined) return;
  web = await serveWeb({ hasNotebook: true });
  page = await web.browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript("window.print = () => { window.isPrinted = true; }");
});
afterAll(() => web?.stop());

/** Controls that would be printed. */
async function controlsOnPaper(): Promise<number> {
  await page.emulateMedia({ media: "print" });
  return page.locator("button:visible, select:visible, input:visible, textarea:visible, summary.tool:visible").count();
}

/** A property of CSS as the page computes it. */
function styleOf(selector: string, property: string, pseudo = ""): Promise<string> {
  const of = `document.querySelector(${JSON.stringify(selector)})${pseudo === "" ? "" : `, ${JSON.stringify(pseudo)}`}`;
  return page.evaluate<string>(`getComputedStyle(${of}).${property}`);
}

/** Text on the pages of a PDF. */
function textsOf(pdf: Buffer): readonly string[] {
  const read = spawnSync("pdftotext", ["-layout", "-", "-"], { input: pdf, encoding: "utf8" });
  expect(read.status, read.stderr).toBe(0);
  return read.stdout.split("\f").filter((text) => text !== "");
}
const hasPdfReader = spawnSync("pdftotext", ["-v"]).error === undefined;

describe.skipIf(BROWSER === undefined)("on paper", () => {
  it.skipIf(!hasPdfReader)("no text is truncated, and every page has the header", async () => {
    for (const [view, heads] of [
      ["thread/thread-000001", /^Berth plan$/m],
      ["search?view=read", /^All mail · 24 messages$/m],
    ] as const) {
      await page.goto(`${web.base}/a/local/${view}`);
      await page.locator("article .text-of-mail").first().waitFor();
      if (view.startsWith("search")) {
        // Printing from the browser prints a note that there is more.
        const [first] = textsOf(await page.pdf({ preferCSSPageSize: true }));
        expect(first).toContain("The end is missing");
        await page.locator(".print-all").click();
        await expect.poll(() => page.evaluate("window.isPrinted === true")).toBe(true);
      }
      const pages = textsOf(await page.pdf({ width: "148mm", height: "105mm", preferCSSPageSize: true }));
      expect(pages.length).toBeGreaterThan(1);
      for (const text of pages) expect(text).toMatch(heads);
      // Times are at the right end of their lines.
      const times = (await page.locator("article .when").allTextContents()).filter((text) => text !== "undated");
      expect(pages.join("").match(/\d (?:AM|PM)$/gm)).toHaveLength(times.length);
    }
  });

  it("a conversation has a head on every page, numbers, and a foot of each message", async () => {
    await page.goto(`${web.base}/a/local/thread/thread-000001`);
    await page.locator("article .text-of-mail").first().waitFor();
    expect(await controlsOnPaper()).toBe(0);
    expect(await styleOf(".conversation-head", "display")).toBe("table-header-group");
    const feet = await page.locator("article .print-foot:visible").allTextContents();
    expect(feet).toHaveLength(6);
    for (const foot of feet) expect(foot).toMatch(/^Message-ID: \S+@\S+SHA-256: [0-9a-f]{64}$/);
    expect(await styleOf("article .line", "content", "::before")).toContain("counter(message)");
    expect((await page.pdf()).subarray(0, 5).toString()).toBe("%PDF-");
    await page.emulateMedia({ media: "screen" });
    expect(await page.locator(".print-foot:visible").count()).toBe(0);
  });

  it("a result as one text loads completely before it prints", async () => {
    await page.goto(`${web.base}/a/local/search?view=read`);
    await page.locator(".print-all").click();
    await expect.poll(() => page.evaluate("window.isPrinted === true")).toBe(true);
    expect(await controlsOnPaper()).toBe(0);
    expect(await page.locator("article .print-foot:visible").count()).toBe(24);
    expect(await page.locator(".print-head:visible").textContent()).toContain("24 messages");
    const texts = page.locator(".read-list .text-of-mail");
    expect((await texts.allTextContents()).filter((text) => text.trim() !== "").length).toBeGreaterThan(15);
    await page.emulateMedia({ media: "screen" });
  });

  it("a hit report is its table, rows numbered", async () => {
    await page.goto(`${web.base}/a/local/hits#berth%0Ahawser`);
    await page.locator(".data tbody tr").nth(1).waitFor();
    expect(await controlsOnPaper()).toBe(0);
    expect(await styleOf(".data thead", "display")).toBe("table-header-group");
    expect(await styleOf(".data tbody th", "content", "::before")).toContain("counter(row)");
  });
});
