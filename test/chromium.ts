import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The browser of this machine; undefined without one. */
export const BROWSER: string | undefined = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find(existsSync);

/** Turns off what tests do not need: the sandbox (which root cannot use), graphics, and background requests. */
const ARGUMENTS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Milliseconds that a page waits for an element or a navigation: longer than any takes on a slow machine under load. */
const PATIENCE_MS = 180_000;

/** Starts the browser of this machine with the settings for tests. */
export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: BROWSER!, args: [...ARGUMENTS] });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}
