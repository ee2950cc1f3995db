import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { openArchiveWithSearchThread } from "../../src/store/archive/open-with-search-thread.ts";
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

/**
 * Five people without instructions do their work, from the first page to the file they save: at a desktop with the
 * keyboard alone, on a phone by touch.
 */

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
  /** Presses a link, a button or a checkbox. */
  readonly press: (target: Locator) => Promise<void>;
  readonly write: (box: Locator, words: string) => Promise<void>;
  readonly choose: (box: Locator, option: string) => Promise<void>;
}

async function personWith(width: number): Promise<Person> {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  await page.addInitScript(`
    window.print = () => { window.isPrinted = true; };
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.copied = text; } } });`);
  const isPhone = width < 768;
  const hands = isPhone ? withFinger : withKeys(page);
  return { page, isPhone, drawn: drawnView(page), complaints: complaintsOf(page), ...hands };
}

/** Maximum Tab keys on the way to an element. */
const MAX_TABS = 100;
/** Direction from the focus to an element, and why the focus is invisible: no ring, or covered. */
interface Step {
  readonly way: "here" | "on" | "back" | "lost";
  readonly fault: string;
}

/** The state after each Tab key on the way to an element. */
const stepTo = (target: Locator): Promise<Step> =>
  target.evaluate((element) => {
    const { activeElement, body, defaultView } = element.ownerDocument;
    const at = activeElement ?? body;
    // After the first press, the document has the focus only if the pressed element lost it.
    if (at === body) return { way: body.hasAttribute("data-pressed") ? "lost" : "on", fault: "" };
    // These boxes show the ring of their input.
    const box = at.matches("input[type=file], input[type=text]")
      ? at.closest("label.button, .box form, .filter-box")
      : null;
    const drawn = box ?? at;
    const { outlineStyle, boxShadow } = defaultView!.getComputedStyle(drawn);
    const { left, right, top, bottom } = drawn.getBoundingClientRect();
    const middle = (from: number, to: number, end: number) => (Math.max(0, from) + Math.min(to, end)) / 2;
    const hit = element.ownerDocument.elementFromPoint(
      middle(left, right, defaultView!.innerWidth),
      middle(top, bottom, defaultView!.innerHeight),
    );
    const isSeen = hit !== null && (drawn.contains(hit) || hit.contains(drawn));
    const hasRing = outlineStyle !== "none" || boxShadow !== "none";
    const isBehind = (at.compareDocumentPosition(element) & 2) !== 0;
    return {
      way: at === element ? "here" : isBehind ? "back" : "on",
      fault: hasRing && isSeen ? "" : `${hasRing ? "covered" : "no ring"}: ${drawn.outerHTML.slice(0, 200)}`,
    };
  });

/** Moves the focus to an element with Tab, and requires it to be visible at every step. */
async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: "attached" });
  for (let tabs = 0; ; tabs++) {
    const { way, fault } = await stepTo(target);
    expect(way, `the focus on the way to ${target}`).not.toBe("lost");
    if (tabs > 0) expect(fault).toBe("");
    if (way === "here") return;
    expect(tabs, `Tab keys to ${target}`).toBeLessThan(MAX_TABS);
    await page.keyboard.press(way === "back" ? "Shift+Tab" : "Tab");
  }
}

/** Uses the keyboard alone. */
const withKeys = (page: Page): Pick<Person, "press" | "write" | "choose"> => ({
  async press(target) {
    await reach(page, target);
    await page.evaluate("document.body.dataset.pressed = ''");
    await page.keyboard.press((await target.evaluate((element) => element.matches("a"))) ? "Enter" : "Space");
  },
  async write(box, words) {
    await reach(page, box);
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(words);
  },
  async choose(box, option) {
    await reach(page, box);
    await page.keyboard.type(option);
  },
});

/** Uses touch. */
const withFinger: Pick<Person, "press" | "write" | "choose"> = {
  press: (target) => target.click(),
  write: (box, words) => box.fill(words),
  choose: async (box, option) => void (await box.selectOption({ label: option })),
};

/** Opens a view by a link on the page. */
async function goTo({ page, isPhone, drawn, press }: Person, name: string): Promise<void> {
  const rail = page.getByRole("navigation", { name: "Views" });
  const link = rail.getByRole("link", { name, exact: true });
  if (isPhone && (await link.count()) === 0) await press(rail.locator("summary"));
  await press(link.first());
  await drawn();
}

async function search({ page, drawn, write }: Person, words: string): Promise<void> {
  const box = page.getByRole("combobox", { name: "Search mail" });
  await write(box, words);
  await page.keyboard.press("Enter");
  await page.locator(".found").waitFor();
  await drawn();
}

