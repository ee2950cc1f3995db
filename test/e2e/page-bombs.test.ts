import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { markRunPieces } from "../../src/text/html/mark-runs.ts";
import { safePage } from "../../src/text/html/safe-html.ts";
import { BROWSER, launchChromium } from "../chromium.ts";
import { PAGE_BOMBS } from "../hostile/page-bombs.ts";

/** CPU seconds that a browser may spend on one message. */
const MAX_CPU = 3;

/** Messages designed to keep a browser busy: each is shown or rejected quickly. */
describe.skipIf(BROWSER === undefined)("HTML made to freeze a page", () => {
  let browser: Browser;
  let cpuSeconds: () => Promise<number>;
  beforeAll(async () => {
    browser = await launchChromium();
    const session = await browser.newBrowserCDPSession();
    cpuSeconds = async () => {
      const { processInfo } = await session.send("SystemInfo.getProcessInfo");
      return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
    };
  });
  afterAll(() => browser.close());

  async function cpuToShow(html: string): Promise<number> {
    const page = await browser.newPage();
    const before = await cpuSeconds();
    await page.setContent(html, { timeout: 0 });
    await page.evaluate(
      "new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(() => shown(document.body.offsetHeight))))",
    );
    const spent = (await cpuSeconds()) - before;
    await page.close();
    return spent;
  }

  it.each(PAGE_BOMBS)("$name", async ({ html }) => {
    expect(await cpuToShow(safePage(html, () => null).html)).toBeLessThan(MAX_CPU);
  });

  it("plain text that contains only markup", async () => {
    const pieces = markRunPieces(`a${"\u0301".repeat(50_000)}`);
    expect(await cpuToShow(`<pre>${pieces.join("<wbr>")}</pre>`)).toBeLessThan(MAX_CPU);
  });
});
