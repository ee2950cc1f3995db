import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { openArchiveWithSearchThread } from "../../src/store/archive/archive-thread.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { BROWSER, launchChromium } from "../chromium.ts";
import { archivetool, scratchDirectory } from "../e2e/cli.ts";
import { type RunningService, startService } from "../e2e/running-service.ts";
import { text } from "../pst-writer/property-writer.ts";
import { buildStore, patternBytes } from "../pst-writer/sample-store.ts";
import { mailProperties, type WrittenMessage } from "../pst-writer/store-writer.ts";
import { readZip } from "../zip-reader.ts";
import { type ServedCompany, serveCompany } from "./company-archive.ts";
import { ownFiles } from "./own-files.ts";
import { complaintsOf, drawnView } from "./web-fixture.ts";

/** Five people without instructions do their work, from the first page to the file they save. */

const scratch = scratchDirectory("web-tasks");
const WIDTHS = [1280, 390] as const;

let browser: Browser;
let company: ServedCompany;
let companyUrl: string;
let list: Archive;
let listApp: FastifyInstance;
let listUrl: string;
let service: RunningService;

/** A user at a desktop or with a phone. */
interface Person {
  readonly page: Page;
  readonly isPhone: boolean;
  readonly drawn: () => Promise<void>;
  readonly complaints: string[];
}

async function personWith(width: number): Promise<Person> {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  await page.addInitScript(`
    window.print = () => { window.isPrinted = true; };
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.copied = text; } } });`);
  return { page, isPhone: width < 768, drawn: drawnView(page), complaints: complaintsOf(page) };
}

/** Opens a view by a link on the page. */
async function goTo({ page, isPhone, drawn }: Person, name: string): Promise<void> {
  const rail = page.getByRole("navigation", { name: "Views" });
  const link = rail.getByRole("link", { name, exact: true });
  if (isPhone && (await link.count()) === 0) await rail.locator("summary").click();
  await link.first().click();
  await drawn();
}

async function search({ page, drawn }: Person, words: string): Promise<void> {
  const box = page.getByRole("combobox", { name: "Search mail" });
  await box.fill(words);
  await box.press("Enter");
  await page.locator(".found").waitFor();
  await drawn();
}

/** The file that an action of the user saves. */
async function saved({ page }: Person, press: () => Promise<unknown>): Promise<Buffer> {
  const saving = page.waitForEvent("download");
  await press();
  return readFileSync(await (await saving).path());
}

const foundIn = async ({ page }: Person): Promise<number> =>
  Number(/^[\d,]+/.exec((await page.locator(".found").textContent())!)![0].replaceAll(",", ""));
/** Rows of a table after its header; cells may contain lines (RFC 4180). */
const rowsOf = (csv: Buffer): readonly string[] =>
  Array.from(csv.toString().matchAll(/(?:"(?:[^"]|"")*"|[^"\n])+/g), ([row]) => row.trim()).slice(1);
const fileEnding = (files: ReadonlyMap<string, Buffer>, ending: string): Buffer =>
  Array.from(files).find(([name]) => name.endsWith(ending))![1];

const queryOf = (page: Page): string => new URL(page.url()).searchParams.get("q") ?? "";
/** Messages of facet values that are not listed. */
const othersIn = async (facet: Locator): Promise<number> =>
  Number(/(?:others:|More …) (\d+)/.exec((await facet.textContent())!)?.[1] ?? 0);

const MESSAGES = 59;
/** Files in a mail folder that are not mail. */
const BROKEN = ["2.", "3."] as const;

/** A message of a list: new text, the complete quoted message before, and sometimes a patch. */
function listMessage(number: number): string {
  const quoted = `On Mon, 4 Jan 2021, Dev ${(number - 1) % 7} wrote:\n> Point ${number - 1} of the scheduler.\n> It wakes too late.\n`;
  return [
    "From list Mon Jan  4 10:00:00 2021",
    `From: Dev ${number % 7} <dev${number % 7}@kernel.example>`,
    "To: list@kernel.example",
    `Subject: ${number === 0 ? "" : "Re: "}[PATCH] Wake the scheduler in time`,
    `Date: Mon, 04 Jan 2021 ${String(10 + Math.floor(number / 60)).padStart(2, "0")}:${String(number % 60).padStart(2, "0")}:00 +0000`,
    `Message-ID: <${number}.sched@kernel.example>`,
    ...(number === 0 ? [] : [`In-Reply-To: <${number - 1}.sched@kernel.example>`]),
    "",
    ...(number === 0 ? [] : [quoted]),
    `Point ${number} of the scheduler.`,
    "",
    "",
  ].join("\n");
}

