import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { BROWSER, launchChromium } from "../chromium.ts";
import { archivetool, scratchDirectory } from "../e2e/cli.ts";
import { bundlePages } from "./bundled-pages.ts";
import { FAULT_LOG } from "./fault-log.ts";
import { ownFiles } from "./own-files.ts";
import { complaintsOf, drawnView } from "./web-fixture.ts";

/** A conversation longer than a page, one with many recipients, and one that only forwards a mail. */

const ANSWERS = 59;
const RECIPIENTS = 12;
const LINKS =
  "Who looks after the quay? See https://site.example/quay?a=1. As in <m59@harbour.example> and <none@x.example>, not javascript:alert(1).";

let archive: Archive;
let app: FastifyInstance;
let browser: Browser;
let page: Page;
let base: string;
let drawn: () => Promise<void>;
let complaints: string[];

function mail(number: number, fields: string, text: string): string {
  const time = new Date(Date.UTC(2021, 4, 1, 8, number)).toUTCString().replace("GMT", "+0000");
  return `From ann@harbour.example Sat May  1 08:00:00 2021\nFrom: Ann Reed <ann@harbour.example>\nMessage-ID: <m${number}@harbour.example>\nDate: ${time}\n${fields}\n\n${text}\n\n`;
}

beforeAll(async () => {
  if (BROWSER === undefined) return;
  await bundlePages();
  const scratch = scratchDirectory("web-conversation");
  const source = join(scratch, "quay.mbox");
  const everybody = Array.from({ length: RECIPIENTS }, (_, at) => `Guest ${at} <guest${at}@x.example>`).join(", ");
  const answers = Array.from({ length: ANSWERS }, (_, at) =>
    mail(
      at + 1,
      `To: ben@harbour.example\nSubject: Re: Quay\nIn-Reply-To: <m${at}@harbour.example>\nReferences: <m0@harbour.example>${at === 0 ? "" : ` <m${at}@harbour.example>`}`,
      `Answer ${at + 1} about the quay.`,
    ),
  );
  const passedOn = `---------- Forwarded message ---------\nFrom: Cleo <cleo@x.example>\nDate: Sat, 1 May 2021\nSubject: Crane\nTo: <ann@harbour.example>\n\nThe crane is here.`;
  writeFileSync(
    source,
    [
      mail(0, `To: ${everybody}\nSubject: Quay`, LINKS),
      ...answers,
      mail(90, "To: ben@harbour.example\nSubject: Fwd: Crane", passedOn),
    ].join(""),
  );
  const output = join(scratch, "archive");
  const run = archivetool("-q", "extract", source, "-o", output);
  expect(run.exitCode, run.stderr).toBe(0);
  archive = await openArchive(archiveIn(output));
  const start = { source: "quay", environment: "contract", host: "127.0.0.1", ...ownFiles(), notebook: null };
  app = await createLocalServer(archive, start, FAULT_LOG);
  base = `${await app.listen({ host: "127.0.0.1", port: 0 })}/a/local`;
  browser = await launchChromium();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  complaints = complaintsOf(page);
  drawn = drawnView(page);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await archive?.close();
});

const idOf = async (subject: string, text: string): Promise<string> => {
  const { messages } = await archive.explore.page({
    ...{ query: `subject:${subject} "${text}"`, match: "all", repeats: "listed", sort: "newest" },
    ...{ offset: 0, limit: 1 },
  });
  return messages[0]!.id;
};

