import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { FastifyInstance } from "fastify";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { EXPORT_FORMATS } from "../../src/outputs/export/export-names.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { fileNotebook } from "../../src/store/notebook/open-notebook.ts";
import { type ViewName, viewOfPath } from "../../src/web/shell/addresses.ts";
import { BROWSER, launchChromium } from "../chromium.ts";
import { archivetool, scratchDirectory } from "../e2e/cli.ts";
import { readZip } from "../zip-reader.ts";
import { bundlePages } from "./bundled-pages.ts";
import {
  attack,
  hostileCalendar,
  hostileCard,
  hostileMessage,
  hugeMessages,
  plainMessage,
  strangeMessage,
} from "./hostile-mail.ts";
import { ownFiles } from "./own-files.ts";
import { AXE, complaintsOf, drawnView, RUN_AXE, RUN_AXE_ON_COLOURS } from "./web-fixture.ts";

/**
 * Every view over an archive in which every field is an attack: nothing runs, no other server gets a request, and the
 * console stays empty, also in print and in saved files. Because its texts are unusually long and strange, this test
 * also checks titles, layout shifts, and axe-core in every view, on desktop and phone, light and dark.
 */

const scratch = scratchDirectory("web-hostile");
const MESSAGES = 8;
/** Mail with two subjects, so that there are topics. */
const PLAIN_MESSAGES = 60;
const STRANGE_MESSAGES = 4;

let crow: Server;
const asked: string[] = [];
let archive: Archive;
let app: FastifyInstance;
let browser: Browser;
let base = "";

beforeAll(async () => {
  if (BROWSER === undefined) return;
  await bundlePages();
  crow = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((ready) => crow.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(crow.address() as AddressInfo).port}/`;
  const source = join(scratch, "mail");
  mkdirSync(source);
  const mailbox = `in'"\${7*7}&lt;b onmouseover=ran()`;
  writeFileSync(
    join(source, `${process.platform === "win32" ? "in" : mailbox}.mbox`),
    Array.from({ length: MESSAGES }, (_, index) => hostileMessage(url, index)).join("") +
      Array.from({ length: PLAIN_MESSAGES }, (_, index) => plainMessage(url, index)).join("") +
      Array.from({ length: STRANGE_MESSAGES }, (_, index) => strangeMessage(url, index)).join("") +
      hugeMessages(),
  );
  writeFileSync(join(source, "lone.ics"), `${hostileCalendar(url, "lone", 9).join("\r\n")}\r\n`);
  writeFileSync(join(source, "card.vcf"), hostileCard(url));
  writeFileSync(join(source, "broken.eml"), "\0\0\0");
  const output = join(scratch, "archive");
  const run = archivetool("-q", "extract", source, "-o", output, "--no-wiki");
  expect(run.exitCode, run.stderr).toBe(0);
  const location = archiveIn(output);
  archive = await openArchive(location);
  const start = {
    source: attack(url, "name"),
    environment: "contract",
    host: "127.0.0.1",
    notebook: fileNotebook(location),
  };
  app = await createLocalServer(archive, { ...ownFiles(), ...start }, null);
  base = await app.listen({ host: "127.0.0.1", port: 0 });
  await write("search", attack(url, "search").slice(0, 200), { q: attack(url, "q"), match: "all", sort: "newest" });
  await write("message", "msg-000001", { tags: ["<b>tag"], note: attack(url, "note"), review: "open" });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await archive?.close();
  crow?.close();
});

