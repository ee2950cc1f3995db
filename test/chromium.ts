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

/** Starts the browser of this machine with the settings for tests. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: BROWSER!, args: [...ARGUMENTS] });
}
