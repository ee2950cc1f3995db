import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** A browser of this machine; undefined where there is none. */
export const BROWSER: string | undefined = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find(existsSync);

/** Without what tests have no use for: a sandbox, which root cannot have, graphics, and what a browser asks of others. */
const ARGUMENTS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the browser of this machine, as every test does. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: BROWSER!, args: [...ARGUMENTS] });
}
