import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { ExampleDirectory, pictureTranscripts, terminalPicture, withTranscripts } from "./transcripts.ts";

/**
 * `npm run examples`: makes anew what the pages show of the example company, from the built program: the transcripts of
 * README.md and the pictures below docs/images. The picture of the graph needs a Chromium and is left as it is without
 * one.
 */
const ROOT = resolve(import.meta.dirname, "..");
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const GRAPH_SIZE = { width: 1100, height: 700 };

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
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function pictureGraph(page: string, picture: string): Promise<void> {
  const executablePath = BROWSERS.find(existsSync);
  if (executablePath === undefined) {
    console.error(`graph.png stays as it is: none of ${BROWSERS.join(", ")} is there`);
    return;
  }
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const context = await browser.newContext({ viewport: GRAPH_SIZE, reducedMotion: "reduce", colorScheme: "light" });
    const opened = await context.newPage();
    await opened.goto(pathToFileURL(page).href);
    // Shown when the layout has come to rest.
    await opened.locator("#zoom-level").getByText("100 %").waitFor();
    await opened.screenshot({ path: picture });
  } finally {
    await browser.close();
  }
}
