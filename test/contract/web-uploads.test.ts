import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createUploadService } from "../../src/http/upload-service/upload-service.ts";
import { unpackArchive } from "../../src/unpacking/unpack-archive.ts";
import { UNPACK_LIMITS } from "../../src/unpacking/unpack-limits.ts";
import { BROWSER, launchChromium } from "../chromium.ts";
import { bundlePages } from "./bundled-pages.ts";
import { createServiceFixture, NOON, type ServiceFixture } from "./service-fixture.ts";
import { AXE, RUN_AXE } from "./web-fixture.ts";

/** Uploads on the page of the service: folders, bundles, early rejections, pauses, failures. */

const MIB = 1024 ** 2;
const MAIL = "From ann@x.example Mon May 14 16:39:00 2001\nFrom: ann@x.example\nSubject: rope\n\nrope\n";

let fixture: ServiceFixture;
let app: FastifyInstance;
let browser: Browser;
let page: Page;
let base: string;
let folder: string;

beforeAll(async () => {
  if (BROWSER === undefined) return;
  await bundlePages();
  folder = mkdtempSync(join(tmpdir(), "archivetool-folder-"));
  fixture = await createServiceFixture();
  app = await createUploadService(
    fixture.service,
    { host: "127.0.0.1", token: null, allowedHosts: [], allowedOrigins: [], environment: "contract", rateLimit: null },
    null,
  );
  await app.listen({ host: "127.0.0.1", port: 0 });
  const bound = app.server.address();
  base = `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`;
  browser = await launchChromium();
});
beforeEach(async () => {
  if (BROWSER === undefined) return;
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${base}/`);
  await page.getByText("Select files").waitFor();
});
afterEach(() => page?.close());
afterAll(async () => {
  await browser?.close();
  await app?.close();
  fixture?.remove();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

const rowOf = (name: string) =>
  page.locator(".archive", { has: page.locator("bdi", { hasText: new RegExp(`^${name}$`) }) });
const picker = (kind: "files" | "folder") => page.locator("input[type=file]").nth(kind === "files" ? 0 : 1);
const file = (name: string, text = MAIL) => ({ name, mimeType: "application/mbox", buffer: Buffer.from(text) });
const upload = () => page.locator(".upload-form").getByRole("button", { name: /^Upload/ });

/** Removes earlier uploads, because uploads run in order. */
async function nothingWaits(): Promise<void> {
  for (const { uploadId } of await fixture.catalog.list()) await fixture.service.queue.cancel(uploadId);
}

/** Id and file that the service stores under a name. */
async function received(name: string): Promise<{ readonly uploadId: string; readonly path: string }> {
  const { uploadId } = (await fixture.catalog.list()).find(({ filename }) => filename === name)!;
  const source = fixture.directory.sourceDirectory(uploadId);
  return { uploadId, path: join(source, readdirSync(source)[0]!) };
}

/** Texts of the files in a tar file, by their paths. */
async function filesOfTar(path: string): Promise<Readonly<Record<string, string>>> {
  const target = join(mkdtempSync(join(folder, "unpacked-")), "files");
  await unpackArchive(path, target, UNPACK_LIMITS, new AbortController().signal);
  const names = readdirSync(target, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map((entry) => {
      const at = join(entry.parentPath, entry.name);
      return [at.slice(target.length + 1), readFileSync(at, "utf8")];
    }),
  );
}

describe.skipIf(BROWSER === undefined)("on the page of the service", () => {
  it("a folder becomes one tar file of its files", async () => {
    const mail = join(folder, "Harbour mail");
    mkdirSync(join(mail, "Entwürfe"), { recursive: true });
    writeFileSync(join(mail, "ropes.eml"), "Subject: rope\n\nrope\n");
    writeFileSync(join(mail, "Entwürfe", "draft.eml"), "Subject: draft\n\nnot sent\n");
    await picker("folder").setInputFiles(mail);
    await page.getByText("2 files").waitFor();
    await upload().click();
    await rowOf("Harbour mail.tar").getByText("queued").waitFor();
    expect(await filesOfTar((await received("Harbour mail.tar")).path)).toEqual({
      "Harbour mail/ropes.eml": "Subject: rope\n\nrope\n",
      "Harbour mail/Entwürfe/draft.eml": "Subject: draft\n\nnot sent\n",
    });
  });

  it("an upload is deleted after confirmation, and the page reports a missing response", async () => {
    await picker("files").setInputFiles([file("gone.mbox")]);
    await upload().click();
    const name = "Delete gone.mbox";
    await rowOf("gone.mbox").getByRole("button", { name }).click();
    const dialog = page.getByRole("dialog", { name });
    await page.route("**/uploads/*", (route) =>
      route.request().method() === "DELETE" ? route.abort() : route.continue(),
    );
    await dialog.getByRole("button", { name }).click();
    await expect.poll(() => dialog.getByRole("alert").textContent()).toBe("The server has stopped");
    await page.unroute("**/uploads/*");
    await dialog.getByRole("button", { name }).click();
    await dialog.waitFor({ state: "detached" });
    await rowOf("gone.mbox").waitFor({ state: "detached" });
    expect((await fixture.catalog.list()).map(({ filename }) => filename)).not.toContain("gone.mbox");
  });

  it("several files become an archive each, or one of all", async () => {
    await picker("files").setInputFiles([file("one.mbox"), file("two.mbox")]);
    await page.getByRole("button", { name: "Upload 2 archives" }).click();
    for (const name of ["one.mbox", "two.mbox"]) await rowOf(name).getByText("queued").waitFor();
    await picker("files").setInputFiles([file("three.mbox"), file("four.mbox")]);
    await page.getByLabel("one archive").check();
    await upload().click();
    await rowOf("mail.tar").getByText("queued").waitFor();
    expect(await filesOfTar((await received("mail.tar")).path)).toEqual({ "three.mbox": MAIL, "four.mbox": MAIL });
  });

  it("unsupported files are reported before a byte is sent", async () => {
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") sent.push(request.url());
    });
    await page.route("**/health", (route) => route.fulfill({ json: { disk_free_bytes: 1500 } }));
    await picker("files").setInputFiles([
      file("empty.mbox", ""),
      file("letter.docx"),
      file("large.mbox", "x".repeat((1 << 20) + 1)),
      file("wide.mbox", "x".repeat(2000)),
    ]);
    await page.getByText("empty.mbox: empty file").waitFor();
    await page.getByText("letter.docx: unsupported file type").waitFor();
    await page.getByText("large.mbox: larger than 1 MB").waitFor();
    await page.getByText("wide.mbox: only 1.5 KB free on the server").waitFor();
    expect(await upload().isDisabled()).toBe(true);
    expect(sent).toEqual([]);
  });

  it("redaction, password and limit go with the file", async () => {
    await picker("files").setInputFiles([file("waiting.mbox")]);
    await page.getByText("Options").click();
    await page.getByLabel("phone numbers").check();
    await page.getByLabel("IBANs").check();
    await page.getByLabel("Password").fill("s3same");
    await page.getByLabel("Message limit").fill("7");
    await upload().click();
    await rowOf("waiting.mbox").getByText("queued").waitFor();
    const { uploadId } = await received("waiting.mbox");
    const job = (await fixture.catalog.jobsOf("queued")).find(({ upload: { uploadId: id } }) => id === uploadId)!;
    expect(job.options).toMatchObject({ redact: ["phone", "iban"], password: "s3same", maxMessages: 7 });
    // The browser stores nothing of it.
    expect(await page.evaluate("JSON.stringify({ ...localStorage })")).not.toContain("s3same");
  });

  it("an upload can be paused and resumed, also after a reload", async () => {
    const [begun, pieces]: [string[], string[]] = [[], []];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/upload/resumable")) begun.push(request.url());
    });
    const held: Route[] = [];
    const hold = (route: Route): void => {
      if (route.request().method() === "PATCH") held.push(route);
      else void route.continue();
    };
    await page.route("**/upload/resumable/*", hold);
    // A file on disk: its date identifies it later.
    const chosen = join(folder, "long.mbox");
    writeFileSync(chosen, MAIL);
    await picker("files").setInputFiles(chosen);
    await upload().click();
    await expect.poll(() => held.length).toBe(1);
    const address = held[0]!.request().url();
    await page.getByRole("button", { name: "Pause" }).click();
    await rowOf("long.mbox").getByText("paused").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await expect.poll(() => held.length).toBe(2);
    // Half of it has arrived when the page is closed.
    const half = Math.floor(MAIL.length / 2);
    const { status } = await fetch(address, {
      method: "PATCH",
      headers: { "tus-resumable": "1.0.0", "upload-offset": "0", "content-type": "application/offset+octet-stream" },
      body: MAIL.slice(0, half),
    });
    expect(status).toBe(204);
    await page.unroute("**/upload/resumable/*", hold);
    page.on("request", (request) => {
      if (request.method() === "PATCH") pieces.push(request.headers()["upload-offset"]!);
    });
    await page.reload();
    await picker("files").setInputFiles(chosen);
    await upload().click();
    await rowOf("long.mbox").getByText("queued").waitFor();
    expect([begun.length, pieces]).toEqual([1, [String(half)]]);
    expect(readFileSync((await received("long.mbox")).path, "utf8")).toBe(MAIL);
  });

  it("an upload continues while an archive is open, and is listed afterwards", async () => {
    await nothingWaits();
    await fixture.addCompleted("looked at.mbox");
    const held: Route[] = [];
    await page.route("**/upload/resumable/*", (route) => {
      if (route.request().method() === "PATCH" && held.length === 0) held.push(route);
      else void route.continue();
    });
    await picker("files").setInputFiles([file("slow.mbox"), file("behind.mbox")]);
    await page.getByRole("button", { name: "Upload 2 archives" }).click();
    await expect.poll(() => held.length).toBe(1);
    await page.getByRole("link", { name: "24 messages" }).first().click();
    await page.getByText("Filters").waitFor();
    await page.goBack();
    await rowOf("slow.mbox").getByRole("button", { name: "Pause" }).waitFor();
    await held[0]!.continue();
    for (const name of ["slow.mbox", "behind.mbox"]) await rowOf(name).getByText("queued").waitFor();
  });

  it("a canceled upload is not sent, and does not block the next ones", async () => {
    const held: Route[] = [];
    await page.route("**/upload/resumable/*", (route) => {
      if (route.request().method() === "PATCH" && held.length === 0) held.push(route);
      else void route.continue();
    });
    await picker("files").setInputFiles(["first", "second", "third"].map((name) => file(`${name}.mbox`)));
    await page.getByRole("button", { name: "Upload 3 archives" }).click();
    await expect.poll(() => held.length).toBe(1);
    for (const name of ["second", "first"]) {
      await rowOf(`${name}.mbox`).getByRole("button", { name: "Cancel upload" }).click();
      await rowOf(`${name}.mbox`).waitFor({ state: "detached" });
    }
    await rowOf("third.mbox").getByText("queued").waitFor();
    const names = (await fixture.catalog.list()).map(({ filename }) => filename);
    expect(names.filter((name) => ["first.mbox", "second.mbox", "third.mbox"].includes(name))).toEqual(["third.mbox"]);
  });

  it("a full disk is reported immediately, without retries", async () => {
    let asked = 0;
    await page.route("**/upload/resumable", (route) => {
      asked++;
      const error = { code: "DISK_FULL", message: "not enough disk space on the server" };
      return route.fulfill({ status: 507, json: { status: "error", error } });
    });
    await picker("files").setInputFiles([file("late.mbox")]);
    await upload().click();
    await rowOf("late.mbox").getByText("not enough disk space on the server").waitFor();
    expect(asked).toBe(1);
    await page.getByRole("button", { name: "Cancel upload" }).click();
    await rowOf("late.mbox").waitFor({ state: "detached" });
  });

  it("an extraction shows its phase, progress, speed and remaining time", async () => {
    await nothingWaits();
    const uploadId = await fixture.addQueued("pace.mbox");
    await fixture.startNext();
    const row = rowOf("pace.mbox");
    const progress = { state: "progress", isSkipped: false } as const;
    // The number of messages in a file is unknown before it is read: progress counts bytes.
    const read = (done: number, mebibytes: number): void => {
      const bytes = { done: mebibytes * MIB, total: 40 * MIB };
      fixture.events.appendPhase(uploadId, { phase: "parsing", ...progress, done, total: null, bytes }, NOON);
    };
    await page.evaluate("window.clock = 0; performance.now = () => window.clock;");
    read(100, 1);
    await row.getByText("reading messages 1 MB of 40 MB · 100 messages").waitFor();
    await page.evaluate("window.clock += 1500");
    read(1000, 11);
    await row.getByText("11 MB of 40 MB · 1,000 messages · 600 per second · 5 s left").waitFor();
    await expect.poll(() => page.title()).toContain("27%");
    expect(await row.getByRole("progressbar", { name: "reading messages" }).getAttribute("value")).toBe(
      String(11 * MIB),
    );
    const begun = { phase: "threading", state: "started", done: 0, total: null, isSkipped: false } as const;
    await fixture.events.appendPhase(uploadId, begun, NOON);
    await expect.poll(() => row.locator(".archive-state").textContent()).toBe("grouping conversations ");
    const sendProgress = (done: number): Promise<void> =>
      fixture.events.appendPhase(uploadId, { phase: "redaction", ...progress, done, total: 4000 }, NOON);
    await sendProgress(0);
    await row.getByText("analyzing text 0 of 4,000").waitFor();
    await sendProgress(100);
    await row.getByText("analyzing text 100 of 4,000").waitFor();
    await page.evaluate("window.clock += 1500");
    await sendProgress(1000);
    await row.getByText("1,000 of 4,000 · 600 per second · 5 s left").waitFor();
    await expect.poll(() => page.title()).toContain("25%");
    // A visitor who arrives later sees the current state immediately.
    await page.reload();
    await row.getByText("analyzing text 1,000 of 4,000").waitFor();
    await fixture.service.queue.cancel(uploadId);
  });

  it("announces phases and results to screen readers once each, and shows the progress in the title", async () => {
    await nothingWaits();
    const names = ["heard.mbox", "other.mbox"];
    const uploadIds: string[] = [];
    for (const name of names) {
      uploadIds.push(await fixture.addQueued(name));
      await fixture.startNext();
    }
    const [heard, other] = uploadIds;
    for (const name of names) await rowOf(name).waitFor();
    const announced: string[] = [];
    // Screen readers do not announce an emptied region.
    await page.exposeFunction("hear", (text: string) => void (text === "" || announced.push(text)));
    await page.evaluate(`{
      const region = document.querySelector(".archives > section > p[role=status]");
      new MutationObserver(() => hear(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
    }`);
    const sendProgress = (uploadId: string, phase: "parsing" | "topics", done: number): Promise<void> =>
      fixture.events.appendPhase(uploadId, { phase, state: "progress", isSkipped: false, done, total: 100 }, NOON);
    await sendProgress(heard!, "parsing", 10);
    await sendProgress(heard!, "parsing", 40);
    await expect.poll(() => page.title()).toContain("40%");
    await sendProgress(other!, "topics", 70);
    await expect.poll(() => page.title()).toBe("40% · 70% · Archives · archivetool");
    await sendProgress(heard!, "topics", 5);
    await fixture.service.queue.cancel(other!);
    await expect.poll(() => page.title()).toContain("5% · Archives");
    await expect
      .poll(() => announced)
      .toEqual(["heard.mbox: reading messages", "other.mbox: finding topics", "heard.mbox: finding topics"]);
    await fixture.service.queue.cancel(heard!);
  });

  it("a failed upload shows cause and solution, and can be tried again with the missing password", async () => {
    await picker("files").setInputFiles([file("locked.mbox")]);
    await upload().click();
    const row = rowOf("locked.mbox");
    await row.getByText("queued").waitFor();
    const { uploadId } = await received("locked.mbox");
    const fail = async (id: string, code: "PASSWORD_REQUIRED" | "DAMAGED_SOURCE", message: string): Promise<void> => {
      await fixture.startNext();
      await fixture.catalog.fail(id, { code, message }, NOON);
      await fixture.events.deliver();
    };
    await fail(uploadId, "PASSWORD_REQUIRED", "the store is protected: upload it again with its password");
    await row.getByText("upload it again with its password").waitFor();
    // The file was sent from this page, so it is still available.
    await page.getByRole("button", { name: "Try again: locked.mbox" }).click();
    await page.getByLabel("Password").fill("s3same");
    await upload().click();
    await row.getByText("queued").waitFor();
    await expect.poll(() => row.count()).toBe(1);
    expect(await fixture.catalog.get(uploadId)).toBeNull();
    const again = (await fixture.catalog.jobsOf("queued")).find(
      ({ upload: { filename } }) => filename === "locked.mbox",
    )!;
    expect(again.options.password).toBe("s3same");
    // After a reload it must be selected again, because the service keeps nothing of a failed upload.
    await fail(again.upload.uploadId, "DAMAGED_SOURCE", "no page of the file is whole");
    await page.reload();
    await row.getByText("Try a backup of the file.").waitFor();
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Try again: locked.mbox" }).click();
    await (await chooser).setFiles([file("backup.mbox")]);
    await upload().click();
    await rowOf("backup.mbox").getByText("queued").waitFor();
    await row.waitFor({ state: "detached" });
  });

  it("the list stays correct without events, and when they resume", async () => {
    const fresh = await browser.newPage();
    const cut = (route: Route): Promise<void> => route.abort();
    await fresh.route("**/agent-stream*", cut);
    await fresh.goto(`${base}/`);
    const row = (name: string) => fresh.locator(".archive", { hasText: name });
    await fresh.getByText("Select files").waitFor();
    const polled = await fixture.addQueued("polled.mbox");
    await row("polled.mbox").getByText("queued").waitFor();
    await fixture.service.queue.cancel(polled);
    await row("polled.mbox").waitFor({ state: "detached" });
    // The browser reconnects automatically, and receives missed events.
    const connected = fresh.waitForResponse("**/agent-stream*");
    const missed = await fixture.addQueued("missed.mbox");
    await fresh.unroute("**/agent-stream*", cut);
    await connected;
    await row("missed.mbox").getByText("queued").waitFor();
    await fixture.service.queue.cancel(missed);
    await row("missed.mbox").waitFor({ state: "detached" });
    await fresh.close();
  });

  it.each([390, 1280])("mail is added to an archive that remains readable, at %i pixels", async (width) => {
    await nothingWaits();
    const id = await fixture.addCompleted("harbour.mbox");
    await page.setViewportSize({ width, height: 800 });
    await page.reload();
    const row = rowOf("harbour.mbox");
    const mail = row.getByLabel("Add mail: harbour.mbox");
    const shot = process.env["ARCHIVETOOL_SHOTS"];
    await mail.waitFor({ state: "attached" });
    await row.getByText("24 messages").waitFor();
    if (shot !== undefined) await page.screenshot({ path: `${shot}/add-${width}.png` });
    await mail.setInputFiles([file("letters.docx")]);
    await row.getByText(/letters\.docx.* is not one of/).waitFor();
    if (shot !== undefined) await page.screenshot({ path: `${shot}/add-refused-${width}.png` });
    const main = page.locator("main");
    expect(await main.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await mail.setInputFiles([file("more.mbox"), file("others.mbox")]);
    await expect.poll(async () => (await fixture.catalog.get(id))?.status).toBe("queued");
    await fixture.events.deliver();
    await row.getByText("queued", { exact: true }).waitFor();
    expect(await row.getByRole("link", { name: "Explore" }).isVisible()).toBe(true);
    expect(await mail.count()).toBe(0);
    expect(await fixture.catalog.get(id)).toMatchObject({ adding: { filename: "mail.tar" } });
    await fixture.startNext();
    await fixture.catalog.complete(
      id,
      { messages: 26, contacts: 6, threads: 5, topics: 4, calendarEvents: 0, attachments: 1 },
      NOON + 9000,
    );
    await fixture.events.deliver();
    await row.getByText("26 messages").waitFor();
    await fixture.service.queue.cancel(id);
  });

  it.each([320, 390, 1280])(
    "uploads, failures and forms fit into %i pixels, without axe-core violations",
    async (width) => {
      await nothingWaits();
      const name = `${"long-".repeat(20)}${width}.pst`;
      const uploadId = await fixture.addQueued(name);
      await fixture.startNext();
      await fixture.catalog.fail(uploadId, { code: "DAMAGED_SOURCE", message: `${name}: nothing can be read` }, NOON);
      await fixture.events.deliver();
      for (const colorScheme of ["light", "dark"] as const) {
        const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true });
        const narrow = await context.newPage();
        await narrow.goto(`${base}/`);
        await narrow.locator(".archive", { hasText: "nothing can be read" }).first().waitFor();
        await narrow
          .locator("input[type=file]")
          .first()
          .setInputFiles([file(`${"name".repeat(30)}.mbox`), file(`${"letter".repeat(20)}.docx`)]);
        await narrow.getByText("Options").click();
        await narrow.evaluate(AXE);
        expect(await narrow.evaluate(RUN_AXE)).toEqual([]);
        const main = narrow.locator("main");
        expect(await main.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
        await context.close();
      }
      await fixture.service.queue.cancel(uploadId);
    },
  );
});
