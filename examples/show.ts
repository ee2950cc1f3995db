import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { BROWSER, launchChromium } from "../test/chromium.ts";
import { ExampleDirectory, pictureTranscripts, terminalPicture, withTranscripts } from "./transcripts.ts";

/**
 * `npm run examples`: makes anew what the pages show of the example company, from the built program: the transcripts of
 * README.md and the pictures below docs/images. The pictures of pages need a Chromium and are left as they are without
 * one.
 */
const ROOT = resolve(import.meta.dirname, "..");
const GRAPH_SIZE = { width: 1100, height: 700 };
const VIEW_SIZE = { width: 1280, height: 800 };
/** The pictures of the page: its address, and a text that is there when it is drawn. */
const VIEWS: readonly { readonly name: string; readonly address: string; readonly shown: string }[] = [
  { name: "overview", address: "", shown: "Complete" },
  { name: "search", address: "search?q=mooring%20line&m=msg-000202", shown: "Filters" },
  { name: "people", address: "people/contact-000001", shown: "Received" },
];

const scratch = mkdtempSync(join(tmpdir(), "archivetool-examples-"));
try {
  const example = new ExampleDirectory(scratch);
  const readme = join(ROOT, "README.md");
  writeFileSync(
    readme,
    withTranscripts(readFileSync(readme, "utf8"), (command) => example.run(command)),
  );
  writeFileSync(join(ROOT, "docs/images/terminal.svg"), terminalPicture(pictureTranscripts(example)));
  example.run("archivetool viz demo-output/archive --output graph.html");
  await pictureGraph(join(scratch, "graph.html"), join(ROOT, "docs/images/graph.png"));
  await pictureViews(scratch);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function pictureGraph(page: string, picture: string): Promise<void> {
  await withBrowser(GRAPH_SIZE, async (opened) => {
    await opened.goto(pathToFileURL(page).href);
    // Shown when the layout has come to rest.
    await opened.locator("#zoom-level").getByText("100 %").waitFor();
    await opened.screenshot({ path: picture });
  });
}

/** Pictures of the page, over the archive as `serve` shows it. */
async function pictureViews(directory: string): Promise<void> {
  const serve = ["serve", "demo-output/archive", "--port", "0", "--read-only"];
  const server = spawn(process.execPath, [join(directory, "archivetool"), ...serve], {
    cwd: directory,
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    const base = await servedAt(server);
    await withBrowser(VIEW_SIZE, async (opened) => {
      for (const { name, address, shown } of VIEWS) {
        await opened.goto(`${base}/a/local/${address}`);
        await opened.getByText(shown).first().waitFor();
        // What is still on its way, bars and pictures of files, is there when nothing is asked any more.
        await opened.waitForLoadState("networkidle");
        await opened.screenshot({ path: join(ROOT, `docs/images/${name}.png`) });
      }
    });
  } finally {
    server.kill();
  }
}

/** The address that a server says it has. */
async function servedAt(server: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  for (const stream of [server.stdout, server.stderr]) stream.setEncoding("utf8");
  for await (const text of server.stdout) {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(String(text));
    if (found !== null) return found[0];
  }
  throw new Error("the server ended before it said where it is");
}

async function withBrowser(
  viewport: { readonly width: number; readonly height: number },
  use: (page: Page) => Promise<void>,
): Promise<void> {
  if (BROWSER === undefined) {
    console.error("pictures of pages stay as they are: there is no browser");
    return;
  }
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ viewport, reducedMotion: "reduce", colorScheme: "light" });
    await use(await context.newPage());
  } finally {
    await browser.close();
  }
}