const PHOTOS = [1, 2, 3].map((seed) =>
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), patternBytes(3000, seed), Buffer.from([0xff, 0xd9])]),
);

/** A letter from a father, or to him. */
function letter(number: number, from: string, photo?: Buffer): WrittenMessage {
  return {
    properties: mailProperties({
      subject: `Letter ${number}`,
      body: `Dear Ida, this is letter ${number} of ${from}.\r\n`,
      sentAt: Date.UTC(1999, number, 1, 12),
      from: `${from}@home.example`,
    }),
    recipients: [{ type: 1, name: "Ida Holm", email: "ida@home.example" }],
    ...(photo === undefined
      ? {}
      : { attachments: [{ properties: [text(PID.attachLongFilename, `photo ${number}.jpg`)], data: photo }] }),
  };
}

function fatherStore(): Buffer {
  return buildStore({ layout: "unicode", encoding: "permute" }, (writer) => {
    const folder = writer.addFolder("Letters");
    // Not in the order in which they were written.
    for (const [at, number] of [3, 1, 2].entries()) writer.addMessage(folder, letter(number, "father", PHOTOS[at]));
    const other = { properties: [text(PID.attachLongFilename, "recipe.txt")], data: Buffer.from("plums") };
    writer.addMessage(folder, { ...letter(4, "neighbour"), attachments: [other] });
  });
}

beforeAll(async () => {
  if (BROWSER === undefined) return;
  [company, service, browser] = await Promise.all([
    serveCompany("web-tasks-company"),
    startService(join(scratch, "service")),
    launchChromium(),
  ]);
  companyUrl = await company.app.listen({ host: "127.0.0.1", port: 0 });
  const mbox = join(scratch, "list.mbox");
  const papers = join(scratch, "papers", "inbox");
  mkdirSync(papers, { recursive: true });
  writeFileSync(join(papers, "1."), "From: a@kernel.example\nSubject: Kept\n\nKept.\n");
  for (const name of BROKEN) writeFileSync(join(papers, name), `words ${name} without a header\n`);
  writeFileSync(mbox, Array.from({ length: MESSAGES }, (_, at) => listMessage(at)).join(""));
  const output = join(scratch, "list");
  const run = archivetool("-q", "extract", mbox, join(scratch, "papers"), "-o", output, "--no-wiki");
  expect(run.exitCode, run.stderr).toBe(0);
  list = await openArchiveWithSearchThread(archiveIn(output));
  const start = { source: "list", environment: "contract", host: "127.0.0.1" };
  listApp = await createLocalServer(list, { ...ownFiles(), ...start, notebook: null }, null);
  listUrl = await listApp.listen({ host: "127.0.0.1", port: 0 });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await service?.end("SIGTERM");
  await company?.stop();
  await listApp?.close();
  await list?.close();
});