describe.skipIf(BROWSER === undefined)("a conversation", () => {
  it("shows the message in the address, also beyond its first page, and updates the address with the page", async () => {
    const late = await idOf("quay", "Answer 57 about");
    await page.goto(`${base}/message/${late}`);
    await page.locator(`article.named#${late}`).waitFor();
    expect(await page.locator("article").count()).toBe(ANSWERS + 1 - 50);
    await page.getByRole("button", { name: "50 earlier" }).click();
    await page.locator("article", { hasText: "Who looks after" }).waitFor();
    expect(new URL(page.url()).searchParams.get("skip")).toBe("0");
    await page.getByRole("button", { name: `${ANSWERS + 1 - 50} more` }).click();
    await page.locator(`#${late}`).waitFor();
    await page.goBack();
    await page.locator("article", { hasText: "Who looks after" }).waitFor();
  });

  it("links addresses, and Message-IDs in the archive", async () => {
    await page.goto(`${base}/message/${await idOf("quay", "Who looks after")}`);
    const links = page.locator("article.named .text-of-mail a");
    await links.first().waitFor();
    const labels = await links.evaluateAll((all) =>
      all.map((link) => [link.textContent, link.getAttribute("href"), link.getAttribute("rel")]),
    );
    const last = await idOf("quay", `Answer ${ANSWERS} about`);
    expect(labels).toEqual([
      ["https://site.example/quay?a=1", "https://site.example/quay?a=1", "noopener noreferrer"],
      ["m59@harbour.example", `/a/local/message/${last}`, null],
    ]);
    await links.last().click();
    await page.locator(`article.named#${last}`).waitFor();
  });

  it("has times and replies in its outline", async () => {
    await page.goto(`${base}/message/${await idOf("quay", "Who looks after")}`);
    const rows = page.locator(".outline li");
    await rows.nth(2).waitFor();
    expect(await rows.nth(2).textContent()).toMatch(/2021.*\d:02/);
    const lefts = await rows.locator("button").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    expect(lefts[1]! - lefts[0]!).toBe(12);
    await page.getByRole("button", { name: "Expand all" }).click();
    await page.getByRole("button", { name: "Collapse all" }).waitFor();
  });

  it("stores tree, font and formatted view in the address", async () => {
    const id = await idOf("quay", "Answer 2 about");
    await page.goto(`${base}/message/${id}`);
    await page.locator("article.named").waitFor();
    await page.keyboard.press("t");
    await page.waitForURL(/tree=1/);
    await page.keyboard.press("w");
    await page.waitForURL(/mono=1/);
    await page.keyboard.press("h");
    await page.waitForURL(new RegExp(`html=${id}`));
    await page.reload();
    await drawn();
    // It has no HTML: a line above its text says so.
    await page.locator("article.named .warned").waitFor();
    expect(await page.locator("article .monospaced").count()).toBeGreaterThan(1);
    // Each replies to the previous one.
    const indents = (await page.evaluate(
      "[...document.querySelectorAll('article')].map((article) => getComputedStyle(article).marginLeft)",
    )) as readonly string[];
    expect(indents.slice(0, 3)).toEqual(["0px", "20px", "40px"]);
    await page.keyboard.press("t");
    await page.waitForURL((url) => !url.searchParams.has("tree"));
  });

  it("shows its outline next to it if there is space", async () => {
    const { x: left, width } = (await page.locator(".messages").boundingBox())!;
    const { x: beside } = (await page.locator(".outline").boundingBox())!;
    expect(beside).toBeGreaterThanOrEqual(left + width);
    expect(await page.locator(".outline button").first().isVisible()).toBe(true);
    await page.setViewportSize({ width: 900, height: 800 });
    await page.reload();
    await drawn();
    expect(await page.locator(".outline button").first().isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it("shows the other recipients on request", async () => {
    await page.goto(`${base}/message/${await idOf("quay", "Who looks after")}`);
    const article = page.locator("article.named");
    await article.getByRole("button", { name: `and ${RECIPIENTS - 8} more` }).click();
    await article.locator(".details").waitFor();
  });

  it("shows a message that was forwarded without a comment", async () => {
    await page.goto(`${base}/message/${await idOf("crane", "The crane is here")}`);
    await page.getByText("The crane is here.").waitFor();
    expect(await page.locator("details.forwarded[open]").count()).toBe(1);
    // A single message has nothing to expand.
    expect(await page.getByRole("button", { name: "Expand all" }).count()).toBe(0);
  });

  it("reports no console errors", () => expect(complaints.filter((text) => !text.includes("404"))).toEqual([]));
});