/** The file that an action of the user saves. */
async function saved({ page, press }: Person, target: Locator): Promise<Buffer> {
  const saving = page.waitForEvent("download");
  await press(target);
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
  Number(/(\d+) (?:others|more)/.exec((await facet.textContent())!)?.[1] ?? 0);

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

/** A letter to Ida, from her father or someone else. */
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
});
afterAll(async () => {
  await browser?.close();
  await service?.end("SIGTERM");
  await company?.stop();
  await listApp?.close();
  await list?.close();
});

describe.skipIf(BROWSER === undefined).each(WIDTHS)("at %i pixels", (width) => {
  it("a journalist finds the authors on a subject in one year, tags ten messages and saves them as CSV", async () => {
    const person = await personWith(width);
    const { page, isPhone, drawn, press, write } = person;
    await page.goto(`${companyUrl}/`);
    await drawn();
    await search(person, "budget");
    if (isPhone) await press(page.getByRole("button", { name: "Filters" }));
    const years = page.locator(".facet", { has: page.locator("legend", { hasText: "Year" }) });
    const year = (await years.locator("bdi").first().textContent())!;
    const promised = Number((await years.locator(".count").first().textContent())!.replaceAll(",", ""));
    await press(years.getByRole("checkbox").first());
    await expect.poll(() => foundIn(person)).toBe(promised);
    // The people involved are listed next to it with their counts: all authors of the results.
    const found: {
      readonly messages: readonly { readonly from: { readonly name: string; readonly contact_id: string } | null }[];
    } = await company.data("/messages", { q: queryOf(page), match: "all", limit: "200" });
    expect(found.messages).toHaveLength(promised);
    const senders = page.locator(".facet", { has: page.locator("legend", { hasText: "From" }) }).first();
    const labels = (await senders.locator("li label").allTextContents()).map((text) =>
      text.replace(/\s*(\d+)$/, " $1"),
    );
    expect(labels.length).toBeGreaterThan(2);
    // Two people can have the same name: each has a separate count.
    const authors = found.messages.map(({ from }) => from!);
    const people = authors.map(
      ({ name, contact_id: id }) => `${name} ${authors.filter(({ contact_id }) => contact_id === id).length}`,
    );
    expect(people).toEqual(expect.arrayContaining(labels));
    const listed = labels.reduce((sum, text) => sum + Number(/\d+$/.exec(text)![0]), 0);
    expect(listed + (await othersIn(senders))).toBe(promised);
    if (isPhone) await press(page.locator("#facets").getByRole("button", { name: "Close" }));
    for (let number = 1; number <= 10; number++)
      await press(page.getByLabel(`Select result ${number}`, { exact: true }));
    await press(page.locator(".selection-bar summary[aria-label='Tag selection']"));
    const tag = `knew at ${width}`;
    await write(page.locator(".selection-bar").getByLabel("New tag"), tag);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".row .tag", { hasText: tag }).count()).toBeGreaterThan(0);
    await press(page.locator(".selection-bar summary[aria-label='Export']"));
    const csv = page.locator(".selection-bar").getByRole("link", { name: "CSV table" });
    const files = await readZip(await saved(person, csv));
    const rows = rowsOf(fileEnding(files, "export.csv"));
    expect(rows).toHaveLength(10);
    for (const row of rows) expect(row).toContain(`${year}-`);
    const tagged: { readonly total: number } = await company.data("/messages", { q: `tag:"${tag}"`, match: "all" });
    expect(tagged.total).toBe(10);
    expect(person.complaints).toEqual([]);
    await page.close();
  });

  it("a lawyer counts twenty terms, and saves the results of one as EML with a correct manifest", async () => {
    const person = await personWith(width);
    const { page, drawn, press, write } = person;
    await page.goto(`${companyUrl}/`);
    await drawn();
    await goTo(person, "Hits");
    const terms = ["budget", "invoice", "crane", "mooring", "harbour", "meeting", "contract", "from:greta", "zebra"];
    const lines = [...terms, ...Array.from({ length: 20 - terms.length }, (_, at) => `"item ${at}" OR crane`)];
    await write(page.getByRole("textbox"), lines.join("\n"));
    await press(page.getByRole("button", { name: "Count hits" }));
    const rows = page.locator(".data tbody tr");
    await expect.poll(() => rows.count()).toBe(lines.length);
    const report = rowsOf(await saved(person, page.getByRole("button", { name: "Save as CSV" })));
    // The last row is of all terms together.
    expect(report).toHaveLength(lines.length + 1);
    const counts = await rows.locator("td:nth-of-type(1)").allTextContents();
    expect(report.slice(0, -1).map((row) => /,(\d+),\d+,\d+,\d+,\d+,/.exec(row)![1])).toEqual(
      counts.map((count) => count.replaceAll(",", "")),
    );
    for (const [at, q] of lines.entries()) {
      const { total }: { readonly total: number } = await company.data("/messages", { q, match: "all", limit: "1" });
      expect(counts[at]!.replaceAll(",", ""), q).toBe(String(total));
    }
    await press(rows.nth(lines.indexOf("crane")).locator("a").first());
    await drawn();
    await press(page.locator(".result-bar summary[aria-label='Export']"));
    const eml = page.locator(".result-bar").getByRole("link", { name: "EML, one file per message" });
    const files = await readZip(await saved(person, eml));
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
    const { page, drawn, press } = person;
    await page.goto(`${listUrl}/`);
    await drawn();
    expect(await page.locator(".completeness").textContent()).toContain(`${BROKEN.length} skipped`);
    await goTo(person, "About");
    await page.locator(".sum").waitFor();
    expect(await page.locator(".sum").textContent()).toContain(`${BROKEN.length} skipped`);
    await press(page.locator(".tally a").first());
    await drawn();
    const rows = page.locator(".data tbody tr");
    for (const name of BROKEN) expect(await rows.filter({ hasText: `inbox/${name}` }).count()).toBe(1);
    expect(await rows.count()).toBe(BROKEN.length);
    expect(person.complaints).toEqual([]);
    await page.close();
  });

  it("a daughter uploads a PST, reads her father's letters in order, saves the photos and prints", async () => {
    const person = await personWith(width);
    const { page, drawn, press, choose } = person;
    await page.goto(`${service.url}/`);
    const name = `father ${width}.pst`;
    const file = { name, mimeType: "application/octet-stream", buffer: fatherStore() };
    const chooser = page.waitForEvent("filechooser");
    await press(person.isPhone ? page.getByText("Select files") : page.getByLabel("Select files"));
    await (await chooser).setFiles([file]);
    await press(page.getByRole("button", { name: "Upload", exact: true }));
    const row = page.locator(".archive", { hasText: name });
    const explore = row.getByRole("link", { name: "Explore" });
    await explore.waitFor({ timeout: 60_000 });
    await press(explore);
    await drawn();
    await goTo(person, "People");
    await press(page.getByRole("rowheader", { name: /father/ }).getByRole("link"));
    await drawn();
    await press(page.getByRole("link", { name: /^Messages with Ida/ }).first());
    await drawn();
    await press(page.locator(".figures a", { hasText: /father.*Ida/ }).first());
    await drawn();
    await choose(page.getByRole("combobox", { name: "Show as" }), "Full text");
    const texts = page.locator(".read-list .text-of-mail");
    await expect
      .poll(async () => (await texts.allTextContents()).map((text) => /letter (\d)/.exec(text)?.[1]).join())
      .toBe("1,2,3");
    await press(page.locator(".print-all"));
    await expect.poll(() => page.evaluate("window.isPrinted === true")).toBe(true);
    expect((await page.pdf()).length).toBeGreaterThan(1000);
    await goTo(person, "Files");
    await press(page.getByRole("link", { name: /^Image/ }));
    await press(page.getByRole("link", { name: "Gallery" }));
    const links = page.getByRole("link", { name: /^Save photo/ });
    await expect.poll(() => links.count()).toBe(PHOTOS.length);
    const photos: Buffer[] = [];
    for (const link of await links.all()) photos.push(await saved(person, link));
    expect(photos.map((photo) => photo.toString("base64")).sort()).toEqual(
      PHOTOS.map((photo) => photo.toString("base64")).sort(),
    );
    await page.goto(`${service.url}/`);
    await press(row.getByRole("button", { name: /^Delete/ }));
    await press(page.getByRole("dialog").getByRole("button", { name: /^Delete/ }));
    await row.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("content");
    expect(person.complaints).toEqual([]);
    await page.close();
  });

  it("an engineer follows a thread, reads new messages, copies a permanent link and saves the mbox", async () => {
    const person = await personWith(width);
    const { page, drawn, press } = person;
    await page.goto(`${listUrl}/`);
    await drawn();
    await search(person, "scheduler");
    await press(page.locator(".row").first());
    await drawn();
    expect(await page.locator(".conversation-head").textContent()).toContain(`${MESSAGES} messages`);
    // No quotation is expanded.
    for (const text of await page.locator("article .text-of-mail").allTextContents())
      expect(text.match(/Point \d+/g)).toHaveLength(1);
    const article = page.locator("article").first();
    await press(article.getByRole("button", { name: "Details" }));
    await press(article.locator(".details").getByRole("button", { name: "Copy link" }));
    await expect.poll(() => page.evaluate<string | undefined>("window.copied")).toContain("/a/local/id/");
    const link = await page.evaluate<string>("window.copied");
    const mbox = page.getByRole("link", { name: "Export conversation as MBOX" });
    const files = await readZip(await saved(person, mbox));
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
