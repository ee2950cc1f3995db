import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Browser, Page, Request } from "playwright-core";
import { CorrectionFollower } from "../../src/http/explore-api/setting/correction-follower.ts";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { replacementOf } from "../../src/store/archive/replaced-archive.ts";
import { fileCorrections, PEOPLE_FILE, TOPICS_FILE } from "../../src/store/notebook/corrections-file.ts";
import { fileNotebook } from "../../src/store/notebook/open-notebook.ts";
import { launchChromium } from "../chromium.ts";
import { bundlePages } from "./bundled-pages.ts";
import { writeContractArchive } from "./contract-archive.ts";
import { FAULT_LOG } from "./fault-log.ts";
import { ownFiles } from "./own-files.ts";

/** axe-core, to be run in a page. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const TELL_VIOLATIONS = `({ violations }) => violations.map(({ id, nodes }) =>
  id + ": " + nodes.map(({ html }) => html).join(" ").slice(0, 400))`;
/** Details of what passes cost a tenth of the time. */
const ONLY_VIOLATIONS = `resultTypes: ["violations"], selectors: false`;
/** All rules, including best practices; one line per violation. */
export const RUN_AXE = `axe.run({ ${ONLY_VIOLATIONS} }).then(${TELL_VIOLATIONS})`;
/** Rules that can fail in another theme. */
export const RUN_AXE_ON_COLOURS = `axe.run({ ${ONLY_VIOLATIONS}, runOnly: ["color-contrast", "link-in-text-block"] }).then(${TELL_VIOLATIONS})`;

/** The application over the small archive of the contract tests. */
export interface ServedWeb {
  readonly browser: Browser;
  /** The file of the archive. */
  readonly archiveFile: string;
  /** Address of the server, without a trailing slash. */
  readonly base: string;
  stop(): Promise<void>;
}

/** Starts a server and a browser, with or without a notebook next to the archive. */
export async function serveWeb(
  { hasNotebook }: { readonly hasNotebook: boolean } = { hasNotebook: false },
): Promise<ServedWeb> {
  await bundlePages();
  const file = await writeContractArchive();
  const archive = await openArchive(file.location);
  const app = await createLocalServer(
    archive,
    {
      source: resolve("/mail/harbour"),
      environment: "contract",
      host: "127.0.0.1",
      ...ownFiles(),
      notebook: hasNotebook ? fileNotebook(file.location) : null,
      corrections: {
        people: fileCorrections(file.location, PEOPLE_FILE),
        topics: fileCorrections(file.location, TOPICS_FILE),
        // Corrections of the archive are tested with the program: test/e2e/served-corrections.test.ts.
        follower: new CorrectionFollower(async () => undefined),
      },
      isReplaced: replacementOf(file.location),
    },
    FAULT_LOG,
  );
  await app.listen({ host: "127.0.0.1", port: 0 });
  const bound = app.server.address();
  const browser = await launchChromium();
  return {
    browser,
    archiveFile: file.location.file,
    base: `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`,
    async stop() {
      await browser.close();
      await app.close();
      await archive.close();
      file.remove();
    },
  };
}

/** Console messages of a page, including errors. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

/** Consecutive frames without requests: a response in one frame is drawn in the next and may cause more requests. */
const CALM_FRAMES = 3;
/** Resolves after the next frame; true if a view still waits for something. */
const IS_WAITING = `new Promise((drawn) => requestAnimationFrame(() =>
  setTimeout(() => drawn(document.querySelector("main .skeleton, main [data-waits]") !== null))))`;

/**
 * Waits until a view is drawn and sends no more requests. Create it before the page navigates. Playwright's
 * `networkidle` waits for half a second of silence each time.
 */
export function drawnView(page: Page): () => Promise<void> {
  const asked = new Set<Request>();
  page.on("request", (request) => asked.add(request));
  page.on("requestfinished", (request) => asked.delete(request));
  page.on("requestfailed", (request) => asked.delete(request));
  return async () => {
    await page.locator("main").waitFor();
    for (let calm = 0; calm < CALM_FRAMES; )
      calm = (await page.evaluate(IS_WAITING)) === false && asked.size === 0 ? calm + 1 : 0;
  };
}