async function write(kind: string, id: string, value: object): Promise<void> {
  const answer = await fetch(`${base}/api/explore/notebook/entries`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: base },
    body: JSON.stringify({ kind, id, revision: 0, value }),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

async function data<T>(path: string): Promise<T> {
  const answer = (await (await fetch(`${base}/api/explore${path}`)).json()) as { readonly data: T };
  return answer.data;
}

interface Found {
  readonly id: string;
  readonly subject: string;
}

async function found(q: string): Promise<readonly Found[]> {
  const query = new URLSearchParams({ q, match: "all", limit: "50", repeats: "listed" });
  return (await data<{ readonly messages: readonly Found[] }>(`/messages?${query}`)).messages;
}

/** SHA-256 of every message and attachment, computed by the extraction. */
async function hashesOfOriginals(): Promise<ReadonlySet<string>> {
  const { items } = await archive.messages.list("sent_at", { limit: 1000, offset: 0 }, {});
  const messages = await archive.messages.getMany(items.map(({ id }) => id));
  return new Set(messages.flatMap(({ sha256, attachments }) => [sha256, ...attachments.map((file) => file.sha256)]));
}

/** Each view, in each of its forms. */
const VIEWS: Readonly<Record<Exclude<ViewName, "archives" | "opening">, readonly string[]>> = {
  overview: ["/"],
  search: [
    "/search?q=berth&m=msg-000001",
    "/search?q=berth&view=table",
    "/search?q=berth&view=read",
    "/search?q=berth&group=conversation",
    "/search?q=strange",
    "/search?q=strange&view=table",
    "/search?q=huge",
    "/search?q=berth+-mooring+older_than:2y+%3Csvg/onload=ran()%3E",
  ],
  thread: ["/thread/thread-000001"],
  message: ["/message/msg-000001", "/message/msg-000069"],
  permalink: ["/id/m1@crow.example"],
  people: ["/people"],
  person: ["/people/contact-000001"],
  between: ["/between/contact-000001/contact-000002"],
  topics: ["/topics"],
  mentions: ["/mentions"],
  topic: ["/topics/topic-001"],
  calendar: ["/calendar?month=2001-05", "/calendar?view=list"],
  items: ["/items"],
  files: ["/files", "/files?view=gallery"],
  mailboxes: ["/mailboxes"],
  graph: ["/graph"],
  hits: ["/hits#berth%0A%3Cscript%3Ewindow.ran%3D1%3C%2Fscript%3E"],
  notebook: ["/notebook"],
  about: ["/about"],
  warnings: ["/about/warnings"],
  help: ["/help"],
};
const PLACES = Object.values(VIEWS).flat();

/** Sums layout shifts without user input (web.dev/cls), which make readers lose their place. */
const WATCH_SHIFTS = `
  window.shift = 0;
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      window.shift += value;
      for (const { node } of sources) window.moved.push(node?.className || node?.nodeName);
    }
  }).observe({ type: "layout-shift", buffered: true });`;
/** Maximum layout shift; web.dev calls 0.1 good. */
const MAX_SHIFT = 0.02;
/** Several frames after the previous response, so that each is drawn separately. */
const LATE_MS = 100;
const TITLE_AND_HEADING = `[document.title, document.querySelector("main h1")?.textContent ?? "(no heading)"]
  .map((text) => text.replaceAll(/\\s+/g, " ").trim())`;

const TURNING = /[\u202a-\u202e\u2066-\u2069]/;
/** Text of a heading that the title omits. */
const UNTITLED = /[\0-\x1f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A page, and every forbidden action it performed. */
interface Watched {
  readonly page: Page;
  readonly drawn: () => Promise<void>;
  readonly harm: string[];
}

async function watchedPage(options: BrowserContextOptions): Promise<Watched> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const harm = complaintsOf(page);
  page.on("request", (request) => {
    if (!request.url().startsWith(base) && !/^(?:data|blob|file):/.test(request.url())) harm.push(request.url());
  });
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => harm.push(dialog.message())));
  await page.addInitScript(WATCH_SHIFTS);
  return { page, drawn: drawnView(page), harm };
}

/** All problems of a page. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  const [ran, running, shift] = await Promise.all([
    page.evaluate<unknown>("window.ran"),
    page.locator("main :is(script, [onload], [onerror], [onmouseover])").count(),
    page.evaluate<number>("window.shift"),
  ]);
  return [
    ...(ran === undefined ? [] : ["a script ran"]),
    ...(running === 0 ? [] : ["markup of mail"]),
    ...(shift < MAX_SHIFT ? [] : [`moved by ${shift}: ${await page.evaluate("window.moved.join()")}`]),
  ];
}

/** Results of axe-core in both themes. */
async function axeOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const light = await page.evaluate<readonly string[]>(RUN_AXE);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await page.evaluate<readonly string[]>(RUN_AXE_ON_COLOURS);
  await page.emulateMedia({ colorScheme: "light" });
  return [...light, ...dark.map((line) => `dark ${line}`)];
}

