import type { Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { BROWSER, launchChromium } from "../chromium.ts";
import { type ServedCompany, serveCompany } from "./company-archive.ts";

/** The archive of the example company in a browser, for the tests of a file. */
export interface BrowsedCompany {
  /** Address of the page, without a trailing slash. */
  base(): string;
  newPage(viewport: { readonly width: number; readonly height: number }): Promise<Page>;
}

/** Starts a server and a browser before the tests of a file, and ends both after them. */
export function browseCompany(name: string): BrowsedCompany {
  let company: ServedCompany;
  let base: string;
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  beforeAll(async () => {
    if (BROWSER === undefined) return;
    company = await serveCompany(name);
    base = `${await company.app.listen({ host: "127.0.0.1", port: 0 })}/a/local`;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await company?.stop();
  });
  return { base: () => base, newPage: (viewport) => browser.newPage({ viewport: { ...viewport } }) };
}