describe.skipIf(BROWSER === undefined).each(WIDTHS)("at %i pixels", (width) => {
  it("a journalist finds who wrote of something in a year, tags ten and saves them as CSV", async () => {
    const person = await personWith(width);
    const { page, isPhone, drawn } = person;
    await page.goto(`${companyUrl}/`);
    await drawn();
    await search(person, "budget");
    if (isPhone) await page.getByRole("button", { name: "Filters" }).click();
    const years = page.locator(".facet", { has: page.locator("legend", { hasText: "Year" }) });
    const year = (await years.locator("bdi").first().textContent())!;
    const promised = Number((await years.locator(".count").first().textContent())!.replaceAll(",", ""));
    await years.getByRole("checkbox").first().check();
    await expect.poll(() => foundIn(person)).toBe(promised);
    // The people involved are listed next to it with their counts: all authors of the results.
    const found: {
      readonly messages: readonly { readonly from: { readonly name: string; readonly contact_id: string } | null }[];
    } = await company.data("/messages", { q: queryOf(page), match: "all", limit: "200" });
    expect(found.messages).toHaveLength(promised);
    const senders = page.locator(".facet", { has: page.locator("legend", { hasText: "From" }) }).first();
    const told = (await senders.locator("li label").allTextContents()).map((text) => text.replace(/\s*(\d+)$/, " $1"));
    expect(told.length).toBeGreaterThan(2);
    // Two people can have the same name: each has a separate count.
    const authors = found.messages.map(({ from }) => from!);
    const people = authors.map(
      ({ name, contact_id: id }) => `${name} ${authors.filter(({ contact_id }) => contact_id === id).length}`,
    );
    expect(people).toEqual(expect.arrayContaining(told));
    const listed = told.reduce((sum, text) => sum + Number(/\d+$/.exec(text)![0]), 0);
    expect(listed + (await othersIn(senders))).toBe(promised);
    if (isPhone) await page.locator("#facets").getByRole("button", { name: "Close" }).click();
    for (let number = 1; number <= 10; number++)
      await page.getByLabel(`Select result ${number}`, { exact: true }).check();
    await page.locator(".selection-bar summary[aria-label='Tag selection']").click();
    const tag = `knew at ${width}`;
    await page.locator(".selection-bar").getByLabel("New tag").fill(tag);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".row .tag", { hasText: tag }).count()).toBeGreaterThan(0);
    await page.locator(".selection-bar summary[aria-label='Export']").click();
    const csv = page.locator(".selection-bar").getByRole("link", { name: "CSV table" });
    const files = await readZip(await saved(person, () => csv.click()));
    const rows = rowsOf(fileEnding(files, "export.csv"));
    expect(rows).toHaveLength(10);
    for (const row of rows) expect(row).toContain(`${year}-`);
    const tagged: { readonly total: number } = await company.data("/messages", { q: `tag:"${tag}"`, match: "all" });
    expect(tagged.total).toBe(10);
    expect(person.complaints).toEqual([]);
    await page.close();
  });

  it("a lawyer counts twenty terms, and saves what one finds as EML with a manifest that is true", async () => {
    const person = await personWith(width);
    const { page, drawn } = person;
    await page.goto(`${companyUrl}/`);
    await drawn();
    await goTo(person, "Hits");
    const terms = ["budget", "invoice", "crane", "mooring", "harbour", "meeting", "contract", "from:greta", "zebra"];
    const lines = [...terms, ...Array.from({ length: 20 - terms.length }, (_, at) => `"item ${at}" OR crane`)];
    await page.getByRole("textbox").fill(lines.join("\n"));
    await page.getByRole("button", { name: "Count hits" }).click();
    const rows = page.locator(".data tbody tr");
    await expect.poll(() => rows.count()).toBe(lines.length);
    const report = rowsOf(await saved(person, () => page.getByRole("button", { name: "Save as CSV" }).click()));
    // The last row combines all terms.
    expect(report).toHaveLength(lines.length + 1);
    const told = await rows.locator("td:nth-of-type(1)").allTextContents();
    expect(report.slice(0, -1).map((row) => /,(\d+),\d+,\d+,\d+,\d+,/.exec(row)![1])).toEqual(
      told.map((count) => count.replaceAll(",", "")),
    );
    for (const [at, q] of lines.entries()) {
      const { total }: { readonly total: number } = await company.data("/messages", { q, match: "all", limit: "1" });
      expect(told[at]!.replaceAll(",", ""), q).toBe(String(total));
    }
    await rows.nth(lines.indexOf("crane")).locator("a").first().click();
    await drawn();
    await page.locator(".result-bar summary[aria-label='Export']").click();
    const eml = page.locator(".result-bar").getByRole("link", { name: "EML, one file per message" });
    const files = await readZip(await saved(person, () => eml.click()));
    const mails = Array.from(files).filter(([name]) => name.endsWith(".eml"));
    expect(mails).toHaveLength(await foundIn(person));
    // Exactly one row per file, with its name and its SHA-256.
    const manifest = rowsOf(fileEnding(files, "MANIFEST.csv"));
    expect(manifest).toHaveLength(mails.length);
    for (const [name, bytes] of mails) {
      const listed = manifest.filter((line) => line.includes(name.slice(name.lastIndexOf("/") + 1)));
      expect(listed, name).toHaveLength(1);
      expect(listed[0]).toContain(createHash("sha256").update(bytes).digest("hex"));
    }
    expect(person.complaints).toEqual([]);
    await page.close();
  });

  it("an archivist finds every item that was skipped", async () => {
    const person = await personWith(width);
    const { page, drawn } = person;
    await page.goto(`${listUrl}/`);
    await drawn();
    expect(await page.locator(".completeness").textContent()).toContain(`${BROKEN.length} skipped`);
    await goTo(person, "About");
    await page.locator(".sum").waitFor();
    expect(await page.locator(".sum").textContent()).toContain(`${BROKEN.length} skipped`);
    await page.locator(".tally a").first().click();
    await drawn();
    const rows = page.locator(".data tbody tr");
    for (const name of BROKEN) expect(await rows.filter({ hasText: `inbox/${name}` }).count()).toBe(1);
    expect(await rows.count()).toBe(BROKEN.length);
    expect(person.complaints).toEqual([]);
    await page.close();
  });

  it("a daughter uploads a PST, reads her father's letters in order, saves the photos and prints", async () => {
    const person = await personWith(width);
    const { page, drawn } = person;
    await page.goto(`${service.url}/`);
    const name = `father ${width}.pst`;
    const file = { name, mimeType: "application/octet-stream", buffer: fatherStore() };
    await page.locator("input[type=file]").first().setInputFiles([file]);
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    const row = page.locator(".archive", { hasText: name });
    await row.getByRole("link", { name: "Explore" }).click({ timeout: 60_000 });
    await drawn();
    await goTo(person, "People");
    await page
      .getByRole("rowheader", { name: /father/ })
      .getByRole("link")
      .click();
    await drawn();
    await page
      .getByRole("link", { name: /^Messages with Ida/ })
      .first()
      .click();
    await drawn();
    await page
      .locator(".figures a", { hasText: /father.*Ida/ })
      .first()
      .click();
    await drawn();
    await page.getByRole("combobox", { name: "Show as" }).selectOption({ label: "Full text" });
    const texts = page.locator(".read-list .text-of-mail");
    await expect
      .poll(async () => (await texts.allTextContents()).map((told) => /letter (\d)/.exec(told)?.[1]).join())
      .toBe("1,2,3");
    await page.locator(".print-all").click();
    await expect.poll(() => page.evaluate("window.isPrinted === true")).toBe(true);
    expect((await page.pdf()).length).toBeGreaterThan(1000);
    await goTo(person, "Files");
    await page.getByRole("link", { name: /^Picture/ }).click();
    await page.getByRole("link", { name: "Gallery" }).click();
    const links = page.getByRole("link", { name: /^Save photo/ });
    await expect.poll(() => links.count()).toBe(PHOTOS.length);
    const photos: Buffer[] = [];
    for (const link of await links.all()) photos.push(await saved(person, () => link.click()));
    expect(photos.map((photo) => photo.toString("base64")).sort()).toEqual(
      PHOTOS.map((photo) => photo.toString("base64")).sort(),
    );
    expect(person.complaints).toEqual([]);
    await page.close();
  });

  it("an engineer follows a thread, reads what is new, copies a link that lasts and saves the mbox", async () => {
    const person = await personWith(width);
    const { page, drawn } = person;
    await page.goto(`${listUrl}/`);
    await drawn();
    await search(person, "scheduler");
    await page.locator(".row").first().click();
    await drawn();
    expect(await page.locator(".conversation-head").textContent()).toContain(`${MESSAGES} messages`);
    // No quotation is expanded.
    for (const told of await page.locator("article .text-of-mail").allTextContents())
      expect(told.match(/Point \d+/g)).toHaveLength(1);
    const article = page.locator("article").first();
    await article.getByRole("button", { name: "Details" }).click();
    await article.locator(".details").getByRole("button", { name: "Copy link" }).click();
    await expect.poll(() => page.evaluate<string | undefined>("window.copied")).toContain("/a/local/id/");
    const link = await page.evaluate<string>("window.copied");
    const mbox = page.getByRole("link", { name: "Export conversation as MBOX" });
    const files = await readZip(await saved(person, () => mbox.click()));
    const written = fileEnding(files, ".mbox").toString();
    expect(written.match(/^From \S+ .*\d{4}$/gm)).toHaveLength(MESSAGES);
    for (let at = 0; at < MESSAGES; at++) expect(written).toContain(`Message-ID: <${at}.sched@kernel.example>`);
    await page.goto(link);
    // It leads to the message it was copied from, and contains only its Message-ID.
    const named = page.locator("article.named");
    await named
      .locator(".text-of-mail", { hasText: /Point \d+/ })
      .first()
      .waitFor();
    const [, point] = /(\d+)\.sched@/.exec(decodeURIComponent(link))!;
    expect(await named.textContent()).toContain(`Point ${point} of the scheduler`);
    expect(decodeURIComponent(link)).toMatch(/\d+\.sched@kernel\.example$/);
    expect(person.complaints).toEqual([]);
    await page.close();
  });
});