/** Exported files that a browser opens as a document. */
const SHOWN_ENDINGS = [".html", ".graphml", ".gexf"] as const;

describe.skipIf(BROWSER === undefined)("a hostile archive", () => {
  it("is looked at in every view", () => {
    for (const [view, places] of Object.entries(VIEWS))
      for (const path of places) expect(viewOfPath(`/a/local${path.replace(/[?#].*/, "")}`)?.view).toBe(view);
  });

  it.each([1280, 390])(
    "runs no scripts, sends no requests, does not navigate and is accessible, in any view at %i pixels",
    async (width) => {
      const { page, drawn, harm } = await watchedPage({ viewport: { width, height: 800 }, colorScheme: "light" });
      const faults: string[] = [];
      const shown: unknown[] = [];
      for (const path of PLACES) {
        await page.goto(`${base}/a/local${path}`);
        await drawn();
        const found = [...(await faultsOf(page)), ...(await axeOf(page))];
        const [title, heading] = await page.evaluate<[string, string]>(TITLE_AND_HEADING);
        const isNamed = path.startsWith("/search")
          ? /^(?:berth|strange|huge).* · \d+ · ./.test(title)
          : title.includes(heading.replaceAll(UNTITLED, ""));
        if (TURNING.test(title)) found.push("a title that turns");
        if (!isNamed) found.push(`title ${title} of ${heading}`);
        faults.push(...found.map((fault) => `${path}: ${fault}`));
        shown.push(...((await page.locator("main").textContent()) ?? "").matchAll(/window\.ran=1/g));
      }
      expect({ faults, harm, asked }).toEqual({ faults: [], harm: [], asked: [] });
      // The attacks were there, as text.
      expect(shown.length).toBeGreaterThan(50);
      await page.context().close();
    },
  );

  it.each([1280, 390])("has no layout shift at %i pixels when responses are slow", async (width) => {
    const { page, drawn, harm } = await watchedPage({ viewport: { width, height: 800 } });
    let answers = 0;
    await page.route(`${base}/api/**`, async (route) => {
      await setTimeout(++answers * LATE_MS);
      await route.continue();
    });
    const moved: Record<string, unknown> = {};
    const people = ["/people/contact-000001", "/between/contact-000001/contact-000002"];
    // No message in these views has a tag or note, because a tag or note makes its row taller when it arrives.
    const places = ["/", "/search?q=invoice&view=table", "/topics", ...people];
    for (const path of places) {
      answers = 0;
      await page.goto(`${base}/a/local${path}`);
      await drawn();
      expect(answers, path).toBeGreaterThan(0);
      moved[path] = await page.evaluate("window.moved");
    }
    expect({ moved, harm }).toEqual({ moved: Object.fromEntries(places.map((path) => [path, []])), harm: [] });
    await page.context().close();
  });

  it("runs no scripts and sends no requests as plain pages and feeds", async () => {
    const { page, harm } = await watchedPage({ viewport: { width: 390, height: 800 } });
    const faults: string[] = [];
    const linked = new Set<string>();
    let shown = 0;
    const places = ["search?q=berth", "search?q=strange", "search?q=huge", "search?q=%3Csvg/onload=ran()%3E&match=any"];
    for (const path of [...places, "thread/thread-000001", "message/msg-000069", "id/m1@crow.example"]) {
      await page.goto(`${base}/plain/local/${path}`);
      if ((await page.evaluate<unknown>("window.ran")) !== undefined) faults.push(`${path}: a script ran`);
      const running = "script, svg, img, iframe, [onload], [onerror], [onmouseover], a[href^='javascript']";
      if ((await page.locator(running).count()) > 0) faults.push(`${path}: markup of mail`);
      if (await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth"))
        faults.push(`${path}: wider than the screen`);
      faults.push(...(await axeOf(page)).map((line) => `${path}: ${line}`));
      shown += [...((await page.locator("body").textContent()) ?? "").matchAll(/window\.ran=1/g)].length;
      for (const href of await page.locator("li a, article a").evaluateAll((all) => all.map((a) => String(a))))
        if (href.startsWith(`${base}/api/`)) linked.add(href);
    }
    for (const href of linked) {
      const { status } = await fetch(href);
      if (status !== 200 && !href.endsWith("/html")) faults.push(`${href}: ${status}`);
    }
    const feed = await (await fetch(`${base}/plain/local/feed`)).text();
    const parsed = `new DOMParser().parseFromString(${JSON.stringify(feed)}, "application/xml")`;
    const [entries, broken] = await page.evaluate<[number, number]>(
      `((feed) => [feed.querySelectorAll("entry").length, feed.querySelectorAll("parsererror").length])(${parsed})`,
    );
    expect({ faults, harm, asked, broken }).toEqual({ faults: [], harm: [], asked: [], broken: 0 });
    expect(entries).toBe(50);
    expect(shown).toBeGreaterThan(20);
    expect(linked.size).toBeGreaterThan(5);
    await page.context().close();
  });

  it("runs no scripts and sends no requests as formatted mail, in its frame and opened directly", async () => {
    const { page, drawn, harm } = await watchedPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${base}/a/local/thread/thread-000001`);
    await drawn();
    const buttons = page.locator("article button.html");
    for (let at = 0; at < (await buttons.count()); at++) await buttons.nth(at).click();
    await expect.poll(() => page.locator("article iframe").count()).toBe(await buttons.count());
    const frames = page.frames().filter((frame) => frame !== page.mainFrame());
    for (const frame of frames) {
      await frame.getByText("Own text of berth").waitFor();
      expect(await frame.evaluate("window.ran")).toBeUndefined();
    }
    for (const frame of [...new Set(frames.map((framed) => framed.url()))]) {
      await page.goto(frame);
      await page.getByText("Own text of berth").waitFor();
      expect(await page.evaluate("window.ran")).toBeUndefined();
    }
    expect({ harm, asked, frames: frames.length > 0 }).toEqual({ harm: [], asked: [], frames: true });
    await page.context().close();
  });

  it("shows mail with every kind of request, and huge mail, in its frame and opened directly", async () => {
    const { page, drawn, harm } = await watchedPage({ viewport: { width: 1280, height: 800 } });
    const shown: Record<string, number> = {};
    for (const { id, subject } of [...(await found("strange")), ...(await found("huge"))]) {
      await page.goto(`${base}/a/local/message/${id}`);
      await drawn();
      const mail = page.locator("article.named");
      await mail
        .getByText(/Own text of/)
        .first()
        .waitFor();
      expect(await faultsOf(page), subject).toEqual([]);
      await mail.locator("button.html").click();
      await mail.locator(":is(iframe, .warned)").waitFor();
      await drawn();
      // What the click moves is not counted; browsers exclude only the first half second.
      await page.evaluate("window.shift = 0");
      expect(await faultsOf(page), subject).toEqual([]);
      const answer = (await page.goto(`${base}/api/explore/messages/${id}/html`))!;
      shown[`${answer.status()}`] = (shown[`${answer.status()}`] ?? 0) + 1;
      if (!answer.ok()) continue;
      await page.getByText(/Own text of/).waitFor();
      expect(await page.evaluate("window.ran"), subject).toBeUndefined();
      const styled = '[style*="url"], [style*="("], [background], [srcset], [ping], base, meta:not([charset]), link';
      expect(await page.locator(styled).count(), subject).toBe(0);
    }
    // Plain text, and content that would block a browser.
    expect(shown).toEqual({ 200: STRANGE_MESSAGES + 3, 404: 5 });
    const complaints = harm.filter((text) => !/status of 404/.test(text));
    expect({ complaints, asked }).toEqual({ complaints: [], asked: [] });
    await page.context().close();
  });

  it("sends files as downloads, with harmless names", async () => {
    const { page } = await watchedPage({ viewport: { width: 1280, height: 800 } });
    const kinds = new Set<string>();
    for (const { id } of [(await found("strange"))[0]!, (await found("subject1"))[0]!]) {
      const { attachments } = await data<{ readonly attachments: readonly { readonly number: number }[] }>(
        `/messages/${id}`,
      );
      for (const { number } of attachments) {
        const path = `${base}/api/messages/${id}/attachments/${number}`;
        const { headers, status } = await fetch(path);
        expect([status, headers.get("x-content-type-options"), headers.get("set-cookie")]).toEqual([
          200,
          "nosniff",
          null,
        ]);
        expect(headers.get("content-disposition")).toMatch(/^(?:inline|attachment); filename\*=UTF-8''[\w.%!~-]+$/);
        expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; (?:sandbox|style-src)/);
        kinds.add(`${headers.get("content-disposition")!.split(";")[0]} ${headers.get("content-type")}`);
        // A download does not navigate.
        await page.goto(path).catch((error: unknown) => expect(String(error)).toContain("Download is starting"));
        expect(await page.evaluate("window.ran"), path).toBeUndefined();
      }
    }
    expect([...kinds].toSorted()).toEqual([
      "attachment application/octet-stream",
      "inline application/pdf",
      "inline image/gif",
      "inline text/plain; charset=utf-8",
    ]);
    expect(asked).toEqual([]);
    await page.context().close();
  });

  it("runs no scripts and sends no requests in print and in saved files", async () => {
    const { page, drawn, harm } = await watchedPage({ viewport: { width: 1280, height: 800 } });
    for (const path of ["/thread/thread-000001", "/search?q=berth&view=read", ...VIEWS.hits]) {
      await page.goto(`${base}/a/local${path}`);
      await drawn();
      expect((await page.pdf()).subarray(0, 5).toString()).toBe("%PDF-");
      expect(await page.evaluate("window.ran"), path).toBeUndefined();
    }
    // No name leads out of the directory where a file is unpacked, or is reserved by a system.
    const opened: string[] = [];
    const natives = new Map<string, string>();
    for (const format of EXPORT_FORMATS) {
      const written = await fetch(`${base}/api/export?format=${format}`);
      const files = await readZip(Buffer.from(await written.arrayBuffer()));
      expect(files.size, format).toBeGreaterThan(0);
      for (const [name, content] of files) {
        expect(name).not.toMatch(/^[/\\]|(?:^|[/\\])\.\.(?:[/\\]|$)|[<>"|?*\\\0-\x1f]/);
        const ending = SHOWN_ENDINGS.find((known) => name.endsWith(known));
        if (name.includes("/NATIVES/")) {
          // Original bytes: review platforms open them, not our page.
          natives.set(/[^/]+(?=\.\w+$)/.exec(name)![0], createHash("sha256").update(content).digest("hex"));
          continue;
        }
        if (ending === undefined) continue;
        // The extension makes the browser open the file with its type.
        const saved = join(scratch, `${name.replaceAll("/", "-")}${ending === ".html" ? "" : ".xml"}`);
        writeFileSync(saved, content);
        await page.goto(pathToFileURL(saved).href);
        // The attacks are present as text. Of names, only the parts that do not look like an address remain.
        expect(content.toString(), name).toMatch(/window\.ran=1|from0 [^<]*&gt;/);
        expect(await page.evaluate("window.ran"), name).toBeUndefined();
        opened.push(ending);
      }
    }
    expect(new Set(opened)).toEqual(new Set(SHOWN_ENDINGS));
    expect(natives.size).toBeGreaterThan(MESSAGES);
    expect(new Set(natives.values())).toEqual(await hashesOfOriginals());
    expect({ harm, asked }).toEqual({ harm: [], asked: [] });
    await page.context().close();
  });

  it("detects requests: a control", async () => {
    await fetch(`http://127.0.0.1:${(crow.address() as AddressInfo).port}/?heard`);
    expect(asked).toEqual(["/?heard"]);
  });
});
